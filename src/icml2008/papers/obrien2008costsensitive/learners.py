"""Class probabilities of naive Bayes and of regularised QDA, of many weightings of a task at once.

Folds, inner folds and resamples are weights of the rows, 0, 1 or a count, so that all models of a
fold are fitted by a few products of matrices.
"""

import numpy as np
from scipy.special import softmax

CONDITION = 1e6


class NaiveBayes:
    """Multinomial naive Bayes with Laplace's correction.

    Parameters
    ----------
    indicators : ndarray, shape (n_rows, n_values)
        Which values a row has.
    feature : ndarray of int, shape (n_values,)
        The feature that a value belongs to, in blocks.
    priors : {"shares", "corrected"}
        Whether a class's prior is its share of rows, or corrected by Laplace, too.
    """

    def __init__(self, indicators, feature, priors="shares"):
        self.indicators = indicators
        self.more = 1 if priors == "corrected" else 0
        self.begin = np.flatnonzero(np.diff(feature, prepend=-1))
        self.length = np.diff(np.append(self.begin, len(feature)))

    def probabilities(self, weights):
        """Return class probabilities of all rows.

        Parameters
        ----------
        weights : ndarray, shape (n_models, n_classes, n_rows)
            How often a model's training set has a row under a class.

        Returns
        -------
        ndarray, shape (n_models, n_rows, n_classes)
        """
        counts = weights @ self.indicators
        totals = np.add.reduceat(counts, self.begin, axis=-1) + self.length
        logs = np.log(counts + 1) - np.repeat(np.log(totals), self.length, axis=-1)
        with np.errstate(divide="ignore"):
            prior = np.log(weights.sum(axis=-1) + self.more)
        scores = logs @ self.indicators.T + prior[:, :, None]
        return np.swapaxes(softmax(scores, axis=1), 1, 2)


class QDA:
    """Quadratic discriminant analysis with covariances regularised until well-conditioned.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_features)
    path : {"equal", "identity", "least"}
        How gamma, the weight of the identity, and lambda, that of the pooled covariance, grow from
        zero: both by 0.01, gamma alone by 0.01, or both from 1e-6 on, doubling.
    """

    def __init__(self, X, path="equal"):
        # Moments about the mean of all rows lose fewer digits.
        self.X = X - X.mean(axis=0)
        self.path = path

    def steps(self):
        """Yield the pairs of gamma and lambda to be tried, in turn."""
        yield 0.0, 0.0
        if self.path == "identity":
            for step in range(1, 101):
                yield 0.01 * step, 0.0
        elif self.path == "equal":
            for step in range(1, 51):
                yield 0.01 * step, 0.01 * step
        else:
            for step in range(19):
                yield 1e-6 * 2**step, 1e-6 * 2**step

    def covariances(self, weights):
        """Return means, and eigenvalues and eigenvectors of regularised covariances, by class."""
        d = self.X.shape[1]
        number = weights.sum(axis=-1)
        safe = np.maximum(number, 1)
        means = weights @ self.X / safe[..., None]
        products = (self.X[:, :, None] * self.X[:, None, :]).reshape(len(self.X), d * d)
        moments = (weights @ products / safe[..., None]).reshape(*number.shape, d, d)
        spread = moments - means[..., :, None] * means[..., None, :]
        share = number / number.sum(axis=-1, keepdims=True)
        pooled = np.einsum("mk,mkde->mde", share, spread)[:, None]
        pooled = np.broadcast_to(pooled, spread.shape)
        scale = np.trace(spread, axis1=-2, axis2=-1) / d
        values = np.empty((*number.shape, d))
        vectors = np.empty_like(spread)
        left = np.ones(number.shape, dtype=bool)
        for gamma, lambda_ in self.steps():
            mixed = (1 - gamma - lambda_) * spread[left] + lambda_ * pooled[left]
            mixed = mixed + gamma * scale[left][:, None, None] * np.eye(d)
            values[left], vectors[left] = np.linalg.eigh(mixed)
            left = values[..., 0] * CONDITION <= values[..., -1]
            if not left.any():
                break
        # A class of a single row has no scale of its own, nor has a pool of such classes.
        largest = np.where(values[..., -1:] > 0, values[..., -1:], 1.0)
        return means, np.maximum(values, largest / CONDITION), vectors

    def probabilities(self, weights):
        """Return class probabilities of all rows, as `NaiveBayes.probabilities` does."""
        means, values, vectors = self.covariances(weights)
        turned = vectors / np.sqrt(values)[..., None, :]
        off = self.X @ turned - means[..., None, :] @ turned
        with np.errstate(divide="ignore"):
            prior = np.log(weights.sum(axis=-1))
        scores = prior - np.log(values).sum(axis=-1) / 2
        scores = scores[..., None] - np.sum(off**2, axis=-1) / 2
        return np.swapaxes(softmax(scores, axis=1), 1, 2)


def by_class(rows, y, n_classes=None):
    """Return weights by model, class and row of weights by model and row."""
    labels = np.arange(n_classes or y.max() + 1)[:, None] == y
    return np.asarray(rows, dtype=float)[:, None, :] * labels
