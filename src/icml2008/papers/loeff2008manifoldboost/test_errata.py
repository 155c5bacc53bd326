"""Errata of the paper that a small computation settles."""

import math

import pytest


@pytest.mark.parametrize(("label", "value"), [(1, 0.4), (-1, 0.4), (1, -1.3)])
def test_derivative_of_the_log_loss_has_minus_the_label(label, value):
    """loeff2008manifoldboost, Eq. 8: the derivative is -2 y / (1 + exp(2 y F))."""
    step = 1e-6
    ends = [math.log1p(math.exp(-2 * label * (value + d))) for d in (step, -step)]
    slope = (ends[0] - ends[1]) / (2 * step)
    printed = 2 * label / (1 + math.exp(2 * label * value))
    # Central differences are right to about the square of the step.
    assert math.isclose(slope, -printed, rel_tol=1e-6)
