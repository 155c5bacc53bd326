"""The restricted Boltzmann machine, learnt from chains that start at the data or go on.

Hinton (2002) for contrastive divergence, Tieleman (2008) for chains that persist, Welling and
Hinton (2002) for mean fields.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.nets.arithmetic import DTYPES, native, sigmoid, softplus
from icml2008.methods.nets.gibbs import Units, are_probabilities, climb, climb_on
from icml2008.methods.nets.learning import (
    AT_LEAST_0,
    COUNT,
    DECAYS,
    SHARE,
    batches,
    check_probabilities,
    word_of,
)
from icml2008.methods.nets.partition import enumerate_partition

GRADIENTS = ("cd", "pcd", "mfcd")
ENUMERABLE = 25  # units whose states are summed, at most


class RestrictedBoltzmannMachine(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Binary features h of binary data v, with ``p(v, h) ~ exp(h' W v + b' v + c' h)``.

    Learnt by stochastic gradient ascent of the log-likelihood. Its second term, an expectation
    under the model, is taken from Gibbs chains.

    Parameters
    ----------
    n_components : int
        Hidden units.
    gradient : {"pcd", "cd", "mfcd"}
        Where chains start: each step where they ended in the step before (persistent contrastive
        divergence), or at the data (contrastive divergence); or at the data with probabilities in
        place of samples (mean-field contrastive divergence).
    n_gibbs : int
        Full Gibbs steps of a chain for each update.
    learning_rate : float
        Of a mean over rows.
    decay : {"constant", "linear"}
        What becomes of it: in `fit` it may fall to 0 in proportion to the steps.
    momentum, weight_decay : float
        The latter draws weights, not biases, to 0 by this share of the learning rate.
    batch_size : int
        Rows of a step, and number of chains that persist.
    n_iter : int
        Passes over the rows in `fit`.
    binarize : bool
        Draw each row anew whenever it is used, its values being probabilities of ones.
    init_scale : float
        Standard deviation of the weights at the start. Hidden biases start at 0, visible ones at
        the log odds of the data's means, which are drawn towards a half by one row of it.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : ndarray, shape (n_components, n_features_in_)
        W, in float32 if the data is, else float64.
    intercept_hidden_, intercept_visible_ : ndarray, shapes (n_components,), (n_features_in_,)
        c and b.
    chains_ : ndarray, shape (batch_size, n_components)
        Hidden states of the chains that persist.
    log_partition_ : float
        Set it to an estimate (`annealed_importance_sampling`) and `score_samples` takes it; by
        itself it is found by enumeration if there are at most 25 units in the smaller layer.

    References
    ----------
    T. Tieleman (2008), Training Restricted Boltzmann Machines using Approximations to the
    Likelihood Gradient, ICML, Sections 2 and 3.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RestrictedBoltzmannMachine
    >>> X = np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], 50, axis=0)
    >>> model = RestrictedBoltzmannMachine(
    ...     4, decay="linear", batch_size=10, n_iter=100, random_state=0
    ... ).fit(X)
    >>> bool(model.score_samples(X).mean() > 2 * np.log(0.5))
    True
    """

    _parameter_constraints = {
        "n_components": COUNT,
        "gradient": word_of(GRADIENTS),
        "n_gibbs": COUNT,
        "learning_rate": AT_LEAST_0,
        "decay": word_of(DECAYS),
        "momentum": SHARE,
        "weight_decay": AT_LEAST_0,
        "batch_size": COUNT,
        "n_iter": COUNT,
        "binarize": ["boolean"],
        "init_scale": AT_LEAST_0,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 256,
        *,
        gradient: str = "pcd",
        n_gibbs: int = 1,
        learning_rate: float = 0.1,
        decay: str = "constant",
        momentum: float = 0.0,
        weight_decay: float = 0.0,
        batch_size: int = 100,
        n_iter: int = 10,
        binarize: bool = False,
        init_scale: float = 0.01,
        random_state=None,
    ) -> None:
        self.n_components = n_components
        self.gradient = gradient
        self.n_gibbs = n_gibbs
        self.learning_rate = learning_rate
        self.decay = decay
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.binarize = binarize
        self.init_scale = init_scale
        self.random_state = random_state

    def _check(self, X, *, reset: bool) -> np.ndarray:
        self._validate_params()
        X = native(X)
        X = validate_data(self, X, dtype=DTYPES, order="C", reset=reset, ensure_all_finite=False)
        if not are_probabilities(X.reshape(-1)):
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
            check_probabilities(X)
        return X

    def _start(self, X: np.ndarray) -> None:
        rng = check_random_state(self.random_state)
        self._uniform = Units(rng.randint(2**31))
        shape = (self.n_components, X.shape[1])
        self.components_ = rng.normal(0, self.init_scale, shape).astype(X.dtype)
        self.intercept_hidden_ = np.zeros(shape[0], X.dtype)
        share = (X.sum(axis=0) + 0.5) / (len(X) + 1)
        self.intercept_visible_ = np.log(share / (1 - share)).astype(X.dtype)
        self.chains_ = np.zeros((self.batch_size, shape[0]), X.dtype)
        self._velocity = np.zeros_like(self.components_) if self.momentum else None

    def fit(self, X, y=None) -> RestrictedBoltzmannMachine:
        """Learn from rows of X, (n_rows, n_features), between 0 and 1, in random order.

        Raises
        ------
        ValueError
            If a parameter is out of its range, or a value of X is no probability.
        """
        X = self._check(X, reset=True)
        self._start(X)
        room = self._room()
        for rows, rate in batches(self, len(X)):
            self._step(X[rows], rate, room)
        return self

    def partial_fit(self, X, y=None) -> RestrictedBoltzmannMachine:
        """Go through the rows of X once, in order, by the parameters as they are set now."""
        first = not hasattr(self, "components_")
        X = self._check(X, reset=first)
        if first:
            self._start(X)
        room = self._room()
        for start in range(0, len(X), self.batch_size):
            self._step(X[start : start + self.batch_size], self.learning_rate, room)
        return self

    def _room(self) -> list[np.ndarray]:
        """Return arrays for rows, hidden units and gradient of a step, which all steps use."""
        rows = 2 * max(self.batch_size, len(self.chains_))
        dtype = self.components_.dtype
        shapes = [(rows, width) for width in self.components_.shape[::-1]]
        return [np.empty(shape, dtype) for shape in (*shapes, self.components_.shape)]

    def _hidden(self, V: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.matmul(V, self.components_.T, out=out)
        out += self.intercept_hidden_
        return sigmoid(out, out)

    def _visible(self, H: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.matmul(H, self.components_, out=out)
        out += self.intercept_visible_
        return sigmoid(out, out)

    def _chain(self, V: np.ndarray, H: np.ndarray) -> None:
        """Walk from hidden states H; leave visible ones in V and hidden ones before the last."""
        W = self.components_
        c = self.intercept_hidden_
        b = self.intercept_visible_
        for step in range(self.n_gibbs):
            if step:
                self._uniform.states(np.matmul(V, W.T, out=H), c)
            self._uniform.states(np.matmul(H, W, out=V), b)

    def _step(self, X: np.ndarray, rate: float, room: list[np.ndarray]) -> None:
        """Climb by one gradient: rows of data above, of chains below, so that one product does."""
        n = len(X)
        persistent = self.gradient == "pcd"
        V, H = (held[: n + (len(self.chains_) if persistent else n)] for held in room[:2])
        if self.binarize:
            self._uniform.bernoulli(X, V[:n])
        else:
            V[:n] = X
        if persistent:
            self._chain(V[n:], self.chains_)
            self._hidden(V, H)
            self._uniform.bernoulli(H[n:], self.chains_)
        else:
            self._hidden(V[:n], H[:n])
            if self.gradient == "cd":
                self._chain(V[n:], self._uniform.bernoulli(H[:n]))
            else:
                self._visible(H[:n], V[n:])
                for _ in range(self.n_gibbs - 1):
                    self._visible(self._hidden(V[n:]), V[n:])
            self._hidden(V[n:], H[n:])
        self._climb(V, H, n, rate, room[2])

    def _climb(
        self, V: np.ndarray, H: np.ndarray, n: int, rate: float, gradient: np.ndarray
    ) -> None:
        number = V.dtype.type
        scale = number(rate / n)
        shrink = number(rate * self.weight_decay)
        signs = np.ones(len(V), V.dtype)
        signs[n:] = -n / (len(V) - n)
        self.intercept_hidden_ += scale * (signs @ H)
        self.intercept_visible_ += scale * (signs @ V)
        H[n:] *= signs[n]
        np.matmul(H.T, V, out=gradient)
        if self._velocity is None:
            climb(self.components_, gradient, scale, shrink)
        else:
            momentum = number(self.momentum)
            climb_on(self.components_, self._velocity, gradient, scale, shrink, momentum)

    def transform(self, X) -> np.ndarray:
        """Return probabilities of hidden units, (n_rows, n_components)."""
        check_is_fitted(self)
        return self._hidden(self._check(X, reset=False))

    def gibbs(self, V) -> np.ndarray:
        """Return visible states, (n_rows, n_features), one full Gibbs step after V."""
        check_is_fitted(self)
        W = self.components_
        c = self.intercept_hidden_
        b = self.intercept_visible_
        H = self._uniform.states(self._check(V, reset=False) @ W.T, c)
        return self._uniform.states(H @ W, b)

    def free_energy(self, X) -> np.ndarray:
        """Return -log sum_h exp(-E(x, h)), (n_rows,): minus the log-probability but for log Z."""
        check_is_fitted(self)
        X = self._check(X, reset=False)
        inputs = X @ self.components_.T + self.intercept_hidden_
        return -(X @ self.intercept_visible_) - softplus(inputs).sum(axis=1, dtype=np.float64)

    def score_samples(self, X) -> np.ndarray:
        """Return log-probabilities of binary rows, (n_rows,), in nats.

        Raises
        ------
        ValueError
            If both layers have more than 25 units and `log_partition_` was not set.
        """
        energy = self.free_energy(X)
        if not hasattr(self, "log_partition_"):
            if min(self.components_.shape) > ENUMERABLE:
                msg = (
                    f"log Z of {self.components_.shape[0]} hidden and "
                    f"{self.components_.shape[1]} visible units cannot be enumerated: set "
                    "log_partition_, which annealed_importance_sampling estimates"
                )
                raise ValueError(msg)
            self.log_partition_ = enumerate_partition(self)
        return -energy - self.log_partition_

    @property
    def _n_features_out(self) -> int:
        return self.n_components

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
