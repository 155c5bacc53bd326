"""Gaussian process regression for many tasks whose common mean and covariance are learned by EM."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import ndtr
from sklearn.exceptions import ConvergenceWarning

from icml2008.methods.multitask.base import MultiTaskClassifier, check_above
from icml2008.methods.multitask.common_prior import (
    CommonPrior,
    infer_tasks,
    log_belief,
    update_prior,
)
from icml2008.methods.multitask.newton import Matrix


class MultiTaskGaussianProcess(MultiTaskClassifier):
    """Gaussian process regression on the labels, with a common prior learned from all tasks.

    Each task's function is drawn from a Gaussian process whose mean and covariance have a
    normal-inverse-Wishart hyperprior around zero and `kernel`; EM finds the most probable ones and
    the noise. A task without examples is predicted by the common mean.

    Parameters
    ----------
    kernel : str, callable or "precomputed", default="rbf"
        As for :class:`DistributionMatching`.
    noise : float, default=1.0
        Variance of the noise that EM starts from; the labels count as -1 and 1.
    mean_strength : float, default=1.0
        Number of tasks that the belief in a zero mean counts for (pi in Yu et al.), at least 0.
    covariance_strength : float, default=10.0
        Number of tasks that the belief in `kernel` counts for (tau in Yu et al.), positive; to be
        tuned. With a weak belief the covariance, which is as large as the training set, explains
        the labels alone: the noise goes to zero, slowly.
    gamma, kernel_params
        As for :class:`DistributionMatching`.
    tol : float, default=1e-3
        EM stops once the objective grows by less than this per example.
    max_iter : int, default=100
        Largest number of EM steps.

    Attributes
    ----------
    tasks_ : list
    classes_ : ndarray of shape (2,)
    prior_ : CommonPrior
        In features whose inner products are the kernel.
    objective_path_ : ndarray
        Log-likelihood plus log-density of the hyperprior before each step; never decreases.

    Notes
    -----
    Yu et al. write functions as kernel expansions over the training inputs; the covariance of
    the coefficients has an inverse Wishart prior around the inverse Gram matrix. Here the same
    functions are written in the Gram matrix' eigenvectors, scaled so that the prior is around the
    identity: equal in exact arithmetic, and defined where examples repeat and that matrix has no
    inverse. Tasks without examples are left out of EM, whose stationary points they do not move.

    References
    ----------
    Yu, Tresp and Schwaighofer (2005). Learning Gaussian Processes from Multiple Tasks. ICML.

    Examples
    --------
    >>> from icml2008.methods import MultiTaskGaussianProcess
    >>> X, y = [[-1], [1], [-1], [1], [1]], [-1, 1, -1, 1, -1]
    >>> model = MultiTaskGaussianProcess("linear").fit(X, y, task=["a", "a", "b", "b", "c"])
    >>> model.predict([[1], [1]], task=["a", "new"])
    array([1, 1])
    """

    def __init__(
        self,
        kernel="rbf",
        noise=1.0,
        mean_strength=1.0,
        covariance_strength=10.0,
        *,
        gamma=None,
        kernel_params=None,
        tol=1e-3,
        max_iter=100,
    ):
        self.kernel = kernel
        self.noise = noise
        self.mean_strength = mean_strength
        self.covariance_strength = covariance_strength
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, task, tasks=None):
        check_above("noise", self.noise)
        check_above("mean_strength", self.mean_strength, strict=False)
        check_above("covariance_strength", self.covariance_strength)
        check_above("tol", self.tol, strict=False)
        X, sign, number = self._start(X, y, task, tasks)
        self._set_features(X)
        order = np.argsort(number, kind="stable")
        features = self._features(X)[order]
        sign = sign[order]
        starts = np.searchsorted(number[order], np.arange(number.max() + 1))
        strengths = self.mean_strength, self.covariance_strength
        n_features = features.shape[1]
        prior = CommonPrior(np.zeros(n_features), np.eye(n_features), float(self.noise))
        path = []
        for _ in range(self.max_iter + 1):
            posterior = infer_tasks(features, sign, starts, prior)
            path.append(posterior.log_likelihood + log_belief(prior, *strengths))
            if len(path) > 1 and path[-1] - path[-2] <= self.tol * len(X):
                break
            if len(path) <= self.max_iter:
                prior = update_prior(prior, posterior, *strengths)
        else:
            warnings.warn(
                f"EM did not settle in max_iter={self.max_iter} steps: the objective still grows "
                f"by more than tol={self.tol} per example; raise max_iter or tol",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.objective_path_ = np.array(path)
        self.prior_ = prior
        self._posterior = posterior
        self._rows = np.split(np.arange(len(X)), starts[1:])
        return self

    def decision_function(self, X, *, task):
        """Return the predicted mean of the label.

        Parameters
        ----------
        X : array-like of shape (n_examples, n_features)
        task : iterable of n_examples hashable labels

        Returns
        -------
        ndarray of shape (n_examples,)
            Not log-odds: this is a regression on labels of -1 and 1.
        """
        X, _, number = self._new(X, task)
        return self._mean(self._features(X), number)

    def predict_proba(self, X, *, task):
        """Return the predicted probabilities that the normal label is not above, or above, zero.

        Parameters
        ----------
        X : array-like of shape (n_examples, n_features)
        task : iterable of n_examples hashable labels

        Returns
        -------
        ndarray of shape (n_examples, 2)
        """
        X, _, number = self._new(X, task)
        features = self._features(X)
        variance = np.einsum("ij,ij->i", features @ self.prior_.covariance, features)
        for own in np.unique(number[self._seen(number)]):
            rows = np.flatnonzero(number == own)
            explained = features[rows] @ self._posterior.factor[self._rows[own]].T
            variance[rows] -= np.square(explained).sum(axis=1)
        spread = np.sqrt(np.maximum(variance, 0) + self.prior_.noise)
        positive = ndtr(self._mean(features, number) / spread)
        return np.column_stack([1 - positive, positive])

    def _mean(self, features, number) -> Matrix:
        seen = self._seen(number)
        mean = features @ self.prior_.mean
        shift = self._posterior.shift[number[seen]]
        mean[seen] += np.einsum("ij,ij->i", features[seen], shift)
        return mean

    def _seen(self, number) -> NDArray[np.bool_]:
        return (number >= 0) & (number < len(self._rows))

    def _set_features(self, X) -> None:
        """Find the map from kernel values to features whose inner products they are."""
        self._expansion = None
        if self.kernel != "linear":
            values, vectors = eigh(self._kernel(X))
            kept = values > len(X) * np.finfo(float).eps * values[-1]
            self._expansion = vectors[:, kept] / np.sqrt(values[kept])

    def _features(self, X) -> Matrix:
        if self._expansion is None:
            return X
        return self._kernel(X, self.X_fit_) @ self._expansion
