"""Decisions: from an interval and a printed number to confirmed, refuted or inconclusive.

Codes are 1 for confirmed, -1 for refuted and 0 for inconclusive. Each decision comes with the
p-value of its refutation, which Holm's correction needs where a claim has parts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtr, stdtrit

from .combined import holm
from .estimates import Array, Estimate

RULEBOOK = "3"
LEVEL = 0.95
CONFIRM_LEVEL = 0.90
TAIL = (1 - LEVEL) / 2
MIN_REPEATS = 6
CONFIRMED = 1
REFUTED = -1
INCONCLUSIVE = 0

Codes = NDArray[np.int8]


def above(estimate: Estimate, floor: float) -> tuple[Codes, Array]:
    """Decide whether a number is above a floor, by its 95 % interval."""
    low, high = estimate.ends(LEVEL)
    return _codes(low > floor, high < floor), estimate.p_below(floor)


def below(estimate: Estimate, ceiling: float) -> tuple[Codes, Array]:
    """Decide whether a number is below a ceiling, by its 95 % interval."""
    low, high = estimate.ends(LEVEL)
    return _codes(high < ceiling, low > ceiling), estimate.p_above(ceiling)


def lines(estimate: Estimate, holds: float, fails: float) -> tuple[Codes, Array]:
    """Decide between two lines: from `holds` on nobody denies it, from `fails` nobody upholds it.

    Confirmed or refuted if the 95 % interval lies beyond the one or the other; in between, open.
    """
    low, high = estimate.ends(LEVEL)
    if holds > fails:
        return _codes(low >= holds, high <= fails), estimate.p_below(fails)
    return _codes(high <= holds, low >= fails), estimate.p_above(fails)


def near(
    estimate: Estimate, printed: ArrayLike, tolerance: ArrayLike, p_refute: ArrayLike | None = None
) -> tuple[Codes, Array]:
    """Decide whether a number is within a tolerance of a printed one.

    Confirmed if the 90 % interval lies within the tolerance, which is a test of equivalence by two
    one-sided tests at 5 %; refuted if the 95 % interval lies outside of it. For intervals that are
    symmetric these are: |ours - printed| plus the 90 % half-width is at most the tolerance, and
    |ours - printed| minus the 95 % half-width exceeds it.

    Where no spread is printed, the tolerance is made of our own spread, which few repeats know
    badly: then it only confirms, and `p_refute`, of a prediction test, refutes (`surprise`).

    References
    ----------
    Schuirmann (1987). A comparison of the two one-sided tests procedure and the power approach.
    Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.
    """
    printed = np.asarray(printed, dtype=float)
    tolerance = np.asarray(tolerance, dtype=float)
    # Decimal fractions are not exact in binary: 60.35 - 60.3 is a little above 0.05.
    slack = 1e-9 * np.maximum(np.abs(printed), np.abs(tolerance))
    bottom = printed - tolerance - slack
    top = printed + tolerance + slack
    low, high = estimate.ends(CONFIRM_LEVEL)
    wide_low, wide_high = estimate.ends(LEVEL)
    within = (low >= bottom) & (high <= top)
    if p_refute is not None:
        surprising = np.asarray(p_refute) < TAIL
        return _codes(within & ~surprising, surprising), np.asarray(p_refute)
    codes = _codes(within, (wide_low > top) | (wide_high < bottom))
    return codes, np.minimum(estimate.p_above(top), estimate.p_below(bottom))


def surprise(distance: ArrayLike, se: ArrayLike, error: ArrayLike, df: float) -> Array:
    """Return the p-value of a printed number so far from ours, if it is a run like ours.

    Parameters
    ----------
    distance : array_like
        Beyond the rounding of the printed number.
    se, error : array_like
        Standard errors of our number and of the printed one.
    df : float
        Degrees of freedom of the spread that both are made of; infinite if it is known.

    Returns
    -------
    ndarray
        Two-sided: a printed number surprises on either side.

    Examples
    --------
    >>> round(float(surprise(3.4, 6**-0.5, 1.0, 5)), 3)
    0.025
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.asarray(distance, dtype=float) / np.hypot(se, error)
        tail = stdtr(df, -t) if math.isfinite(df) else ndtr(-t)
    return np.where(np.asarray(distance) <= 0, 1.0, 2 * tail)


def never(violations: ArrayLike, tolerance: float, instances: int, due: int) -> int:
    """Decide whether no instance violates a bound by more than the numerical tolerance."""
    if np.any(np.asarray(violations) > tolerance):
        return REFUTED
    return CONFIRMED if instances >= due else INCONCLUSIVE


def exactly(values: ArrayLike, printed: float, half_unit: float) -> int:
    """Decide whether a number rounds to the printed one in every repeat, or in none."""
    apart = np.abs(np.asarray(values, dtype=float) - printed)
    rounds = apart <= half_unit + 1e-9 * max(abs(printed), half_unit)
    if rounds.all():
        return CONFIRMED
    return INCONCLUSIVE if rounds.any() else REFUTED


def whole(codes: ArrayLike, p_refute: ArrayLike) -> Codes:
    """Decide a claim from its parts, along the last axis.

    Confirmed if every part is, each at its own level: an intersection needs no correction. Refuted
    if any part is after Holm's correction over `p_refute`, of the distinct parts: copies of one
    curve are one test.
    """
    refuted = (holm(p_refute) < TAIL).any(axis=-1)
    return _codes((np.asarray(codes) == CONFIRMED).all(axis=-1), refuted)


def _codes(confirmed: ArrayLike, refuted: ArrayLike) -> Codes:
    return np.where(confirmed, CONFIRMED, np.where(refuted, REFUTED, INCONCLUSIVE)).astype(np.int8)


def printed_error(
    ours: ArrayLike, printed: ArrayLike | None = None, n: int = 1, sd_of: str = "runs"
) -> Array:
    """Return the standard error of a printed mean.

    Parameters
    ----------
    ours : array_like
        Standard deviation of our repeats, each a whole run.
    printed : array_like, optional
        The printed standard deviation.
    n : int
        How many numbers the printed mean is of.
    sd_of : {"runs", "folds", "starts"}
        What these are. Of whole runs, the error is s / sqrt(n), with our spread where none is
        printed and the larger of both where fewer than six runs were. Folds of one data set are
        parts of one run, whose spread is ours. Starts add theirs to that of the one draw of the
        data that they share.

    Examples
    --------
    >>> printed_error(2.0, 15.1, 32).round(3), printed_error(2.0, 15.1, 32, "folds").round(3)
    (np.float64(2.669), np.float64(2.0))
    """
    ours = np.asarray(ours, dtype=float)
    if sd_of == "folds":
        return ours
    if sd_of == "starts":
        return np.hypot(ours, (0.0 if printed is None else printed) / np.sqrt(n))
    if printed is None:
        printed = ours
    elif 1 < n < MIN_REPEATS:
        printed = np.fmax(printed, ours)
    return np.asarray(printed, dtype=float) / np.sqrt(n)


def tolerance(half_unit: ArrayLike, error: ArrayLike, margin: float | None = None) -> Array:
    """Return how far a number may be from a printed one: margin, or h + 3 standard errors.

    Parameters
    ----------
    half_unit : array_like
        Half a unit of the last printed digit.
    error : array_like
        Standard error of the printed mean; see `printed_error`.
    margin : float, optional
        The claim's own tolerance.

    Examples
    --------
    >>> round(float(tolerance(0.05, 15.1 / 32**0.5)), 2)
    8.06
    """
    if margin is not None:
        return np.asarray(margin, dtype=float)
    return np.asarray(half_unit) + 3 * np.asarray(error)


def too_coarse(
    tolerance: ArrayLike, half_unit: ArrayLike, gap: float | None = None, *, one_run: bool = False
) -> NDArray[np.bool_]:
    """Return whether to be within a tolerance of a printed number says little.

    It does if the tolerance exceeds half the printed gap that the number is about. Where no gap is
    given and the number is of a single run, so that the tolerance is made of our own spread, its
    digits are what it says: then if the spread adds more to the rounding than that itself.
    """
    most = gap / 2 if gap is not None else 2 * np.asarray(half_unit) if one_run else math.inf
    return np.asarray(tolerance) > most


def repeats_needed(spread: float, distance: float, level: float = LEVEL) -> int | None:
    """Return how many repeats decide with a probability of 80 % at a distance from the limit.

    The smallest n with (t_{level} + t_{0.8}) s / sqrt(n) <= distance; None if that takes more than
    a million, and `MIN_REPEATS` at least.
    """
    if not (math.isfinite(spread) and math.isfinite(distance)) or distance <= 0:
        return None
    low = MIN_REPEATS
    high = 10**6
    if detectable(spread, high, level) > distance:
        return None
    while low < high:
        middle = (low + high) // 2
        if detectable(spread, middle, level) <= distance:
            high = middle
        else:
            low = middle + 1
    return low


def detectable(spread: float, n: int, level: float = LEVEL) -> float:
    """Return the distance from the limit that n repeats decide with a probability of 80 %."""
    if n < 2:
        return math.inf
    reach = stdtrit(n - 1, 0.5 + level / 2) + stdtrit(n - 1, 0.8)
    return float(reach) * spread / math.sqrt(n)
