"""Kernel vector quantization: a codebook that reaches every sample within a given distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._kernels import response, squared_distances


@dataclass(frozen=True)
class MarginWeights:
    """A vertex of max rho, K q >= rho, sum(q) = 1, q >= 0.

    Attributes
    ----------
    weights : ndarray of shape (n_columns,)
    margin : float
        rho, the smallest response min_i (K q)_i.
    sample_weights : ndarray of shape (n_samples,)
        Multipliers of K q >= rho, with sum 1.
    gap : float
        max_j (K^T sample_weights)_j - margin.
    """

    weights: np.ndarray
    margin: float
    sample_weights: np.ndarray
    gap: float


def margin_weights(responses):
    """Maximise the smallest response, by linear programming.

    Solved in the form min sum(p), K p >= 1, p >= 0 with q = p / sum(p) and rho = 1 / sum(p), whose
    matrix is as sparse as K.

    Parameters
    ----------
    responses : array of shape (n_samples, n_columns)
        Non-negative, no row zero.

    Returns
    -------
    MarginWeights

    Raises
    ------
    ValueError
        If a row is zero.

    Examples
    --------
    >>> margin_weights(np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])).weights
    array([0., 0., 1.])
    """
    from icml2008.silent import SilentHighs, highspy

    matrix = csc_array(responses)
    n_samples, n_columns = matrix.shape
    program = highspy.HighsLp()
    program.num_col_ = n_columns
    program.num_row_ = n_samples
    program.col_cost_ = np.ones(n_columns)
    program.col_lower_ = np.zeros(n_columns)
    program.col_upper_ = np.full(n_columns, highspy.kHighsInf)
    program.row_lower_ = np.ones(n_samples)
    program.row_upper_ = np.full(n_samples, highspy.kHighsInf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    program.a_matrix_.start_ = matrix.indptr
    program.a_matrix_.index_ = matrix.indices
    program.a_matrix_.value_ = matrix.data
    solver = SilentHighs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.passModel(program)
    solver.run()
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        msg = (
            "the linear program has no optimum: a sample is reached by no exemplar; "
            "widen the kernel or add an exemplar near it"
        )
        raise ValueError(msg)
    solution = solver.getSolution()
    weights = np.maximum(solution.col_value, 0)
    weights = weights / weights.sum()
    sample_weights = np.maximum(solution.row_dual, 0)
    sample_weights = sample_weights / sample_weights.sum()
    margin = float((matrix @ weights).min())
    gap = float((matrix.T @ sample_weights).max() - margin)
    return MarginWeights(weights, margin, sample_weights, gap)


class KernelVectorQuantization(ClusterMixin, BaseEstimator):
    """A sparse codebook among the samples, with every sample within h of a codebook vector.

    Parameters
    ----------
    h : float
        Largest distortion, a Euclidean distance in the units of the features.

    Attributes
    ----------
    exemplar_indices_ : ndarray of shape (n_exemplars,)
        Samples that are codebook vectors.
    exemplars_ : ndarray of shape (n_exemplars, n_features)
        The same as points.
    weights_ : ndarray of shape (n_exemplars,)
        With sum 1.
    objective_ : float
        Margin rho: each sample is within h of codebook vectors of this weight together, at least.
    duality_gap_ : float
    labels_ : ndarray of shape (n_samples,)
        Nearest codebook vector of each sample.

    Notes
    -----
    The linear program often has many optima, whose codebooks differ in size; the one found is
    a vertex, with as many codebook vectors as binding samples at most.

    References
    ----------
    Tipping, M. and Schoelkopf, B. (2001). A kernel approach for vector quantization with
    guaranteed distortion bounds. AISTATS; in the form of Nowozin and Bakir (2008), eq. 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import KernelVectorQuantization
    >>> X = np.array([[0.0], [1.0], [2.0], [9.0]])
    >>> model = KernelVectorQuantization(h=1.0).fit(X)
    >>> model.exemplars_.ravel(), model.objective_
    (array([1., 9.]), 0.5)
    """

    def __init__(self, h=1.0):
        self.h = h

    def fit(self, X, y=None):
        """Choose the codebook.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        KernelVectorQuantization
        """
        X = validate_data(self, X, dtype=float)
        if not self.h > 0:
            msg = f"h is {self.h!r}; it must be positive"
            raise ValueError(msg)
        solution = margin_weights(response("disc", squared_distances(X, X), self.h))
        self.exemplar_indices_ = np.flatnonzero(solution.weights)
        self.exemplars_ = X[self.exemplar_indices_]
        self.weights_ = solution.weights[self.exemplar_indices_]
        self.objective_ = solution.margin
        self.duality_gap_ = solution.gap
        self.labels_ = squared_distances(X, self.exemplars_).argmin(axis=1)
        return self

    def predict(self, X):
        """Return the nearest codebook vector of each sample.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return squared_distances(X, self.exemplars_).argmin(axis=1)

    def score_samples(self, X):
        """Return the logarithm of the weight within h of each sample, -inf where there is none.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        responses = response("disc", squared_distances(X, self.exemplars_), self.h)
        with np.errstate(divide="ignore"):
            return np.log(responses @ self.weights_)
