"""Convex clustering: maximum likelihood over the weights of one component at each sample."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._dissimilarities import blocks, dissimilarities_of, reference_beta, responses_of
from ._divergences import resolve_metric
from ._mixture import mixture_weights


class ConvexClustering(ClusterMixin, BaseEstimator):
    """Exemplar-based clustering as a convex problem.

    A mixture with one component at every sample, of density proportional to
    exp(-beta d(x, x_j)), is fitted over the weights alone. The solution is the global one, needs
    no start and no number of clusters, and has few components where beta is small.

    Parameters
    ----------
    beta : float, optional
        Inverse width of the components, in 1 / (units of the metric): for "sqeuclidean" the
        components are normal with variance 1 / (2 beta). By default the empirical value of
        `reference_beta`.
    metric : {"sqeuclidean", "kl", "itakura-saito", "precomputed"} or callable
        Divergence d(x, z) of a sample x from an exemplar z; any `BregmanDivergence`, or another
        function of (points, centres) that returns the matrix of dissimilarities. With
        "precomputed", X is the (n_samples, n_samples) matrix of dissimilarities, which need be
        neither symmetric nor metric, exemplars as columns.
    n_nearest : int, optional
        Keep for each sample only this many nearest candidates (itself one of them): time and
        memory then grow linearly with n_samples * n_nearest. Take a few times the number of
        samples expected in a cluster.
    solver : {"auto", "interior-point", "active-set", "multiplicative"}
        See `mixture_weights`: by default the active set from 512 samples on, which is up to
        nine times as fast where few samples are exemplars and nearly level where many are, and
        the interior point below; the last is the paper's.
    prune : float
        For the multiplicative solver; the paper uses 1e-3.
    tol : float
        Duality gap to reach, in nats per sample.
    max_iter : int, optional
        Limit on the solver's steps.

    Attributes
    ----------
    exemplar_indices_ : ndarray of shape (n_exemplars,)
        Samples with positive weight.
    exemplars_ : ndarray of shape (n_exemplars, n_features)
        The same as points; absent with metric "precomputed".
    weights_ : ndarray of shape (n_exemplars,)
        Weights of the mixture, with sum 1.
    objective_ : float
        Mean log-likelihood (1/n) sum_i log sum_j q_j exp(-beta d(x_i, x_j)), without the
        components' normalising constant.
    duality_gap_ : float
        Bound on what any other weights could add to `objective_`.
    beta_ : float
    distortion_ : float
        Mean divergence of a sample from the exemplar of its soft assignment.
    rate_ : float
        Mutual information between samples and exemplars, in nats: (`distortion_`, `rate_`) is
        a point of the rate-distortion curve, where its slope is -beta.
    cluster_exemplars_ : ndarray of shape (n_clusters,)
        Positions in `exemplars_` of those that are the most probable one of some sample: the
        hard clusters.
    labels_ : ndarray of shape (n_samples,)
        Cluster of each sample, that of the nearest of these exemplars.
    n_iter_ : int
        Steps of the solver, at least 1.

    References
    ----------
    Lashkari, D. and Golland, P. (2007). Convex clustering with exemplar-based models. NIPS.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ConvexClustering
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = ConvexClustering(beta=20.0).fit(X)
    >>> model.exemplars_.ravel(), model.labels_
    (array([0.1, 5.1]), array([0, 0, 0, 1, 1, 1]))
    """

    def __init__(
        self,
        beta=None,
        metric="sqeuclidean",
        *,
        n_nearest=None,
        solver="auto",
        prune=0.0,
        tol=1e-8,
        max_iter=None,
    ):
        self.beta = beta
        self.metric = metric
        self.n_nearest = n_nearest
        self.solver = solver
        self.prune = prune
        self.tol = tol
        self.max_iter = max_iter

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def fit(self, X, y=None):
        """Find the weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        y : ignored

        Returns
        -------
        ConvexClustering

        Raises
        ------
        ValueError
            If a parameter or a feature lies outside of its domain, or all samples are alike and
            no beta is given.
        """
        X = validate_data(self, X, dtype=float)
        return self._fit(X, dissimilarities_of(X, self.metric, self.n_nearest))

    def _fit(self, X, dissimilarities, start=None):
        self.beta_ = reference_beta(X, self.metric) if self.beta is None else float(self.beta)
        if not 0 <= self.beta_ < np.inf:
            msg = f"beta is {self.beta_!r}; it must be a non-negative number"
            raise ValueError(msg)
        responses, nearest = responses_of(dissimilarities, self.beta_)
        solution = mixture_weights(
            responses,
            start=start,
            method=self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            prune=self.prune,
        )
        support = np.flatnonzero(solution.weights)
        self._weights = solution.weights
        self.exemplar_indices_ = support
        self.weights_ = solution.weights[support]
        self.objective_ = solution.objective - self.beta_ * float(nearest.mean())
        self.duality_gap_ = solution.gap
        self.n_iter_ = max(1, solution.n_iter)
        if self.metric != "precomputed":
            self.exemplars_ = X[support]
        self._assign(X)
        return self

    def _assign(self, X):
        best = np.empty(len(X), dtype=int)
        distortion = 0.0
        for part in blocks(len(X), len(self.weights_)):
            distances = self._distances(X[part])
            soft = np.log(self.weights_) - self.beta_ * distances
            best[part] = soft.argmax(axis=1)
            soft -= logsumexp(soft, axis=1, keepdims=True)
            # An exemplar at infinite divergence has probability zero.
            distortion += np.multiply(
                np.exp(soft), distances, out=np.zeros_like(soft), where=np.isfinite(distances)
            ).sum()
        self.distortion_ = float(distortion / len(X))
        self.rate_ = max(0.0, -self.objective_ - self.beta_ * self.distortion_)
        self.cluster_exemplars_ = np.unique(best)
        self.labels_ = self._nearest_cluster(X)

    def _distances(self, X):
        if self.metric == "precomputed":
            return X[:, self.exemplar_indices_]
        return resolve_metric(self.metric, X)(X, self.exemplars_)

    def _nearest_cluster(self, X):
        clusters = self.cluster_exemplars_
        parts = blocks(len(X), len(self.weights_))
        return np.concatenate(
            [self._distances(X[part])[:, clusters].argmin(axis=1) for part in parts]
        )

    def predict(self, X):
        """Return the cluster of each sample.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            With metric "precomputed" the dissimilarities from the n_samples of `fit`.

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return self._nearest_cluster(validate_data(self, X, dtype=float, reset=False))

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
        scores = [
            logsumexp(np.log(self.weights_) - self.beta_ * self._distances(X[part]), axis=1)
            for part in blocks(len(X), len(self.weights_))
        ]
        return np.concatenate(scores)

    def score(self, X, y=None):
        """Return the mean of `score_samples`."""
        return float(self.score_samples(X).mean())


def convex_clustering_path(X, betas=None, metric="sqeuclidean", **options):
    """Fit convex clustering at several values of beta, each from the solution before.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
    betas : array-like of shape (n_betas,), optional
        By default 20 values, evenly spaced between 0.1 and 2 times `reference_beta`: the range
        of the paper's Figure 1.
    metric : str or callable
    **options
        Other parameters of `ConvexClustering`.

    Returns
    -------
    list of ConvexClustering
        The fitted models, in the order of `betas`.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import convex_clustering_path
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> path = convex_clustering_path(X, [0.01, 1.0, 1000.0])
    >>> [len(model.cluster_exemplars_) for model in path]
    [2, 2, 6]
    """
    X = validate_data(ConvexClustering(metric=metric), X, dtype=float)
    if betas is None:
        betas = reference_beta(X, metric) * np.linspace(0.1, 2, 20)
    dissimilarities = dissimilarities_of(X, metric, options.get("n_nearest"))
    models = []
    start = None
    for beta in betas:
        model = ConvexClustering(beta, metric, **options)
        model.n_features_in_ = X.shape[1]
        models.append(model._fit(X, dissimilarities, start))
        # Half of the mass is spread again, so that every sample can come in.
        start = 0.5 * model._weights + 0.5 / len(X)
    return models
