"""The paper's theorems on small problems: all sets that an adversary may leave, exact laws."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.optimize import linprog


def left_sets(values, limit):
    """Return the sets that the adversary may leave as rows of zeros and ones."""
    sets = np.array(list(product([0.0, 1.0], repeat=len(values))))
    return sets[(1 - sets) @ values <= limit + 1e-12]


def solve_exponential(X, y, values, limit, ratio, *, weights=None, bias=np.inf):
    """Return weights, intercept and value of Equation 3 with gamma = 1, by a general solver.

    Parameters
    ----------
    X : ndarray of shape (n_examples, n_features)
    y : ndarray of shape (n_examples,)
        Signs.
    values : ndarray of shape (n_features,)
    limit, ratio : float
        N and C.
    weights : ndarray of shape (n_examples,), optional
        Of the examples' losses; equal by default.
    bias : float
        Largest intercept.
    """
    m, n = X.shape
    sets = left_sets(values, limit)
    weights = np.full(m, 1 / m) if weights is None else weights
    signed = y[:, None, None] * X[:, None, :] * sets
    slack = np.repeat(np.eye(m), len(sets), axis=0)
    block = [signed.reshape(-1, n), np.repeat(y, len(sets))[:, None], slack]
    margins = np.tile(sets @ values / (values.sum() - limit), m)
    bounds = [(-ratio, ratio)] * n + [(-bias, bias)] + [(0, None)] * m
    costs = np.concatenate([np.zeros(n + 1), weights])
    solved = linprog(costs, -np.hstack(block), -margins, bounds=bounds, method="highs")
    return solved.x[:n], solved.x[n], solved.fun


def hinge_losses(w, b, X, y, values, limit):
    """Return the loss of Equation 12 with gamma = 1 by all sets, (n_examples,)."""
    sets = left_sets(values, limit)
    scores = (y[:, None] * X * w) @ sets.T + (y * b)[:, None]
    return np.maximum(0, np.max(sets @ values / (values.sum() - limit) - scores, axis=1))


def empirical_risk(w, b, X, y, values, limit):
    """Return the share of examples that some deletion turns, Equation 2."""
    sets = left_sets(values, limit)
    return np.mean(np.min((y[:, None] * X * w) @ sets.T + (y * b)[:, None], axis=1) <= 0)


def relaxed_value(contributions, values, limit, margin):
    """Return the value of Equation 7 without the intercept, by a general solver."""
    left = values.sum() - limit
    costs = contributions - margin * values
    return linprog(costs, -values[None], [-left], bounds=(0, 1), method="highs").fun


def margin_losses(W, X, y, values, limit, gamma):
    """Return Equation 10 of each classifier, (n_classifiers, n_points)."""
    sets = left_sets(values, limit)
    scores = np.einsum("cj,pj,sj->cps", W, y[:, None] * X, sets)
    return np.any(scores < gamma * (sets @ values) / (values.sum() - limit), axis=2)


def kl_bound(losses, budget):
    """Return the largest rates whose divergence from the losses is at most the budget."""
    low = losses.copy()
    high = np.ones_like(losses)
    for _ in range(60):
        middle = (low + high) / 2
        inside = _divergence(losses, middle) <= budget
        low = np.where(inside, middle, low)
        high = np.where(inside, high, middle)
    return high


def _divergence(p, q):
    with np.errstate(divide="ignore", invalid="ignore"):
        hit = np.where(p > 0, p * np.log(p / q), 0)
        miss = np.where(p < 1, (1 - p) * np.log((1 - p) / (1 - q)), 0)
    return hit + miss


def corrupted_risk(n_noisy, gamma):
    """Return the chance that as many signs outweigh a margin of gamma, with all weights 1.

    The features that are left add gamma exactly, which no margin loss counts; a sum of n signs is
    2 B - n, for B binomial.
    """
    return stats.binom.cdf(np.floor((n_noisy - gamma * (1 + 1e-9)) / 2), n_noisy, 0.5)
