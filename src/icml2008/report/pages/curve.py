"""The specification curve of a claim as a table: what each universe makes of it, and where."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from icml2008.harness.choices import DEFAULT, changed_in, projected, universe_name
from icml2008.judge.cells import part_name
from icml2008.judge.totals import VERDICTS
from icml2008.report import wording
from icml2008.report.pages.lines import numbers, part_labels
from icml2008.report.results import PaperResults, Verdict

WIDTH = 150
"""Of the axis of a row; places on it are whole numbers from 0."""


def curve(results: PaperResults, name: str) -> list[dict[str, Any]]:
    """Return what every universe that touches a claim makes of it; nothing where none does.

    The whole claim comes first, then each part that some universe can change. Universes of equal
    numbers, as they are shown, are one row.

    Returns
    -------
    list of dict
        Of each: `part`; `rows`, sorted by effect, each with `universes`, `verdict`, `ours`,
        `interval`, and `place` (low, effect, high) on the axis; `ends` of the axis, as text;
        `line`, where the limit or the printed value lies, and `band`, its tolerance.
    """
    by_part: dict[str, dict[str, Verdict]] = {}
    for verdict in results.shown():
        if verdict["claim"] == name:
            # That of the default is over all readings: here each stands for itself.
            finding = {**verdict, "verdict": verdict.get("finding") or verdict["verdict"]}
            by_part.setdefault(verdict["part"], {})[verdict.get("universe", DEFAULT)] = finding
    whole = by_part.pop("", {})
    declared = results.paper.claims.get(name)
    judged = declared is not None and declared.statistic is not None
    if not judged or DEFAULT not in whole or len(whole) < 2:
        return []
    if not by_part:
        return [_panel("", _touching(results, declared, {}, whole, apart=whole))]
    labels = part_labels(declared)
    panels = [_of_parts(whole, by_part.values())]
    for coordinates in declared.parts():
        part = part_name(coordinates.items())
        rows = _touching(results, declared, coordinates, by_part.get(part, {}))
        if len(rows) > 1:
            panels.append(_panel(labels[part], rows))
    return panels


def _of_parts(
    whole: Mapping[str, Verdict], parts: Iterable[Mapping[str, Verdict]]
) -> dict[str, Any]:
    """Return the verdicts on a whole claim, and how many of its parts have which."""
    by_universe = {}
    for universe in sorted(whole, key=_default_first):
        words = Counter(part[universe]["verdict"] for part in parts if universe in part)
        counts = ", ".join(f"{words[word]} {word}" for word in VERDICTS if words[word])
        row = {"verdict": whole[universe]["verdict"], "ours": counts}
        by_universe[universe] = row | {"interval": "", "place": None}
    return {"part": "", "rows": _merged(by_universe), "ends": None, "line": None, "band": None}


def _default_first(universe: str) -> tuple[bool, int, str]:
    return universe != DEFAULT, len(universe), universe


def _merged(rows: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows by universe with those that say the same as one."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for universe, row in rows.items():
        group = groups.setdefault(tuple(row.values()), {"universes": [], **row})
        group["universes"].append(universe)
    return list(groups.values())


def _touching(
    results: PaperResults,
    declared: Any,
    coordinates: Mapping[str, Any],
    verdicts: Mapping[str, Verdict],
    apart: Iterable[str] = (),
) -> dict[str, Verdict]:
    """Return the universes by what they change of a part: one of those with the same records.

    Those `apart` stand for themselves.
    """
    experiment = declared.statistic.experiment
    choices = results.paper.choices
    cells = [
        cell
        for cell in results.cells.get(experiment, [])
        if all(cell.get(name, value) == value for name, value in coordinates.items())
    ]
    by_change: dict[str, Verdict] = {}
    for universe in sorted(verdicts, key=_default_first):
        changed: dict[str, str] = {}
        for cell in cells or [None]:
            changed |= changed_in(projected(universe, choices, experiment, cell), choices)
        touched = universe if universe in apart else universe_name(changed)
        by_change.setdefault(touched, verdicts[universe])
    return by_change if DEFAULT in by_change else {}


def _panel(part: str, universes: Mapping[str, Verdict]) -> dict[str, Any]:
    line, reach = _compared(next(iter(universes.values())))
    low, high = _ends(universes.values(), line, reach)

    def place(value: float) -> int:
        return round(WIDTH * (value - low) / (high - low))

    by_universe = {}
    for universe, verdict in universes.items():
        effect = verdict.get("effect")
        on_axis = None
        if effect is not None:
            ends = _interval(verdict) or [effect, effect]
            on_axis = place(ends[0]), place(effect), place(ends[1])
        row = {"verdict": verdict["verdict"], **numbers(verdict)}
        by_universe[universe] = row | {"place": on_axis}
    effects = {universe: verdict.get("effect") for universe, verdict in universes.items()}
    order = sorted(
        by_universe.items(), key=lambda entry: (effects[entry[0]] is None, effects[entry[0]] or 0.0)
    )
    return {
        "part": part,
        "rows": _merged(dict(order)),
        "ends": [_number(end, high - low) for end in (low, high)],
        "line": None if line is None else place(line),
        "band": (place(line - reach), place(line + reach)) if line is not None and reach else None,
    }


def _compared(verdict: Verdict) -> tuple[float | None, float]:
    """Return the limit or the printed value, and how far from it an effect may lie."""
    if verdict.get("comparison") == "never_violated":
        return verdict.get("tolerance"), 0.0
    if verdict.get("floor") is not None:
        return verdict["floor"], 0.0
    value = wording.printed_value(verdict)
    if value is None:
        return None, 0.0
    return value, verdict.get("tolerance") or verdict.get("half_unit") or 0.0


def _interval(verdict: Verdict) -> list[float]:
    ends = [verdict.get("low"), verdict.get("high")]
    return ends if None not in ends and all(map(math.isfinite, ends)) else []


def _ends(verdicts: Iterable[Verdict], line: float | None, reach: float) -> tuple[float, float]:
    """Return the ends of the axis: everything has its place, and some air."""
    values = [] if line is None else [line - reach, line + reach]
    for verdict in verdicts:
        if verdict.get("effect") is not None:
            values += [verdict["effect"], *_interval(verdict)]
    low = min(values, default=0.0)
    high = max(values, default=0.0)
    air = 0.05 * (high - low) or 0.05 * abs(high) or 0.05
    return low - air, high + air


def _number(value: float, spread: float) -> str:
    """Return a number by which two ends of an axis are told apart.

    Examples
    --------
    >>> _number(10086.94, 1.1), _number(-0.0123, 0.04), _number(3.1e-9, 2e-9), _number(-0.01, 1.1)
    ('10086.9', '−0.012', '3.1e−09', '0.0')
    """
    decimals = max(0, 1 - math.floor(math.log10(spread)))
    text = f"{value:z.{decimals}f}" if decimals < 7 else f"{value:.2g}"
    return text.replace("-", wording.MINUS)
