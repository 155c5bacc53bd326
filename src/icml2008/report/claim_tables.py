"""Tables of verdicts: CSV for programs, Markdown and LaTeX for people, always the same bytes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.harness.records import write_atomically
from icml2008.judge.cells import part_label
from icml2008.judge.standing import FACTS
from icml2008.report import wording
from icml2008.report.results import PaperResults, ShownClaim

Row = dict[str, Any]

NUMBERS = (
    "printed",
    "printed_sd",
    "printed_n",
    "effect",
    "sd",
    "se",
    "low",
    "high",
    "level",
    "n",
    "failed",
    "floor",
    "tolerance",
    "generalises_low",
    "generalises_high",
    "could_see",
    "repeats_needed",
    "skewness",
    "rate_bound",
)
# Lists of choices, joined by semicolons in CSV.
CHOICES = ("tried", "turned_by", "choices")
WORDS = (
    "comparison",
    "statistic",
    "metric",
    "unit",
    "verdict",
    "robustness",
    *CHOICES,
    "generalises",
    "preliminary",
    "scale",
    "universe",
    "rulebook",
)
COLUMNS = ("paper", "claim", "part", *FACTS, *NUMBERS, *WORDS, "reason")

HEADINGS = {
    "claim": "Claim",
    "part_text": "Part",
    "status_text": "Whose",
    "printed_text": "Printed",
    "ours_text": "Ours",
    "interval_text": "Interval",
    "verdict_text": "Reproduces",
    "generalises_text": "Generalises",
    "repeats_text": "Repeats",
    "scale": "Scale",
}


def claims_table(results: PaperResults) -> list[Row]:
    """Return a row for each claim and each of its parts, the whole first.

    Returns
    -------
    list of dict
        `COLUMNS` as stored, ``sd`` (of our repeats) included; and the same as people read it under
        the keys of `HEADINGS`.
    """
    return [_row(results.paper.key, entry) for entry in results.shown_claims()]


def _row(paper: str, entry: ShownClaim) -> Row:
    verdict = entry.shown
    row = {name: verdict.get(name) for name in COLUMNS}
    word = wording.verdict_text(verdict)
    return row | {
        "paper": paper,
        "sd": wording.spread(verdict),
        "part_text": part_label(entry.part),
        "status_text": "" if entry.part else wording.standing(verdict),
        "printed_text": wording.printed(verdict),
        "ours_text": wording.ours(verdict),
        "interval_text": wording.interval(verdict),
        "verdict_text": f"{word} (preliminary)" if verdict.get("preliminary") else word,
        "generalises_text": wording.verdict_word(verdict.get("generalises")),
        "repeats_text": wording.repeats(verdict),
    }


def to_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the stored columns, floats at full precision, nothing for what there is not."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {**row, **{name: "; ".join(row[name] or ()) for name in CHOICES}} for row in rows
    )
    return out.getvalue()


def _cells(row: Mapping[str, Any]) -> list[str]:
    return [str(row[name] or "") for name in HEADINGS]


def to_markdown(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table for people in GitHub's Markdown."""

    def line(cells: Sequence[str]) -> str:
        safe = (re.sub(r"([\\|*<>`])", r"\\\1", cell) for cell in cells)
        return f"| {' | '.join(safe)} |\n"

    rule = "|" + " --- |" * len(HEADINGS) + "\n"
    return line(list(HEADINGS.values())) + rule + "".join(line(_cells(row)) for row in rows)


_LATEX = {
    "\\": r"\textbackslash{}",
    "✓": r"$\checkmark$",
    "✗": r"$\times$",
    wording.MINUS: "$-$",
    wording.PLUS_MINUS: r"$\pm$",
    "–": "--",
    "~": r"$\sim$",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "∞": r"$\infty$",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def to_latex(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table for people, for the packages ``booktabs`` and ``amssymb``."""

    def line(cells: Sequence[str]) -> str:
        return " & ".join("".join(_LATEX.get(c, c) for c in cell) for cell in cells) + r" \\" + "\n"

    return (
        "% needs \\usepackage{booktabs, amssymb}\n"
        f"\\begin{{tabular}}{{{'l' * len(HEADINGS)}}}\n\\toprule\n"
        f"{line(list(HEADINGS.values()))}\\midrule\n"
        f"{''.join(line(_cells(row)) for row in rows)}\\bottomrule\n\\end{{tabular}}\n"
    )


def write_tables(results: PaperResults, stem: str | Path) -> None:
    """Write ``<stem>.csv``, ``<stem>.md`` and ``<stem>.tex``."""
    rows = claims_table(results)
    for suffix, form in (("csv", to_csv), ("md", to_markdown), ("tex", to_latex)):
        write_atomically(f"{stem}.{suffix}", form(rows))
