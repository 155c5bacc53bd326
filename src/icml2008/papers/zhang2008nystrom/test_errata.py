"""Errata of the paper that a small computation settles."""

import math

from hypothesis import given
from hypothesis import strategies as st


def test_polynomial_constant_grows_faster():
    """zhang2008nystrom, Section 3.4: d^2 R^d does not bound (8), what stands before it does.

    The kernel (x y)^2 on numbers between 0 and R = 3, with epsilon = 0.
    """
    d, r, step = 2, 3.0, 1e-4
    change = r ** (2 * d) - (r - step) ** (2 * d)
    ratio = change**2 / (2 * step**2)
    assert ratio > 100 * d**2 * r**d
    # z = x y is at most R^2.
    assert ratio <= (2 * d * (r**2) ** (d - 1) * r) ** 2


def gaussian_ratio(a, b, c, d):
    """Return the left side of zhang2008nystrom's property (8) over its right side, sigma = 1."""
    change = math.exp(-((a - b) ** 2)) - math.exp(-((c - d) ** 2))
    return change**2 / ((a - c) ** 2 + (b - d) ** 2)


def test_gaussian_constant_is_reached():
    """zhang2008nystrom, Section 3.4: the constant is at least 4 / e, above the printed 1/2."""
    x, step = math.sqrt(0.5) / 2, 1e-5
    found = gaussian_ratio(-x, x, -x - step, x + step)
    # The step is finite: relative error of its order.
    assert math.isclose(found, 4 / math.e, rel_tol=1e-4)


@given(st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_gaussian_constant_suffices(points):
    """zhang2008nystrom, Section 3.4: 4 / e is enough."""
    a, b, c, d = points
    if (a - c) ** 2 + (b - d) ** 2 > 1e-6:
        assert gaussian_ratio(a, b, c, d) <= 4 / math.e * (1 + 1e-6)
