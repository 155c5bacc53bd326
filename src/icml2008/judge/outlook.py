"""What an open verdict could have seen, and how many repeats would decide it."""

from __future__ import annotations

import math
from typing import Any

from . import decide
from .evidence import Evidence


def outlook(
    evidence: Evidence, effect: float, spread: float, n: int, limit: float | None
) -> dict[str, Any]:
    """Say what could have been seen, and how many repeats decide the distance found."""
    value = evidence.printed.value
    level = decide.LEVEL
    floor = 0.0
    room = abs(effect - value)
    if evidence.printed.fails is not None:  # the line that is farther decides
        room = max(room, abs(effect - evidence.printed.fails))
    if limit is not None:
        low, high = evidence.formula.range
        # A bound of the metric guards its side of the tolerance.
        edges = [e for e in (value - limit, value + limit) if low < e < high]
        inside = room <= limit
        floor = limit
        level = decide.CONFIRM_LEVEL if inside else decide.LEVEL
        room = min((abs(effect - edge) for edge in edges), default=math.inf)
    if spread > 0:
        seen = decide.detectable(spread, n)
        needed = decide.repeats_needed(spread, room, level)
    elif evidence.formula.case:
        cases = -math.log((1 - level) / 2) * evidence.formula.case
        seen = cases / n
        needed = max(decide.MIN_REPEATS, math.ceil(cases / room)) if room else None
    else:
        return {}
    return {"could_see": floor + seen, "repeats_needed": needed}
