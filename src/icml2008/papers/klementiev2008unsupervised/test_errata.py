"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def kendall(first, second):
    """Return in how many pairs two rankings disagree."""
    pairs = itertools.combinations(range(len(first)), 2)
    return sum((first[i] - first[j]) * (second[i] - second[j]) < 0 for i, j in pairs)


def mallows(theta, centre):
    """Return the normaliser and the mean distance to a centre of exp(theta d)."""
    distances = np.array([kendall(p, centre) for p in itertools.permutations(centre)])
    weights = np.exp(theta * distances)
    return weights.sum(), weights @ distances / weights.sum()


def test_likelihood_of_queries_has_q_normalisers():
    """klementiev2008unsupervised, Proposition 1: log Z is subtracted once for each query."""
    thetas = [-0.7, -0.2]
    queries = [((0, 1, 2), [(1, 0, 2), (2, 1, 0)]), ((2, 0, 1), [(2, 0, 1), (0, 2, 1)])]
    normalisers = [math.log(mallows(theta, (0, 1, 2))[0]) for theta in thetas]
    likelihood = sum(
        math.log(1 / 6)
        + sum(
            math.log(math.exp(theta * kendall(truth, vote)) / mallows(theta, truth)[0])
            for theta, vote in zip(thetas, votes, strict=True)
        )
        for truth, votes in queries
    )
    rest = len(queries) * math.log(1 / 6) + sum(
        theta * kendall(truth, vote)
        for truth, votes in queries
        for theta, vote in zip(thetas, votes, strict=True)
    )
    assert math.isclose(likelihood, rest - len(queries) * sum(normalisers))
    assert not math.isclose(likelihood, rest - sum(normalisers), abs_tol=0.1)


def test_expected_distance_rises_with_the_parameter():
    """klementiev2008unsupervised, Eq. 9: right for four objects, and increasing in theta."""
    n = 4
    thetas = [-2.0, -1.0, -0.3, -0.05]
    distances = [mallows(theta, tuple(range(n)))[1] for theta in thetas]
    formula = [
        n * math.exp(t) / (1 - math.exp(t))
        - sum(j * math.exp(t * j) / (1 - math.exp(t * j)) for j in range(1, n + 1))
        for t in thetas
    ]
    assert np.allclose(distances, formula, rtol=1e-9)
    assert np.all(np.diff(distances) > 0)
