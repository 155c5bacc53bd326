"""Projections by one guess of the shift, one bound that follows from it, and what is above that.

Components above theta, which are what is left after the shift, add up to radius + count * theta.
The excess of all components over a guess of theta is convex in the guess, so that a step of Newton
from either side ends at theta or below it: what is not above that can be dropped at once.
"""

from __future__ import annotations

import numba
import numpy as np

# Vectors that are shorter are looked at whole, since a sample of them would be a large part.
LONG = 1024
# Components in the sample from which theta is guessed.
SAMPLE = 128
# Components of which none is looked at again if none is above the bound.
BLOCK = 256

# Sums in any order, for bounds alone: theta itself is summed in one order on every processor.
_in_any_order = numba.njit(fastmath={"reassoc", "nsz"}, cache=True)


@_in_any_order
def _total(v, ball):
    """Return the sum of the components, or of their absolute values."""
    total = 0.0
    if ball:
        for i in range(len(v)):
            total += abs(v[i])
    else:
        for i in range(len(v)):
            total += v[i]
    return total


@_in_any_order
def _above(v, guess, ball):
    """Return the sum of what is above a guess of theta, and the count of it.

    In a form that compilers turn into steps of eight components at once.
    """
    excess = 0.0
    count = 0
    if ball:
        for i in range(len(v)):
            x = abs(v[i]) - guess
            excess += max(x, 0.0)
            count += x > 0.0
    else:
        for i in range(len(v)):
            x = v[i] - guess
            excess += max(x, 0.0)
            count += x > 0.0
    return excess, count


@numba.njit(cache=True)
def _any_above(v, floor, ball):
    """Say whether a component is above a bound."""
    count = 0
    if ball:
        for i in range(len(v)):
            count += 1 if abs(v[i]) > floor else 0
    else:
        for i in range(len(v)):
            count += 1 if v[i] > floor else 0
    return count > 0


@numba.njit(cache=True)
def sum_and_most(v, ball):
    """Return the sum and the largest of the components, or of their absolute values.

    Four sums run beside each other, since one would wait for each addition.
    """
    n = len(v)
    rest = n % 4
    s0 = s1 = s2 = s3 = 0.0
    m0 = m1 = m2 = m3 = -np.inf
    for i in range(0, n - rest, 4):
        a = v[i]
        b = v[i + 1]
        c = v[i + 2]
        d = v[i + 3]
        if ball:
            a = abs(a)
            b = abs(b)
            c = abs(c)
            d = abs(d)
        s0 = s0 + a
        s1 = s1 + b
        s2 = s2 + c
        s3 = s3 + d
        m0 = a if a > m0 else m0
        m1 = b if b > m1 else m1
        m2 = c if c > m2 else m2
        m3 = d if d > m3 else m3
    total = s0 + s1 + s2 + s3
    most = max(m0, m1, m2, m3)
    for x in v[n - rest :]:
        x = abs(x) if ball else x
        total = total + x
        most = max(most, x)
    return total, most


@numba.njit(cache=True)
def _settled(kept, left, radius):
    """Return theta of the first components of `kept`, which are overwritten.

    Michelot's steps: what is not above the mean that all would leave is dropped, until all are.
    They are Newton's, of which each divides excess times count by four at least: a few dozen are
    the most.
    """
    while True:
        s0 = s1 = s2 = s3 = 0.0
        rest = left % 4
        for i in range(0, left - rest, 4):
            s0 += kept[i]
            s1 += kept[i + 1]
            s2 += kept[i + 2]
            s3 += kept[i + 3]
        for i in range(left - rest, left):
            s0 += kept[i]
        theta = ((s0 + s1) + (s2 + s3) - radius) / left
        more = 0
        for i in range(left):  # without branches, which cannot be foreseen here
            x = kept[i]
            kept[more] = x
            more += x > theta
        if more == left or not more:  # none, where the radius is lost to rounding
            return theta
        left = more


@numba.njit(cache=True)
def _guess(v, radius, ball):
    """Return theta of every so many-th component, with their share of the radius."""
    stride = len(v) // SAMPLE
    part = np.empty(SAMPLE)
    at = stride // 2
    for i in range(SAMPLE):
        x = v[at]
        part[i] = abs(x) if ball else x
        at += stride
    return _settled(part, SAMPLE, radius * SAMPLE / len(v))


@numba.njit(cache=True)
def _bound(v, radius, ball):
    """Return the sum, a lower bound of theta and about how many components are above it."""
    n = len(v)
    if n < LONG:
        total, most = sum_and_most(v, ball)
        return total, max(most - radius, (total - radius) / n), n
    total = _total(v, ball)
    if not np.isfinite(total) or (ball and total <= radius):
        return total, 0.0, 0
    least = (total - radius) / n
    guess = _guess(v, radius, ball)
    excess, count = _above(v, guess, ball)
    if not count:  # nothing is above the guess, or it is no number
        guess = max(sum_and_most(v, ball)[1] - radius, least)
        excess, count = _above(v, guess, ball)
    if count * BLOCK > n:  # the guess was low, and the second one is worth a look at all
        guess = max(least, guess + (excess - radius) / count)
        excess, count = _above(v, guess, ball)
    floor = max(least, guess + (excess - radius) / count) if count else guess
    # rounding may have brought it above theta, by less than this
    return total, floor - 1e-12 * (abs(floor) + radius), count


@numba.njit(cache=True)
def _kept(v, floor, count, ball, kept):
    """Write what is above a bound to the front of `kept`; return how many are."""
    n = len(v)
    block = BLOCK if count * BLOCK < n else n
    left = 0
    for begin in range(0, n, block):
        part = v[begin : begin + block]
        if block < n and not _any_above(part, floor, ball):
            continue
        for x in part:
            x = abs(x) if ball else x
            kept[left] = x
            left += x > floor
    return left


@numba.njit(cache=True)
def filtered_threshold(v, radius, ball, kept):
    """Return theta for v, (n,), or its absolute values: 0 inside the ball, NaN for a sum that is.

    `kept`, (n,), is overwritten.
    """
    total, floor, count = _bound(v, radius, ball)
    if not np.isfinite(total):
        return np.nan
    if ball and total <= radius:
        return 0.0
    left = _kept(v, floor, count, ball, kept)
    # none is left where the radius is lost to rounding
    return _settled(kept, left, radius) if left else floor


@numba.njit(cache=True)
def filtered_projection(v, radius, ball):
    """Return the projection of v, (n,), on the simplex or the l1 ball, and theta."""
    w = np.empty(len(v))
    theta = filtered_threshold(v, radius, ball, w)
    if ball:
        for i in range(len(v)):
            w[i] = max(v[i] - theta, 0.0) + min(v[i] + theta, 0.0)
    else:
        for i in range(len(v)):
            w[i] = max(v[i] - theta, 0.0)
    return w, theta
