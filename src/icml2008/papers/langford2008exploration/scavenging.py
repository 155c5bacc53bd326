"""Values of policies and attention decay, from logs that ignore the input."""

import numpy as np


def tally(actions, gains, k):
    """Return how often each log takes each action and what it gains by it, both (n_logs, k)."""
    n_logs = len(actions)
    at = (actions + k * np.arange(n_logs)[:, None]).ravel()
    counts, gained = (np.bincount(at, by, n_logs * k) for by in (None, gains.ravel()))
    return counts.reshape(n_logs, k), gained.reshape(n_logs, k)


def scavenge(counts, gains):
    """Return the estimate of Theorem 2, (...), from T_a and gains, both (..., k).

    Gains are the rewards of an action where the policy would have taken it, too, added up.
    """
    return np.sum(gains / np.maximum(counts, 1), axis=-1)


def bound_by_counts(counts, delta):
    """Return the right-hand side of Theorem 3 for counts, (..., k)."""
    k = counts.shape[-1]
    rounds = counts.sum(axis=-1, keepdims=True)
    return np.sum(np.sqrt(2 * np.log(2 * k * rounds / delta) / counts), axis=-1)


def by_propensity(rewards, matches, propensity):
    """Return inverse propensity scores, (n_logs,); 1/k gives the estimate of Theorem 5."""
    return np.mean(rewards * matches / propensity, axis=1)


def doubly_robust(contexts, actions, rewards, chosen, propensity, shape):
    """Return doubly robust estimates, (n_logs,), with a table of means as the model, else 1/2.

    All are (n_logs, T) but `shape`, the numbers of contexts and of actions; `chosen` are the
    actions of the policy, `propensity` is that of the logged ones.
    """
    logged, evaluated = (
        np.ravel_multi_index((contexts, taken), shape) for taken in (actions, chosen)
    )
    counts, sums = tally(logged, rewards, np.prod(shape))
    table = np.where(counts > 0, sums / np.maximum(counts, 1), 0.5)
    guess, expected = (np.take_along_axis(table, at, axis=1) for at in (logged, evaluated))
    return np.mean(expected + (logged == evaluated) * (rewards - guess) / propensity, axis=1)


def decay_by_totals(clicks, shown):
    """Return the naive estimates of C_i, (..., n_slots), of clicks, (..., n_ads, n_slots)."""
    rates = clicks.sum(axis=-2) / shown.sum(axis=-2)
    return rates / rates[..., :1]


def decay_by_ad(clicks, shown, weights):
    """Return the estimates of Equation 4, (..., n_slots), for weights, (n_ads, n_slots)."""
    rates = clicks / shown
    return np.sum(weights * rates, axis=-2) / np.sum(weights * rates[..., :1], axis=-2)


def least_variance(shown, variance):
    """Return the weights of Theorem 7, (n_ads, n_slots); variances of 1 give Section 4.4's."""
    first = shown[:, :1]
    first_variance = variance[:, :1]
    return 2 * shown * first / (shown * first_variance + first * variance)
