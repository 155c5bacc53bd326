"""The regression of reported numbers: the same repeats, then and now."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008 import __version__
from icml2008.catalogue.entry import Entry
from icml2008.catalogue.model import Paper
from icml2008.forms import COMPARISON, GRADES
from icml2008.harness.arithmetic import in_words
from icml2008.harness.choices import DEFAULT, projected
from icml2008.harness.experiment import SCALES
from icml2008.harness.machine import commit, machine
from icml2008.harness.records import Line, canonical, to_text
from icml2008.judge.verdict import UNTESTED
from icml2008.run.keys import reference_hash
from icml2008.run.reference import adopting, grades, proof
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.judging import judge_paper
from icml2008.run.reference.shifts import Recorded, read_recorded
from icml2008.run.trials.configuration import scale_of
from icml2008.store import REFERENCE, RecordSet, Shelf

SIDES = ("old", "new")
At = tuple[str, str]
"""Experiment and universe."""


def compare_paper(
    entry: Entry, old: RecordSet, new: RecordSet, scale: str, recorded: Recorded | None = None
) -> dict[str, Any]:
    """Compare a paper's records and the verdicts on them, over the trials that both sides ran.

    In the universe of another choice only the cells that the choice touches are compared: the
    others are the default's.

    Parameters
    ----------
    entry : Entry
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
        ``flipped``, the parts whose verdict on these trials is another one. What is not the
        default's has its ``universe``.
    """
    paper = entry.paper
    recorded = recorded or Recorded()
    pairs = {at: (old[at], new[at]) for at in sorted(old) if at in new}
    listed: dict[str, list] = {grades.MOVED: [], grades.ARITHMETIC: []}
    compared = 0
    counts = Counter(equal=0, within=0, beyond=0)
    for (name, universe), pair in pairs.items():
        touched = [_touched(paper, name, universe, lines) for lines in pair]
        for shift in grades.shifts(paper, *touched):
            compared += len(shift.old)
            chaotic = grades.is_chaotic(paper, name, shift.at)
            grade = grades.grade(shift, recorded.of(name, universe, shift.at), chaotic)
            if grade != grades.SAME:
                listed[grade].append({**shift.to_json(), **_elsewhere(universe)})
            equal = shift.old == shift.new
            counts["equal" if equal else "within" if grade == grades.SAME else "beyond"] += 1
    judged, flipped = _flipped(entry, pairs, scale)
    return {
        "compared": compared,
        "judged": judged,
        "means": dict(counts),
        **listed,
        "flipped": flipped,
    }


def _touched(paper: Paper, name: str, universe: str, lines: Sequence[Line]) -> Sequence[Line]:
    """Return the header and the lines of the cells that a universe's choices touch."""
    if universe == DEFAULT:
        return lines
    cells = {canonical(line["cell"]): line["cell"] for line in lines[1:]}
    touched = {
        at
        for at, cell in cells.items()
        if projected(universe, paper.choices, name, cell) == universe
    }
    return [lines[0], *(line for line in lines[1:] if canonical(line["cell"]) in touched)]


def _elsewhere(universe: str) -> dict[str, str]:
    return {} if universe == DEFAULT else {"universe": universe}


def _flipped(
    entry: Entry, pairs: Mapping[At, tuple[Sequence[Line], Sequence[Line]]], scale: str
) -> tuple[int, list[dict[str, Any]]]:
    """Return how many parts of claims both sides judge, and those that they judge otherwise."""
    both = {at: grades.ran(old) & grades.ran(new) for at, (old, new) in pairs.items()}
    universes = list(dict.fromkeys(universe for _, universe in pairs))
    then, now = (
        judge_paper(
            entry,
            {at: _only(pair[side], both[at]) for at, pair in pairs.items()},
            scale,
            universes,
        )
        for side in (0, 1)
    )
    judged = 0
    flipped = []
    for old, new in zip(then, now, strict=True):
        judged += UNTESTED not in (old["verdict"], new["verdict"])
        if old["verdict"] != new["verdict"]:
            where = {"claim": old["claim"], "part": old["part"]}
            verdicts = {"old": old["verdict"], "new": new["verdict"]}
            flipped.append({**where, **verdicts, **_elsewhere(old["universe"])})
    return judged, flipped


def _only(lines: Sequence[Line], trials: set[tuple[str, int]]) -> list[Line]:
    at = ((canonical(line["cell"]), line["repeat"]) for line in lines[1:])
    return [lines[0], *(line for line, trial in zip(lines[1:], at, strict=True) if trial in trials)]


def compare_folders(old: Shelf, new: Shelf) -> dict[str, Any] | None:
    """Compare a paper's results on two shelves, and say what each of them lacks.

    The folder of a scale must have that scale's trials, the reference must be whole and agree with
    itself; any other folder has what it has.

    Returns
    -------
    dict or None
        What `compare_paper` returns and ``missing``, what is not there or not as it should be;
        ``stale``, what changed since the reference was made; ``computed_by``, the arithmetics of
        both sides, and ``computed``, a line where they differ; ``hashes`` of the lines that are
        compared, by experiment. None where neither folder has the paper.
    """
    entry = new.entry
    evidence = []
    missing = []
    for shelf in (old, new):
        lines, faults = shelf.readable()
        if shelf.results == REFERENCE:
            faults = proof.faults(shelf, lines, faults)
        elif scale_of(shelf.label) in SCALES:
            universes = dict.fromkeys([DEFAULT, *(universe for _, universe in sorted(lines))])
            faults += missing_records(entry, lines, scale_of(shelf.label), universes)
        evidence.append(lines)
        missing += [f"{shelf.folder}: {fault}" for fault in faults]
    if not any(evidence) and not missing:
        return None
    scale = scale_of(new.label) if scale_of(new.label) in SCALES else SCALES[-1]
    computed = [adopting.computed_by(shelf) for shelf in (old, new)]
    return {
        **compare_paper(entry, *evidence, scale, read_recorded(old)),
        "missing": missing,
        "stale": adopting.stale(old) if old.results == REFERENCE else [],
        "computed": _computed(*computed),
        "computed_by": dict(zip(SIDES, computed, strict=True)),
        "hashes": _hashes(*evidence),
    }


def _hashes(*sides: RecordSet) -> dict[str, dict[str, str]]:
    """Return, by side and experiment, a hash of the lines of the trials that both ran."""
    names = [name for name, universe in sides[0] if universe == DEFAULT]
    common = [name for name in sorted(names) if (name, DEFAULT) in sides[1]]
    hashes: dict[str, dict[str, str]] = {side: {} for side in SIDES}
    for name in common:
        both = set.intersection(*(grades.ran(side[name, DEFAULT]) for side in sides))
        for side, evidence in zip(SIDES, sides, strict=True):
            head, *lines = _only(evidence[name, DEFAULT], both)
            lines = [line for line in lines if line["kind"] != "array"]
            text = to_text(head, lines)
            hashes[side][name] = hashlib.sha256(text.encode()).hexdigest()
    return hashes


def _computed(old: Mapping[str, Sequence[str]], new: Mapping[str, Sequence[str]]) -> str:
    differ = [part for part in old.keys() & new.keys() if old[part] != new[part]]
    there, here = ({part: side[part] for part in differ} for side in (old, new))
    words = f"computed with {in_words(there)} there, with {in_words(here)} here"
    return words if differ else ""


def comparison(compared: Mapping[Entry, Mapping[str, Any]], old: Path, new: Path) -> dict[str, Any]:
    """Return what was compared, by whom and what came of it: `icml2008.forms.Comparison`.

    Parameters
    ----------
    compared : mapping
        By paper what `compare_folders` returned.
    old, new : path
        The folders.
    """
    papers = [
        {
            "paper": entry.key,
            "grade": _grade(differences),
            "evidence": reference_hash(entry) if old == REFERENCE else None,
            **differences,
        }
        for entry, differences in compared.items()
    ]
    grade = max((paper["grade"] for paper in papers), key=GRADES.index)
    judged = any(differences["judged"] for differences in compared.values())
    return {
        "schema": COMPARISON,
        "icml2008": __version__,
        "commit": commit(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "old": str(old),
        "new": str(new),
        "grade": grade if judged else GRADES[-1],
        "machine": machine(),
        "papers": papers,
    }


def _grade(differences: Mapping[str, Any]) -> str:
    """Return the gravest of what became of a paper."""
    return next((grade for grade in GRADES[:0:-1] if differences.get(grade)), GRADES[0])


def compare_with_reference(run: Shelf) -> dict[str, Any] | None:
    """Compare a paper's results of a run with the committed reference.

    Returns
    -------
    dict or None
        As `compare_folders`; None where no reference of the paper is to be expected.
    """
    return compare_folders(run.reference, run) if adopting.expected(run.entry) else None
