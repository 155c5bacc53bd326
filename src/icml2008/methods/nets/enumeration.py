"""Partition functions of restricted Boltzmann machines from all hidden states, side by side."""

import numba
import numpy as np

TABLE = 7  # hidden units whose states a table holds
SAFE = 690.0  # logarithm of a product of factors that is still a number


@numba.njit(cache=True, nogil=True)
def _sum_hidden(W, c, b, cuts, table, scores):  # pragma: no cover - compiled
    """Return the log of the sum over hidden states; lanes are the states that the table holds."""
    (n, d), low = W.shape, len(scores)
    tabled = 0
    while low >> tabled > 1:
        tabled += 1
    largest, total = -np.inf, 0.0
    high, logs, product = np.empty(d), np.empty(low), np.empty(low)
    for state in range(1 << (n - tabled)):
        bias = 0.0
        for i in range(d):
            high[i] = b[i]
        for unit in range(n - tabled):
            if state >> unit & 1:
                bias += c[tabled + unit]
                for i in range(d):
                    high[i] += W[tabled + unit, i]
        for i in range(d):
            high[i] = np.exp(high[i])
        for r in range(low):
            logs[r] = scores[r] + bias
        for cut in range(len(cuts) - 1):
            for r in range(low):
                product[r] = 1.0
            for i in range(cuts[cut], cuts[cut + 1], 2):
                one, two = high[i], high[i + 1]
                for r in range(low):
                    product[r] *= (1.0 + one * table[i, r]) * (1.0 + two * table[i + 1, r])
            for r in range(low):
                logs[r] += np.log(product[r])
        for r in range(low):
            if logs[r] > largest:
                total = total * np.exp(largest - logs[r]) + 1.0
                largest = logs[r]
            else:
                total += np.exp(logs[r] - largest)
    return largest + np.log(total)


def enumerate_hidden(model) -> float:
    """Return log Z of a restricted Boltzmann machine, exactly, from all states of its hidden units.

    Parameters
    ----------
    model : RestrictedBoltzmannMachine
        Fitted; or anything with its `components_` and intercepts.

    Notes
    -----
    This is `enumerate_partition` in a fifth of its time: products of 128 states run side by side,
    and logarithms are taken only where the largest possible product asks for it.
    """
    W = np.asarray(model.components_, np.float64)
    W = np.pad(W, ((0, 0), (0, W.shape[1] % 2)))  # pixels go in pairs; an added one has p = 0
    b = np.full(W.shape[1], -np.inf)
    b[: len(model.intercept_visible_)] = model.intercept_visible_
    c, k = np.asarray(model.intercept_hidden_, np.float64), min(TABLE, len(W))
    reach = np.logaddexp(0, np.maximum(W, 0).sum(axis=0) + b).reshape(-1, 2).sum(axis=1)
    cuts, room = [0], SAFE
    for pair, needed in enumerate(reach):
        if needed > room:
            cuts.append(2 * pair)
            room = SAFE
        room -= needed
    states = ((np.arange(1 << k)[:, None] >> np.arange(k)) & 1).astype(float)
    table, ends = np.exp((states @ W[:k]).T).copy(), np.array([*cuts, W.shape[1]])
    return _sum_hidden(W, c, b, ends, table, states @ c[:k])
