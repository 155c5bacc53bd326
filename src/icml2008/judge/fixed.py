"""Two simpler rules that others use, on arrays of runs: repeats are along the last axis.

- *Prediction interval of three runs*: the printed number is right if it lies within the 95 %
  prediction interval of three runs of one's own (Siegel et al. 2024, CORE-Bench); one method is
  better if that interval of the difference lies above 0.
- *Three seeds and a tolerance*: the printed number is wrong if all three lie outside it, right if
  none does; one method is better if it is ahead with all three.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from . import decide

INTERVAL = "prediction interval of three runs"
SEEDS = "three seeds and a tolerance"
RUNS = 3


def reach(three: np.ndarray) -> np.ndarray:
    """Return half the 95 % prediction interval of three runs, along the last axis."""
    return stats.t.ppf(0.975, 2) * three.std(axis=-1, ddof=1) * np.sqrt(1 + 1 / 3)


def codes(confirmed: np.ndarray, refuted: np.ndarray) -> np.ndarray:
    """Return decisions as the judge codes them."""
    return np.where(confirmed, decide.CONFIRMED, np.where(refuted, decide.REFUTED, 0))


def values_by_interval(runs: np.ndarray, printed: np.ndarray) -> np.ndarray:
    """Decide on printed values by the prediction interval of the first three runs."""
    three = runs[..., :RUNS]
    inside = np.abs(three.mean(axis=-1) - printed) <= reach(three)
    return codes(inside, ~inside)


def values_by_tolerance(runs: np.ndarray, printed: np.ndarray, tolerance: float) -> np.ndarray:
    """Decide on printed values by how many of the first three runs lie within a tolerance."""
    inside = np.abs(runs[..., :RUNS] - printed[..., None]) <= tolerance
    return codes(inside.all(axis=-1), ~inside.any(axis=-1))


def orders_by_interval(gains: np.ndarray) -> np.ndarray:
    """Decide on orders by the prediction interval of the first three differences."""
    three = gains[..., :RUNS]
    mean = three.mean(axis=-1)
    half = reach(three)
    return codes(mean > half, mean < -half)


def orders_by_seeds(gains: np.ndarray) -> np.ndarray:
    """Decide on orders by who is ahead with the first three seeds."""
    three = gains[..., :RUNS]
    return codes((three > 0).all(axis=-1), (three < 0).all(axis=-1))
