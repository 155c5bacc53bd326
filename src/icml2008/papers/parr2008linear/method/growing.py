"""Features added one at a time, and the error after each."""

from __future__ import annotations

import numpy as np

from icml2008.papers.parr2008linear.method.linear import BellmanError


class GrowingBasis:
    """An orthonormal basis of features that grows, with the Bellman error of their fixed point.

    A feature is added by Gram-Schmidt, twice over, in time proportional to the states times the
    features so far (and one product with the transitions); the fixed point depends on the span of
    the features alone.

    Parameters
    ----------
    process : MarkovRewardProcess
    tol : float
        A feature whose part outside of the span is smaller, relative to its length, is dependent.

    Attributes
    ----------
    size : int
        Features in the basis.

    Examples
    --------
    >>> from icml2008.methods import GrowingBasis
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> basis = GrowingBasis(process)
    >>> basis.add([2.0, 1.0]), basis.add([4.0, 2.0])
    (True, False)
    >>> basis.errors().total.round(4)
    array([ 0.1111, -0.2222])
    """

    def __init__(self, process, *, tol=1e-9):
        self.process = process
        self.tol = tol
        n = process.n_states
        self._basis = np.zeros((n, n), order="F")
        self._next = np.zeros((n, n), order="F")
        self._model = np.zeros((n, n))
        self._reward = np.zeros(n)
        self.size = 0

    @property
    def features(self):
        """The orthonormal features, shape (n_states, size)."""
        return self._basis[:, : self.size]

    def add(self, feature):
        """Add a feature of shape (n_states,); return False if it lies in the span already."""
        feature = np.array(feature, dtype=float)
        if feature.shape != (self.process.n_states,):
            msg = f"the feature has shape {feature.shape}; it needs ({self.process.n_states},)"
            raise ValueError(msg)
        length = np.linalg.norm(feature)
        if not np.isfinite(length):
            msg = "the feature must be finite"
            raise ValueError(msg)
        k = self.size
        Q = self.features
        for _ in range(2):  # the second pass removes what rounding left of the first
            feature -= Q @ (Q.T @ feature)
        rest = np.linalg.norm(feature)
        if k == self.process.n_states or rest <= self.tol * length:
            return False
        new = feature / rest
        following = self.process.transitions @ new
        self._model[:k, k] = Q.T @ following
        self._model[k, :k] = new @ self._next[:, :k]
        self._model[k, k] = new @ following
        self._reward[k] = new @ self.process.rewards
        self._basis[:, k] = new
        self._next[:, k] = following
        self.size += 1
        return True

    def weights(self):
        """Return the weights of the fixed point in the orthonormal features, shape (size,)."""
        k = self.size
        system = np.eye(k) - self.process.discount * self._model[:k, :k]
        return np.linalg.solve(system, self._reward[:k])

    def values(self):
        """Return the fixed point's values, shape (n_states,)."""
        return self.features @ self.weights()

    def errors(self):
        """Return the `BellmanError` of the fixed point: rewards themselves without any feature."""
        k = self.size
        Q = self.features
        weights = self.weights()
        reward = self.process.rewards - Q @ self._reward[:k]
        following = self._next[:, :k] @ weights - Q @ (self._model[:k, :k] @ weights)
        feature = self.process.discount * following
        # Not their sum: Theorem 4.1 is to be seen, not built in.
        ahead = self.process.discount * (self._next[:, :k] @ weights)
        return BellmanError(self.process.rewards + ahead - Q @ weights, reward, feature)


def error_path(process, features, *, tol=1e-9):
    """Return the L2 norms of the errors of the first k features, for every k.

    Parameters
    ----------
    process : MarkovRewardProcess
    features : array-like of shape (n_states, n_features)
        In order. One that depends on those before adds nothing, and repeats their errors.
    tol : float
        Of `GrowingBasis`.

    Returns
    -------
    ndarray of shape (n_features, 3)
        Norms of the Bellman error, the reward error and the feature error.

    References
    ----------
    R. Parr et al. An Analysis of Linear Models, Linear Value-Function Approximation, and Feature
    Selection for Reinforcement Learning. ICML 2008, Figure 1.

    Examples
    --------
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> process = MarkovRewardProcess([[0.5, 0.5], [0, 1]], [1, 0], discount=0.8)
    >>> error_path(process, [[1.0, 0.0], [0.5, 1.0]]).round(4) + 0.0
    array([[0.2485, 0.4472, 0.1988],
           [0.    , 0.    , 0.    ]])
    """
    basis = GrowingBasis(process, tol=tol)
    norms = []
    for feature in np.asarray(features, dtype=float).T:
        if basis.add(feature) or not norms:
            norms.append([np.linalg.norm(error) for error in basis.errors()])
        else:
            norms.append(norms[-1])
    return np.array(norms)
