"""Whole campaigns: from functions to their level set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from icml2008.methods.active.composite import CompositeLevelSet


class Campaign(NamedTuple):
    """How a campaign went.

    Attributes
    ----------
    level_set : CompositeLevelSet
        The models, for predictions and for going on.
    reached : bool
        Whether `stop` ended it, and not the cap on samples.
    n_samples : ndarray of shape (m,), int
        Evaluations of each function.
    """

    level_set: CompositeLevelSet
    reached: bool
    n_samples: np.ndarray


def minimise_samples(functions, bounds, threshold, *, max_samples, stop=None, **options):
    r"""Find the level set of a sum of functions, sample after sample until an aim is reached.

    Parameters
    ----------
    functions : sequence of m callables
        From a point, shape (d,), to a float.
    bounds : array-like of shape (d, 2)
        Lower and upper end of the box in each dimension.
    threshold : float
        Value of the sum on the level set.
    max_samples : int
        Cap on evaluations. Where slopes make a heuristic lock onto a piece of the level set, a
        campaign may never reach its aim: look at `reached` before averaging over campaigns.
    stop : callable, optional
        Called with the `CompositeLevelSet` after each evaluation, once each function has its
        `n_initial` samples; a true value ends the campaign. By default it ends with the samples.
    **options
        Arguments of `CompositeLevelSet`.

    Returns
    -------
    Campaign
        Named tuple of `level_set`, `reached` and `n_samples`.

    References
    ----------
    B. Bryan, J. Schneider. Actively Learning Level-Sets of Composite Functions. ICML 2008, Figure
    1.

    Examples
    --------
    >>> functions = [lambda x: x[0] ** 2, lambda x: x[1] ** 2]
    >>> def settled(level_set):
    ...     return level_set.accuracy([[0.0, 0.0], [0.9, 0.0], [1.1, 0.0]], [0.0, 0.81, 1.21]) == 1
    >>> box = [[-2, 2], [-2, 2]]
    >>> campaign = minimise_samples(
    ...     functions, box, 1.0, max_samples=100, stop=settled, random_state=0
    ... )
    >>> campaign.reached
    True
    """
    level_set = CompositeLevelSet(bounds, len(functions), threshold, **options)
    n_samples = np.zeros(len(functions), dtype=int)
    while n_samples.sum() < max_samples:
        point, i = level_set.ask()
        level_set.tell(point, i, functions[i](point))
        n_samples[i] += 1
        if stop is not None and np.all(n_samples >= level_set.n_initial) and stop(level_set):
            return Campaign(level_set, True, n_samples)
    return Campaign(level_set, False, n_samples)
