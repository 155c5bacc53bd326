"""Verdicts in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icml2008.report import wording
from icml2008.report.model import PaperResults

if TYPE_CHECKING:
    from rich.table import Table

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
    for paper in results:
        table.add_section()
        table.add_row(Text(paper.paper.key, style="bold"))
        for entry in paper.entries():
            verdict = entry.shown
            word = verdict["verdict"]
            name = wording.part_label(entry.part)
            table.add_row(
                Text(f"    {name}" if name else f"  {entry.claim}", style="dim" if name else ""),
                wording.printed(verdict),
                wording.ours(verdict),
                Text(wording.verdict_word(word), style=_STYLES[word]),
            )
    if any(e.shown.get("preliminary") for paper in results for e in paper.entries()):
        table.caption = "Below full scale: preliminary."
    return table
