"""Each re-run paper has its answer in a sentence, and the sentence says what the verdicts say."""

import re
from pathlib import Path

import pytest

from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.report.pages.answer import written
from icml2008.report.pages.lines import claim_rows
from icml2008.report.results import PaperResults
from icml2008.store import Shelf

REFERENCE = Path(__file__).parents[2] / store.REFERENCE
KEYS = sorted(folder.name for folder in REFERENCE.iterdir() if folder.is_dir())
LONGEST = 300


@pytest.mark.parametrize("key", KEYS)
def test_the_answer_is_of_the_verdicts_for_which_it_was_written(key):
    paper = library.load_paper(key)
    assert paper.answer, f"{key}/paper.yaml has no `answer`"
    rows = claim_rows(PaperResults(paper, Shelf(REFERENCE, Entry(key)).verdicts()))
    changed = {
        name: f"written for {word}, now {rows[name]['verdict']}"
        for name, word in paper.answer.claims.items()
        if rows[name]["verdict"] != word
    }
    assert changed == {}, f"write the answer of {key} anew"
    assert written(paper.answer, list(rows.values())) == paper.answer.says


@pytest.mark.parametrize("key", KEYS)
def test_the_answer_is_one_sentence_about_the_headlines_without_keys(key):
    paper = library.load_paper(key)
    says = paper.answer.says
    assert len(says) <= LONGEST
    assert re.fullmatch(r"[A-Z][^!?]*[^.]\.", says)
    assert ". " not in says
    keys = {name for name in [*paper.claims, *paper.choices] if "-" in name}
    assert {name for name in keys if name in says.split()} == set()
    headlines = {name for name, claim in paper.claims.items() if claim.status == "headline"}
    assert headlines & set(paper.answer.claims) or not headlines


@pytest.mark.parametrize("key", KEYS)
def test_a_headline_claim_is_a_sentence_that_stands_alone(key):
    nouns = r"(Mean squared|Errors? |Accurac|Percent|Mistakes|Examples|Area|Milliseconds|Numbers? )"
    broken = {
        name: claim.says
        for name, claim in library.load_paper(key).claims.items()
        if claim.status == "headline"
        and (
            not claim.says.endswith(".")
            or claim.says.endswith(", too.")
            or (re.match(nouns, claim.says) and not re.search(r" (is|are|lies?) ", claim.says))
        )
    }
    assert broken == {}


def test_the_answer_says_of_each_claim_that_does_not_plainly_hold_that_it_does_not():
    """A claim that fails, hangs, is open or untested is not passed over in silence."""
    words = {
        "depends": r"\bhangs?\b|only if",
        "inconclusive": r"undecided|too coarse",
        "refuted": r"does not|do not|come out .*under no|are not",
        "untested": r"untested|be tested|be had|not run|licen[cs]e|lost",
    }
    silent = {
        f"{key}: {word}"
        for key in KEYS
        for word, pattern in words.items()
        if word in library.load_paper(key).answer.claims.values()
        and not re.search(pattern, library.load_paper(key).answer.says)
    }
    assert silent == set()
