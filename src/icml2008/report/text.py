"""Verdicts in a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING

from icml2008.catalogue.model import ICML_2008
from icml2008.judge.reasons import of_choices
from icml2008.report import wording
from icml2008.report.entries import GROUPS, VERDICTS, Entry, PaperResults

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_WIDTH, _PADDING, _NARROWEST = 80, 12, 16
_STYLES = {"confirmed": "green", "refuted": "red", "inconclusive": "yellow", "untested": "dim"}


def verdict_table(results: list[PaperResults]) -> Table:
    """Return a table of all claims and their parts that fits into 80 columns."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("Claim", overflow="fold")
    table.add_column("Printed", justify="right", no_wrap=True)
    table.add_column("Ours", justify="right", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    left = _left_for_names(results)
    for paper in results:
        table.add_section()
        table.add_row(Text(paper.paper.key, style="bold"))
        for group, entries in paper.grouped().items():
            if group != "own":
                table.add_row(Text(f"  {GROUPS[group].lower()}:", style="italic"))
            for entry in entries:
                table.add_row(*_row(entry, left))
    small = any(e.shown.get("preliminary") for paper in results for e in paper.entries())
    remarks = [_totals(results), "Below full scale: preliminary." if small else ""]
    table.caption = " ".join(filter(None, remarks)) or None
    return table


def _row(entry: Entry, left: int) -> tuple[Text, str, str, Text]:
    from rich.text import Text

    part, word = wording.part_label(entry.part), entry.shown["verdict"]
    indent = "    " if part else "  "
    name = textwrap.fill(part or entry.claim, left, initial_indent=indent, subsequent_indent=indent)
    verdict = Text(wording.verdict_word(word), style=_STYLES[word])
    shown = Text(name, style="dim" if part else "")
    if not part and entry.shown.get("tried"):
        said = of_choices(entry.shown)
        indent += "  "
        lines = textwrap.fill(said, left, initial_indent=indent, subsequent_indent=indent)
        shown.append(f"\n{lines}", style="dim italic")
    return shown, *_numbers(entry), verdict


def _totals(results: list[PaperResults]) -> str:
    """Return how many claims of the papers themselves have each verdict.

    What is no paper of the proceedings counts only where it stands alone.
    """
    counted = [one for one in results if one.paper.venue == ICML_2008] or results
    counts = sum((paper.counts() for paper in counted), Counter())
    found = ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])
    return f"{GROUPS['own']}: {found}." if found else ""


def _numbers(entry: Entry) -> tuple[str, str]:
    return wording.printed(entry.shown), wording.ours(entry.shown)


def _left_for_names(results: list[PaperResults]) -> int:
    """Return how wide the names may be: they break at their hyphens, not within a word."""
    entries = [entry for paper in results for entry in paper.entries()]
    columns = zip(*map(_numbers, entries), strict=True)
    taken = sum(max(map(len, column)) for column in columns)
    verdict = max(len(wording.verdict_word(entry.shown["verdict"])) for entry in entries)
    return max(_NARROWEST, _WIDTH - taken - verdict - _PADDING)
