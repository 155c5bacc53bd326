"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_instantaneous_effects_weigh_alike_in_common_units():
    """hyvarinen2008causal, Section 7.1: 56.04 and 0.0027 are 0.36 and 0.42 by the ranges."""
    ranges = np.array([8230 - 5870, 123.86 - 108.51])
    effects = np.array([[0, 56.04], [0.0027, 0]]) * ranges / ranges[:, None]
    assert math.isclose(effects[0, 1], 0.364, abs_tol=1e-3)
    # 0.0027 has two digits.
    assert math.isclose(effects[1, 0], 0.415, abs_tol=0.01)
    assert effects[1, 0] > effects[0, 1]
    lagged = np.array([-48.01, 0.0018]) / [ranges[0] / ranges[1], ranges[1] / ranges[0]]
    assert np.abs(lagged).round(2).tolist() == [0.31, 0.28]


def test_residuals_correlate_by_more_than_printed_if_disturbances_do_not():
    """hyvarinen2008causal, Equations 14 and 15: no ratio of disturbances gives 0.66."""
    least = 1.0
    for B0 in ([[0, 56.04], [0.0027, 0]], [[0, 56.035], [0.00265, 0]]):  # printed, lowest rounded
        mixing = np.linalg.inv(np.eye(2) - B0)
        for ratio in np.geomspace(10, 1e4, 2000):
            cov = mixing @ np.diag([ratio**2, 1]) @ mixing.T
            least = min(least, cov[0, 1] / np.sqrt(cov[0, 0] * cov[1, 1]))
    assert math.isclose(least, 0.671, abs_tol=1e-3)
    assert least > 0.665


def test_a_cause_is_told_by_its_effect():
    """hyvarinen2008causal, Section 5, Equation 9: x1(t) reduces the error in x2(t)."""
    mixing = np.linalg.inv(np.eye(2) - [[0, 1], [0, 0]])
    cov = mixing @ mixing.T  # of innovations, with disturbances of variance 1
    assert cov[1, 1] - cov[0, 1] ** 2 / cov[0, 0] == 0.5
    assert cov[1, 1] == 1
