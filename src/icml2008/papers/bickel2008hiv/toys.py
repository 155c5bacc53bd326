"""Discrete multi-task problems small enough to know every density, and therefore every weight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.multitask.base import LinearGram
from icml2008.methods.multitask.matching import resampling_weights
from icml2008.methods.multitask.softmax import task_posterior

Array = NDArray[np.float64]

# Prior deviation of the soft-max model of `weight_errors`; wide, so that many examples overrule it.
SIGMA_V = 3.0


def random_toy(n_tasks: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw a joint distribution p(t, x, y) of 12 values of x, and losses of a model of each task.

    Some pairs (x, y) never occur in some tasks, and task frequencies are uneven.

    Returns
    -------
    joint : ndarray of shape (n_tasks, 12, 2)
        Adds up to 1; each task has positive probability.
    loss : ndarray of shape (n_tasks, 12, 2)
        ``loss[t, x, y]`` of model t, at least 0.
    """
    density = rng.gamma(0.3, size=(n_tasks, 12, 2)) * (rng.random((n_tasks, 12, 2)) < 0.8)
    density[:, 0, 0] += 1e-3
    density /= density.sum(axis=(1, 2), keepdims=True)
    prior = rng.dirichlet(np.full(n_tasks, 0.5)) + 1e-6
    margin = 3 * rng.normal(size=(n_tasks, 12, 1)) * np.array([-1.0, 1.0])
    return (prior / prior.sum())[:, None, None] * density, np.logaddexp(0, -margin)


def identity_gap(joint: Array, loss: Array, *, posterior: bool) -> float:
    """Return the largest difference, over tasks, between both sides of Eq. 1, relative to the loss.

    Parameters
    ----------
    joint, loss : ndarray of shape (n_tasks, n_values, 2)
        See `random_toy`.
    posterior : bool
        Weights as in Eq. 8, p(t | x, y) / p(t); else as in Eq. 4, p(x, y | t) / p(x, y).

    Examples
    --------
    >>> joint, loss = random_toy(3, np.random.default_rng(0))
    >>> identity_gap(joint, loss, posterior=True) < 1e-12
    True
    """
    prior = joint.sum(axis=(1, 2))
    pool = joint.sum(axis=0)
    density = joint / prior[:, None, None]
    occurs = np.where(pool > 0, pool, 1.0)
    if posterior:
        of_examples = (joint / occurs).reshape(len(prior), -1).T
        weight = resampling_weights(of_examples, prior).reshape(joint.shape)
    else:
        weight = density / occurs
    target = np.sum(density * loss, axis=(1, 2))
    pooled = np.sum(pool * weight * loss, axis=(1, 2))
    return float(np.max(np.abs(target - pooled) / target))


@dataclass(frozen=True)
class LabelSplitToy:
    """Tasks whose binary features are independent given label and task: Eq. 9 holds for them.

    Attributes
    ----------
    prior : ndarray of shape (n_tasks,)
        p(t), uneven.
    positive : ndarray of shape (n_tasks,)
        p(y = 1 | t).
    chance : ndarray of shape (n_tasks, 2, n_features)
        p(x_j = 1 | t, y), for y = -1 and y = 1.
    """

    prior: Array
    positive: Array
    chance: Array

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Array, NDArray[np.intp], Array]:
        """Draw n examples: X, labels 0 or 1, tasks."""
        task = rng.choice(len(self.prior), size=n, p=self.prior)
        label = (rng.random(n) < self.positive[task]).astype(int)
        chance = self.chance[task, label]
        return (rng.random(chance.shape) < chance).astype(float), label, task

    def posterior(self, X: Array, label: NDArray[np.intp]) -> Array:
        """Return the true p(t | x, y), (n, n_tasks)."""
        chance = self.chance[:, label]
        log = np.sum(np.log(np.where(X > 0, chance, 1 - chance)), axis=2)
        log += np.log(np.where(label > 0, self.positive[:, None], 1 - self.positive[:, None]))
        log += np.log(self.prior)[:, None]
        density = np.exp(log - log.max(axis=0))
        return (density / density.sum(axis=0)).T


def label_split_toy(
    rng: np.random.Generator, n_tasks: int = 12, n_features: int = 6
) -> LabelSplitToy:
    """Draw a toy: features of positive and of negative examples differ from task to task."""
    prior = 1 / np.arange(1.0, n_tasks + 1)
    odds = rng.normal(size=(1, 2, n_features)) + rng.normal(size=(n_tasks, 2, n_features))
    positive = 1 / (1 + np.exp(-rng.normal(size=n_tasks)))
    return LabelSplitToy(prior / prior.sum(), positive, 1 / (1 + np.exp(-odds)))


def weight_errors(
    method: str, toy: LabelSplitToy, X: Array, label: NDArray[np.intp], task: NDArray[np.intp]
) -> tuple[float, Array]:
    """Estimate the weights of the examples, and compare them with the true ones.

    Parameters
    ----------
    method : {"matching", "covariate shift", "unweighted"}
        Weights p(t | x, y) / p(t), p(t | x) / p(t), or 1.
    toy : LabelSplitToy
        Gives p(t), which is known here, and the true weights.
    X, label, task
        Examples, as `LabelSplitToy.draw` gives them.

    Returns
    -------
    error : float
        Mean over examples and tasks (by their frequency) of the absolute difference of weights.
    pairs : ndarray of shape (n_pairs, 2)
        True and estimated weights, at most 600 of them.
    """
    design = np.column_stack([np.ones(len(X)), X])
    n_tasks = len(toy.prior)
    if method == "unweighted":
        estimated = np.ones((n_tasks, len(X)))
    else:
        posterior = np.empty((len(X), n_tasks))
        for value in (0, 1):
            rows = label == value if method == "matching" else label == label
            posterior[rows], _ = task_posterior(
                LinearGram(design[rows]), task[rows], np.full(n_tasks, SIGMA_V**2), tol=1e-3
            )
        estimated = resampling_weights(posterior, toy.prior)
    true = resampling_weights(toy.posterior(X, label), toy.prior)
    error = float(toy.prior @ np.abs(estimated - true).mean(axis=1))
    pairs = np.column_stack([true.ravel(), estimated.ravel()])
    return error, pairs[:: max(1, len(pairs) // 600)][:600]
