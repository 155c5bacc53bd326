"""What others found who ran papers again: comparisons that were handed in and committed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from icml2008 import forms
from icml2008.catalogue.entry import all_entries
from icml2008.run.keys import reference_hash
from icml2008.store import RERUNS, read_json


def read_reruns(folder: Path = RERUNS) -> dict[str, dict[str, Any]]:
    """Return the comparisons in a folder by name, sorted.

    Raises
    ------
    BrokenFile
        If a file is none, or compares with something else than the committed evidence.
    """
    comparisons = {}
    for path in sorted(folder.glob("*.json")):
        comparisons[path.stem] = comparison = forms.hold(
            forms.Comparison, read_json(path), str(path)
        )
        if strange := [
            entry["paper"] for entry in comparison["papers"] if entry["evidence"] is None
        ]:
            msg = f"{path}: {strange[0]} was not compared with results/reference"
            raise forms.BrokenFile(msg)
    return comparisons


def summary(folder: Path = RERUNS) -> dict[str, Any]:
    """Return what the re-runs show of the evidence as it is today.

    Returns
    -------
    dict
        ``rows``, one for each re-run: name, date, processor, arithmetic, papers by grade, values
        that were compared, and papers whose evidence has changed since, which count nowhere;
        ``papers``, how many were run again by anybody, ``same`` and ``wrong``, how many of them
        came out the same everywhere, or worse than by arithmetic anywhere.
    """
    today = {entry.key: reference_hash(entry) for entry in all_entries()}
    rows = []
    grades = {}
    for name, comparison in read_reruns(folder).items():
        current = [e for e in comparison["papers"] if today.get(e["paper"]) == e["evidence"]]
        for entry in current:
            grades.setdefault(entry["paper"], set()).add(entry["grade"])
        rows.append(
            {
                "name": name,
                "date": comparison["date"],
                "cpu": comparison["machine"]["cpu"],
                "versions": comparison["machine"]["versions"],
                "grades": _counted(current),
                "compared": sum(entry["compared"] for entry in current),
                "outdated": len(comparison["papers"]) - len(current),
            }
        )
    good = set(forms.GRADES[:2])
    return {
        "rows": rows,
        "papers": len(grades),
        "same": sum(paper_grades == {forms.GRADES[0]} for paper_grades in grades.values()),
        "wrong": sum(not paper_grades <= good for paper_grades in grades.values()),
    }


def _counted(entries: list[Mapping[str, Any]]) -> dict[str, int]:
    grades = [entry["grade"] for entry in entries]
    return {grade: grades.count(grade) for grade in forms.GRADES if grade in grades}
