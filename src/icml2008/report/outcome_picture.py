"""What came out, for the README: a picture with a dot for each claim, and the lines above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from icml2008.judge.totals import VERDICTS, counted
from icml2008.report.results import PaperResults
from icml2008.report.style import COLOURS
from icml2008.report.templating import environment

BEGIN = "<!-- outcome: written by icml2008 outcome --write -->"
END = "<!-- end of outcome -->"
PICTURE = "docs/outcome.svg"

# As the first page orders dots: what holds first, what could not be tested last.
_ORDER = ("confirmed", "depends", "inconclusive", "refuted", "untested")
_COLUMNS = 2
_WIDTH = 880
_LINE = 18
_TOP = 8
_TITLE = 36
_DOT = 8


def outcome_rows(papers: Sequence[PaperResults]) -> list[tuple[str, list[str]]]:
    """Return title and verdicts of each judged paper of the proceedings, most that hold first."""
    rows = []
    for paper in papers:
        whole = [entry.shown for entry in paper.shown_claims() if not entry.part]
        words = sorted((row["verdict"] for row in counted(whole)), key=_ORDER.index)
        if paper.paper.proceedings and set(words) - {"untested"}:
            rows.append((paper.paper.title, words))
    return sorted(rows, key=lambda row: (-_share(row[1]), row[0].casefold()))


def _share(words: Sequence[str]) -> float:
    """Return the share of decided and open claims that hold, few claims nearer to the middle."""
    judged = len(words) - words.count("untested")
    return (words.count("confirmed") + 1) / (judged + 2)


def picture(rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return the picture as SVG, the same bytes for the same verdicts."""
    lines = -(-len(rows) // _COLUMNS)
    placed = [
        {
            "title": title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…",
            "x": place // lines * (_WIDTH // _COLUMNS),
            "y": _TOP + place % lines * _LINE,
            "words": words,
        }
        for place, (title, words) in enumerate(rows)
    ]
    height = _TOP + (lines + 2) * _LINE
    totals = outcome_totals(rows)
    return (
        environment()
        .get_template("outcome.svg")
        .render(rows=placed, width=_WIDTH, height=height, step=_DOT, colours=COLOURS, totals=totals)
    )


def outcome_totals(rows: Sequence[tuple[str, Sequence[str]]]) -> Mapping[str, int]:
    """Return how many claims have each verdict."""
    counts = Counter(word for _, words in rows for word in words)
    return {word: counts[word] for word in VERDICTS}


def outcome_text(
    rows: Sequence[tuple[str, Sequence[str]]], coverage: Mapping[str, str | int]
) -> str:
    """Return the lines of the README, between their marks.

    Parameters
    ----------
    rows : sequence of (str, list of str)
        As `outcome_rows` returns them.
    coverage : mapping
        The row of all papers, as `icml2008.catalogue.coverage.coverage` returns it.
    """
    totals = outcome_totals(rows)
    judged = sum(totals.values()) - totals["untested"]
    lines = [
        BEGIN,
        "",
        f"Of {judged} claims of {len(rows)} papers that could be put to the test (those that fail "
        "or hang for one and the same reason count once):",
        "",
        f"- **{totals['confirmed']} hold**,",
        f"- **{totals['depends']} hang on how the paper is read**: "
        "they hold under one reading of what it leaves open and fail under another,",
        f"- **{totals['refuted']} do not hold** under any reading that was tried,",
        f"- **{totals['inconclusive']} are undecided**: the printed numbers are too coarse, "
        "the runs too few, or nothing settles how to read the paper.",
        "",
        f"Another {totals['untested']} of these papers' claims could not be tested: "
        "data that are lost or private, or seconds on machines of 2008.",
        "",
        f"![A dot for each claim of {len(rows)} papers, coloured by what came of it]({PICTURE})",
        "",
        f"| of {coverage['papers']} papers | | of {coverage['claims']} claims | |",
        "| --- | ---: | --- | ---: |",
        f"| re-run | {coverage['re-run']} | judged by an experiment | {coverage['judged']} |",
        f"| can be re-run, wait | {coverage['planned']} "
        f"| untested, with a reason | {coverage['untested']} |",
        f"| private data, hardware or people | "
        f"{int(coverage['private data']) + int(coverage['hardware or people'])} "
        f"| wait, with their printed numbers | {coverage['listed']} |",
        f"| theory alone | {coverage['theory']} | | |",
        "",
        END,
    ]
    return "\n".join(lines)


def replaced(readme: str, text: str) -> str:
    """Return a README with these lines in place of those between the marks."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{text}{after}"
