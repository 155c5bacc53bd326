"""Errata of the paper that a small computation settles."""

import numpy as np
import pytest

from icml2008.methods.kernel_quantiles import RIGHT

from .experiments import theorem_1
from .test_rosset2008bilevel import problem


def test_fit_beyond_the_last_knot_is_not_constant():
    """rosset2008bilevel, Section 2: the coefficients are, and the fit in the limit."""
    _, knot, piece, at = next(problem().path(0.37, 0.01))
    assert not piece.theta[:, 0].any()
    ranges = []
    for lambda_ in (2 * knot, 20 * knot):
        fit = problem().y - piece.residual @ (lambda_, *at) / lambda_
        ranges.append(np.ptp(fit))
    assert ranges[0] > 0.1
    assert np.isclose(ranges[1], ranges[0] / 10)


def test_system_of_a_sole_row_is_singular():
    """rosset2008bilevel, Theorem 1: no straight line where all lambdas of a stretch are knots."""
    one = problem()
    K, y, state = one.kernel[:, :12], one.y[:12], one.outermost(5)
    (row,) = np.flatnonzero(state == 0)
    sole = next(one.path(5 / 12, 0.01))
    assert np.isclose((sole[2].theta @ (2 * sole[1], *sole[3]))[row], 5 / 12 - 1 + RIGHT)
    with pytest.raises(np.linalg.LinAlgError):
        theorem_1(K, y, state, row)
