"""A run on one screen: a line a paper beside the committed evidence, what was left out, what next.

The end of a run; the claims and parts behind each line are `icml2008 verdicts KEY`.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from icml2008.judge.totals import VERDICTS
from icml2008.report.results import PaperResults
from icml2008.report.wording import SYMBOLS

_WIDTH = 80
_CELL = 4
_MEANS = {
    "confirmed": "holds",
    "depends": "hangs on a reading",
    "refuted": "does not hold under any reading tried",
    "inconclusive": "undecided",
    "untested": "not tested",
}


def summary_lines(
    here: Sequence[PaperResults],
    committed: Sequence[PaperResults],
    *,
    scale: str,
    left_out: Mapping[str, Sequence[str]],
    results: str,
) -> Iterator[str]:
    """Yield the lines that a run ends with.

    Parameters
    ----------
    here : sequence of PaperResults
        What was judged now.
    committed : sequence of PaperResults
        The evidence at full scale, of the same papers where there is any.
    scale : str
        Of what was judged now.
    left_out : mapping of str to sequence of str
        By reason, the data sets that could not be used.
    results : str
        The folder of what was judged now, as it is typed.
    """
    full = {paper.paper.key: paper for paper in committed}
    left = max((len(paper.paper.key) for paper in here), default=0)
    marks = "".join(SYMBOLS[word].rjust(_CELL) for word in VERDICTS)
    columns = len(VERDICTS) * _CELL
    beside = "committed, at full".rjust(columns) if full else ""
    yield f"{'':<{left}} {f'here, at {scale}'.rjust(columns)}   {beside}".rstrip()
    yield f"{'Claims of':<{left}} {marks}   {marks if full else ''}".rstrip()
    for paper in here:
        key = paper.paper.key
        there = _cells(full[key].counts()) if key in full else ""
        yield f"{key:<{left}} {_cells(paper.counts())}   {there}".rstrip()
    now = _total(here)
    then = _total([full[paper.paper.key] for paper in here if paper.paper.key in full])
    yield f"{'All':<{left}} {_cells(now)}   {_cells(then) if full else ''}".rstrip()
    yield ""
    yield from _filled("; ".join(f"{SYMBOLS[word]} {_MEANS[word]}" for word in VERDICTS) + ".")
    if scale != "full":
        yield from _filled(
            f"Scale {scale} runs few repeats, to see that all works: what it leaves undecided or "
            "untested, the committed evidence at full scale mostly decides."
        )
    yield from _left_out(here, full, left_out)
    yield ""
    yield "Next:"
    yield f"  icml2008 show {_example(here)}  (a paper on one screen)"
    yield f"  icml2008 verdicts {_example(here)} --results {results}  (its claims, part by part)"


def _left_out(
    here: Sequence[PaperResults],
    full: Mapping[str, PaperResults],
    left_out: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """Yield which data could not be had, why, and how many claims that leaves untested."""
    if not left_out:
        return
    lost = sum(_untested_only_here(paper, full.get(paper.paper.key)) for paper in here)
    many = sum(map(len, left_out.values()))
    yield from _filled(
        f"{many} data set{'s' if many != 1 else ''} could not be had, which leaves {lost} "
        f"claim{'s' if lost != 1 else ''} untested that the committed evidence has:"
    )
    for reason, names in left_out.items():
        yield from textwrap.wrap(
            f"{reason.rstrip('.')}: {', '.join(names)}.",
            _WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
        )
    yield from _filled(
        "Name a folder or URL with copies in ICML2008_MIRROR, and run the same command again."
    )


def _untested_only_here(paper: PaperResults, committed: PaperResults | None) -> int:
    if committed is None:
        return 0
    words = {
        entry.claim: entry.shown["verdict"] for entry in committed.shown_claims() if not entry.part
    }
    return sum(
        entry.shown["verdict"] == "untested" and words.get(entry.claim) not in (None, "untested")
        for entry in paper.shown_claims()
        if not entry.part
    )


def _total(papers: Sequence[PaperResults]) -> Counter[str]:
    """Count claims of papers of the proceedings, or of all where there is none of these."""
    counted = [paper for paper in papers if paper.paper.proceedings] or papers
    return sum((paper.counts() for paper in counted), Counter())


def _cells(counts: Mapping[str, Any]) -> str:
    return "".join(str(counts[word] or "·").rjust(_CELL) for word in VERDICTS)


def _example(here: Sequence[PaperResults]) -> str:
    return here[0].paper.key if len(here) == 1 else "KEY"


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, break_on_hyphens=False, break_long_words=False)
