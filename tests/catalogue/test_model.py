import json
from datetime import date

import pytest

from icml2008.catalogue.changes import unexplained
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.reading import read_paper
from icml2008.catalogue.short import in_full
from icml2008.judge.standing import judged_hash

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
    status: headline
    page: 3
    quote: A outperforms B
    statistic: {difference: [A, B], metric: accuracy, experiment: play}
    above: "0"
choices:
  ties: {question: Who wins?, default: first, alternatives: [last], touches: [play], why: Custom.}
"""


CONTROLS = "    controls: [{{metrics: [accuracy], {}}}]\nclaims:"
CHANGE = "changes:\n- {{{}, date: 2026-01-02, after: b, reason: It was.}}\nchoices:"


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
        (
            "alternatives: [last]",
            "alternatives: [last], ruled_out: {last: By Table 1.}",
            "ruled_out: 'last' is read",
        ),
        ("alternatives: [last]", "ruled_out: {}", "alternatives: none is given, and none is"),
        ("alternatives: [last]", "alternatives: [first]", "the default 'first' stands among"),
        ("alternatives: [last]", "alternatives: [1/2]", "'1/2' names a folder of results"),
        ('above: "0"', "above: 0", "claims.a-beats-b.above"),
        ("key: doe2008toy", "key: roe2008toy", "'roe2008toy' in the folder 'doe2008toy'"),
        ("topic: evaluation", "topic: evaluation\ntopic: svm", "the key 'topic' stands twice"),
        ("pages: [1, 8]", "pages: [1, 8", "not YAML"),
        ("  a-beats-b:", "  ../../a-beats-b:", "claims: '../../a-beats-b' names a file"),
        ("  play:", "  /etc/play:", "experiments: '/etc/play' names a file"),
        ("pages: [1, 8]", "pages: 2008-13-45", "not YAML: month must be in 1..12"),
        ("pages: [1, 8]", "pages: " + "[" * 200, "not YAML: line 4: nested more than 100 deep"),
        ("pages: [1, 8]", "pages: &a [*a]", "line 4: aliases stand for too many values"),
        (
            "[A, B], metric: accuracy",
            "[A, B], metric: acuracy",
            "no metric 'acuracy'; did you mean",
        ),
        ("experiment: play}", "experiment: ply}", "no experiment 'ply'; did you mean 'play'"),
        ('above: "0"', 'above: "1e999"', "cannot read '1e999' as a printed number"),
        ("bounds: [0, 100]", "bounds: [0, .nan]", "metrics.accuracy.bounds.1: .*finite"),
        (
            'above: "0"',
            "never_violated: {instances: 9, tolerance: small}",
            "`tolerance` is 'small', not a number",
        ),
        ("choices:", "together: [tis=last]\nchoices:", "together: .*no choice 'tis'; did you mean"),
        (
            "choices:",
            "together: [ties=last]\nchoices:",
            "'ties=last' changes fewer than two choices",
        ),
        ("    status: headline\n", "", r"paper.yaml: claims.a-beats-b: `status` is missing"),
        ("    page: 3\n", "", "a-beats-b: `page` missing; what the paper itself claims"),
        ("    quote: A outperforms B\n", "", "a-beats-b: `quote` missing"),
        ("quote: A", f"quote: {20 * 'A '}", "claims.a-beats-b: `quote` has 22 words"),
        ("status: headline", "status: headlin", "claims.a-beats-b.status: .*'stand_in', found"),
        (
            "    page: 3\n",
            "    page: 3\n    disputed: true\n",
            "`disputed` needs `author_response`",
        ),
        (
            "    page: 3\n",
            "    page: 3\n    author_response: {text: No.}\n",
            "response.author: mis",
        ),
        ("    page: 3\n", "    page: 3\n    same_as: b\n", "same_as: no counted claim 'b'"),
        ("    page: 3\n", "    page: 3\n    derived: {'7': so}\n", r"speaks of \['7'\], which"),
        ("claims:", CONTROLS.format("ceiling: B"), "give `floor`, or in `none` the reason why"),
        ("claims:", CONTROLS.format("floor: 50"), "floor.method: 50 is a int; put it in quotes"),
        ("claims:", CONTROLS.format("floor: {value: '50'}"), "floor.constant.why: missing"),
        ("claims:", CONTROLS.format("floor: {value: fifty, why: So.}"), "'fifty'"),
        (
            "claims:",
            CONTROLS.format("floor: A").replace("acc", "ac"),
            "experiments.play.controls: no metric 'acuracy'; did you mean 'accuracy'",
        ),
        ("choices:", CHANGE.format("claim: a-beats-c"), "no claim 'a-beats-c'; did you mean 'a-b"),
        ("choices:", CHANGE.format("claim: a-beats-b, choice: ties"), "a change is of one claim"),
        (
            "choices:",
            CHANGE.format("claim: a-beats-b").replace(", after: b", ""),
            "change has `bef",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(read, old, new, message):
    assert old in GOOD
    with pytest.raises(PaperError, match=message):
        read(GOOD.replace(old, new))


def test_a_file_in_another_encoding_is_named_with_its_line(tmp_path):
    path = tmp_path / "doe2008toy" / "paper.yaml"
    path.parent.mkdir()
    path.write_bytes(GOOD.replace("A Toy", "Ein Märchen").encode("latin-1"))
    with pytest.raises(PaperError, match="paper.yaml: line 2 is not UTF-8"):
        read_paper(path)


def test_all_mistakes_are_listed_at_once(read):
    with pytest.raises(PaperError) as error:
        read(GOOD.replace("title: A Toy\n", "").replace("topic: evaluation", "topic: 3"))
    assert len(str(error.value).splitlines()) == 2


GROUPED = """\
groups:
  sizes: [10, 100]
claims:
  a-beats-b-anywhere:
    says: A beats B.
    status: ours
    statistic: {difference: [A, B], metric: accuracy, experiment: play}
    each: {size: sizes}
    above: "0"
"""


def test_a_group_stands_for_its_values_in_every_claim_that_names_it(read):
    spelt = GROUPED.partition("claims:\n")[2].replace("size: sizes", "size: [10, 100]")
    grouped = read(GOOD.replace("claims:\n", GROUPED)).claims["a-beats-b-anywhere"]
    assert (
        grouped == read(GOOD.replace("claims:\n", f"claims:\n{spelt}")).claims["a-beats-b-anywhere"]
    )
    assert grouped.parts() == [{"size": "10"}, {"size": "100"}]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("size: sizes", "size: size", "anywhere.each.size: no group 'size'; did you mean 'sizes'"),
        ("size: sizes", "size: [10]", "groups.sizes: no claim is about it"),
        ("sizes: [10, 100]", "sizes: []", "groups.sizes: List should have at least 1 item"),
        ("groups:\n  sizes: [10, 100]\n", "", "no group 'sizes'; none are known"),
    ],
)
def test_a_mistake_about_groups_is_named(read, old, new, message):
    with pytest.raises(PaperError, match=message):
        read(GOOD.replace("claims:\n", GROUPED.replace(old, new)))


def test_lectures_owe_no_quote(read):
    venue = "venue: {kind: lectures, name: L, booktitle: L, year: 2022}\ntopic: evaluation"
    text = GOOD.replace("topic: evaluation", venue).replace("    quote: A outperforms B\n", "")
    assert read(text).claims["a-beats-b"].status == "headline"


@pytest.mark.parametrize("status", ["ours", "stand_in"])
def test_what_is_not_the_papers_owes_no_quote(read, status):
    text = GOOD.replace("    page: 3\n    quote: A outperforms B\n", "")
    assert read(text.replace("headline", status)).claims["a-beats-b"].status == status


def test_all_claims_that_lack_something_are_listed_at_once(read):
    second = GOOD.partition("claims:\n")[2].partition("choices:")[0].replace("a-beats-b", "b-too")
    text = GOOD.replace("choices:", f"{second}choices:").replace("    status: headline\n", "")
    with pytest.raises(PaperError) as error:
        read(text)
    assert [line.split(": ")[1] for line in str(error.value).splitlines()] == [
        *("claims.a-beats-b", "claims.b-too")
    ]


def entry(**more):
    return f"changes:\n- {json.dumps({'claim': 'a-beats-b', 'reason': 'So.', **more})}\nchoices:"


def with_date(text):
    return text.replace('"reason"', '"date": 2026-01-02, "reason"')


def test_a_claim_that_is_judged_in_another_way_needs_an_entry(read):
    first = {"a-beats-b": judged_hash(read(GOOD).claims["a-beats-b"])}
    assert unexplained(read(GOOD), first) == {}
    assert unexplained(read(GOOD.replace("says: A beats B.", "says: A is better.")), first) == {}
    moved = GOOD.replace('above: "0"', 'above: "1"')
    (judged,) = unexplained(read(moved), first).values()
    assert judged == judged_hash(read(moved).claims["a-beats-b"])
    changes = with_date(entry(before="0", after="1", judged=judged))
    assert unexplained(read(moved.replace("choices:", changes)), first) == {}
    # The entry is of that change, not of the next one.
    again = moved.replace('above: "1"', 'above: "2"').replace("choices:", changes)
    assert unexplained(read(again), first).keys() == {"a-beats-b"}


def test_a_claim_that_is_gone_or_new_needs_an_entry(read):
    paper = read(GOOD)
    today = judged_hash(paper.claims["a-beats-b"])
    assert unexplained(paper, {}) == {"a-beats-b": today}
    assert unexplained(paper, {"a-beats-b": today, "gone": "1"}) == {"gone": ""}
    changes = with_date(entry(claim="gone", before="It was so."))
    assert (
        unexplained(read(GOOD.replace("choices:", changes)), {"a-beats-b": today, "gone": "1"})
        == {}
    )


def test_a_claim_that_is_gone_keeps_its_earlier_changes(read):
    later = with_date(entry(claim="gone", before="It was so."))
    earlier = later.replace('"before"', '"after": "It was otherwise.", "before"')
    both = later.replace("choices:", earlier.removeprefix("changes:\n"))
    assert [change.what for change in read(GOOD.replace("choices:", both)).changes] == ["gone"] * 2
    with pytest.raises(PaperError, match="no claim 'gone'"):
        read(GOOD.replace("choices:", earlier))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"renamed": "a-beats-c"}, "changes.0.renamed: no claim 'a-beats-c'.* 'a-beats-b'"),
        ({"renamed": "a-beats-b", "after": "1"}, "`renamed` belongs to a claim that is no more"),
    ],
)
def test_a_renamed_claim_leads_to_one_that_is_there(read, more, message):
    gone = {"claim": "gone", "before": "It was so."}
    with pytest.raises(PaperError, match=message):
        read(GOOD.replace("choices:", with_date(entry(**gone, **more))))
    renamed = with_date(entry(**gone, renamed="a-beats-b"))
    assert read(GOOD.replace("choices:", renamed)).changes[0].renamed == "a-beats-b"


CHANGED = {"date": date(2026, 1, 2), "reason": "So."}


def test_a_change_of_several_things_is_an_entry_of_each():
    groups = [
        {**CHANGED, "claims": {"a": {"after": "1"}, "b": {"before": "0", "after": "2"}}},
        {**CHANGED, "choices": ["c", "d"], "before": "0"},
    ]
    assert in_full({"changes": groups})["changes"] == [
        {"claim": "a", **CHANGED, "after": "1"},
        {"claim": "b", **CHANGED, "before": "0", "after": "2"},
        {"choice": "c", **CHANGED, "before": "0"},
        {"choice": "d", **CHANGED, "before": "0"},
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"claims": ["a"], "choices": ["b"]}, r"changes.0: claims and choices; make an entry"),
        ({"claims": "a"}, r"changes.0.claims: a list of names, or a mapping"),
        ({"claims": {"a": {"reason": "No."}}}, r"changes.0.claims.a: what is not among"),
    ],
)
def test_a_change_of_several_things_says_nothing_twice(change, message):
    with pytest.raises(ValueError, match=message):
        in_full({"changes": [{**CHANGED, **change}]})


def test_an_erratum_has_its_own_entry_of_the_audit():
    erratum = {"where": "Section 4", "says": "A zero is missing."}
    own = {"patches": {"formula": "2 * 3", "printed": "60"}}
    full = in_full({"errata": [{**erratum, "audit": own}]})
    assert full["errata"] == [{**erratum, "status": "checked", "checked_by": "audit.patches"}]
    assert full["audit"] == {"patches": {"rule": "FORMULA", "where": "Section 4", **own["patches"]}}
    again = {"errata": [{**erratum, "audit": own}], "audit": {"patches": {}}}
    with pytest.raises(ValueError, match=r"errata.0.audit.patches: the audit has an entry"):
        in_full(again)
