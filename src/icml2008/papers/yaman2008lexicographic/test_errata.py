"""Errata of the paper that a small computation settles."""

import itertools

import numpy as np


def test_equal_ranks_still_decide():
    """yaman2008lexicographic, Section 5: by Definition 1 one class of all variables votes."""
    objects = np.array(list(itertools.product((0, 1), repeat=5)))
    pairs = [(a, b) for a, b in itertools.product(objects, repeat=2) if (a != b).any()]
    votes = np.array([np.sign(np.sum(a) - np.sum(b)) for a, b in pairs])
    # The target orders the variables from the first to the last.
    target = np.array([(a - b)[np.flatnonzero(a != b)[0]] for a, b in pairs])
    assert np.mean(votes == 0) < 0.25
    performance = np.mean(votes == target) + np.mean(votes == 0) / 2
    assert performance > 0.6
