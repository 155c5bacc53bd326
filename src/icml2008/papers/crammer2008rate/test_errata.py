"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize


def one_class_objective(prior, distortion, size):
    """Return crammer2008rate's Eq. 9 for the first instances in the class, for beta = 1."""
    inside = slice(size)
    outside = slice(size, None)
    total = prior[inside].sum()
    rest = 1 - np.exp(-distortion[outside]).sum()
    entropy = -prior @ np.log(prior)
    scores = prior[inside] @ (np.log(prior[inside]) + distortion[inside])
    return entropy + scores - total * math.log(total) + total * math.log(rest)


def test_recursion_drops_the_last_instance():
    """crammer2008rate, Eq. 10: from k to k - 1 the class loses x_k, not x_(k-1)."""
    rng = np.random.default_rng(0)
    prior = rng.dirichlet(np.ones(5))
    distortion = 3 + rng.random(5)
    k = 4
    p = [prior[:j].sum() for j in (k - 1, k)]
    a = [1 - np.exp(-distortion[j:]).sum() for j in (k - 1, k)]

    def recursion(dropped):
        """Return Eq. 10; instances are counted from 1."""
        i = dropped - 1
        return (
            one_class_objective(prior, distortion, k)
            - prior[i] * (distortion[i] + math.log(prior[i]))
            + p[1] * math.log(p[1] / a[1])
            - p[0] * math.log(p[0] / a[0])
        )

    objective = one_class_objective(prior, distortion, k - 1)
    assert math.isclose(recursion(k), objective, rel_tol=1e-9)
    assert not math.isclose(recursion(k - 1), objective, rel_tol=1e-3)


def test_stationarity_has_no_second_prior():
    """crammer2008rate, Section 2: the derivative of Eq. 3 by finite differences."""
    rng = np.random.default_rng(1)
    prior = rng.dirichlet(np.ones(4))
    distortion = rng.random(4)
    q = rng.random(4)
    beta = 2.0

    def objective(q):
        rate = q * np.log(q / (prior @ q)) - (1 - q) * np.log(prior)
        return prior @ (rate + beta * q * distortion)

    slope = optimize.approx_fprime(q, objective, 1e-7)
    common = np.log(q / (prior @ q)) + np.log(prior)
    assert np.allclose(slope, prior * (common + beta * distortion), atol=1e-5)
    assert not np.allclose(slope, prior * (common + beta * prior * distortion), atol=1e-2)


def test_last_term_of_the_mutual_information_is_one_over_p():
    """crammer2008rate, Section 2: codes 0 and x, by the definition of the mutual information."""
    rng = np.random.default_rng(2)
    prior = rng.dirichlet(np.ones(4))
    q = rng.random(4)
    joint = np.column_stack([prior * q, np.diag(prior * (1 - q))])
    independent = np.outer(prior, joint.sum(axis=0))
    positive = joint > 0
    information = np.sum(joint[positive] * np.log(joint[positive] / independent[positive]))
    first = prior @ (q * np.log(q / (prior @ q)))
    assert math.isclose(first - prior * (1 - q) @ np.log(prior), information, rel_tol=1e-9)
    # As printed q(x|x) / (q(x) p(x)), where q(x) = p(x) q(x|x).
    assert not math.isclose(first - prior * (1 - q) @ np.log(prior**2), information, rel_tol=1e-2)
