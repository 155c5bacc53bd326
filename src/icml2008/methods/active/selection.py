"""The best candidate of a score, without computing all that the score needs for each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# What is computed comes in blocks: one product serves them for nearly the price of one. With few
# samples a block has more, lest the loop costs more than what it spares.
_MEANS = 200
_VARIANCES = 32
_WORK = 2**20  # multiplications that take as long as a turn of the loop


class Choice(NamedTuple):
    """The candidate of highest score.

    Attributes
    ----------
    candidate : int
    function : int or None
        None for a score that has one value per candidate.
    score : float
    means, variances : ndarrays of shape (m,)
        Predictions at the candidate; variances that the score does not need may be upper bounds.
    """

    candidate: int
    function: int | None
    score: float
    means: np.ndarray
    variances: np.ndarray


def best_candidate(models, candidates, score):
    """Return the candidate (and function) of highest score.

    A bound on a variance is quick to find from the nearest sample, a mean takes O(n) and a variance
    O(n^2). Scores are taken from bounds, and the best-looking candidates get their means, then
    their variances, a block at a time, until the best of all is an exact one: the same choice as
    from all means and variances.

    Parameters
    ----------
    models : sequence of m models
        With ``told``, ``bound(points)``, ``mean(points)`` and ``variance(points)`` as in
        `FunctionModel`.
    candidates : ndarray of shape (q, d)
    score : callable
        From means and variances, each of shape (q, m), to scores of shape (q,) or (q, m); never
        falls where a variance grows. Given None for the means, no less than for any means.

    Returns
    -------
    Choice
    """
    variances = np.stack([model.bound(candidates) for model in models], axis=1)
    exact = np.zeros(variances.shape, dtype=bool)
    means = np.zeros(variances.shape)
    hopes = score(None, variances)
    per_pair = hopes.ndim == 2
    unseen = np.argsort(-(hopes.max(axis=1) if per_pair else hopes), kind="stable")
    seen = np.zeros_like(hopes, dtype=bool)
    n = max(model.told for model in models)
    means_block = max(_MEANS, _WORK // (n + 1))
    variances_block = max(_VARIANCES, _WORK // (n + 1) ** 2)
    while True:
        scores = np.where(seen, score(means, variances), hopes)
        known = exact if per_pair else exact.all(axis=1)
        best = np.unravel_index(np.argmax(scores), scores.shape)
        if not seen[best]:
            rows = unseen[:means_block]
            unseen = unseen[means_block:]
            means[rows] = np.stack([model.mean(candidates[rows]) for model in models], axis=1)
            seen[rows] = True
            means_block *= 2
        elif not known[best]:
            needed = ~exact & _largest(np.where(seen & ~known, scores, -np.inf), variances_block)
            for i, model in enumerate(models):
                rows = np.flatnonzero(needed[:, i])
                if len(rows):
                    variances[rows, i] = model.variance(candidates[rows])
            exact |= needed
            variances_block *= 2
        else:
            row, function = (*map(int, best), None)[:2]
            return Choice(row, function, float(scores[best]), means[row], variances[row])


def _largest(scores, n):
    """Mask, with an axis for functions, of the n largest scores that are finite."""
    n = min(n, scores.size - 1)
    mask = (scores >= -np.partition(-scores.ravel(), n)[n]) & (scores > -np.inf)
    return mask if scores.ndim == 2 else mask[:, None]
