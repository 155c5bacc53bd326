"""Mean Map, a classifier that learns from the shares of classes in bags of unlabelled rows."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils.validation import check_is_fitted, validate_data

SMALLEST = 1e-9  # eigenvalues below this share of the largest are taken for rounding


def codes_of(n_classes):
    """Return feature maps of labels, (n_classes, n_codes): 1 and -1 of two, else unit vectors."""
    if n_classes == 2:
        return np.array([[1.0], [-1.0]])
    return np.eye(n_classes)


def operator_weights(proportions, prior):
    """Return by which weight each bag's mean enters the mean operator, (n_bags, n_codes).

    Equations 9 and 10: the class means are the pseudoinverse of the proportions times the bags'
    means, and the operator is their sum by the target's shares of classes and codes of labels.

    Parameters
    ----------
    proportions : ndarray of shape (n_bags, n_classes)
        Shares of classes in each bag.
    prior : ndarray of shape (n_classes,)
        Shares of classes in the rows that the model is of.
    """
    codes = codes_of(proportions.shape[1])
    return np.linalg.pinv(proportions).T @ (prior[:, None] * codes)


def median_gamma(X):
    """Return 1 / d^2 for the median distance d of different rows, the kernel's width."""
    squared = euclidean_distances(X, squared=True)
    middle = np.median(squared[np.triu_indices(len(X), 1)])
    return 1 / middle if middle > 0 else 1.0


def coordinates(gram):
    """Return rows as vectors whose inner products are the kernel's, and what maps others to them.

    Parameters
    ----------
    gram : ndarray of shape (n_rows, n_rows)

    Returns
    -------
    Z : ndarray of shape (n_rows, rank)
    projection : ndarray of shape (n_rows, rank)
        `K @ projection` are coordinates of others with kernel values K, (n_others, n_rows), in the
        span of the rows.
    """
    values, vectors = np.linalg.eigh(gram)
    kept = values > SMALLEST * values[-1]
    roots = np.sqrt(values[kept])
    return vectors[:, kept] * roots, vectors[:, kept] / roots


def log_partition(scores):
    """Return g of Equation 2 for scores of shape (n_rows, n_classes)."""
    return logsumexp(scores, axis=1)


def fit_coefficients(Z, operator, codes, lam, start=None, tol=1e-4):
    """Return the minimiser of Equation 5.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, rank)
        Coordinates of the rows of the target.
    operator : ndarray of shape (rank, n_codes)
        The mean operator of one row, an estimate or the true one.
    codes : ndarray of shape (n_classes, n_codes)
    lam : float
        The factor of the squared norm.
    start : ndarray of shape (rank, n_codes), optional
        Where to begin.

    Returns
    -------
    theta : ndarray of shape (rank, n_codes)
    """
    n_rows = len(Z)
    shape = operator.shape
    # In these units the curvature is near to one in all directions: a label's variance is at most
    # 1 for codes of 1 and -1, and about a quarter of that in the mean.
    scale = np.sqrt(0.25 * np.sum(Z**2, axis=0) + 2 * lam)[:, None]

    def objective(flat):
        theta = flat.reshape(shape) / scale
        scores = Z @ theta @ codes.T
        value = np.sum(log_partition(scores)) - n_rows * np.sum(operator * theta)
        expected = softmax(scores, axis=1) @ codes
        slope = Z.T @ expected - n_rows * operator + 2 * lam * theta
        return value + lam * np.sum(theta**2), (slope / scale).ravel()

    first = np.zeros(shape) if start is None else start
    how = {"gtol": tol, "ftol": 0, "maxiter": 1000, "maxfun": 2000}
    begin = (first * scale).ravel()
    solution = minimize(objective, begin, jac=True, method="L-BFGS-B", options=how)
    return solution.x.reshape(shape) / scale


class MeanMap(ClassifierMixin, BaseEstimator):
    """Conditional exponential model from proportions of classes in bags, Algorithm 1.

    Parameters
    ----------
    lam : float, default=1.0
        The factor of the squared norm in Equation 5; the likelihood is a sum over rows.
    gamma : float, optional
        Of the kernel exp(-gamma ||x - x'||^2); by default one over the squared median distance.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    operator_weights_ : ndarray of shape (n_bags, n_codes)
        The weight of each bag's mean in the mean operator; the codes of two classes are 1 and -1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.papers.quadrianto2008estimating.method import MeanMap
    >>> rng = np.random.default_rng(0)
    >>> y = np.concatenate([np.zeros(40), np.repeat([0, 1], [10, 30])]).astype(int)
    >>> X = rng.normal(size=(80, 2)) + 4 * y[:, None]
    >>> bags = np.repeat([0, 1], 40)
    >>> model = MeanMap().fit(X, bags=bags, proportions=[[1, 0], [0.25, 0.75]])
    >>> float(np.mean(model.predict(X) == y))
    1.0
    """

    def __init__(self, lam=1.0, gamma=None):
        self.lam = lam
        self.gamma = gamma

    def fit(self, X, y=None, *, bags, proportions, target=None, classes=None):
        """Fit to bags of rows.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
        y : None
            Labels are not used.
        bags : array-like of int, shape (n_rows,)
            The bag of each row, 0 to n_bags - 1.
        proportions : array-like of shape (n_bags, n_classes)
            Shares of the classes in each bag; rows sum to 1, columns are linearly independent.
        target : int, optional
            The bag that the model is of; the last one by default.
        classes : sequence, optional
            Names of the columns; 0, 1, ... by default.

        Raises
        ------
        ValueError
            If a bag is empty, or the proportions are no shares or do not tell the classes apart.
        """
        X = validate_data(self, X)
        bags = np.asarray(bags)
        shares = np.asarray(proportions, dtype=float)
        _check_bags(bags, shares, len(X))
        n_bags, n_classes = shares.shape
        last = n_bags - 1 if target is None else target
        self.classes_ = np.arange(n_classes) if classes is None else np.asarray(classes)
        self.gamma_ = median_gamma(X) if self.gamma is None else self.gamma
        self.operator_weights_ = operator_weights(shares, shares[last])
        self.codes_ = codes_of(n_classes)
        rows = X[bags == last]
        Z, projection = coordinates(self._kernel(rows, rows))
        means = [self._kernel(X[bags == bag], rows).mean(axis=0) for bag in range(n_bags)]
        operator = (np.array(means) @ projection).T @ self.operator_weights_
        theta = fit_coefficients(Z, operator, self.codes_, self.lam)
        # At the optimum 2 lam theta is the operator less the model's own mean, so that scores of
        # any row are sums of kernel values.
        expected = softmax(Z @ theta @ self.codes_.T, axis=1) @ self.codes_
        sizes = np.bincount(bags, minlength=n_bags)
        self.duals_ = len(rows) * self.operator_weights_[bags] / sizes[bags][:, None]
        self.duals_[bags == last] -= expected
        self.duals_ /= 2 * self.lam
        self.X_ = X
        return self

    def _kernel(self, rows, others):
        return np.exp(-self.gamma_ * euclidean_distances(rows, others, squared=True))

    def decision_function(self, X):
        """Return scores, (n_rows, n_classes), whose softmax are the probabilities."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self._kernel(X, self.X_) @ self.duals_ @ self.codes_.T

    def predict_proba(self, X):
        """Return probabilities of classes, (n_rows, n_classes)."""
        return softmax(self.decision_function(X), axis=1)

    def predict(self, X):
        """Return the most probable class of each row."""
        return self.classes_[np.argmax(self.decision_function(X), axis=1)]


def _check_bags(bags, shares, n_rows):
    if shares.ndim != 2 or not np.allclose(shares.sum(axis=1), 1) or np.min(shares) < 0:
        msg = "proportions: want shares of shape (n_bags, n_classes), each row summing to 1"
        raise ValueError(msg)
    if bags.shape != (n_rows,) or not np.array_equal(np.unique(bags), np.arange(len(shares))):
        msg = f"bags: want one of 0 to {len(shares) - 1} for each of {n_rows} rows, and none empty"
        raise ValueError(msg)
    if np.linalg.matrix_rank(shares) < shares.shape[1]:
        msg = f"proportions: of rank below {shares.shape[1]}, they do not tell the classes apart"
        raise ValueError(msg)
