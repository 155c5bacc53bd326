import pytest

from icml2008.papers.model import PaperError, read_paper

GOOD = """\
key: doe2008toy
title: A Toy
authors: [Jane Doe]
pages: [1, 8]
topic: evaluation
idea: It plays.
metrics:
  accuracy: {unit: percent, bounds: [0, 100], better: higher}
experiments:
  play:
    feeds: [Table 1]
    protocol: It is played.
    resampling: {kind: fresh}
claims:
  a-beats-b:
    says: A beats B.
    page: 3
    statistic: {difference: [A, B], metric: accuracy, experiment: play}
    above: "0"
choices:
  ties: {question: Who wins?, default: first, alternatives: [last], touches: [play], why: Custom.}
"""


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "doe2008toy" / "paper.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return read_paper(path)

    return read_text


def test_a_good_paper_is_read(read):
    paper = read(GOOD)
    assert paper.pages == (1, 8)
    assert paper.claims["a-beats-b"].above == "0"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title: A Toy", "titel: A Toy", "titel: unknown key; did you mean 'title'"),
        ("title: A Toy\n", "", "title: missing"),
        ("title: A Toy", "title: no", r"title: False is a bool; put it in quotes"),
        ("default: first", "default: 1", r"choices.ties.default: 1 is a int; put it in quotes"),
        ("touches: [play]", "touches: [pley]", "no experiment 'pley'; did you mean 'play'"),
        ("alternatives: [last]", "alternatives: [first]", "the default 'first' stands among"),
        ("alternatives: [last]", "alternatives: [1/2]", "'1/2' names a folder of results"),
        ('above: "0"', "above: 0", "claims.a-beats-b.above"),
        ("key: doe2008toy", "key: roe2008toy", "'roe2008toy' in the folder 'doe2008toy'"),
        ("topic: evaluation", "topic: evaluation\ntopic: svm", "the key 'topic' stands twice"),
        ("pages: [1, 8]", "pages: [1, 8", "not YAML"),
    ],
)
def test_a_mistake_is_named_with_its_place(read, old, new, message):
    assert old in GOOD
    with pytest.raises(PaperError, match=message):
        read(GOOD.replace(old, new))


def test_all_mistakes_are_listed_at_once(read):
    with pytest.raises(PaperError) as error:
        read(GOOD.replace("title: A Toy\n", "").replace("topic: evaluation", "topic: 3"))
    assert len(str(error.value).splitlines()) == 2
