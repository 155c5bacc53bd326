"""Intervals of a cost curve by the formula, against scipy.stats.bootstrap; and how time grows.

theta = 3, as many negatives as positives, both in one process on one thread, in processor time, the
best of three. SciPy draws 1000 stratified samples; `ends_off` is how far, on average, the ends of
its percentile intervals are from the formula's, in standard deviations of the cost. Last, there are
as many conditions as instances, for a cost and for a difference of two.
"""

from __future__ import annotations

import time

import numpy as np
from scipy.stats import bootstrap

from icml2008.papers.dugas2008costcurves.experiments import thresholds
from icml2008.papers.dugas2008costcurves.method import CostCurve

PACKAGES = ("numpy", "scipy")


def resampled(y, scores, w, cuts):
    """Return the ends of SciPy's percentile intervals."""
    wrong = (scores >= cuts[:, None]) != y
    limits = bootstrap(
        (wrong[:, y == 1], wrong[:, y == 0]),
        lambda misses, alarms, axis: (w * misses.mean(axis).T + (1 - w) * alarms.mean(axis).T).T,
        n_resamples=1000, batch=10, confidence_level=0.9, method="percentile", axis=-1,
        vectorized=True, rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    return limits.low, limits.high


def best_of_three(function, *given, **options):
    """Return the least processor time of three calls, and what the last returned."""
    times = []
    for _ in range(3):
        start = time.process_time()
        result = function(*given, **options)
        times.append(time.process_time() - start)
    return min(times), result


def row(n, n_conditions):
    """Return what was measured with as many instances and conditions."""
    y = np.arange(n) % 2
    rng = np.random.default_rng(1)
    scores, others = 3 * rng.standard_normal((2, n)) + np.where(y == 1, 3, -3)
    w = np.arange(1, n_conditions + 1) / (n_conditions + 1)
    cuts = thresholds(w, 3.0, -3.0, 3.0)
    interval = CostCurve().interval
    ours, peer = best_of_three(interval, y, scores, w=w, thresholds=cuts)
    paired, _ = best_of_three(interval, y, scores, w=w, thresholds=cuts, rival=(others, cuts))
    row = {"instances": n, "conditions": n_conditions}
    row |= {"cost_s": f"{ours:.2g}", "difference_s": f"{paired:.2g}"}
    if n_conditions > 99:
        return row | dict.fromkeys(("scipy_cost_s", "times_faster", "ends_off"), "")
    theirs, ends = best_of_three(resampled, y, scores, w, cuts)
    off = np.abs([ends[0] - peer.low, ends[1] - peer.high]).mean(axis=0)
    row |= {"scipy_cost_s": f"{theirs:.2g}", "times_faster": f"{theirs / ours:.2g}"}
    return row | {"ends_off": f"{np.mean(off / peer.std):.2f}"}


def rows():
    """Yield the rows of the table."""
    for size in ((1000, 99), *((n, n) for n in (10**4, 10**5, 10**6))):
        yield row(*size)
