"""README's outcome is what the committed verdicts say, and its picture has a dot for each claim."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from icml2008.catalogue.entry import all_entries
from icml2008.report.outcome_picture import (
    BEGIN,
    END,
    PICTURE,
    outcome_rows,
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


def test_readme_and_picture_are_what_the_committed_verdicts_say(tmp_path):
    """In a process of its own, as whoever writes them has it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_bytes((ROOT / "README.md").read_bytes())
    (tmp_path / "results").symlink_to(ROOT / "results")
    command = "from icml2008.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", command, "outcome", "--write"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for file in ("README.md", PICTURE):
        written = (tmp_path / file).read_text("utf-8")
        assert written == (ROOT / file).read_text("utf-8"), "icml2008 outcome --write"


def test_every_claim_of_the_picture_is_in_the_totals(rows):
    totals = outcome_totals(rows)
    assert sum(totals.values()) == sum(len(words) for _, words in rows) > 0
