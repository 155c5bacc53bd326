"""Steps that are counted in place of seconds."""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True)
def merge_comparisons(v):
    """Return how many comparisons a merge sort from below takes for v, (n,)."""
    a = v.copy()
    b = np.empty_like(v)
    width = 1
    work = 0
    while width < len(v):
        for start in range(0, len(v), 2 * width):
            i = start
            end = min(start + width, len(v))
            j = end
            stop = min(start + 2 * width, len(v))
            for k in range(start, stop):
                both = i < end and j < stop
                # Where one run is used up, the rest of the other is copied without a comparison.
                work += both
                if j >= stop or (both and a[i] >= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
        a, b = b, a
        width = 2 * width
    return work
