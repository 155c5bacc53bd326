"""The autoencoder that restores what was set to 0, and stacks of it as a start for a classifier.

Vincent, Larochelle, Bengio and Manzagol (2008).
"""

from __future__ import annotations

from collections.abc import Sequence

import numba
import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.nets.arithmetic import DTYPES, Uniform, add_product, native, sigmoid
from icml2008.methods.nets.learning import (
    AT_LEAST_0,
    COUNT,
    DECAYS,
    SHARE,
    batches,
    check_probabilities,
    word_of,
)


@numba.njit(cache=True, nogil=True)
def _destroy(rows, places, words, count):  # pragma: no cover - compiled
    """Set so many components of each row to 0: the first of a shuffle that goes no further."""
    used = 0
    n = len(places)
    for row in rows:
        for i in range(count):
            j = i + np.int64((np.uint64(words[used]) * np.uint64(n - i)) >> np.uint64(32))
            places[i], places[j] = places[j], places[i]
            row[places[i]] = 0
            used += 1


def destroy(rows: np.ndarray, noise: float, rng: np.random.Generator) -> None:
    """Set a share of each row's components, chosen at random, to 0 in place (q_D, Section 2.3).

    Parameters
    ----------
    rows : ndarray, shape (n_rows, n_features)
    noise : float
        nu; the number of components is nu times `n_features`, rounded, in each row.
    rng : Generator
    """
    count = round(noise * rows.shape[1])
    if count:
        words = rng.integers(2**32, size=len(rows) * count, dtype=np.uint32)
        _destroy(rows, np.arange(rows.shape[1]), words, count)


class DenoisingAutoencoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Sigmoid units that restore rows of which a share was set to 0 (Equation 5).

    Parameters
    ----------
    n_components : int
        Hidden units.
    noise : float
        Share nu of components that are set to 0, drawn anew whenever a row is used; 0 is the
        plain autoencoder.
    tied : bool
        Whether the decoder's weights are the encoder's, transposed.
    learning_rate : float
        Of the mean over a batch of the cross-entropy, which is a sum over components; it may fall
        to 0 (``decay="linear"``).
    batch_size, n_iter : int
        Rows of an update, and passes over the rows in random order.
    random_state : int, RandomState or None
        Weights at the start and the order of rows do not depend on the noise.

    Attributes
    ----------
    coef_, decoder_ : ndarray, shape (n_features_in_, n_components)
        W and W', transposed; the same array if tied. In float32 if the data is, else float64.
    intercept_hidden_, intercept_visible_ : ndarray
        b and b'.

    Notes
    -----
    Weights start uniform within one over the root of the number of features, biases at 0.

    References
    ----------
    P. Vincent, H. Larochelle, Y. Bengio, P.-A. Manzagol (2008), Extracting and Composing Robust
    Features with Denoising Autoencoders, ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import DenoisingAutoencoder
    >>> X = np.repeat([[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], 100, axis=0)
    >>> coder = DenoisingAutoencoder(4, noise=0.34, n_iter=200, random_state=0).fit(X)
    >>> coder.reconstruct([[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]]).round().tolist()  # one is put back
    [[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]]
    """

    _parameter_constraints = {
        "n_components": COUNT,
        "noise": SHARE,
        "tied": ["boolean"],
        "learning_rate": AT_LEAST_0,
        "decay": word_of(DECAYS),
        "batch_size": COUNT,
        "n_iter": COUNT,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 256,
        *,
        noise: float = 0.25,
        tied: bool = True,
        learning_rate: float = 0.1,
        decay: str = "constant",
        batch_size: int = 20,
        n_iter: int = 10,
        random_state=None,
    ) -> None:
        self.n_components = n_components
        self.noise = noise
        self.tied = tied
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.random_state = random_state

    def _check(self, X, *, reset: bool) -> np.ndarray:
        self._validate_params()
        X = validate_data(self, native(X), dtype=DTYPES, order="C", reset=reset)
        check_probabilities(X)
        return X

    def fit(self, X, y=None) -> DenoisingAutoencoder:
        """Learn from rows of X, (n_rows, n_features), between 0 and 1.

        Raises
        ------
        ValueError
            If a parameter is out of its range, or a value of X is no probability.
        """
        X = self._check(X, reset=True)
        rng = check_random_state(self.random_state)
        shape = (X.shape[1], self.n_components)
        reach = X.shape[1] ** -0.5
        starts = [rng.uniform(-reach, reach, shape).astype(X.dtype) for _ in range(2)]
        self.coef_ = starts[0]
        self.decoder_ = starts[0] if self.tied else starts[1]
        self.intercept_visible_, self.intercept_hidden_ = (np.zeros(n, X.dtype) for n in shape)
        self._uniform = Uniform(rng.randint(2**31))
        noise = np.random.Generator(np.random.SFC64(rng.randint(2**31)))
        room = [np.empty((2 * self.batch_size, n), X.dtype) for n in shape]
        for rows, rate in batches(self, len(X)):
            self._step(X[rows], rate, room, noise)
        return self

    def _step(self, X: np.ndarray, rate: float, room: list[np.ndarray], rng) -> None:
        """Take a step down: what W and W' are moved by lies stacked, so that one product does."""
        n = len(X)
        (V, error), (slope, H) = ((held[:n], held[n : 2 * n]) for held in room)
        V[:] = X
        destroy(V, self.noise, rng)
        self._hidden(V, H)
        np.subtract(self._visible(H, error), X, out=error)  # the loss's slope by W'y + b'
        np.matmul(error, self.decoder_, out=slope)
        slope *= H - H * H
        scale = -rate / n
        if self.tied:
            add_product(self.coef_, *(held[: 2 * n] for held in room), scale)
        else:
            add_product(self.coef_, V, slope, scale)
            add_product(self.decoder_, error, H, scale)
        self.intercept_hidden_ += scale * slope.sum(axis=0)
        self.intercept_visible_ += scale * error.sum(axis=0)

    def _hidden(self, X: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.matmul(X, self.coef_, out=out)
        out += self.intercept_hidden_
        return sigmoid(out, out)

    def _visible(self, H: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        out = np.matmul(H, self.decoder_.T, out=out)
        out += self.intercept_visible_
        return sigmoid(out, out)

    def transform(self, X) -> np.ndarray:
        """Return hidden units y = f(x), (n_rows, n_components), of rows as they are."""
        check_is_fitted(self)
        return self._hidden(self._check(X, reset=False))

    def reconstruct(self, X) -> np.ndarray:
        """Return z = g(f(x)), (n_rows, n_features)."""
        return self._visible(self.transform(X))

    @property
    def _n_features_out(self) -> int:
        return self.n_components

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def stack(
    X: np.ndarray, widths: Sequence[int], rng: np.random.Generator, **options
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Learn autoencoders one on the other, each from what the layer below makes of clean rows.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_features)
    widths : sequence of int
        Hidden units of each layer.
    rng : Generator
    **options
        Of `DenoisingAutoencoder`.

    Returns
    -------
    coefs, intercepts : list of ndarray
        Of each layer, as `FeedForwardClassifier` takes them to start from.
    """
    coefs = []
    intercepts = []
    for width in widths:
        layer = DenoisingAutoencoder(width, random_state=int(rng.integers(2**31)), **options)
        X = layer.fit_transform(X)
        coefs.append(layer.coef_)
        intercepts.append(layer.intercept_hidden_)
    return coefs, intercepts
