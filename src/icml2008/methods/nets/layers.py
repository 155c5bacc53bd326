"""Layers in a row, learnt by stochastic gradient descent."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.nets.arithmetic import DTYPES, Uniform, add_product, native, sigmoid, softmax
from icml2008.methods.nets.learning import AT_LEAST_0, COUNT, SHARE, word_of

# activation -> (function in place, its derivative from its value times a gradient, in place)
ACTIVATIONS = {
    "logistic": (lambda x: sigmoid(x, x), lambda a, g: np.multiply(g, a - a * a, out=g)),
    "tanh": (lambda x: np.tanh(x, out=x), lambda a, g: np.multiply(g, 1 - a * a, out=g)),
    "relu": (lambda x: np.maximum(x, 0, out=x), lambda a, g: np.multiply(g, a > 0, out=g)),
}


def forward(X, coefs, intercepts, activation: str) -> list[np.ndarray]:
    """Return X, each hidden layer's values and the last layer's scores, (n_rows, n_units) each."""
    values = [X]
    last = len(coefs) - 1
    for layer, (W, b) in enumerate(zip(coefs, intercepts, strict=True)):
        out = values[-1] @ W
        out += b
        values.append(out if layer == last else ACTIVATIONS[activation][0](out))
    return values


def descend(
    values, error, coefs, intercepts, activation: str, rate: float, *, shrink=0.0, velocity=None
) -> None:
    """Take a step down in place, from the last layer's error, (n_rows, n_outputs).

    Parameters
    ----------
    values : list of ndarray
        From `forward`.
    error : ndarray
        Derivatives of each row's loss by the last layer's scores.
    rate : float
        Of the mean loss over rows.
    shrink : float
        Share of the weights that goes.
    velocity : tuple (momentum, list of ndarray, list of ndarray), optional
        What is left of steps before, for weights and biases; changed in place.
    """
    scale = -rate / len(error)
    for layer in reversed(range(len(coefs))):
        W = coefs[layer]
        below = values[layer]
        passed = error @ W.T if layer else None
        if velocity is None:
            add_product(W, below, error, scale, 1 - shrink)
            intercepts[layer] += scale * error.sum(axis=0)
        else:
            momentum, weights, biases = velocity
            add_product(weights[layer], below, error, scale, momentum)
            if shrink:
                weights[layer] -= shrink * W
            W += weights[layer]
            biases[layer] *= momentum
            biases[layer] += scale * error.sum(axis=0)
            intercepts[layer] += biases[layer]
        if layer:
            error = ACTIVATIONS[activation][1](below, passed)


class FeedForwardClassifier(ClassifierMixin, BaseEstimator):
    """Hidden layers and a softmax, learnt by stochastic gradient descent on the log loss.

    It takes the steps of scikit-learn's ``MLPClassifier(solver="sgd", nesterovs_momentum=False)``
    with a constant learning rate, in less time, and starts from given weights if there are any.

    Parameters
    ----------
    hidden_layer_sizes : tuple of int
    activation : {"logistic", "tanh", "relu"}
    learning_rate : float
        Of the mean over a batch.
    momentum : float
    alpha : float
        Penalty: the batch's loss has ``alpha / (2 n_batch)`` times the squared weights, as
        scikit-learn counts it.
    batch_size : int
    n_iter : int
        Passes over the rows in `fit`.
    shuffle : bool
        Whether `fit` takes rows in random order.
    coefs_init, intercepts_init : list of ndarray, optional
        Weights, (n_in, n_out), and biases, (n_out,), of the first layers at the start: those of
        layers learnt without labels. Layers that are not given start as the others would.
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coefs_, intercepts_ : list of ndarray
        Per layer (n_in, n_out) and (n_out,), in float32 if the data is, else float64.

    Notes
    -----
    Weights start uniform within ``sqrt(6 / (n_in + n_out))``, biases at 0.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import FeedForwardClassifier
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 25)
    >>> y = (X[:, 0] != X[:, 1]).astype(int)
    >>> net = FeedForwardClassifier((8,), learning_rate=0.5, n_iter=300, random_state=0)
    >>> net.fit(X, y).score(X, y)
    1.0
    """

    _parameter_constraints = {
        "hidden_layer_sizes": ["array-like"],
        "activation": word_of(ACTIVATIONS),
        "learning_rate": AT_LEAST_0,
        "momentum": SHARE,
        "alpha": AT_LEAST_0,
        "batch_size": COUNT,
        "n_iter": COUNT,
        "shuffle": ["boolean"],
        "coefs_init": [list, None],
        "intercepts_init": [list, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        hidden_layer_sizes: tuple[int, ...] = (100,),
        activation: str = "tanh",
        *,
        learning_rate: float = 0.1,
        momentum: float = 0.0,
        alpha: float = 0.0,
        batch_size: int = 20,
        n_iter: int = 50,
        shuffle: bool = True,
        coefs_init: list | None = None,
        intercepts_init: list | None = None,
        random_state=None,
    ) -> None:
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.alpha = alpha
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.shuffle = shuffle
        self.coefs_init = coefs_init
        self.intercepts_init = intercepts_init
        self.random_state = random_state

    def _start(self, X: np.ndarray, n_classes: int) -> None:
        self._validate_params()
        rng = check_random_state(self.random_state)
        self._uniform = Uniform(rng.randint(2**31))
        widths = [X.shape[1], *self.hidden_layer_sizes, n_classes]
        given = list(zip(self.coefs_init or [], self.intercepts_init or [], strict=True))
        self.coefs_ = []
        self.intercepts_ = []
        for layer, shape in enumerate(zip(widths[:-1], widths[1:], strict=True)):
            reach = np.sqrt(6 / sum(shape))
            W = rng.uniform(-reach, reach, shape)
            b = np.zeros(shape[1])
            if layer < len(given):
                W, b = (np.asarray(a) for a in given[layer])
                if W.shape != shape or b.shape != shape[1:]:
                    msg = f"layer {layer} has weights {shape}, found {W.shape} and {b.shape}"
                    raise ValueError(msg)
            self.coefs_.append(np.array(W, X.dtype, order="C"))
            self.intercepts_.append(np.array(b, X.dtype))
        moving = [[np.zeros_like(a) for a in held] for held in (self.coefs_, self.intercepts_)]
        self._velocity = (self.momentum, *moving) if self.momentum else None

    def fit(self, X, y) -> FeedForwardClassifier:
        """Learn from rows of X, (n_rows, n_features), and classes y, (n_rows,).

        Raises
        ------
        ValueError
            If a parameter is out of its range or initial weights do not fit.
        """
        X, y = validate_data(self, native(X), y, dtype=DTYPES, order="C")
        check_classification_targets(y)
        self.classes_, y = np.unique(y, return_inverse=True)
        self._start(X, len(self.classes_))
        for _ in range(self.n_iter):
            order = self._uniform.permutation(len(X)) if self.shuffle else np.arange(len(X))
            self._pass(X, y, order)
        return self

    def partial_fit(self, X, y, classes=None) -> FeedForwardClassifier:
        """Go through the rows once, in order; the first call needs all classes, (n_classes,)."""
        first = not hasattr(self, "coefs_")
        X, y = validate_data(self, native(X), y, dtype=DTYPES, order="C", reset=first)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
            self._start(X, len(self.classes_))
        codes = np.minimum(np.searchsorted(self.classes_, y), len(self.classes_) - 1)
        if not np.array_equal(self.classes_[codes], y):
            msg = f"y holds classes beside {self.classes_.tolist()}, those of the first call"
            raise ValueError(msg)
        self._pass(X, codes, np.arange(len(X)))
        return self

    def _pass(self, X: np.ndarray, y: np.ndarray, order: np.ndarray) -> None:
        for start in range(0, len(X), self.batch_size):
            rows = order[start : start + self.batch_size]
            values = forward(X[rows], self.coefs_, self.intercepts_, self.activation)
            error = softmax(values[-1])
            error[np.arange(len(rows)), y[rows]] -= 1
            descend(
                values,
                error,
                self.coefs_,
                self.intercepts_,
                self.activation,
                self.learning_rate,
                shrink=self.learning_rate * self.alpha / len(rows),
                velocity=self._velocity,
            )

    def predict_proba(self, X) -> np.ndarray:
        """Return probabilities of classes, (n_rows, n_classes)."""
        check_is_fitted(self)
        X = validate_data(self, native(X), dtype=DTYPES, order="C", reset=False)
        return softmax(forward(X, self.coefs_, self.intercepts_, self.activation)[-1])

    def predict(self, X) -> np.ndarray:
        """Return the likeliest classes, (n_rows,)."""
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[likeliest]
