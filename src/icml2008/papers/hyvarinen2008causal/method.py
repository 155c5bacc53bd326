"""VAR-LiNGAM: instantaneous and lagged effects from a series with non-Gaussian disturbances."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.base import BaseEstimator
from sklearn.decomposition import FastICA
from sklearn.utils.validation import validate_data

from icml2008.errors import Icml2008Error


class SeriesError(Icml2008Error):
    """A series or a parameter to which the model cannot be fitted."""


def least_squares_var(X, lags=1):
    """Fit a vector autoregression with a constant by least squares (Equation 2).

    Parameters
    ----------
    X : array of shape (n_times, n_series)
    lags : int

    Returns
    -------
    M : array of shape (lags, n_series, n_series)
        ``M[tau - 1, i, j]`` is the coefficient of series j, tau steps before, for series i.
    residuals : array of shape (n_times - lags, n_series)
        Estimates of the innovations (Equation 3).
    """
    (n_times, n) = X.shape
    rows = len(X) - lags
    past = [X[lags - tau : n_times - tau] for tau in range(1, lags + 1)]
    design = np.column_stack([np.ones(rows), *past])
    solution = np.linalg.lstsq(design, X[lags:])[0]
    return solution[1:].reshape(lags, n, n).transpose(0, 2, 1), X[lags:] - design @ solution


def effects_of_unmixing(W):
    """Return B0 = I - W' of an unmixing matrix (Shimizu et al. 2006, Algorithm A).

    The rows of W, (n, n), are put in the order that makes the sum of 1 / |W_ii| least and are
    divided by their diagonal entry.
    """
    with np.errstate(divide="ignore"):
        costs = np.minimum(1 / np.abs(W), 1e100)
    rows, places = linear_sum_assignment(costs)
    ordered = np.empty_like(W)
    ordered[places] = W[rows]
    return np.eye(len(W)) - ordered / np.diag(ordered)[:, None]


def order_of(effects):
    """Return an order, (n,), in which no effect goes backward, or None.

    `effects`, (n, n), is true at (i, j) if j has an effect on i.
    """
    left = list(range(len(effects)))
    order = []
    while left:
        roots = [i for i in left if not effects[i, left].any()]
        if not roots:
            return None
        order.append(roots[0])
        left.remove(roots[0])
    return np.array(order)


def causal_order(B):
    """Return the order for which B, (n, n), is nearly strictly lower triangular.

    The n (n + 1) / 2 smallest entries are set to 0, then one more at a time, until an order has no
    effect that goes backward (Shimizu et al. 2006, Algorithm C).
    """
    n = len(B)
    ranks = np.empty(n * n, dtype=int)
    ranks[np.argsort(np.abs(B), axis=None, kind="stable")] = np.arange(n * n)
    left = range(n * (n + 1) // 2, n * n + 1)  # in the end no entry is
    orders = (order_of(ranks.reshape(n, n) >= smallest) for smallest in left)
    return next(order for order in orders if order is not None)


def regressed(residuals, order):
    """Return the least-squares B0, (n, n), of residuals, (n_times, n), in a causal order.

    With L the Cholesky factor of the covariance in that order, it is I - diag(L) L^-1.
    """
    lower = np.linalg.cholesky(np.cov(residuals[:, order], rowvar=False, bias=True))
    B = np.zeros_like(lower)
    B[np.ix_(order, order)] = np.tril(-np.diag(lower)[:, None] * np.linalg.inv(lower), -1)
    return B


PIECES = 10


def pruned(residuals, order):
    """Return B0, (n, n), without what is not seen in all pieces of the residuals, (n_times, n).

    As in LiNGAM's code package: effects are regressed in each of ten pieces; their mean is kept
    where it exceeds their standard deviation.
    """
    each = [regressed(piece, order) for piece in np.array_split(residuals, PIECES)]
    mean = np.mean(each, axis=0)
    sd = np.std(each, axis=0, ddof=1)
    return np.where(np.abs(mean) > sd, mean, 0.0)


EFFECTS = ("ica", "ordered", "regressed", "pruned")


class VARLiNGAM(BaseEstimator):
    """Structural vector autoregression by least squares and LiNGAM.

    The model is x(t) = B_0 x(t) + B_1 x(t - 1) + ... + B_k x(t - k) + e(t) with independent,
    non-Gaussian disturbances e and acyclic B_0 (Equation 1). A vector autoregression gives M_tau
    and residuals (Equations 2 and 3), independent component analysis of these gives B_0 (Equation
    4), and B_tau = (I - B_0) M_tau (Equation 5). Who neglects B_0 takes M_tau for B_tau.

    Parameters
    ----------
    lags : int
        k, the order of the autoregression; 0 is LiNGAM.
    effects : {"ica", "ordered", "regressed", "pruned"}
        Which B_0. "ica": I less the unmixing matrix, as the paper prints it, which need not be
        acyclic and is about twice as far from the truth as the others. "ordered": the same without
        what goes against the causal order. "regressed": least squares in that order. "pruned": the
        latter without weak effects (see `pruned`), the nearest to the truth for sparse networks.
    fun : {"logcosh", "cube", "exp"}
        The contrast of FastICA.
    algorithm : {"parallel", "deflation"}
        Whether FastICA finds components together or one by one.
    max_iter : int
    tol : float
        When FastICA stops. A warning says that it did not come to that.
    random_state : int, RandomState or None
        Where FastICA starts.

    Attributes
    ----------
    effects_ : array of shape (lags + 1, n_series, n_series)
        B_0, ..., B_k, in units of series i over units of series j.
    autoregression_ : array of shape (lags, n_series, n_series)
        M_1, ..., M_k.
    residuals_ : array of shape (n_times - lags, n_series)
    unmixing_ : array of shape (n_series, n_series)
        Of FastICA; None for a single series.
    causal_order_ : array of shape (n_series,)
        Series, causes before effects.
    n_iter_ : int
        Iterations of FastICA.

    Raises
    ------
    SeriesError
        From `fit`: for too few times, a series that others determine, or an unknown parameter.

    References
    ----------
    Hyvarinen, Shimizu and Hoyer (2008). Shimizu, Hoyer, Hyvarinen and Kerminen (2006), A linear
    non-Gaussian acyclic model for causal discovery.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import VARLiNGAM
    >>> e = np.random.default_rng(0).uniform(-1, 1, size=(3000, 2))
    >>> X = np.zeros((3000, 2))
    >>> for t in range(1, 3000):
    ...     X[t, 1] = 0.9 * X[t - 1, 1] + e[t, 1]
    ...     X[t, 0] = X[t, 1] + 0.9 * X[t - 1, 0] + e[t, 0]
    >>> VARLiNGAM(random_state=0).fit(X).effects_.round(1) + 0.0
    array([[[0. , 1. ],
            [0. , 0. ]],
    <BLANKLINE>
           [[0.9, 0. ],
            [0. , 0.9]]])
    """

    def __init__(
        self,
        lags=1,
        *,
        effects="regressed",
        fun="logcosh",
        algorithm="parallel",
        max_iter=1000,
        tol=1e-8,
        random_state=None,
    ):
        self.lags = lags
        self.effects = effects
        self.fun = fun
        self.algorithm = algorithm
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X, y=None):
        """Estimate the effects from X, (n_times, n_series), rows in the order of time."""
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        if self.effects not in EFFECTS:
            msg = f"effects is {self.effects!r}; it is one of {', '.join(EFFECTS)}"
            raise SeriesError(msg)
        if not isinstance(self.lags, int | np.integer) or self.lags < 0:
            msg = f"lags is {self.lags!r}; it is a whole number from 0 on"
            raise SeriesError(msg)
        n = X.shape[1]
        needed = max(
            (n + 1) * (self.lags + 1), self.lags + PIECES * (n + 1) * (self.effects == "pruned")
        )
        if len(X) < needed:
            msg = (
                f"{len(X)} times are too few for {n} series and lags={self.lags}; {needed} would do"
            )
            raise SeriesError(msg)
        self.autoregression_, self.residuals_ = least_squares_var(X, self.lags)
        spread = self.residuals_.std(axis=0)
        nothing = np.any(spread <= 1e-10 * np.abs(X).max(axis=0))
        if nothing or np.linalg.matrix_rank(self.residuals_ / spread, tol=1e-6) < n:
            msg = "the residuals are linearly dependent: a series follows from the others"
            raise SeriesError(msg)
        B = self._instantaneous(n)
        self.effects_ = np.stack([B, *((np.eye(n) - B) @ M for M in self.autoregression_)])
        return self

    def _instantaneous(self, n):
        """Return B_0 by LiNGAM of the residuals."""
        if n == 1:
            self.unmixing_ = None
            self.causal_order_ = np.zeros(1, dtype=int)
            self.n_iter_ = 0
            return np.zeros((1, 1))
        ica = FastICA(
            algorithm=self.algorithm,
            whiten="unit-variance",
            fun=self.fun,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=self.random_state,
        ).fit(self.residuals_)
        self.unmixing_ = ica.components_
        self.n_iter_ = int(ica.n_iter_)
        B = effects_of_unmixing(self.unmixing_)
        self.causal_order_ = order = causal_order(B)
        if self.effects == "pruned":
            return pruned(self.residuals_, order)
        if self.effects == "regressed":
            return regressed(self.residuals_, order)
        if self.effects == "ordered":
            place = np.argsort(order)
            B = np.where(place[:, None] > place, B, 0.0)
        return B
