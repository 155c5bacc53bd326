"""All claims of a paper in one figure, a row each, however many and of whatever unit they are."""

from __future__ import annotations

import math
from typing import Any

from icml2008.report import style, wording
from icml2008.report.results import GROUPS, PaperResults, ShownClaim, Verdict
from icml2008.report.templating import environment

CAPTION = (
    "Each row is a claim, each mark a part of it: how far on the claimed side of its limit our "
    "number lies, in half-widths of its 95 % interval. Right of the band it holds, left of it it "
    "does not; inside, the interval does not exclude the other. Marks at an edge lie further out "
    "or have no interval; a hollow one beyond the band is undecided for another reason, such as a "
    "coarse tolerance."
)

# Points.
_WIDTH = 480.0
_LABEL = 190.0
_RIGHT = 84.0
_TOP = 8.0
_BOTTOM = 26.0
_ROW = 13.0
_TALLEST = 860.0
_SMALLEST = 8.0
_EDGE = 4.0
_AIR = 6.0
_HALF = 2.7
_CHARACTERS = 40


def claims_figure(results: PaperResults) -> str | None:
    """Return the claims that were measured as SVG; None if there are none."""
    groups = {
        GROUPS[group]: rows
        for group, entries in results.grouped().items()
        if (rows := _rows(entries))
    }
    if not groups:
        return None
    lines = sum(1 + len(rows) for rows in groups.values())
    step = max(_SMALLEST, min(_ROW, _TALLEST / lines))
    scale = (_WIDTH - _LABEL - _RIGHT - 2 * _AIR) / (2 * _EDGE)
    middle = _LABEL + _AIR + scale * _EDGE
    y = _TOP
    placed = []
    places: dict[str, list[tuple[float, float]]] = {}
    for title, rows in groups.items():
        y += step
        placed.append({"title": title, "y": y, "rows": []})
        for row in rows:
            y += step
            placed[-1]["rows"].append(row | {"y": y})
            for place, word in row["marks"]:
                places.setdefault(word, []).append((middle + scale * place, y - _HALF))
    sizes = {"width": _WIDTH, "height": y + _BOTTOM, "top": _TOP, "end": y + step / 2}
    about = {"left": _LABEL, "middle": middle, "scale": scale, "right": _WIDTH - _RIGHT}
    about |= {"font": min(7.5, step - 1)}
    return (
        environment()
        .get_template("claims.svg")
        .render(groups=placed, places=places, style=style, **sizes, **about)
    )


def _rows(entries: list[ShownClaim]) -> list[dict[str, Any]]:
    """Return a row for each claim of which something was measured."""
    rows: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if not entry.part:
            name = entry.claim
            if len(name) > _CHARACTERS:
                name = f"{name[: _CHARACTERS - 1]}…"
            word = entry.shown["verdict"]
            rows[entry.claim] = {"name": name, "word": wording.verdict_word(word), "marks": []}
            rows[entry.claim]["verdict"] = word
        if (place := position(entry.shown)) is not None:
            rows[entry.claim]["marks"].append((place, entry.shown["verdict"]))
    return [row for row in rows.values() if row["marks"]]


def position(verdict: Verdict) -> float | None:
    """Return how far on the claimed side of its limit a number lies, in half-widths, within 4.

    Of a printed value the limit is the end of its tolerance.

    Examples
    --------
    >>> position({"comparison": "above", "effect": 3.0, "floor": 0.0, "low": 1.0, "high": 5.0})
    1.5
    >>> position({"comparison": "below", "effect": 3.0, "floor": 0.0, "low": None, "high": 3.0})
    -4.0
    """
    effect = verdict.get("effect")
    if effect is None:
        return None
    match verdict["comparison"]:
        case "above":
            ahead = effect - verdict["floor"]
        case "below":
            ahead = verdict["floor"] - effect
        case "never_violated":
            ahead = (verdict.get("tolerance") or 0.0) - effect
        case _:
            allowed = verdict.get("tolerance") or verdict.get("half_unit") or 0.0
            ahead = allowed - abs(effect - (wording.printed_value(verdict) or 0.0))
    low = verdict.get("low")
    high = verdict.get("high")
    half = 0.0 if None in (low, high) else (high - low) / 2
    if half <= 0 or not math.isfinite(half):
        return math.copysign(_EDGE, ahead)
    return max(-_EDGE, min(_EDGE, ahead / half))
