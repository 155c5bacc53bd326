"""What a second hand found: every `second.yaml` that there is, and what is refused."""

import re
import shutil
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.reading_hands import hands, read_second
from icml2008.catalogue.second import combined

ROOT = Path(__file__).parents[2]

JUDGED = sorted(path.parent.name for path in ROOT.glob("results/reference/*/verdicts.json"))
# Judged before a second hand was asked for; a list that only gets shorter.
WITHOUT = {
    "bickel2008hiv",
    "chen2008indefinite",
    "foundations",
    "gonen2008localized",
    "gordon2008convexgames",
    "langford2008exploration",
    "larochelle2008classification",
    "li2008knows",
    "lu2008reproducing",
    "martins2008nonextensive",
    "melo2008analysis",
    "rosset2008bilevel",
    "shin2008mapping",
    "szafranski2008ckl",
    "vincent2008denoising",
}

PAPER = """\
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
    each: {size: [10, 20]}
    above: "0"
choices:
  ties: {question: Who wins?, default: first, alternatives: [last], touches: [play], why: Custom.}
"""

GOOD = """\
limits: [One thread.]
readings:
- {what: Who wins a tie, considered: [first, last], choice: ties}
- {what: How long a game is, answer: It changes nothing.}
sentences:
  a-better:
    says: A is better than B.
    quote: A outperforms B
    page: 3
    measured: [{what: lead, value: "-1.5", se: "0.2", repeats: 30, claim: a-beats-b / size=10}]
    verdict: fails
    claims: {a-beats-b / size=10: refuted}
    gone: {a-beats-b / size=5: confirmed}
  a-fast:
    says: A is fast.
    quote: A is fast
    page: 4
    verdict: open
    answer: Seconds of 2008 are not judged.
"""


@pytest.fixture
def read(tmp_path):
    def read_text(text, name="second.yaml"):
        folder = tmp_path / "doe2008toy"
        folder.mkdir(exist_ok=True)
        (folder / "paper.yaml").write_text(PAPER)
        path = folder / name
        path.write_text(text)
        return read_second(path)

    return read_text


def test_a_good_attempt_is_read(read):
    hand = read(GOOD)
    assert hand.sentences["a-better"].first == "fails"
    assert hand.sentences["a-fast"].first is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("limits: [One thread.]\n", "", "limits: missing"),
        ("limits:", "limts:", "limts: unknown key; did you mean 'limits'"),
        ("choice: ties", "choice: tie", "readings.0.choice: no choice 'tie'; did you mean 'ties'"),
        (", choice: ties", "", "readings.0: a reading is a `choice` of ours or has an `answer`"),
        ("considered:", "consider:", "readings.0.consider: unknown key; did you mean 'considered'"),
        ("    page: 3\n", "", "sentences.a-better.page: missing"),
        ("page: 3", "page: 33", "sentences.a-better.page: 33, where the paper has pages 1 to 8"),
        ("verdict: fails", "verdict: fail", "sentences.a-better.verdict: 'fail'; did you mean 'f"),
        ("verdict: fails", "veredict: fails", "a-better.veredict: unknown key; did you mean 'ver"),
        ("verdict: fails", "verdict: depends", "sentences.a-better.depends_on: `verdict: depends`"),
        ("verdict: fails", "verdict: holds", "sentences.a-better.cause: missing; .* fails by our"),
        ("refuted", "confirmed", "sentences.a-better.answer: missing; the sentence fails for"),
        ("refuted", "refutes", "a-better.claims.a-beats-b / size=10: 'refutes'; did you mean"),
        ("claims: {a-b", "claims: {a-x", "a-better.claims: no claim or part 'a-xeats-b .*did you"),
        (
            "a-beats-b / size=5",
            "a-beats-b",
            "sentences.a-better.gone: 'a-beats-b' is a claim today",
        ),
        (
            "claim: a-beats-b /",
            "claim: a-beats /",
            r"measured.0.claim: 'a-beats / size=10' is none",
        ),
        ('value: "-1.5"', "value: -1.5", "measured.0.value: -1.5 is a float; put it in quotes"),
        ('se: "0.2"', 'se: "1/5"', "measured.0.se: '1/5' is no number to lay beside a claim's"),
        ("se:", "sd:", "a-better.measured.0.sd: unknown key"),
        ("    answer: Seconds of 2008 are not judged.\n", "", "sentences.a-fast.answer: missing"),
        ("verdict: open", "verdict: holds", "sentences.a-fast.measured: missing"),
        ("quote: A is fast", f"quote: {'very ' * 20}", "sentences.a-fast.quote: 20 words"),
        ("  a-fast:", "  A_fast:", "sentences.A_fast: a sentence's key is in kebab-case"),
        ("  a-fast:", "  a-better:", "the key 'a-better' stands twice"),
        ("limits:", "by: Roe\nlimits:", "by: second-NAME.yaml says whose it is"),
        (
            "    verdict: fails",
            "    decided: {ours: fails, why: So.}\n    verdict: fails",
            "sentences.a-better.decided.ours: 'fails' is the second hand's word, too",
        ),
        (
            "    verdict: open",
            "    decided: {ours: holds, why: So.}\n    verdict: open",
            "sentences.a-fast.decided: there is no claim of ours to differ",
        ),
        (
            "    verdict: fails",
            "    decided: {our: open, why: So.}\n    verdict: fails",
            "sentences.a-better.decided.our: unknown key; did you mean 'ours'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_sentence_and_field(read, old, new, message):
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    if new == "confirmed":
        text = text.replace("gone: {a-beats-b / size=5: confirmed}", "cause: repeats")
    with pytest.raises(PaperError, match=message):
        read(text)


def test_an_attempt_of_others_says_whose_it_is(read):
    assert read(f"by: Rita Roe\n{GOOD}", "second-roe.yaml").by == "Rita Roe"
    with pytest.raises(PaperError, match="by: second-NAME.yaml says whose it is"):
        read(GOOD, "second-roe.yaml")
    with pytest.raises(PaperError, match="in small letters"):
        read(GOOD, "second-Roe.yaml")


@pytest.mark.parametrize(
    ("verdicts", "sentence"),
    [
        (["confirmed", "confirmed"], "holds"),
        (["confirmed", "inconclusive"], "open"),
        (["confirmed", "untested", None], "holds"),
        (["inconclusive", "depends", "confirmed"], "depends"),
        (["depends", "refuted", "confirmed"], "fails"),
        (["untested"], None),
        ([], None),
    ],
)
def test_a_sentence_holds_if_all_its_claims_do_and_fails_if_one_does(verdicts, sentence):
    assert combined(verdicts) == sentence


@pytest.mark.parametrize(
    "key", [path.name for path in library.folders() if list(path.glob("second*.yaml"))]
)
def test_every_second_hand_is_complete(key):
    assert hands(key)


@pytest.mark.parametrize(
    "key", [path.name for path in library.folders() if list(path.glob("second*.yaml"))]
)
def test_nothing_of_a_second_hand_is_left_to_be_filled_in(key):
    for file in library.folder(key).glob("second*.yaml"):
        assert '"..."' not in file.read_text("utf-8")


def test_the_example_of_the_guide_is_read(tmp_path):
    guide = (ROOT / "docs/second-hand.md").read_text("utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", guide, re.S)
    folder = tmp_path / "bergeron2008mirank"
    folder.mkdir()
    shutil.copy(library.folder(folder.name) / "paper.yaml", folder)
    path = folder / "second-roe.yaml"
    path.write_text(example)
    assert read_second(path).by == "Rita Roe"


@pytest.mark.parametrize("key", JUDGED)
def test_a_paper_judged_from_now_on_has_a_second_hand(key):
    assert hands(key) or key in WITHOUT


def test_who_has_a_second_hand_leaves_the_list_of_those_without():
    assert {key for key in WITHOUT if hands(key)} == set()
