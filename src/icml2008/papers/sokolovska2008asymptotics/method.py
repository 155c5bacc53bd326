"""Logistic regression whose examples are weighted by a known law of the inputs.

Many samples over the same few inputs are fitted at once: a sample is its weights by input and
label.
"""

import numpy as np
from scipy.special import expit

ROUNDS = 200
TOLERANCE = 1e-13


def marginal_weights(inputs, marginal):
    """Return the weights of examples in the semi-supervised estimator, Equation 6.

    Parameters
    ----------
    inputs : array-like of int of shape (n_samples,)
        Which of the finitely many inputs, or which cluster of inputs, an example has.
    marginal : array-like of shape (n_inputs,)
        Known probabilities of the inputs.

    Returns
    -------
    ndarray of shape (n_samples,)
        Probability of the input over the number of examples that share it; they sum to the
        probability of all inputs that were seen. Any learner that takes ``sample_weight`` can use
        them.

    Raises
    ------
    ValueError
        If an input has no probability, or a probability is negative.
    """
    inputs = np.asarray(inputs)
    marginal = np.asarray(marginal, dtype=float)
    if inputs.size and not 0 <= inputs.min() <= inputs.max() < len(marginal):
        msg = f"inputs run from {inputs.min()} to {inputs.max()}; marginal has {len(marginal)}"
        raise ValueError(msg)
    if (marginal < 0).any():
        msg = f"marginal has a negative probability: {marginal.min()}"
        raise ValueError(msg)
    counts = np.bincount(inputs, minlength=len(marginal))
    return marginal[inputs] / counts[inputs]


def joint_estimates(counts, marginal=None):
    """Return estimates of the joint probabilities of inputs and labels.

    Parameters
    ----------
    counts : ndarray of shape (..., n_inputs, 2)
        Examples by input and label.
    marginal : ndarray of shape (n_inputs,), optional
        Known probabilities of inputs: then Equation 5, else Equation 1.

    Returns
    -------
    ndarray of the shape of counts
    """
    seen = counts.sum(axis=-1, keepdims=True)
    if marginal is None:
        return counts / seen.sum(axis=-2, keepdims=True)
    return np.divide(marginal[:, None] * counts, seen, out=np.zeros(counts.shape), where=seen > 0)


def fit_logistic(X, joint, penalty=0.0, start=None):
    """Return parameters of logistic regressions without intercept, by Newton's method.

    Each minimises ``sum_xy joint[x, y] l(y|x; theta) + penalty |theta|^2``, Equations 3 and 6 with
    Section 3.1's penalty.

    Parameters
    ----------
    X : ndarray of shape (n_inputs, n_features)
    joint : ndarray of shape (n_fits, n_inputs, 2)
        Weights by input and label, not all 0.
    penalty : float or ndarray of shape (n_fits,)
    start : ndarray of shape (n_fits, n_features), optional

    Returns
    -------
    ndarray of shape (n_fits, n_features)

    Raises
    ------
    ValueError
        If a fit is not at its optimum after 200 rounds.

    Notes
    -----
    Without a penalty, a sample that a plane separates has no finite optimum: its parameters grow
    until the gradient is lost in rounding.
    """
    total = joint.sum(axis=-1)
    pull = joint[..., 1] @ X
    penalty = np.broadcast_to(np.asarray(penalty, dtype=float), len(joint))
    # The upper triangle of each input's outer product, so that all Hessians are one product.
    rows, columns = np.triu_indices(X.shape[1])
    products = X[:, rows] * X[:, columns]

    def objective(theta, k):
        scores = theta @ X.T
        loss = np.einsum("nx,nx->n", total[k], np.logaddexp(0, scores))
        return loss - np.einsum("np,np->n", pull[k], theta) + penalty[k] * np.sum(theta**2, axis=1)

    theta = np.zeros((len(joint), X.shape[1])) if start is None else start.copy()
    left = np.arange(len(joint))
    value = objective(theta, left)
    for _ in range(ROUNDS):
        at = theta[left]
        chances = expit(at @ X.T)
        gradient = (total[left] * chances) @ X - pull[left] + 2 * penalty[left, None] * at
        open_ = np.abs(gradient).max(axis=1) > TOLERANCE
        if not open_.any():
            return theta
        left = left[open_]
        at = at[open_]
        gradient = gradient[open_]
        value = value[open_]
        curved = (total[left] * (chances * (1 - chances))[open_]) @ products
        hessian = np.empty((len(left), X.shape[1], X.shape[1]))
        hessian[:, rows, columns] = curved
        hessian[:, columns, rows] = curved
        hessian += 2 * penalty[left, None, None] * np.eye(X.shape[1])
        steps = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        theta[left], value = _descend(objective, left, at, value, gradient, steps)
    msg = f"{len(left)} of {len(joint)} fits are not at an optimum after {ROUNDS} rounds"
    raise ValueError(msg)


def _descend(objective, left, at, value, gradient, steps):
    """Halve steps until each objective falls by a share of what its gradient promises."""
    size = np.ones(len(left))
    promised = np.einsum("np,np->n", gradient, steps)
    for _ in range(40):
        theta = at - size[:, None] * steps
        reached = objective(theta, left)
        # Near the optimum, the rounding of the objective is all that is left of a fall.
        short = reached > value - 1e-4 * size * promised + 1e-14 * (1 + np.abs(value))
        if not short.any():
            break
        size[short] /= 2
    return theta, reached
