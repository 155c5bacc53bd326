"""Soft k-means: expectation maximisation for a mixture whose components share a fixed width."""

from __future__ import annotations

from warnings import warn

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ._dissimilarities import blocks
from ._divergences import resolve_metric


class SoftKMeans(ClusterMixin, BaseEstimator):
    """Mixture of components exp(-beta d(x, m_j)) with free centres and a fixed beta, by EM.

    With metric "sqeuclidean" this is the homoscedastic normal mixture of covariance
    I / (2 beta). The best centres are weighted means for every Bregman divergence.

    Parameters
    ----------
    n_clusters : int
    beta : float
        Inverse width, in 1 / (units of the metric).
    metric : {"sqeuclidean", "kl", "itakura-saito"} or BregmanDivergence
        For another function of (points, centres) the M-step is no maximisation.
    init : {"random", "k-means++"} or array-like of shape (n_clusters, n_features)
        Centres to begin with: distinct samples at random; samples drawn in turn with probability
        proportional to the divergence from the nearest centre so far; or these.
    weights : {"free", "uniform"} or array-like of shape (n_clusters,)
        Weights of the components: begun uniform and estimated; kept uniform; or begun with these
        values and estimated.
    n_init : int
        Runs, of which the best is kept; one if `init` is an array.
    tol : float
        Stop once a step adds less than this to the mean log-likelihood.
    max_iter : int
        Most steps of a run.
    random_state : int, Generator or None

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    weights_ : ndarray of shape (n_clusters,)
    labels_ : ndarray of shape (n_samples,)
        Most probable component of each sample.
    objective_ : float
        Mean log-likelihood without the normalising constant: comparable with those of
        `ConvexClustering` and `InfiniteExemplars`.
    objectives_ : ndarray of shape (n_init,)
        The same for every run.
    objective_path_ : ndarray
        Value before each step of the best run and at its end.
    n_iter_ : int
        E-steps of the best run.

    References
    ----------
    Lashkari and Golland (2007), Section 5; Banerjee et al. (2005), Algorithm 3.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import SoftKMeans
    >>> X = np.array([[0.0], [0.2], [5.0], [5.2]])
    >>> SoftKMeans(2, beta=1.0, init=[[0.0], [5.2]]).fit(X).cluster_centers_.ravel().round(3)
    array([0.1, 5.1])
    """

    def __init__(
        self,
        n_clusters=8,
        beta=1.0,
        metric="sqeuclidean",
        *,
        init="random",
        weights="free",
        n_init=1,
        tol=1e-8,
        max_iter=1000,
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.beta = beta
        self.metric = metric
        self.init = init
        self.weights = weights
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y=None):
        """Run EM from each start and keep the best.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        SoftKMeans

        Raises
        ------
        ValueError
            If a parameter has no known value, or `init` another shape than needed.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If the best run was stopped by `max_iter`.
        """
        X = validate_data(self, X, dtype=float)
        if not 1 <= self.n_clusters <= len(X):
            msg = f"n_clusters is {self.n_clusters}; it must lie between 1 and {len(X)} samples"
            raise ValueError(msg)
        self._distance = resolve_metric(self.metric, X)
        rng = np.random.default_rng(self.random_state)
        n_runs = self.n_init if isinstance(self.init, str) else 1
        runs = [self._run(X, self._first_centres(X, rng)) for _ in range(n_runs)]
        self.objectives_ = np.array([path[-1] for _, _, path in runs])
        centres, weights, path = runs[int(self.objectives_.argmax())]
        self.cluster_centers_ = centres
        self.weights_ = weights
        self.objective_path_ = np.array(path)
        self.objective_ = path[-1]
        self.n_iter_ = len(path)
        if len(path) > self.max_iter:
            text = f"the last of {self.max_iter} steps still added {path[-1] - path[-2]:.3g}"
            warn(text, ConvergenceWarning, stacklevel=2)
        self.labels_ = self._log_joint(X).argmax(axis=1)
        return self

    def _first_centres(self, X, rng):
        if not isinstance(self.init, str):
            centres = np.array(self.init, dtype=float)
            if centres.shape != (self.n_clusters, X.shape[1]):
                needed = (self.n_clusters, X.shape[1])
                msg = f"init has shape {centres.shape}; {needed} is needed"
                raise ValueError(msg)
            return centres
        if self.init == "random":
            return X[rng.choice(len(X), self.n_clusters, replace=False)]
        if self.init != "k-means++":
            msg = f"init is {self.init!r}; known: random, k-means++, or an array of centres"
            raise ValueError(msg)
        chosen = [int(rng.integers(len(X)))]
        nearest = np.full(len(X), np.inf)
        while len(chosen) < self.n_clusters:
            nearest = np.minimum(nearest, self._distance(X, X[chosen[-1:]])[:, 0])
            # Only twins of centres are left when all distances are zero.
            odds = nearest / nearest.sum() if nearest.sum() > 0 else None
            chosen.append(int(rng.choice(len(X), p=odds)))
        return X[chosen]

    def _run(self, X, centres):
        weights = np.full(self.n_clusters, 1 / self.n_clusters)
        if not isinstance(self.weights, str):
            weights = np.asarray(self.weights, dtype=float)
            weights = weights / weights.sum()
        elif self.weights not in ("free", "uniform"):
            msg = f"weights is {self.weights!r}; known: free, uniform, or an array of weights"
            raise ValueError(msg)
        path = []
        for n_iter in range(self.max_iter + 1):
            score, totals, sums = self._expect(X, centres, weights)
            path.append(score)
            if n_iter == self.max_iter or n_iter and path[-1] - path[-2] < self.tol:
                break
            # A component that no sample takes a share of stays where it is.
            means = sums / np.maximum(totals, np.finfo(float).tiny)[:, None]
            centres = np.where(totals[:, None] > 0, means, centres)
            if not isinstance(self.weights, str) or self.weights == "free":
                weights = totals / len(X)
        return centres, weights, path

    def _expect(self, X, centres, weights):
        """Return the mean log-likelihood, and the mass and sum of samples of each component."""
        score = 0.0
        totals = np.zeros(len(centres))
        sums = np.zeros_like(centres)
        with np.errstate(divide="ignore"):
            logs = np.log(weights)
        # Blocks small enough for a fast cache.
        for part in blocks(len(X), len(centres), entries=2**17):
            shares = self._distance(X[part], centres)
            shares *= -self.beta
            shares += logs
            highest = shares.max(axis=1, keepdims=True)
            shares -= highest
            np.exp(shares, out=shares)
            total = shares.sum(axis=1, keepdims=True)
            shares /= total
            score += highest.sum() + np.log(total).sum()
            totals += shares.sum(axis=0)
            sums += shares.T @ X[part]
        return float(score / len(X)), totals, sums

    def _log_joint(self, X):
        with np.errstate(divide="ignore"):
            return np.log(self.weights_) - self.beta * self._distance(X, self.cluster_centers_)

    def predict(self, X):
        """Return the most probable component of each sample.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return self._log_joint(validate_data(self, X, dtype=float, reset=False)).argmax(axis=1)

    def score_samples(self, X):
        """Return the log-likelihood of each sample, without the normalising constant.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return logsumexp(self._log_joint(X), axis=1)

    def score(self, X, y=None):
        """Return the mean of `score_samples`."""
        return float(self.score_samples(X).mean())
