"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize


def test_mixing_weights_must_not_be_negative():
    """chen2008indefinite, Eqs. 25 to 28: without the sign there is no minimum over the weights."""
    t = np.array([0.3, 1.0, 2.0])
    signed, free = (
        optimize.linprog(t, A_eq=np.ones((1, 3)), b_eq=[1], bounds=ends)
        for ends in ((0, None), (None, None))
    )
    assert math.isclose(signed.fun, t.min(), rel_tol=1e-9)
    assert free.status == 3  # unbounded
