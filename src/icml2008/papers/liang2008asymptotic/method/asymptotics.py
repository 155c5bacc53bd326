"""Asymptotic variance of composite likelihood estimators, and what it does to the log-loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from icml2008.papers.liang2008asymptotic.method.components import Array, Components
from icml2008.papers.liang2008asymptotic.method.fitting import criterion, derivatives, maximise


@dataclass(frozen=True, eq=False)
class AsymptoticLaw:
    """The large-sample behaviour of one estimator under one true distribution.

    Attributes
    ----------
    limit : ndarray of shape (n_features,)
        What the estimator converges to.
    sensitivity : ndarray of shape (n_features, n_features)
        Gamma: the expected variance of the features within a block.
    component_correction : ndarray of shape (n_features, n_features)
        C_c: how far the block means of different components are apart.
    misspecification_correction : ndarray of shape (n_features, n_features)
        C_m as printed: true against modelled moments given the outcome, blocks mixed over
        components.
    block_correction : ndarray of shape (n_features, n_features)
        The same with the moments taken in each block. It equals C_m for one component.
    score_variance : ndarray of shape (n_features, n_features)
        Variance of the gradient of the criterion.

    Notes
    -----
    The variance of ``sqrt(n) (estimate - limit)`` is the sandwich, `variance`, and

        variance = Gamma^-1 + Gamma^-1 (block_correction - C_c) Gamma^-1.

    Theorem 1 prints ``+ C_c + C_m`` instead, `printed_variance`. The two agree for one component,
    where C_c is 0; see the tests for the identity above.

    References
    ----------
    Liang and Jordan (2008), Theorem 1 and Eq. 16.
    """

    limit: Array
    sensitivity: Array
    component_correction: Array
    misspecification_correction: Array
    block_correction: Array
    score_variance: Array

    def _around(self, middle: Array) -> Array:
        half = np.linalg.solve(self.sensitivity, middle)
        return np.linalg.solve(self.sensitivity, half.T)

    @property
    def variance(self) -> Array:
        """The sandwich, Eq. 16."""
        return self._around(self.score_variance)

    @property
    def decomposed_variance(self) -> Array:
        """The sandwich, by sensitivity and corrections."""
        return self._around(self.sensitivity + self.block_correction - self.component_correction)

    @property
    def printed_variance(self) -> Array:
        """Eq. 15, whose component correction is added."""
        return self._around(
            self.sensitivity + self.component_correction + self.misspecification_correction
        )


def asymptotic_law(features: ArrayLike, components: Components, truth: ArrayLike) -> AsymptoticLaw:
    """Return the asymptotic behaviour of an estimator under a true distribution.

    Parameters
    ----------
    features : array_like of shape (n_outcomes, n_features)
        Sufficient statistics of the model.
    components : Components
    truth : array_like of shape (n_outcomes,)
        Probability of each outcome, not necessarily one of the model's; zeros are allowed.

    Returns
    -------
    AsymptoticLaw

    Examples
    --------
    Binary x and y, features 1[x = 0, y = 1] and 1[x = 1, y = 1], all outcomes equally likely
    (Section 3.4 of the paper). Outcomes are 00, 01, 10, 11.

    >>> phi = [[0, 0], [1, 0], [0, 0], [0, 1]]
    >>> given_x = Components([[0, 0, 1, 1]])
    >>> (16 * asymptotic_law(phi, given_x, [0.25] * 4).sensitivity).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    features = np.asarray(features, dtype=float)
    truth = np.asarray(truth, dtype=float)
    limit = maximise(features, components, truth)
    _, sensitivity = derivatives(limit, features, components, truth)
    logits = features @ limit
    d = features.shape[1]
    modelled = np.zeros_like(features)
    by_component = []
    true_moments = []
    model_moments = []
    block_correction = np.zeros((d, d))
    for weight, partition in components:
        _, probabilities = partition.within(logits)
        means, second = _block_moments(features, probabilities, partition)
        modelled += weight * means
        by_component.append((weight, means))
        mass = partition.sums(truth)[partition.block_of]
        within = np.divide(truth, mass, out=np.zeros_like(truth), where=mass > 0)
        true_means, true_second = _block_moments(features, within, partition)
        true_moments.append((weight, true_means, true_second))
        model_moments.append((weight, means, second))
        spread = _outer(true_means) - _outer(means)
        gap = true_second - second - spread + _outer(true_means - means)
        block_correction += weight * np.tensordot(truth, gap, axes=1)
    apart = sum(weight * _outer(means - modelled) for weight, means in by_component)
    true_mean, true_var = _mixture(true_moments)
    model_mean, model_var = _mixture(model_moments)
    return AsymptoticLaw(
        limit=limit,
        sensitivity=sensitivity,
        component_correction=np.tensordot(truth, apart, axes=1),
        misspecification_correction=np.tensordot(
            truth, true_var - model_var + _outer(true_mean - model_mean), axes=1
        ),
        block_correction=block_correction,
        score_variance=np.tensordot(truth, _outer(features - modelled), axes=1),
    )


def _outer(rows: Array) -> Array:
    return rows[:, :, None] * rows[:, None, :]


def _block_moments(features: Array, probabilities: Array, partition) -> tuple[Array, Array]:
    """Return the mean and the second moment of the features in the block of each outcome."""
    means = partition.sums(probabilities * features.T).T
    flat = _outer(features).reshape(len(features), -1)
    second = partition.sums(probabilities * flat.T).T.reshape(-1, *_outer(features).shape[1:])
    return means[partition.block_of], second[partition.block_of]


def _mixture(moments: list[tuple[float, Array, Array]]) -> tuple[Array, Array]:
    """Return mean and variance of a mixture over components, for each outcome."""
    mean = sum(weight * first for weight, first, _ in moments)
    second = sum(weight * second for weight, _, second in moments)
    return mean, second - _outer(mean)


@dataclass(frozen=True, eq=False)
class Risk:
    """The expected log-loss of predicting outputs from inputs.

    Parameters
    ----------
    features : array_like of shape (n_outcomes, n_features)
    prediction : Components
        The component of prediction, `conditional`: blocks of equal inputs.
    truth : array_like of shape (n_outcomes,)

    References
    ----------
    Liang and Jordan (2008), Section 2.2 and Theorem 2.
    """

    features: Array
    prediction: Components
    truth: Array

    def __call__(self, theta: ArrayLike) -> Array:
        """Return the risk R(theta) in nats, Eq. 6; `theta` is (..., n_features)."""
        return -criterion(np.asarray(theta), self.features, self.prediction, self.truth)

    @property
    def bayes(self) -> float:
        """The smallest possible risk: the conditional entropy of the outputs."""
        mass = self.prediction.partitions[0].sums(self.truth)[
            self.prediction.partitions[0].block_of
        ]
        seen = self.truth > 0
        return float(-np.sum(self.truth[seen] * np.log(self.truth[seen] / mass[seen])))

    def derivatives(self, theta: ArrayLike) -> tuple[Array, Array]:
        """Return gradient and Hessian of the risk, Eqs. 12 and 13."""
        gradient, hessian = derivatives(
            np.asarray(theta), self.features, self.prediction, self.truth
        )
        return -gradient, hessian

    def first_order(self, law: AsymptoticLaw) -> float:
        """Return the limiting standard deviation of sqrt(n) times the estimation error, Eq. 19."""
        gradient, _ = self.derivatives(law.limit)
        return float(np.sqrt(max(gradient @ law.variance @ gradient, 0.0)))

    def second_order(self, law: AsymptoticLaw) -> Array:
        """Return the weights of the limit where the gradient of the risk vanishes, Eq. 20.

        n times the estimation error tends to half the sum of the weights times independent squared
        normal variables: mean ``weights.sum() / 2``, variance ``(weights**2).sum() / 2``. They are
        the eigenvalues of the matrix V of Section 3.2.
        """
        return np.linalg.eigvalsh(self._in_its_metric(law))

    def second_order_diagonal(self, law: AsymptoticLaw) -> Array:
        """Return the diagonal of V, which Section 3.2 takes for the weights of `second_order`."""
        return np.diag(self._in_its_metric(law))

    def _in_its_metric(self, law: AsymptoticLaw) -> Array:
        """Return V: the variance between symmetric square roots of the Hessian."""
        _, hessian = self.derivatives(law.limit)
        values, vectors = np.linalg.eigh(hessian)
        root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
        return root @ law.variance @ root
