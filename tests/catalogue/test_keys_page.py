"""The page of all keys has those of the model, and no other."""

import re
from pathlib import Path

import pytest

from icml2008.catalogue import model, parts
from icml2008.catalogue.comparing import VERBS
from icml2008.catalogue.sentences import read
from icml2008.judge.claims import Claim
from icml2008.judge.measures import Metric, Resampling, Statistic
from icml2008.judge.standing import LABELS

PAGE = (Path(__file__).parents[2] / "docs/reference/keys.md").read_text("utf-8")

# The model of each section, and the short forms that it has beside its keys.
SECTIONS = {
    "The file": (model.Paper, set()),
    "A claim": (Claim, {"that", *(f"{status} PAGE" for status in LABELS)}),
    "Its statistic, in full": (Statistic, set()),
    "A metric": (Metric, set()),
    "An experiment": (parts.ExperimentFacts, set()),
    "key of `resampling`": (Resampling, set()),
    "A choice": (parts.Choice, set()),
    "A change": (parts.Change, {"claims", "choices", "experiments"}),
    "An erratum": (parts.Erratum, {"audit"}),
    "What waits": (parts.PlannedExperiment, set()),
    "A data set": (parts.DataSet, set()),
}


def rows(section):
    """Return the two cells of each row of a section's first table."""
    after = PAGE.partition(f"# {section}\n")[2] or PAGE.partition(f"| {section} |")[2]
    table = re.search(r"\| --- \| --- \|\n((?:\|.*\n?)+)", after)[1]
    return [re.split(r" (?<!\\)\| ", line.strip("| \n"), maxsplit=1) for line in table.splitlines()]


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_has_the_keys_of_its_model(section):
    kind, short = SECTIONS[section]
    named = {key for cell, _ in rows(section) for key in re.findall(r"`([^`]+)`", cell)}
    told_of = {key for pair in rows(section) for key in re.findall(r"`([\w ]+)`", pair[1])}
    known = {*kind.model_fields, *short}
    beside = {"that"} if section == "A claim" else set()
    assert named - known - beside == set(), "the page has keys that the model does not have"
    assert known - named - told_of == set(), "the page lacks keys that the model has"


def test_every_verb_has_its_row_and_every_sentence_of_the_page_is_read():
    cells = [cell.replace("\\|", "|") for cell, _ in rows("Its sentence")]
    texts = [text for cell in cells for text in re.findall(r"`([^`]+)`", cell)]
    compared = [text for text in texts if re.search(r" of [AB] ", text)]
    parts = [text for text in texts if text.startswith(("each ", "mean ", "max ", "holds "))]
    sentences = [f"{text}; in e" for text in compared] + [f"x of A; in e; {text}" for text in parts]
    for sentence in sentences:
        assert read(sentence, {"error": "lower"})["statistic"]["experiment"] == "e"
    assert len(compared) >= len(VERBS)
    assert len(parts) == 4
    assert [verb for verb in VERBS if not any(f" {verb} " in text for text in compared)] == []
