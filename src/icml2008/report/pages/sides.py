"""The methods that a claim compares: what is printed of each, and what each has here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from icml2008.report import wording
from icml2008.report.results import Verdict

# Statistics that set methods beside each other.
_COMPARE = ("difference", "lead", "ratio")

# More say nothing of a mean that stands for itself.
_MOST_DECIMALS = 3

Printed = Mapping[tuple[str, ...], str]


def printed_means(verdicts: Iterable[Verdict]) -> dict[tuple[str, ...], str]:
    """Return the printed means of a paper, by experiment, metric, method and cell.

    They are those of its claims on one method's mean in one cell.
    """
    means = {}
    for verdict in verdicts:
        inputs = verdict.get("inputs") or {}
        kind = (inputs.get("formula") or {}).get("kind")
        one_of_each = len(inputs.get("methods") or ()) == len(inputs.get("cells") or ()) == 1
        if kind == "mean" and one_of_each and verdict.get("comparison") == "near":
            means[_place(verdict, inputs["methods"][0])] = wording.printed(verdict)
    return means


def sides(verdict: Verdict, printed: Printed) -> list[dict[str, str]]:
    """Return the methods of a comparison in one cell: name, printed mean (or ""), our mean.

    Examples
    --------
    >>> verdict = {"experiment": "main", "metric": "accuracy", "effect": 2.5, "printed": "0",
    ...            "low": -0.7, "high": 5.7, "inputs": {
    ...            "formula": {"kind": "difference"}, "methods": ["A", "B"], "cells": ["set=iris"],
    ...            "values": [[[[60.0]], [[57.5]]]]}}
    >>> [side["ours"] for side in sides(verdict, {("main", "accuracy", "A", "set=iris"): "60.3"})]
    ['60.00', '57.50']
    """
    inputs = verdict.get("inputs") or {}
    kind = (inputs.get("formula") or {}).get("kind")
    if kind not in _COMPARE or len(inputs.get("cells") or ()) != 1:
        return []
    places = min(max(1, wording.decimals(verdict)), _MOST_DECIMALS)
    rows = []
    for place, method in enumerate(inputs["methods"]):
        values = [point for repeat in inputs["values"] for point in _points(repeat, place)]
        if not values or None in values:
            return []
        name = _place(verdict, method)
        mean = wording.number(fmean(values), places)
        rows.append({"method": method, "printed": printed.get(name, ""), "ours": mean})
    return rows


def _points(repeat: Any, place: int) -> list[float | None]:
    """Return the values of one method in a repeat, of all points of its one cell."""
    (points,) = repeat[place]
    return points


def _place(verdict: Verdict, method: str) -> tuple[str, ...]:
    cell = verdict["inputs"]["cells"][0]
    return verdict["experiment"], verdict["metric"], method, cell
