"""What instances without a violation say of the rate of violations."""

from __future__ import annotations

import math

CONFIDENCE = 0.95


def rate_bound(instances: int) -> float:
    """Return the rate of violations that so many instances without one exclude at 95 %.

    At a rate r, n instances show none with a probability of (1 - r)^n; about 3 / n.

    Examples
    --------
    >>> round(rate_bound(300), 4)
    0.0099
    """
    return -math.expm1(math.log(1 - CONFIDENCE) / instances)


def instances_for(rate: float) -> int:
    """Return how many instances without a violation exclude a rate of them at 95 %.

    Examples
    --------
    >>> instances_for(0.01)
    299
    """
    return math.ceil(math.log(1 - CONFIDENCE) / math.log1p(-rate))
