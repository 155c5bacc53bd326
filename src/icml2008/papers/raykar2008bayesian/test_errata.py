"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize, special


def bag_log_posterior(w, bags, labels, alpha):
    p = np.array([1 - np.prod(special.expit(-bag @ w)) for bag in bags])
    return np.sum(labels * np.log(p) + (1 - labels) * np.log(1 - p)) - alpha * w @ w / 2


def test_hessian_is_negative_at_the_maximum():
    """raykar2008bayesian, Eqs. 10 and 17: Sigma from its inverse would be a negative variance."""
    rng = np.random.default_rng(9)
    bags = [rng.normal(size=(3, 2)) + y for y in (0, 0, 1, 1)]
    labels = np.array([0, 0, 1, 1])
    step = 1e-4

    def f(w):
        return bag_log_posterior(w, bags, labels, 1.0)

    top = optimize.minimize(lambda w: -f(w), np.zeros(2), tol=1e-10).x
    axes = step * np.eye(2)
    hessian = np.array(
        [
            [
                (f(top + a + b) - f(top + a - b) - f(top - a + b) + f(top - a - b)) / (4 * step**2)
                for b in axes
            ]
            for a in axes
        ]
    )
    assert np.all(np.diag(np.linalg.inv(hessian)) < 0)
    assert np.all(np.diag(np.linalg.inv(-hessian)) > 0)


def test_shared_precision_counts_the_tasks():
    """raykar2008bayesian, Section 8: T over the sum is best; one over the sum is not."""
    second_moments = np.array([0.4, 0.7, 1.1])

    def evidence(alpha):
        return np.sum(np.log(alpha) - alpha * second_moments) / 2

    best = optimize.minimize_scalar(
        lambda a: -evidence(a), bounds=(1e-3, 50), method="bounded", options={"xatol": 1e-9}
    ).x
    assert math.isclose(best, 3 / second_moments.sum(), rel_tol=1e-5)
    assert evidence(1 / second_moments.sum()) < evidence(best) - 0.1


def test_bag_weight_of_one_is_not_logistic_regression():
    """raykar2008bayesian, after Eq. 9: one instance has beta = (1 - p) / p, gradient (1 - p) x."""
    x = 1.7
    w = 0.6
    step = 1e-6
    p = special.expit(w * x)

    def loglik(v):
        return math.log(special.expit(v * x))

    slope = (loglik(w + step) - loglik(w - step)) / (2 * step)
    assert math.isclose((1 - p) / p * x * p, slope, rel_tol=1e-6)
    assert not math.isclose(1 * x * p, slope, rel_tol=1e-2)
