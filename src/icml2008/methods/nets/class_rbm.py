"""The Boltzmann machine with a class among its visible units: a classifier.

Larochelle and Bengio (2008); Tieleman (2008) learns it by chains that persist.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.nets.arithmetic import (
    DTYPES,
    Uniform,
    add_product,
    native,
    sigmoid,
    softmax,
)
from icml2008.methods.nets.learning import (
    AT_LEAST_0,
    COUNT,
    DECAYS,
    batches,
    check_probabilities,
    word_of,
)

OBJECTIVES = ("generative", "discriminative", "hybrid")
GRADIENTS = ("cd", "pcd", "mfcd")
UNLABELLED = -1


class ClassRBM(ClassifierMixin, BaseEstimator):
    """Restricted Boltzmann machine of binary features and their class; p(class | x) is exact.

    Parameters
    ----------
    n_components : int
        Hidden units.
    objective : {"hybrid", "generative", "discriminative"}
        Climb log p(x, y) (1), log p(y | x) (4), or the latter plus `generative_weight` times the
        former (5).
    generative_weight : float
        The paper's alpha.
    unlabelled_weight : float
        The paper's beta (7). Above 0, rows of class -1 are those without a class, and this is the
        weight of their log p(x).
    gradient : {"cd", "pcd", "mfcd"}
        Where the chains of the generative part start: at the data, where they ended, or at the
        data with probabilities in place of samples.
    n_gibbs : int
    sparsity : float
        The paper's delta: taken from the hidden biases after each update.
    learning_rate : float
        Of the mean over a batch; in `fit` it may fall to 0 (``decay="linear"``).
    batch_size, n_iter : int
    binarize : bool
        Draw each row anew whenever it is used, its values being probabilities of ones.
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    components_ : ndarray, shape (n_components, n_features_in_)
        W; in float32 if the data is, else float64.
    class_components_ : ndarray, shape (n_components, n_classes)
        U.
    intercept_visible_, intercept_hidden_, intercept_class_ : ndarray
        b, c and d.

    Notes
    -----
    Biases start at 0; weights uniform within one over the root of the longer side of their
    matrix (footnote 2).

    References
    ----------
    H. Larochelle and Y. Bengio (2008), Classification using Discriminative Restricted Boltzmann
    Machines, ICML.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ClassRBM
    >>> X = np.repeat([[1, 1, 0, 0], [0, 0, 1, 1]], 50, axis=0)
    >>> y = np.repeat(["left", "right"], 50)
    >>> ClassRBM(4, n_iter=20, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    _parameter_constraints = {
        "n_components": COUNT,
        "objective": word_of(OBJECTIVES),
        "generative_weight": AT_LEAST_0,
        "unlabelled_weight": AT_LEAST_0,
        "gradient": word_of(GRADIENTS),
        "n_gibbs": COUNT,
        "sparsity": AT_LEAST_0,
        "learning_rate": AT_LEAST_0,
        "decay": word_of(DECAYS),
        "batch_size": COUNT,
        "n_iter": COUNT,
        "binarize": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 100,
        objective: str = "hybrid",
        *,
        generative_weight: float = 0.01,
        unlabelled_weight: float = 0.0,
        gradient: str = "cd",
        n_gibbs: int = 1,
        sparsity: float = 0.0,
        learning_rate: float = 0.05,
        decay: str = "constant",
        batch_size: int = 10,
        n_iter: int = 20,
        binarize: bool = False,
        random_state=None,
    ) -> None:
        self.n_components = n_components
        self.objective = objective
        self.generative_weight = generative_weight
        self.unlabelled_weight = unlabelled_weight
        self.gradient = gradient
        self.n_gibbs = n_gibbs
        self.sparsity = sparsity
        self.learning_rate = learning_rate
        self.decay = decay
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.binarize = binarize
        self.random_state = random_state

    def _check(self, X, y="no_validation", *, reset: bool):
        self._validate_params()
        checked = validate_data(self, native(X), y, dtype=DTYPES, order="C", reset=reset)
        check_probabilities(checked if isinstance(y, str) else checked[0])
        if not isinstance(y, str):
            check_classification_targets(checked[1])
        return checked

    def _known(self, y: np.ndarray) -> np.ndarray:
        """Return which rows have a class, (n_rows,)."""
        return y != UNLABELLED if self.unlabelled_weight > 0 else np.full(len(y), True)

    def _codes(self, y: np.ndarray) -> np.ndarray:
        """Return places of classes, (n_rows,), and -1 where there is none."""
        known = self._known(y)
        codes = np.full(len(y), UNLABELLED)
        codes[known] = np.minimum(np.searchsorted(self.classes_, y[known]), len(self.classes_) - 1)
        if not np.array_equal(self.classes_[codes[known]], y[known]):
            msg = f"y holds classes beside {self.classes_.tolist()}, those of the first call"
            raise ValueError(msg)
        return codes

    def _start(self, X: np.ndarray) -> None:
        rng = check_random_state(self.random_state)
        self._uniform = Uniform(rng.randint(2**31))
        n = self.n_components
        d = X.shape[1]
        k = len(self.classes_)
        for name, width in (("components_", d), ("class_components_", k)):
            reach = max(n, width) ** -0.5
            setattr(self, name, rng.uniform(-reach, reach, (n, width)).astype(X.dtype))
        for name, width in (("visible", d), ("hidden", n), ("class", k)):
            setattr(self, f"intercept_{name}_", np.zeros(width, X.dtype))
        self._chains = np.zeros((self.batch_size, n), X.dtype)

    def fit(self, X, y) -> ClassRBM:
        """Learn from rows of X, (n_rows, n_features), and classes y, (n_rows,), in random order.

        Values of X are probabilities of ones, between 0 and 1.

        Raises
        ------
        ValueError
            If a parameter is out of its range, or a value of X is no probability.
        """
        X, y = self._check(X, y, reset=True)
        self.classes_ = np.unique(y[self._known(y)])
        codes = self._codes(y)
        self._start(X)
        for rows, rate in batches(self, len(X)):
            self._step(X[rows], codes[rows], rate)
        return self

    def partial_fit(self, X, y, classes=None) -> ClassRBM:
        """Go through the rows once, in order; the first call needs all classes, (n_classes,)."""
        first = not hasattr(self, "components_")
        X, y = self._check(X, y, reset=first)
        if first:
            self.classes_ = np.unique(y[self._known(y)] if classes is None else classes)
            self._start(X)
        codes = self._codes(y)
        for start in range(0, len(X), self.batch_size):
            rows = slice(start, start + self.batch_size)
            self._step(X[rows], codes[rows], self.learning_rate)
        return self

    def _inputs(self, X: np.ndarray) -> np.ndarray:
        inputs = X @ self.components_.T
        inputs += self.intercept_hidden_
        return inputs

    def _odds(self, inputs: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield for each class y 1 + exp(o_yj) and its 1, (n_rows, n_components) each.

        Both are scaled by a factor that no class can tell, so that one exponential serves all
        classes and nothing overflows (in float32 while a unit's U span less than 170).
        """
        U = self.class_components_
        middle = (U.max(axis=1) + U.min(axis=1)) / 2
        inputs = inputs + middle
        small = np.exp(-np.abs(inputs))
        above = inputs > 0
        scale = np.where(above, small, 1)
        rest = np.where(above, 1, small)
        for factors in np.exp(U.T - middle):
            odds = rest * factors
            odds += scale
            yield odds, scale

    def _posterior(self, inputs: np.ndarray) -> np.ndarray:
        """Return p(y | x), (n_rows, n_classes), from the hidden units' inputs without the class."""
        scores = [np.log(odds, out=odds).sum(axis=1) for odds, _ in self._odds(inputs)]
        return softmax(np.stack(scores, axis=1) + self.intercept_class_)

    def _one_hot(self, codes: np.ndarray, dtype) -> np.ndarray:
        return np.eye(len(self.classes_), dtype=dtype)[codes]

    def _step(self, X: np.ndarray, codes: np.ndarray, rate: float) -> None:
        """Climb by one batch: what is above and below is stacked, so that one product does."""
        if self.binarize:
            X = self._uniform.bernoulli(X)
        n = len(X)
        inputs = self._inputs(X)
        labelled = codes != UNLABELLED
        discriminative = self.objective != "generative"
        weight = {"generative": 1.0, "discriminative": 0.0, "hybrid": self.generative_weight}
        weights = np.full((n, 1), weight[self.objective], X.dtype)
        posterior = None
        if discriminative or not labelled.all():
            posterior = self._posterior(inputs)
        if not labelled.all():
            codes = np.where(labelled, codes, self._uniform.classes(posterior))
            weights[~labelled] = self.unlabelled_weight
        Y = self._one_hot(codes, X.dtype)
        H = sigmoid(inputs + Y @ self.class_components_.T)  # given the class
        # what pulls: visible rows, classes, hidden probabilities, and each row's weight
        pulls = [(X, Y, H, weights)]
        if weights.any():
            V, K, below = self._negative(H)
            persistent = self.gradient == "pcd"
            share = np.full((len(V), 1), weights.sum() / len(V)) if persistent else weights
            pulls.append((V, K, below, -share.astype(X.dtype)))
        scale = rate / n
        rows, classes, units, weights = (np.concatenate(part) for part in zip(*pulls, strict=True))
        units *= weights
        by_class = units.T @ classes
        bias = (weights * classes).sum(axis=0)
        if discriminative and labelled.any():
            more, more_bias, slope = self._discriminate(inputs, H, Y, posterior, labelled)
            by_class += more
            bias += more_bias
            units[:n] += slope
        add_product(self.components_, units, rows, scale)
        self.class_components_ += scale * by_class
        self.intercept_class_ += scale * bias
        self.intercept_visible_ += scale * (weights * rows).sum(axis=0)
        self.intercept_hidden_ += scale * units.sum(axis=0) - self.sparsity

    def _discriminate(self, inputs, H, Y, posterior, known) -> tuple[np.ndarray, ...]:
        """Return the derivatives of log p(y | x), summed, by U and d, and by each row's inputs."""
        known = known[:, None].astype(inputs.dtype)
        slope = (H - 1) * known
        error = (Y - posterior) * known
        weights = posterior * known
        by_class = np.empty_like(self.class_components_)
        for k, (odds, scale) in enumerate(self._odds(inputs)):
            off = np.divide(scale, odds, out=odds)  # 1 - sigm(o_yj)
            by_class[:, k] = error[:, k].sum() - error[:, k] @ off
            off *= weights[:, k : k + 1]
            slope += off
        return by_class, error.sum(axis=0), slope

    def _negative(self, H: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return visible states, classes and hidden probabilities at the chains' ends."""
        draw = self._uniform
        soft = self.gradient == "mfcd"
        persistent = self.gradient == "pcd"
        states = self._chains if persistent else H if soft else draw.bernoulli(H)
        for _ in range(self.n_gibbs):
            V = states @ self.components_
            V += self.intercept_visible_
            sigmoid(V, V)
            K = softmax(states @ self.class_components_ + self.intercept_class_)
            if not soft:
                V = draw.bernoulli(V)
                K = self._one_hot(draw.classes(K), V.dtype)
            below = sigmoid(self._inputs(V) + K @ self.class_components_.T)
            states = below if soft else draw.bernoulli(below)
        if persistent:
            self._chains = states
        return V, K, below

    def predict_proba(self, X) -> np.ndarray:
        """Return exact probabilities of classes, (n_rows, n_classes)."""
        check_is_fitted(self)
        return self._posterior(self._inputs(self._check(X, reset=False)))

    def predict(self, X) -> np.ndarray:
        """Return the likeliest classes, (n_rows,)."""
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[likeliest]
