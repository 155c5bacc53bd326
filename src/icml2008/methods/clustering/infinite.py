"""INFEX: exemplars anywhere in the input space, by column generation."""

from __future__ import annotations

from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from ._kernels import KERNELS, response, squared_distances
from ._masters import OBJECTIVES, solve_master
from ._mean_shift import find_modes
from .vector_quantization import margin_weights


class InfiniteExemplars(ClusterMixin, BaseEstimator):
    """Exemplar-based density, clustering or codebook with exemplars anywhere in input space.

    A convex master problem weighs the exemplars found so far; its multipliers weigh the samples;
    the modes of the kernel sum with these weights are the next exemplars. Once no mode exceeds
    the level that the master problem sets, no exemplar that mean shift can find would help.

    Parameters
    ----------
    objective : {"likelihood", "margin", "margin-variance", "mean-variance"}
        What to maximise of the samples' responses gamma_i = sum_j q_j k(x_i, z_j): their mean
        logarithm; the smallest one, rho; ``rho - C mean((gamma - rho)**2)``; or
        ``mean(gamma) - C var(gamma)``: objectives 2, 1, 3 and 4 of the paper.
    kernel : {"gaussian", "epanechnikov", "disc"}
        Unnormalised, all with value 1 at the centre: exp(-r^2 / (2 h^2)), max(0, 1 - r^2 / h^2)
        and 1 for r <= h. The modes of the disc are sought with Epanechnikov's kernel, as in the
        paper, and so are not certain to be found.
    h : float
        Bandwidth or largest distortion, in the units of the features.
    C : float
        Weight of the variance in the last two objectives.
    start : {"samples", "empty"} or array-like of shape (n_start, n_features)
        Exemplars to begin with. Started from the samples, the result is never worse than that of
        the methods that choose among them (Theorem 2). A kernel of finite support with the
        likelihood needs a start that reaches every sample.
    tol : float
        Largest excess of a mode over the level at which to stop: a bound on the objective's
        distance from the best, if mean shift finds the highest mode.
    max_iter : int
        Most rounds.
    mode_radius : float
        Modes closer than this fraction of h are one.

    Attributes
    ----------
    exemplars_ : ndarray of shape (n_exemplars, n_features)
        Those with positive weight. Rounds leave near-twins around a best place; see
        `exemplar_clusters_`.
    weights_ : ndarray of shape (n_exemplars,)
    exemplar_clusters_ : ndarray of shape (n_exemplars,)
        Number of the cluster of each exemplar: exemplars within a tenth of h, directly or
        through others, are one cluster.
    labels_ : ndarray of shape (n_samples,)
        Cluster of the nearest exemplar.
    objective_ : float
        Value reached; larger is better.
    objective_path_ : ndarray of shape (n_iter_,)
        Value after each master problem; it never falls by more than rounding and `tol` allow.
    duality_gap_ : float
        Largest excess of a column or mode over the level.
    n_columns_ : int
        Exemplars generated, with those of the start.
    n_iter_ : int
        Master problems solved.

    Notes
    -----
    As in the paper, no round ends the search before mean shift has started from every sample. Most
    rounds start from the modes of the round before, and columns whose weight has become zero are
    left out: neither changes what the last round proves.

    Algorithm 1 as printed computes delta = sigma - sum_i alpha_i k(x_i), which cannot fall
    below epsilon, since sigma > 0 and alpha <= 0. Its own stationarity condition gives
    -sigma - sum_i alpha_i k(x_i), which is used here. With the last two objectives alpha can be
    positive for samples of large response, so that the subproblem has weights of both signs.

    References
    ----------
    Nowozin, S. and Bakir, G. (2008). A decoupled approach to exemplar-based unsupervised
    learning. ICML.

    Examples
    --------
    The best centre of a ring is none of its points:

    >>> import numpy as np
    >>> from icml2008.methods import InfiniteExemplars
    >>> angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    >>> ring = np.column_stack([np.cos(angles), np.sin(angles)])
    >>> InfiniteExemplars(h=2.0).fit(ring).exemplars_.round(6) + 0.0
    array([[0., 0.]])
    """

    def __init__(
        self,
        objective="likelihood",
        kernel="gaussian",
        h=1.0,
        *,
        C=1.0,
        start="samples",
        tol=1e-7,
        max_iter=200,
        mode_radius=1e-3,
    ):
        self.objective = objective
        self.kernel = kernel
        self.h = h
        self.C = C
        self.start = start
        self.tol = tol
        self.max_iter = max_iter
        self.mode_radius = mode_radius

    def fit(self, X, y=None):
        """Generate exemplars until none helps.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        InfiniteExemplars

        Raises
        ------
        ValueError
            If a parameter has no known value, or, with the likelihood, the start leaves a sample
            out of reach of every kernel.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If `max_iter` rounds were not enough.
        """
        X = validate_data(self, X, dtype=float)
        self._check_parameters()
        exemplars, columns, master = self._generate(X)
        weights = master.weights
        if self.objective == "margin" and master.objective > 0:
            # Of the many optima of the linear program, a vertex: few exemplars.
            weights = margin_weights(columns).weights
        support = weights > 0
        self.exemplars_ = exemplars[support]
        self.weights_ = weights[support]
        self.objective_ = master.objective
        self.exemplar_clusters_ = _chain(self.exemplars_, 0.1 * self.h)
        self.labels_ = self._nearest_cluster(X)
        return self

    def _generate(self, X):
        """Add exemplars until none helps; return them, their responses and the last master."""
        exemplars = self._first_exemplars(X)
        columns = self._respond(X, exemplars)
        path = []
        starts = X
        n_columns = len(exemplars)
        while True:
            # A tenth of the tolerance for the master, the rest for what mean shift may find.
            master = solve_master(self.objective, columns, self.C, self.tol / 10)
            path.append(master.objective)
            # The level is known up to the master's gap, so a smaller excess says nothing.
            least = max(self.tol, 2 * master.gap)
            modes, responses, excess = self._price(X, master, starts)
            if starts is not X and not (excess > least).any():
                modes, responses, excess = self._price(X, master, X)
            entering = excess > least
            if not entering.any() or len(path) == self.max_iter:
                break
            # What has no weight would be found again, should it be wanted: the objective is kept.
            kept = master.weights > 0
            exemplars = np.vstack([exemplars[kept], modes[entering]])
            columns = np.hstack([columns[:, kept], responses[:, entering]])
            starts = modes
            n_columns = n_columns + int(entering.sum())
        self.duality_gap_ = float(max(excess.max(initial=0), master.gap, 0))
        self.objective_path_ = np.array(path)
        self.n_iter_ = len(path)
        self.n_columns_ = n_columns
        if entering.any():
            text = f"a mode exceeds the level by {self.duality_gap_:.3g} after {len(path)} rounds"
            warn(text, ConvergenceWarning, stacklevel=3)
        return exemplars, columns, master

    def _price(self, X, master, starts):
        """Return the modes above the samples' weights, their responses and their excesses."""
        modes = self._modes(X, master.sample_weights, starts)
        responses = self._respond(X, modes)
        return modes, responses, master.sample_weights @ responses - master.level

    def _check_parameters(self):
        for name, known in (("objective", OBJECTIVES), ("kernel", KERNELS)):
            if getattr(self, name) not in known:
                msg = f"{name} is {getattr(self, name)!r}; known: {', '.join(known)}"
                raise ValueError(msg)
        if not self.h > 0 or not self.C >= 0:
            msg = f"h must be positive and C non-negative, found h={self.h!r}, C={self.C!r}"
            raise ValueError(msg)

    def _first_exemplars(self, X):
        if isinstance(self.start, str):
            if self.start == "samples":
                return np.unique(X, axis=0)
            if self.start == "empty":
                return self._modes(X, np.full(len(X), 1 / len(X)), X)
            msg = f"start is {self.start!r}; known: samples, empty, or an array of exemplars"
            raise ValueError(msg)
        return np.asarray(self.start, dtype=float)

    def _modes(self, X, sample_weights, starts):
        climbed = "gaussian" if self.kernel == "gaussian" else "epanechnikov"
        radius = self.mode_radius
        return find_modes(starts, X, sample_weights, climbed, self.h, radius=radius)[0]

    def _respond(self, X, exemplars):
        return response(self.kernel, squared_distances(X, exemplars), self.h)

    def _nearest_cluster(self, X):
        return self.exemplar_clusters_[squared_distances(X, self.exemplars_).argmin(axis=1)]

    def predict(self, X):
        """Return the cluster of each sample.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        return self._nearest_cluster(validate_data(self, X, dtype=float, reset=False))

    def score_samples(self, X):
        """Return the logarithm of each sample's response, -inf where no kernel reaches.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        with np.errstate(divide="ignore"):
            return np.log(self._respond(X, self.exemplars_) @ self.weights_)

    def score(self, X, y=None):
        """Return the mean of `score_samples`."""
        return float(self.score_samples(X).mean())


def _chain(points, radius):
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(points) == 1:
        return np.zeros(1, dtype=int)
    return fcluster(linkage(points, "single"), radius, "distance") - 1
