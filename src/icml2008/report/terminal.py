"""Verdicts in a terminal."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from icml2008.judge.cells import part_label
from icml2008.judge.reasons import of_choices
from icml2008.judge.totals import VERDICTS
from icml2008.report import wording
from icml2008.report.results import GROUPS, PaperResults, ShownClaim

_WIDTH = 80
_PADDING = 6
_NARROWEST = 16
_COLOURS = {
    "confirmed": {"fg": "green"},
    "depends": {"fg": "magenta"},
    "refuted": {"fg": "red"},
    "inconclusive": {"fg": "yellow"},
    "untested": {"dim": True},
}


def verdict_lines(
    results: list[PaperResults], *, styled: bool = False, width: int = _WIDTH
) -> Iterator[str]:
    """Yield a table of all claims and their parts, in lines that fit into so many columns.

    With `styled`, verdicts are coloured and names set apart by a terminal's codes.
    """
    listed = [(paper, paper.grouped()) for paper in results]
    entries = [entry for _, groups in listed for members in groups.values() for entry in members]
    numbers = [(wording.printed(entry.shown), _ours(entry.shown)) for entry in entries]
    widths = [max(map(len, column)) for column in zip(("Printed", "Ours"), *numbers, strict=True)]
    words = [wording.verdict_text(entry.shown) for entry in entries]
    verdict = max(map(len, words), default=0)
    left = max(_NARROWEST, width - sum(widths) - verdict - _PADDING)
    names = [_names(entry, left) for entry in entries]
    left = max(_NARROWEST, *(len(line) for lines in names for line in lines))
    heads = ("Printed", "Ours")
    titles = "  ".join(head.rjust(width) for head, width in zip(heads, widths, strict=True))
    style = _style if styled else _plain
    yield f"{'Claim':<{left}}  {titles}  Verdict"
    yield "─" * (left + sum(widths) + verdict + 6)
    rows = iter(zip(names, numbers, words, strict=True))
    for place, (paper, groups) in enumerate(listed):
        yield from [""] if place else []
        yield style(paper.paper.key, bold=True)
        for group, members in groups.items():
            if group != "own":
                yield style(f"  {GROUPS[group].lower()}:", italic=True)
            for entry in members:
                (first, *more), shown, word = next(rows)
                columns = "  ".join(t.rjust(w) for t, w in zip(shown, widths, strict=True))
                colour = _COLOURS[entry.shown["verdict"]]
                name = style(first.ljust(left), dim=bool(entry.part))
                yield f"{name}  {columns}  {style(word, **colour)}"
                yield from (style(line, dim=True) for line in more)
    small = any(entry.shown.get("preliminary") for entry in entries)
    remarks = [_totals(results), "Below full scale: preliminary." if small else ""]
    yield from ["", *textwrap.wrap(" ".join(filter(None, remarks)), _WIDTH)]


def _plain(text: str, **style: Any) -> str:
    return text


def _style(text: str, **style: Any) -> str:
    from typer import style as styled

    return styled(text, **style)


def _ours(verdict: Mapping[str, Any]) -> str:
    """Return our number with the interval that decides."""
    value = wording.number(verdict.get("effect"), wording.decimals(verdict))
    return f"{value} {wording.interval(verdict)}".strip()


def _names(entry: ShownClaim, left: int) -> list[str]:
    """Return the name of a claim or part, broken at its hyphens, and what choices do to it."""
    indent = "    " if entry.part else "  "
    lines = _filled(part_label(entry.part) or entry.claim, indent, left)
    if not entry.part and entry.shown.get("tried"):
        lines += _filled(of_choices(entry.shown), f"{indent}  ", left)
    return lines


def _filled(text: str, indent: str, width: int) -> list[str]:
    if len(indent) + len(text) <= width:
        return [indent + text]
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)


def _totals(results: list[PaperResults]) -> str:
    """Return how many claims of the papers themselves have each verdict.

    What is no paper of the proceedings counts only where it stands alone.
    """
    counted = [paper for paper in results if paper.paper.proceedings] or results
    counts = sum((paper.counts() for paper in counted), Counter())
    words = ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])
    disputed = sum(paper.disputed().total() for paper in counted)
    sentences = [f"{GROUPS['own']}: {words}."] if words else []
    sentences += [f"Disputed by their authors, and not counted: {disputed}."] if disputed else []
    return " ".join(sentences)
