"""Maximum composite likelihood by Newton's method, for many samples at once.

A sample of independent outcomes enters through the share of each outcome alone, so that a thousand
samples of a million draws are an array of a thousand rows, and all of them are fitted together.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from icml2008.papers.liang2008asymptotic.method.components import Array, Components

# sufficient increase, and the number of halvings after which a step is given up
_ARMIJO = 1e-4
_HALVINGS = 40


def criterion(theta: Array, features: Array, components: Components, shares: Array) -> Array:
    """Return the composite log-likelihood a draw: the mean of m_theta (Eqs. 4 and 5).

    Parameters
    ----------
    theta : ndarray of shape (..., n_features)
    features : ndarray of shape (n_outcomes, n_features)
    components : Components
    shares : ndarray of shape (..., n_outcomes)
        Share of each outcome in a sample, or its probability.

    Returns
    -------
    value : ndarray of shape (...)
        In nats.
    """
    logits = theta @ features.T
    value = np.sum(shares * logits, axis=-1)
    for weight, partition in components:
        log_partition, _ = partition.within(logits)
        value = value - weight * np.sum(partition.sums(shares) * log_partition, axis=-1)
    return value


def derivatives(
    theta: Array, features: Array, components: Components, shares: Array
) -> tuple[Array, Array]:
    """Return the gradient of `criterion` and minus its Hessian (Eqs. 10 and 11).

    Parameters
    ----------
    theta, features, components, shares
        As for `criterion`.

    Returns
    -------
    gradient : ndarray of shape (..., n_features)
    information : ndarray of shape (..., n_features, n_features)
        Positive semi-definite.
    """
    d = features.shape[1]
    products = (features[:, :, None] * features[:, None, :]).reshape(-1, d * d)
    logits = theta @ features.T
    gradient = shares @ features
    information = np.zeros((*logits.shape[:-1], d, d))
    for weight, partition in components:
        _, probabilities = partition.within(logits)
        of_block = partition.sums(shares)
        expected = of_block[..., partition.block_of] * probabilities
        gradient = gradient - weight * (expected @ features)
        # (..., d, n_blocks): block means of each feature
        means = partition.sums(probabilities[..., None, :] * features.T)
        information += weight * (expected @ products).reshape(information.shape)
        information -= weight * ((means * of_block[..., None, :]) @ means.swapaxes(-1, -2))
    return gradient, information


def maximise(
    features: ArrayLike,
    components: Components,
    shares: ArrayLike,
    *,
    start: ArrayLike | None = None,
    tol: float = 1e-9,
    max_iter: int = 100,
) -> Array:
    """Return the maximum composite likelihood estimates of one or of many samples.

    The criterion is concave, so that damped Newton steps reach its maximum from anywhere. An
    estimate exists unless the observed features lie on the border of what the blocks allow.

    Parameters
    ----------
    features : array_like of shape (n_outcomes, n_features)
    components : Components
    shares : array_like of shape (..., n_outcomes)
        Share of each outcome in each sample; counts do as well.
    start : array_like of shape (..., n_features), optional
        Where to begin; zeros by default.
    tol : float, default=1e-9
        Stop once no entry of a gradient is larger (features of a single draw being the unit).
    max_iter : int, default=100
        Newton steps.

    Returns
    -------
    theta : ndarray of shape (..., n_features)

    Warns
    -----
    ConvergenceWarning
        If `max_iter` steps did not reach `tol` for a sample, as where no maximum exists.

    References
    ----------
    Liang and Jordan (2008), Eq. 5.

    Examples
    --------
    A coin: the estimate is the log odds of the share of heads.

    >>> both = Components([[0, 0]])
    >>> maximise([[0.0], [1.0]], both, [[0.25, 0.75], [0.5, 0.5]]).round(4).tolist()
    [[1.0986], [0.0]]
    """
    features = np.asarray(features, dtype=float)
    shares = np.asarray(shares, dtype=float)
    if features.ndim != 2 or shares.shape[-1:] != features.shape[:1]:
        msg = (
            "features must be (n_outcomes, n_features) and shares (..., n_outcomes), found shapes "
            f"{features.shape} and {shares.shape}"
        )
        raise ValueError(msg)
    totals = shares.sum(axis=-1, keepdims=True)
    if (shares < 0).any() or not (totals > 0).all():
        msg = "shares must be non-negative, with a positive sum in each sample"
        raise ValueError(msg)
    shape = (*shares.shape[:-1], features.shape[1])
    shares = (shares / totals).reshape(-1, len(features))
    theta = np.zeros(shape) if start is None else np.broadcast_to(start, shape)
    theta = theta.reshape(-1, shape[-1]).astype(float)
    active = np.arange(len(theta))
    for _ in range(max_iter):
        gradient, information = derivatives(theta[active], features, components, shares[active])
        unfinished = np.abs(gradient).max(axis=-1) > tol
        active = active[unfinished]
        if not len(active):
            break
        step = _newton_step(gradient[unfinished], information[unfinished])
        rise = np.sum(step * gradient[unfinished], axis=-1)
        theta[active] = _damped(theta[active], step, rise, features, components, shares[active])
    else:
        gradient, _ = derivatives(theta, features, components, shares)
        if left := int((np.abs(gradient).max(axis=-1) > tol).sum()):
            msg = (
                f"{left} of {len(theta)} samples did not reach tol={tol} in {max_iter} steps; "
                "their maximum may lie at infinity"
            )
            warnings.warn(msg, ConvergenceWarning, stacklevel=2)
    return theta.reshape(shape)


def _newton_step(gradient: Array, information: Array) -> Array:
    """Solve for the step, with a trace of damping where the information is singular."""
    d = gradient.shape[-1]
    damping = 1e-12 * np.trace(information, axis1=-2, axis2=-1)[:, None, None] + 1e-300
    return np.linalg.solve(information + damping * np.eye(d), gradient[..., None])[..., 0]


def _damped(
    theta: Array,
    step: Array,
    rise: Array,
    features: Array,
    components: Components,
    shares: Array,
) -> Array:
    """Halve each step until the criterion increases enough."""
    before = criterion(theta, features, components, shares)
    length = np.ones(len(theta))
    for _ in range(_HALVINGS):
        after = criterion(theta + length[:, None] * step, features, components, shares)
        # near the maximum, increases are lost in the rounding of the criterion
        short = after < before + _ARMIJO * length * rise - 1e-14 * (1 + np.abs(before))
        if not short.any():
            break
        length[short] /= 2
    return theta + length[:, None] * step
