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
