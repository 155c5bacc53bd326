"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_first_event_has_no_diagonal_term():
    """cunningham2008intensity, Eq. 5: for gamma = 1 the likelihood of Eq. 3, events 0, 2 and 4."""
    events = [0, 2, 4]
    x = np.array([0.5, 1.0, 2.0, 1.5, 0.7])

    def loss(x):
        pairs = itertools.pairwise(events)
        return sum(x[before:after].sum() - math.log(x[after]) for before, after in pairs)

    step = 1e-4
    second = [
        (loss(x + step * e) - 2 * loss(x) + loss(x - step * e)) / step**2 for e in np.eye(len(x))
    ]
    # Rounding over the squared step is about 1e-7.
    assert np.allclose(second, [0, 0, x[2] ** -2, 0, x[4] ** -2], atol=1e-5)
