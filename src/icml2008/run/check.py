"""The regression of reported numbers: the same repeats, then and now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.catalogue import library
from icml2008.catalogue.model import Paper
from icml2008.harness.arithmetic import in_words
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import SCALES
from icml2008.harness.records import Line, canonical
from icml2008.judge.verdict import UNTESTED
from icml2008.run import grades, reference
from icml2008.run.completeness import missing_records, readable
from icml2008.run.planning import scale_of
from icml2008.run.recorded import Recorded, read_recorded
from icml2008.run.verdicts import judge_paper
from icml2008.store import REFERENCE, Evidence


def compare_paper(
    key: str, old: Evidence, new: Evidence, scale: str, recorded: Recorded | None = None
) -> dict[str, Any]:
    """Compare a paper's records and the verdicts on them, over the trials that both sides ran.

    Parameters
    ----------
    key : str
    old, new : mapping
        Header and lines by experiment and universe.
    scale : str
        That of the verdicts.
    recorded : Recorded, optional
        What other arithmetics did to the means of the old side.

    Returns
    -------
    dict
        ``compared`` values and ``judged`` parts of claims; ``means``, how many are equal, within
        and beyond their resolution; ``moved`` and ``arithmetic``, the means beyond it, by grade;
        ``flipped``, the parts whose verdict on these trials is another one.
    """
    paper = library.load_paper(key)
    recorded = recorded or Recorded()
    names = sorted(name for name, universe in old if universe == DEFAULT and (name, DEFAULT) in new)
    pairs = {name: (old[name, DEFAULT], new[name, DEFAULT]) for name in names}
    listed: dict[str, list] = {grades.MOVED: [], grades.ARITHMETIC: []}
    compared, counts = 0, Counter(equal=0, within=0, beyond=0)
    for name, pair in pairs.items():
        for shift in grades.shifts(paper, *pair):
            compared += len(shift.old)
            chaotic = grades.is_chaotic(paper, name, shift.at)
            grade = grades.grade(shift, recorded.of(name, shift.at), chaotic)
            if grade != grades.SAME:
                listed[grade].append(shift.to_json())
            equal = shift.old == shift.new
            counts["equal" if equal else "within" if grade == grades.SAME else "beyond"] += 1
    judged, flipped = _flipped(paper, pairs, scale)
    return {
        "compared": compared,
        "judged": judged,
        "means": dict(counts),
        **listed,
        "flipped": flipped,
    }


def _flipped(
    paper: Paper, pairs: Mapping[str, tuple[Sequence[Line], Sequence[Line]]], scale: str
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many parts of claims both sides judge, and those that they judge otherwise."""
    both = {name: grades.ran(pair[0]) & grades.ran(pair[1]) for name, pair in pairs.items()}
    sides = [
        judge_paper(
            paper.key,
            {(name, DEFAULT): _only(pair[side], both[name]) for name, pair in pairs.items()},
            scale,
        )
        for side in (0, 1)
    ]
    judged, flipped = 0, []
    for then, now in zip(*sides, strict=True):
        judged += UNTESTED not in (then["verdict"], now["verdict"])
        if then["verdict"] != now["verdict"]:
            where = {"claim": then["claim"], "part": then["part"]}
            flipped.append({**where, "old": then["verdict"], "new": now["verdict"]})
    return judged, flipped


def _only(lines: Sequence[Line], trials: set[tuple[str, int]]) -> list[Line]:
    at = ((canonical(line["cell"]), line["repeat"]) for line in lines[1:])
    return [lines[0], *(line for line, one in zip(lines[1:], at, strict=True) if one in trials)]


def compare_folders(key: str, old: Path, new: Path) -> dict[str, Any] | None:
    """Compare a paper's results in two folders, and say what each of them lacks.

    The folder of a scale must have that scale's trials, the reference must be whole and agree with
    itself; any other folder has what it has.

    Returns
    -------
    dict or None
        What `compare_paper` returns and ``missing``, what is not there or not as it should be;
        ``stale``, what changed since the reference was made; ``computed``, a line where the
        arithmetics differ. None where neither folder has the paper.
    """
    evidence, missing = [], []
    for folder in (old, new):
        found, faults = readable(folder, key)
        if folder == REFERENCE:
            faults += reference.faults(key, found)
        elif scale_of(folder.name) in SCALES:
            faults += missing_records(key, found, scale_of(folder.name), [DEFAULT])
        evidence.append(found)
        missing += [f"{folder / key}: {fault}" for fault in faults]
    if not any(evidence) and not missing:
        return None
    scale = scale_of(new.name) if scale_of(new.name) in SCALES else SCALES[-1]
    return {
        **compare_paper(key, *evidence, scale, read_recorded(old, key)),
        "missing": missing,
        "stale": reference.stale(key) if old == REFERENCE else [],
        "computed": _computed(*(reference.computed_by(folder, key) for folder in (old, new))),
    }


def _computed(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> str:
    differ = [part for part in old.keys() & new.keys() if old[part] != new[part]]
    there, here = ({part: side[part] for part in differ} for side in (old, new))
    words = f"computed with {in_words(there)} there, with {in_words(here)} here"
    return words if differ else ""


def compare_with_reference(key: str, results: Path) -> dict[str, Any] | None:
    """Compare a paper's results in the folder of a scale with the committed reference.

    Returns
    -------
    dict or None
        As `compare_folders`; None where no reference of the paper is to be expected.
    """
    return compare_folders(key, REFERENCE, results) if reference.expected(key) else None
