"""The p-posterior mixture-model kernel of bags, with the power of best alignment."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

STEP = 0.05


def powers_up_to(reach: float) -> np.ndarray:
    """Return the powers that are searched, by 0.05."""
    return STEP * np.arange(1, round(reach / STEP) + 1)


def aggregate_posteriors(posteriors: np.ndarray, bags: np.ndarray) -> np.ndarray:
    """Return the aggregate posteriors of Definition 1.

    Parameters
    ----------
    posteriors : ndarray, shape (n_instances, n_components)
        Whose rows sum to one.
    bags : ndarray of int, shape (n_instances,)
        Bags from 0 on, none of them empty.

    Returns
    -------
    ndarray, shape (n_bags, n_components)
        Whose rows sum to one.
    """
    sums = np.zeros((bags.max() + 1, posteriors.shape[1]))
    np.add.at(sums, bags, posteriors)
    return sums / sums.sum(axis=1, keepdims=True)


def power_alignments(aggregates: np.ndarray, y: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Return the alignment of Equation 2 for each power.

    Parameters
    ----------
    aggregates : ndarray, shape (n_bags, n_components)
    y : ndarray, shape (n_bags,)
        Labels, -1 and 1.
    powers : ndarray, shape (n_powers,)

    Returns
    -------
    ndarray, shape (n_powers,)
        From 0 to 1: the cosine of the kernel matrix and the labels' outer product. With features
        F the products are those of F'y, and of F'F, which is smaller than the kernel matrix.
    """
    alignments = np.empty(len(powers))
    for index, power in enumerate(powers):
        features = aggregates**power
        towards = features.T @ y
        alignments[index] = towards @ towards / (np.linalg.norm(features.T @ features) * len(y))
    return alignments


class PosteriorPowerKernel(TransformerMixin, BaseEstimator):
    """Features of bags whose inner product is the p-posterior mixture-model kernel.

    A mixture is fitted to all instances, whatever their bags; a bag becomes the mean of its
    instances' posteriors, raised to a power that aligns the kernel best with the labels. A small
    power lets rare patterns count, a large one those that most instances have.

    Parameters
    ----------
    n_components : int
    mixture : {"histogram", "spherical", "diag", "full"}
        Clusters of k-means, each instance in one; or Gaussians of such covariances.
    p : "alignment" or float
    reach : float
        The largest power that is searched, by steps of 0.05.
    n_runs : int
        Mixtures from random starts, of which the one of best alignment is kept.
    random_state : int, RandomState or None

    Attributes
    ----------
    p_ : float
    alignment_ : float
        Of the kernel on the training bags.
    alignments_ : ndarray, shape (n_powers,)
        Of all powers, where they are searched.
    mixture_ : KMeans or GaussianMixture
    """

    def __init__(
        self,
        n_components: int = 30,
        *,
        mixture: str = "histogram",
        p: str | float = "alignment",
        reach: float = 3.0,
        n_runs: int = 5,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.mixture = mixture
        self.p = p
        self.reach = reach
        self.n_runs = n_runs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, bags: Any) -> PosteriorPowerKernel:
        """Fit mixture and power.

        Parameters
        ----------
        X : array-like, shape (n_instances, n_features)
        y : array-like, shape (n_instances,)
            The larger of two labels marks instances of positive bags.
        bags : array-like, shape (n_instances,)
            The bag of each instance.

        Raises
        ------
        ValueError
            If a bag has two labels, all have the same, or a parameter is none of the above.
        """
        X, y = validate_data(self, X, y)
        numbers = _numbered(bags, len(X))
        labels = _labels_of_bags(y, numbers)
        powers = powers_up_to(self.reach) if self.p == "alignment" else np.array([float(self.p)])
        if not np.all(powers > 0):
            msg = f"p={self.p!r}: a power is above 0, or 'alignment' finds it"
            raise ValueError(msg)
        rng = check_random_state(self.random_state)
        self.alignment_ = -np.inf
        for _ in range(self.n_runs):
            mixture = self._mixture(rng.randint(2**31 - 1)).fit(X)
            alignments = power_alignments(_aggregate(mixture, X, numbers), labels, powers)
            best = int(np.argmax(alignments))
            if alignments[best] > self.alignment_:
                self.alignment_ = float(alignments[best])
                self.alignments_ = alignments
                self.p_ = float(powers[best])
                self.mixture_ = mixture
        return self

    def aggregate(self, X: Any, *, bags: Any) -> np.ndarray:
        """Return aggregate posteriors of bags in the order of their sorted names."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return _aggregate(self.mixture_, X, _numbered(bags, len(X)))

    def transform(self, X: Any, *, bags: Any) -> np.ndarray:
        """Return the features of bags in the order of their sorted names.

        Returns
        -------
        ndarray, shape (n_bags, n_components)
        """
        return self.aggregate(X, bags=bags) ** self.p_

    def _mixture(self, seed: int) -> KMeans | GaussianMixture:
        if self.mixture == "histogram":
            return KMeans(self.n_components, init="random", n_init=1, random_state=seed)
        if self.mixture in ("spherical", "diag", "full"):
            return GaussianMixture(
                self.n_components,
                covariance_type=self.mixture,
                max_iter=1000,
                random_state=seed,
            )
        msg = f"mixture={self.mixture!r}: one of 'histogram', 'spherical', 'diag', 'full'"
        raise ValueError(msg)


def _numbered(bags: Any, n_instances: int) -> np.ndarray:
    names, numbers = np.unique(np.asarray(bags), return_inverse=True)
    if numbers.shape != (n_instances,):
        msg = f"bags has the shape {np.shape(bags)}; X has {n_instances} instances"
        raise ValueError(msg)
    return numbers


def _labels_of_bags(y: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    classes = np.unique(y)
    if len(classes) != 2:
        msg = f"y has {len(classes)} labels; a kernel is aligned with two"
        raise ValueError(msg)
    positive = np.bincount(numbers, weights=y == classes[1])
    sizes = np.bincount(numbers)
    if np.any((positive > 0) & (positive < sizes)):
        msg = "a bag has instances of both labels; y has the bag's label for each instance"
        raise ValueError(msg)
    return np.where(positive > 0, 1.0, -1.0)


def _aggregate(mixture: Any, X: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    if isinstance(mixture, KMeans):
        posteriors = np.eye(mixture.n_clusters)[mixture.predict(X)]
    else:
        posteriors = mixture.predict_proba(X)
    return aggregate_posteriors(posteriors, numbers)
