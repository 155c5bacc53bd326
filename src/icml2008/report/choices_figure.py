"""The specification curve of a claim: what every universe makes of it."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from icml2008.harness.choices import DEFAULT, changed_in, projected
from icml2008.judge.cells import part_name
from icml2008.report import style, wording
from icml2008.report.entries import PaperResults, Verdict
from icml2008.report.templating import environment

CAPTION = (
    "Every universe that can touch the part, sorted by effect, with its 95 % interval. The dots "
    "underneath say which alternatives it takes; the universe without a dot is the default. Blue: "
    "the limit, or the printed value with its tolerance."
)

# Points.
WIDTH, RIGHT, CURVE, ROW, TITLE, GAP = 316.8, 7.2, 72.0, 11.2, 14.4, 15.0
_LINE, _CHARACTER = 11.2, 4.9
_TITLE_CHARACTERS = 60
_MANY = 40
_STEPS, _MOST_STEPS = (1, 2, 2.5, 5, 10), 4


@dataclass(frozen=True)
class _Panel:
    """One part of a claim.

    Attributes
    ----------
    universes : list of (changed choices, verdict)
        Sorted by effect.
    rows : list of (choice, alternative)
        The alternatives that some universe takes.
    """

    title: str
    universes: list[tuple[Mapping[str, str], Verdict]]
    rows: list[tuple[str, str]]

    @property
    def height(self) -> float:
        return TITLE + CURVE + ROW * len(self.rows) + GAP


def choices_figure(results: PaperResults, claim: str) -> str | None:
    """Return the specification curve of a claim as SVG, a panel for each part.

    None where no universe can touch it.
    """
    panels = _panels(results, claim)
    if not panels:
        return None
    labels = [_label(row) for panel in panels for row in panel.rows]
    left = 18 + _CHARACTER * max(map(len, labels))
    title = textwrap.wrap(results.paper.claims[claim].says, _TITLE_CHARACTERS)
    top = 10 + _LINE * len(title)
    placed, at = [], top
    for panel in panels:
        placed.append(_placed(panel, at, left))
        at += panel.height
    content = {"title": title, "panels": placed, "left": left, "right": WIDTH - RIGHT}
    sizes = {"width": WIDTH, "height": at, "line": _LINE}
    return environment().get_template("choices.svg").render(content | sizes, style=style)


def _panels(results: PaperResults, claim: str) -> list[_Panel]:
    declared = results.paper.claims[claim]
    found: dict[str, dict[str, Verdict]] = {}
    for verdict in results.shown():
        if verdict["claim"] == claim and verdict.get("effect") is not None:
            found.setdefault(verdict["part"], {})[verdict["universe"]] = verdict
    panels = []
    for part, verdicts in found.items():
        touching = _touching(results, declared, part, verdicts)
        if DEFAULT not in touching or len(touching) < 2:
            continue
        universes = [
            (changed_in(name, results.paper.choices), verdict) for name, verdict in touching.items()
        ]
        universes.sort(key=lambda pair: (pair[1]["effect"], sorted(pair[0].items())))
        rows = sorted({item for changed, _ in universes for item in changed.items()})
        title = wording.part_label(part) or "all"
        panels.append(_Panel(title, universes, rows))
    return panels


def _touching(results, declared, part: str, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """Return the universes that can change the part: one of those with the same records."""
    coordinates = next((c for c in declared.parts() if part_name(c.items()) == part), {})
    experiment = declared.statistic.experiment
    cells = [
        cell
        for cell in results.cells.get(experiment, [])
        if all(cell.get(name, value) == value for name, value in coordinates.items())
    ]
    distinct: dict[tuple[str, ...], str] = {}
    for universe in sorted(verdicts, key=lambda name: (name != DEFAULT, len(name), name)):
        seen = tuple(
            projected(universe, results.paper.choices, experiment, cell) for cell in cells or [None]
        )
        distinct.setdefault(seen, universe)
    return {universe: verdicts[universe] for universe in distinct.values()}


def _label(row: tuple[str, str]) -> str:
    return f"{row[0]}: {row[1]}"


def _placed(panel: _Panel, top: float, left: float) -> dict[str, Any]:
    """Return where everything of a panel stands, in points from the upper left."""
    upper = top + TITLE
    lower = upper + CURVE
    column = (WIDTH - RIGHT - left) / len(panel.universes)
    low, high = _limits(panel)

    def y(value: float) -> float:
        return lower - CURVE * (value - low) / (high - low)

    line, reach = _compared(panel.universes[0][1])
    return {
        "title": panel.title,
        "top": top,
        "upper": upper,
        "lower": lower,
        "ticks": [(y(value), _number(value)) for value in _ticks(low, high)],
        "band": None if not reach else (y(line + reach), y(line - reach)),
        "line": None if line is None else y(line),
        "column": column,
        "small": len(panel.universes) > _MANY,
        "default": next(
            left + column * place
            for place, (changed, _) in enumerate(panel.universes)
            if not changed
        ),
        "marks": [
            {
                "x": left + column * (place + 0.5),
                "y": y(verdict["effect"]),
                "verdict": verdict["verdict"],
                "interval": [y(end) for end in _interval(verdict)],
            }
            for place, (_, verdict) in enumerate(panel.universes)
        ],
        "rows": [
            {
                "y": lower + ROW * (place + 0.9),
                "label": _label((name, value)),
                "taken": [
                    left + column * (one + 0.5)
                    for one, (changed, _) in enumerate(panel.universes)
                    if changed.get(name) == value
                ],
            }
            for place, (name, value) in enumerate(panel.rows)
        ],
        "end": lower + ROW * (len(panel.rows) + 0.4),
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


def _limits(panel: _Panel) -> tuple[float, float]:
    """Return the ends of the axis: everything has its place, and some air."""
    line, reach = _compared(panel.universes[0][1])
    values = [] if line is None else [line - reach, line + reach]
    for _, verdict in panel.universes:
        values += [verdict["effect"], *_interval(verdict)]
    low, high = min(values), max(values)
    air = 0.05 * (high - low) or 0.05 * abs(high) or 0.05
    return low - air, high + air


def _ticks(low: float, high: float) -> Iterable[float]:
    """Return round numbers between two, at most five."""
    power = 10.0 ** math.floor(math.log10((high - low) / _MOST_STEPS))
    step = next(s * power for s in _STEPS if (high - low) / (s * power) <= _MOST_STEPS)
    return [step * place for place in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _number(value: float) -> str:
    return f"{value:g}".replace("-", wording.MINUS)
