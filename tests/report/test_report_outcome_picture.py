"""README's outcome is what the committed verdicts say, and its picture has a dot for each claim."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from icml2008.catalogue.coverage import ALL, coverage
from icml2008.catalogue.entry import all_entries
from icml2008.report.outcome_picture import (
    BEGIN,
    END,
    PICTURE,
    outcome_rows,
    outcome_text,
    outcome_totals,
    picture,
    replaced,
)
from icml2008.report.results import PaperResults
from icml2008.store import Shelf, published_verdicts

ROOT = Path(__file__).parents[2]
ROWS = [("A & B", ["confirmed", "depends", "refuted"]), ("C", ["inconclusive", "untested"])]


def test_the_picture_is_well_formed_and_has_a_mark_for_each_claim_and_word():
    svg = picture(ROWS)
    tags = [element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()]
    assert tags.count("circle") == 2 * 4  # once in the legend; a cross is a path
    assert tags.count("path") == 2 * 2
    assert picture(ROWS) == svg
    assert ">A &amp; B<" in svg


def test_lines_are_put_between_the_marks_and_nowhere_else():
    assert replaced(f"a\n{BEGIN}\nold\n{END}\nb\n", f"{BEGIN}\nnew\n{END}") == (
        f"a\n{BEGIN}\nnew\n{END}\nb\n"
    )


@pytest.fixture(scope="module")
def rows():
    shelves = [Shelf(published_verdicts(), entry) for entry in all_entries()]
    return outcome_rows(
        [
            PaperResults(shelf.entry.digest, [], shelf.verdicts(more=False))
            for shelf in shelves
            if shelf.verdicts_file.is_file()
        ]
    )


def test_readme_and_picture_are_what_the_committed_verdicts_say(rows):
    covered = next(row for row in coverage() if row["topic"] == ALL)
    text = outcome_text(rows, covered)
    assert text in (ROOT / "README.md").read_text("utf-8"), "icml2008 outcome --write"
    assert picture(rows) == (ROOT / PICTURE).read_text("utf-8"), "icml2008 outcome --write"


def test_every_claim_of_the_picture_is_in_the_totals(rows):
    totals = outcome_totals(rows)
    assert sum(totals.values()) == sum(len(words) for _, words in rows) > 0
