"""How well the luckiest of many guessers does, and features kept because they do better.

Palatucci and Carlson (2008), Theorem 4.1 and Section 5.1.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betainc
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

THRESHOLDS = ("best-chance", "midpoint", "single-chance")
PARAMETERS = {
    "threshold": THRESHOLDS,
    "prior": ("estimated", "equal"),
    "variance": ("class", "pooled"),
}


def expected_fewest_errors(n_guessers: float, n_examples: int, p_err: float = 0.5) -> float:
    """Return how many errors the best of independent guessers makes, in expectation.

    Parameters
    ----------
    n_guessers : float
        At least 1.
    n_examples : int
    p_err : float
        The chance of a single guess to be wrong, between 0 and 1.

    Returns
    -------
    float
        ``sum over i = 0 .. n_examples - 1 of I(i + 1, n_examples - i; p_err) ** n_guessers``, with
        the regularised incomplete beta function I; precise for any number of guessers.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    if not n_guessers >= 1:
        msg = f"n_guessers is at least 1, found {n_guessers!r}"
        raise ValueError(msg)
    if not (n_examples >= 1 and n_examples == int(n_examples)):
        msg = f"n_examples is a whole number from 1 on, found {n_examples!r}"
        raise ValueError(msg)
    if not 0 <= p_err <= 1:
        msg = f"p_err is a chance, between 0 and 1, found {p_err!r}"
        raise ValueError(msg)
    i = np.arange(int(n_examples))
    # The powers of numbers next to 1 are taken by their small distance from it.
    with np.errstate(divide="ignore"):
        logarithms = np.log1p(-betainc(n_examples - i, i + 1, 1 - p_err))
    return float(np.exp(n_guessers * logarithms).sum())


def expected_best_chance_accuracy(n_guessers: float, n_examples: int, p_err: float = 0.5) -> float:
    """Return the accuracy that the best of independent guessers reaches, in expectation.

    Theorem 4.1: 1 - `expected_fewest_errors` / n_examples, with the same arguments.

    Examples
    --------
    >>> from icml2008.methods import expected_best_chance_accuracy
    >>> round(expected_best_chance_accuracy(200, 20), 3)  # 200 bets on 20 games
    0.798
    """
    return 1 - expected_fewest_errors(n_guessers, n_examples, p_err) / n_examples


def guessers_needed(accuracy: float, n_examples: int, p_err: float = 0.5) -> int:
    """Return how many guessers it takes for the best to reach an accuracy, in expectation.

    Raises
    ------
    ValueError
        If the accuracy is not below 1, or `p_err` not below 1.

    Examples
    --------
    >>> from icml2008.methods import guessers_needed
    >>> guessers_needed(0.8, 20), guessers_needed(0.8, 100)
    (216, 2081454531)
    """
    if not (accuracy < 1 and p_err < 1):
        msg = f"accuracy and p_err are below 1, found {accuracy!r} and {p_err!r}"
        raise ValueError(msg)
    low = 0
    high = 1
    while expected_best_chance_accuracy(high, n_examples, p_err) < accuracy:
        low = high
        high = 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        reached = expected_best_chance_accuracy(middle, n_examples, p_err) >= accuracy
        low, high = (low, middle) if reached else (middle, high)
    return high


def error_threshold(threshold: str, n_features: int, n_examples: int, p_err: float) -> float:
    """Return the number of errors below which a feature is kept; see `MultiplicityGapSelector`."""
    best = expected_fewest_errors(n_features, n_examples, p_err)
    single = n_examples * p_err
    return dict(zip(THRESHOLDS, (best, (best + single) / 2, single), strict=True))[threshold]


def naive_bayes_odds(
    X: np.ndarray, y: np.ndarray, Z: np.ndarray, prior: str = "estimated", variance: str = "class"
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each feature says of each class against the first, by Gaussian naive Bayes.

    Parameters
    ----------
    X, Z : ndarray, shapes (n_train, n_features) and (n_test, n_features)
    y : ndarray of int, shape (n_train,)
        Classes 0, 1, and so on, each of them present.
    prior : {"estimated", "equal"}
    variance : {"class", "pooled"}
        Maximum likelihood, for each class or within classes.

    Returns
    -------
    odds : ndarray, shape (n_classes - 1, n_test, n_features)
        Logarithms of ratios of likelihoods.
    prior_odds : ndarray, shape (n_classes - 1,)
    """
    counts = np.bincount(y)
    means = np.array([X[y == label].mean(axis=0) for label in range(len(counts))])
    variances = np.array([X[y == label].var(axis=0) for label in range(len(counts))])
    if variance == "pooled":
        variances[:] = np.average(variances, axis=0, weights=counts)
    if not variances.all():  # where a feature is constant in a class
        smallest = 1e-9 * X.var(axis=0)
        variances = np.maximum(variances, np.where(smallest > 0, smallest, 1.0))
    precisions = 1 / variances
    squares = (precisions[0] - precisions[1:]) / 2
    slopes = precisions[1:] * means[1:] - precisions[0] * means[0]
    offsets = np.log(precisions) / 2 - precisions * means**2 / 2
    odds = squares[:, None] * Z
    odds += slopes[:, None]
    odds *= Z
    odds += (offsets[1:] - offsets[0])[:, None]
    shares = counts / counts.sum() if prior == "estimated" else np.ones(len(counts))
    return odds, np.log(shares[1:] / shares[0])


def validation_errors(
    X: np.ndarray, y: np.ndarray, train: np.ndarray, validation: np.ndarray, **options: str
) -> np.ndarray:
    """Return how often the classifier of each feature alone errs, (n_features,) ints.

    It learns from the rows `train` and is tested on the rows `validation`; see `naive_bayes_odds`.
    """
    odds, prior_odds = naive_bayes_odds(X[train], y[train], X[validation], **options)
    odds += prior_odds[:, None, None]
    predicted = odds[0] > 0  # of two classes; of more, the best one if it is above the first
    if len(odds) > 1:
        predicted = np.where(odds.max(axis=0) > 0, odds.argmax(axis=0) + 1, 0)
    return np.count_nonzero(predicted != y[validation][:, None], axis=0)


def halves(
    rows: np.ndarray, y: np.ndarray, rng, *, stratified: bool = False, larger: str = "validation"
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows that are drawn for training and those for validation, as equal as can be."""
    order = rng.permutation(rows)
    if stratified:
        order = order[np.argsort(y[order], kind="stable")]
    return (order[1::2], order[::2]) if larger == "validation" else (order[::2], order[1::2])


class MultiplicityGapSelector(SelectorMixin, BaseEstimator):
    """Keep the features whose own classifiers do better than so many guessers would.

    Half of the examples train a Gaussian naive Bayes classifier on each feature alone, the other
    half counts its errors. Were all features guessers, a single one would make N p_err errors, and
    the best of M would make `expected_fewest_errors`: the ends of the multiplicity gap.

    Parameters
    ----------
    threshold : {"midpoint", "best-chance", "single-chance"}
        Features with fewer errors are kept: fewer than the middle of the gap or one of its ends.
    p_err : float, optional
        The chance that a guess is wrong; 1 - 1 / n_classes if None.
    stratified : bool
        Whether the halves have equal shares of each class.
    prior : {"estimated", "equal"}
    variance : {"class", "pooled"}
        Of the classifiers; variances for each class or one within classes.
    random_state : int, RandomState or None

    Attributes
    ----------
    errors_ : ndarray of int, shape (n_features_in_,)
    threshold_ : float
        In errors.
    n_validation_ : int
    classes_ : ndarray

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MultiplicityGapSelector
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(80, 1000)), np.repeat(["no", "yes"], 40)
    >>> X[y == "yes", :5] += 2
    >>> selector = MultiplicityGapSelector(random_state=0).fit(X, y)
    >>> bool(selector.get_support()[:5].all()), int(selector.get_support().sum()) < 100
    (True, True)
    """

    def __init__(
        self,
        threshold: str = "midpoint",
        *,
        p_err: float | None = None,
        stratified: bool = False,
        prior: str = "estimated",
        variance: str = "class",
        random_state=None,
    ) -> None:
        self.threshold = threshold
        self.p_err = p_err
        self.stratified = stratified
        self.prior = prior
        self.variance = variance
        self.random_state = random_state

    def fit(self, X, y):
        """Count each feature's errors.

        Parameters
        ----------
        X : array-like, shape (n_examples, n_features)
        y : array-like, shape (n_examples,)
            Labels of two or more classes.

        Raises
        ------
        ValueError
            If a parameter has no such value, or the training half lacks a class.
        """
        for name, known in PARAMETERS.items():
            if (given := getattr(self, name)) not in known:
                msg = f"{name} is {' or '.join(known)}, found {given!r}"
                raise ValueError(msg)
        X, y = validate_data(self, X, y, dtype=float, ensure_min_samples=4)
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            msg = f"y needs two classes or more, found {len(self.classes_)} class"
            raise ValueError(msg)
        rng = check_random_state(self.random_state)
        train, validation = halves(np.arange(len(y)), labels, rng, stratified=self.stratified)
        if len(np.unique(labels[train])) < len(self.classes_):
            msg = "the training half lacks a class; use stratified=True or more examples"
            raise ValueError(msg)
        options = {"prior": self.prior, "variance": self.variance}
        self.errors_ = validation_errors(X, labels, train, validation, **options)
        self.n_validation_ = len(validation)
        p_err = 1 - 1 / len(self.classes_) if self.p_err is None else self.p_err
        self.threshold_ = error_threshold(self.threshold, X.shape[1], len(validation), p_err)
        return self

    def _get_support_mask(self):
        check_is_fitted(self)
        return self.errors_ < self.threshold_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags
