"""The losses of one list, with their exact gradients in the scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from icml2008.methods.listwise import _kernels

Array = NDArray[np.float64]
# 2^20 sets of items are as many as one waits for
_MOST_ITEMS = 20


def _arrays(scores: ArrayLike, other: ArrayLike, name: str) -> tuple[Array, Array]:
    scores = np.ascontiguousarray(scores, dtype=float)
    other = np.ascontiguousarray(other, dtype=float)
    if scores.ndim != 1 or scores.shape != other.shape or not len(scores):
        msg = (
            f"scores and {name} must be two lists of one length, found shapes {scores.shape} and "
            f"{other.shape}"
        )
        raise ValueError(msg)
    if not (np.isfinite(scores).all() and np.isfinite(other).all()):
        msg = f"scores and {name} must be finite"
        raise ValueError(msg)
    return scores, other


def likelihood_loss(scores: ArrayLike, relevance: ArrayLike) -> tuple[float, Array]:
    """Return minus the log-likelihood of the true order, the loss of ListMLE.

    Parameters
    ----------
    scores : array_like of shape (n_items,)
    relevance : array_like of shape (n_items,)
        Its descending order is the true one; of equal items the first comes first.

    Returns
    -------
    loss : float
        In nats, at least 0.
    gradient : ndarray of shape (n_items,)

    References
    ----------
    Xia et al. (2008), Eq. 9.

    Examples
    --------
    Two items of equal score: either order has probability one half.

    >>> loss, gradient = likelihood_loss([0.0, 0.0], [1, 2])
    >>> round(loss, 4), gradient.tolist()
    (0.6931, [0.5, -0.5])
    """
    scores, relevance = _arrays(scores, relevance, "relevance")
    order = np.argsort(-relevance, kind="stable")
    by_place = np.empty_like(scores)
    loss = _kernels.list_loss(_kernels.LIKELIHOOD, scores[order], relevance, by_place)
    gradient = np.empty_like(scores)
    gradient[order] = by_place
    return loss, gradient


def cosine_loss(scores: ArrayLike, targets: ArrayLike) -> tuple[float, Array]:
    """Return half of one minus the cosine of scores and target scores, the loss of RankCosine.

    Parameters
    ----------
    scores, targets : array_like of shape (n_items,)

    Returns
    -------
    loss : float
        Between 0 and 1. It has no limit as the scores go to 0; there it is given as 0.5, with a
        gradient of 0.
    gradient : ndarray of shape (n_items,)

    References
    ----------
    Xia et al. (2008), Eq. 10; Qin et al. (2007).

    Examples
    --------
    >>> cosine_loss([2.0, 1.0], [4.0, 2.0])[0]
    0.0
    """
    scores, targets = _arrays(scores, targets, "targets")
    gradient = np.empty_like(scores)
    return _kernels.list_loss(_kernels.COSINE, scores, targets, gradient), gradient


def cross_entropy_loss(scores: ArrayLike, targets: ArrayLike) -> tuple[float, Array]:
    """Return the divergence of two top-one distributions, the loss of ListNet.

    Parameters
    ----------
    scores, targets : array_like of shape (n_items,)
        Each becomes a distribution over which item comes first, its soft-max.

    Returns
    -------
    loss : float
        Kullback-Leibler divergence of the scores' distribution from the targets', in nats. It is
        the cross entropy but for a constant, the entropy of the targets' distribution.
    gradient : ndarray of shape (n_items,)

    References
    ----------
    Xia et al. (2008), Eq. 11 and note 4; Cao et al. (2007).

    Examples
    --------
    Only differences of scores matter.

    >>> abs(cross_entropy_loss([2.0, 1.0], [5.0, 4.0])[0]) < 1e-12
    True
    """
    scores, targets = _arrays(scores, targets, "targets")
    log_p = targets - np.logaddexp.reduce(targets)
    p = np.exp(log_p)
    gradient = np.empty_like(scores)
    loss = _kernels.list_loss(_kernels.CROSS_ENTROPY, scores, p, gradient)
    return loss + float(p @ log_p), gradient


def full_cross_entropy_loss(scores: ArrayLike, targets: ArrayLike) -> tuple[float, Array]:
    """Return the divergence of two Plackett-Luce distributions over all orders of the items.

    As written it is a sum over n! orders. Orders that have placed the same items go on alike, so
    that a sum over sets of items is exact; it takes n 2^n steps.

    Parameters
    ----------
    scores, targets : array_like of shape (n_items,)
        At most 20 items.

    Returns
    -------
    loss : float
        In nats.
    gradient : ndarray of shape (n_items,)

    References
    ----------
    Xia et al. (2008), Eq. 11.

    Examples
    --------
    Of two items, the second place follows from the first.

    >>> full = full_cross_entropy_loss([0.3, 1.0], [2.0, 0.5])[0]
    >>> abs(full - cross_entropy_loss([0.3, 1.0], [2.0, 0.5])[0]) < 1e-12
    True
    """
    scores, targets = _arrays(scores, targets, "targets")
    if len(scores) > _MOST_ITEMS:
        msg = (
            f"the loss over all orders takes n 2^n steps; at most {_MOST_ITEMS} items are allowed, "
            f"found {len(scores)}; use cross_entropy_loss"
        )
        raise ValueError(msg)
    gradient = np.empty_like(scores)
    return _kernels.full_cross_entropy(scores, targets, gradient), gradient
