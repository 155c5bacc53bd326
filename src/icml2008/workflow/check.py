"""The regression of reported numbers: the same repeats, then and now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.errors import Icml2008Error
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import canonical
from icml2008.papers import library
from icml2008.workflow.keys import REFERENCE
from icml2008.workflow.reference import stale
from icml2008.workflow.verdicts import Line, judge_paper, read_evidence, record_files

UNTESTED = "untested"


class CheckError(Icml2008Error):
    """There is nothing to compare."""


def _coordinates(line: Line) -> tuple[str, int]:
    return canonical(line["cell"]), line["repeat"]


def _common(old: Sequence[Line], new: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return both files restricted to the trials that both of them ran."""
    ran = [
        {_coordinates(line) for line in lines[1:] if line.get("status") != "data not available"}
        for lines in (old, new)
    ]
    both = ran[0] & ran[1]
    return tuple(
        [lines[0], *(line for line in lines[1:] if _coordinates(line) in both)]
        for lines in (old, new)
    )


def _resolution(line: Line, bounds: Sequence[float | None] | None) -> float:
    """Return the shift of a mean that another environment may cause: one test case in a repeat."""
    if line.get("n_test") and bounds and None not in bounds:
        return (bounds[1] - bounds[0]) / line["n_test"]
    return 1e-6 * max(1.0, abs(line["value"] or 0.0))


def _shifts(key: str, old: Sequence[Line], new: Sequence[Line]) -> tuple[int, list[dict[str, Any]]]:
    """Return how many values were compared, and the means that moved beyond their resolution."""
    paper = library.load_paper(key)
    index = [
        {
            (*_coordinates(line), line.get("method"), line.get("metric")): line
            for line in lines[1:]
            if "cases" not in line
        }
        for lines in (old, new)
    ]
    pairs = defaultdict(list)
    for at in sorted(index[0].keys() | index[1].keys(), key=str):
        pairs[at[0], at[2], at[3]].append((index[0].get(at, {}), index[1].get(at, {})))
    moved = []
    for (cell, method, metric), lines in pairs.items():
        values = [(a.get("value"), b.get("value")) for a, b in lines]
        if all(a == b for a, b in values):
            continue
        where = {"cell": cell, "method": method, "metric": metric}
        if any(a is None or b is None for a, b in values):
            had, has = (
                f"{sum(value is not None for value in column)} values"
                for column in zip(*values, strict=True)
            )
            moved.append({**where, "old": had, "new": has, "change": None})
            continue
        means = [sum(column) / len(values) for column in zip(*values, strict=True)]
        change = means[1] - means[0]
        bounds = paper.metrics[metric].bounds if metric in paper.metrics else None
        if abs(change) > _resolution(lines[0][0], bounds):
            moved.append({**where, "old": means[0], "new": means[1], "change": change})
    return sum(map(len, pairs.values())), moved


def compare_paper(key: str, old: Path, new: Path, scale: str) -> dict[str, Any]:
    """Compare a paper's records and verdicts in two folders of results, over the trials of both.

    Returns
    -------
    dict
        ``compared`` values and ``judged`` parts of claims; ``moved``, the means that moved beyond
        one test case a repeat; ``flipped``, the parts whose verdict on these trials is another one.
    """
    sides = [read_evidence(record_files(folder, key)) for folder in (old, new)]
    both = sorted(sides[0].keys() & sides[1].keys())
    pairs = {at: _common(sides[0][at], sides[1][at]) for at in both if at[1] == DEFAULT}
    compared, moved = 0, []
    for pair in pairs.values():
        count, more = _shifts(key, *pair)
        compared, moved = compared + count, moved + more
    verdicts = [
        judge_paper(key, {at: pair[side] for at, pair in pairs.items()}, scale) for side in (0, 1)
    ]
    flipped, judged = [], 0
    for then, now in zip(*verdicts, strict=True):
        judged += UNTESTED not in (then["verdict"], now["verdict"])
        if then["verdict"] != now["verdict"]:
            flipped.append(
                {
                    "claim": then["claim"],
                    "part": then["part"],
                    "old": then["verdict"],
                    "new": now["verdict"],
                }
            )
    return {"compared": compared, "judged": judged, "moved": moved, "flipped": flipped}


def compare(
    keys: Sequence[str], scale: str, *, old: Path = REFERENCE, new: Path | None = None
) -> dict[str, Any]:
    """Compare results with the reference, or any two folders of results.

    Returns
    -------
    dict of str to dict
        For each paper what `compare_paper` returns and ``stale``, what changed since the reference
        was made; for a paper that only one side has, None.
    """
    new = new or Path("results") / scale
    found = {}
    for key in keys:
        there = all(record_files(folder, key) for folder in (old, new))
        found[key] = None
        if there:
            found[key] = compare_paper(key, old, new, scale)
            found[key]["stale"] = stale(key) if old == REFERENCE else []
    return found


def verdict_of(check: Mapping[str, Any]) -> list[str]:
    """Return what is wrong, one line for each; nothing if all is as it was.

    Raises
    ------
    CheckError
        If no part of any claim was judged on both sides.
    """
    present = {key: entry for key, entry in check.items() if entry}
    if not sum(entry["judged"] for entry in present.values()):
        msg = "check: no claim was judged on both sides, so that nothing was checked"
        raise CheckError(msg)
    wrong = []
    for key, entry in present.items():
        for moved in entry["moved"]:
            wrong.append(
                f"{key}: {moved['method']}, {moved['metric']} at {moved['cell']}: "
                f"{moved['old']} became {moved['new']}"
            )
        for flip in entry["flipped"]:
            name = f"{flip['claim']}[{flip['part']}]" if flip["part"] else flip["claim"]
            wrong.append(f"{key}: {name}: {flip['old']} became {flip['new']}")
    return wrong
