"""Whether the repeats of a table look normal: the prediction test of single printed runs needs it.

A single run of a skewed or heavy-tailed law often lies farther off than Student's t expects. Six
repeats show little of such a law; all parts of a table together show it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from .decide import MIN_REPEATS

# In spreads of the sum over the parts: one of fourteen tables of normal repeats exceeds it.
_MOST = 2


def shape(values: Sequence[float]) -> list[float] | None:
    """Return skewness and excess kurtosis over their spreads in as many normal numbers.

    None for fewer than six numbers, or where all agree.

    References
    ----------
    Joanes and Gill (1998). Comparing measures of sample skewness and kurtosis. JRSS D 47, 183-189.
    """
    n = len(values)
    if n < MIN_REPEATS or np.ptp(values) <= 1e-9 * max(np.abs(values).max(), 1.0):
        return None
    of_skewness = 6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))
    of_kurtosis = 24 * n * (n - 1) ** 2 / ((n - 3) * (n - 2) * (n + 3) * (n + 5))
    skewness = float(stats.skew(values, bias=False)) / math.sqrt(of_skewness)
    kurtosis = float(stats.kurtosis(values, bias=False)) / math.sqrt(of_kurtosis)
    return [skewness, kurtosis]


def is_normal(shapes: Sequence[Sequence[float] | None]) -> bool:
    """Return whether the repeats of a table may be normal, by the shapes of its parts.

    Skewed on the whole to either side, or with heavier tails, they are not.
    """
    known = [values for values in shapes if values is not None]
    if not known:
        return True
    skewness, kurtosis = np.sum(known, axis=0) / math.sqrt(len(known))
    return abs(skewness) <= _MOST and kurtosis <= _MOST
