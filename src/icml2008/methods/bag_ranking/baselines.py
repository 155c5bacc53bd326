"""Support vector machines that rank bags: what is at hand today beside MIRank."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.validation import check_is_fitted, validate_data

from icml2008.methods.bag_ranking.base import BagRanker


class RankingSVM(BagRanker):
    """Linear ranking support vector machine that takes every item of a preferred bag as preferred.

    Minimises ``|w|^2 / 2 + C * sum(max(0, 1 - (x_i - x_j)'w)^2)`` over all items i of a box's
    preferred bag and j of its other bags. It ignores that perhaps one item alone makes a bag
    preferred, which is what multiple instance ranking is about.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the losses, positive.
    tol : float, default=1e-4
        Tolerance of the solver.
    max_iter : int, default=1000
        Largest number of the solver's iterations.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    Holds one row for each pair of items: sum over boxes of (items of the preferred bag) times
    (other items).

    References
    ----------
    Joachims (2002). Optimizing search engines using clickthrough data. KDD.

    Chapelle and Keerthi (2010). Efficient algorithms for ranking with SVMs. Information Retrieval
    13, Eq. 3: the squared loss.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RankingSVM
    >>> X = np.array([[0, 5], [3, 1], [1, 4], [2, 3], [8, 0], [1, 7]])
    >>> labels = {"boxes": [0, 0, 0, 1, 1, 1], "bags": ["u", "u", "v", "u", "v", "u"]}
    >>> y = [1, 1, 0, 0, 1, 0]
    >>> RankingSVM().fit(X, y, **labels).rank(X, **labels)
    {0: ['u', 'v'], 1: ['v', 'u']}
    """

    def __init__(self, C=1.0, *, tol=1e-4, max_iter=1000):
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, boxes, bags):
        """Learn from all pairs of items of one box, one of them in the preferred bag.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
        y : array-like of shape (n_items,)
            1 for every item of a preferred bag, else 0.
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag).

        Returns
        -------
        self

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If the solver stops at `max_iter`.
        """
        X, roles = self._training_data(X, y, boxes, bags)
        sizes = roles.sizes[roles.winners]
        ends = np.cumsum(sizes)
        # for each item that should lose the positions of the items of the preferred bag
        position = np.arange(ends[-1]) + np.repeat(
            roles.starts[roles.winners] - (ends - sizes), sizes
        )
        pairs = X[roles.preferred[position]] - X[np.repeat(roles.others[roles.losers], sizes)]
        # a classifier wants two classes: turning a pair round turns its class round
        side = np.where(np.arange(len(pairs)) % 2, -1.0, 1.0)
        svm = LinearSVC(
            C=self.C, fit_intercept=False, dual=False, tol=self.tol, max_iter=self.max_iter
        )
        if len(pairs) == 1:
            pairs = np.vstack([pairs, pairs])
            side = np.array([1.0, -1.0])
            svm.set_params(C=self.C / 2)
        svm.fit(pairs * side[:, None], side)
        self.coef_ = svm.coef_[0]
        self.n_iter_ = int(svm.n_iter_)
        return self

    def decision_function(self, X):
        """Score items; the higher, the more preferred.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)

        Returns
        -------
        ndarray of shape (n_items,)
        """
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False) @ self.coef_


class MISVM(BagRanker):
    """MI-SVM, a maximum margin multiple instance classifier, used to rank.

    A support vector machine parts one witness of each preferred bag from all items of other bags,
    whatever their box. Witnesses start as bag means and become the items that score best, until
    they stay.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the losses, positive.
    kernel : {"linear", "poly", "rbf", "sigmoid"} or callable, default="linear"
    gamma, degree, coef0 : default="scale", 3, 0.0
        Parameters of the kernel, as in :class:`sklearn.svm.SVC`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes 1 (witnesses) and 0 (items of other bags).
    tol : float, default=1e-3
        Tolerance of the solver.
    max_iter : int, default=50
        Largest number of rounds.

    Attributes
    ----------
    svm_ : sklearn.svm.SVC
        The last classifier.
    n_iter_ : int
        Number of classifiers that were fitted.
    n_features_in_ : int

    References
    ----------
    Andrews, Tsochantaridis and Hofmann (2003). Support vector machines for multiple-instance
    learning. NIPS 15, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MISVM
    >>> X = np.array([[0, 5], [3, 1], [1, 4], [2, 3], [8, 0], [1, 7]])
    >>> labels = {"boxes": [0, 0, 0, 1, 1, 1], "bags": ["u", "u", "v", "u", "v", "u"]}
    >>> y = [1, 1, 0, 0, 1, 0]
    >>> MISVM(C=10).fit(X, y, **labels).rank(X, **labels)
    {0: ['u', 'v'], 1: ['v', 'u']}
    """

    def __init__(
        self,
        C=1.0,
        kernel="linear",
        *,
        gamma="scale",
        degree=3,
        coef0=0.0,
        class_weight=None,
        tol=1e-3,
        max_iter=50,
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, boxes, bags):
        """Learn to tell preferred bags from other bags.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
        y : array-like of shape (n_items,)
            1 for every item of a preferred bag, else 0.
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag).

        Returns
        -------
        self

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If the witnesses still change after `max_iter` rounds.
        """
        X, roles = self._training_data(X, y, boxes, bags)
        preferred = X[roles.preferred]
        bag_of_item = np.repeat(np.arange(len(roles.sizes)), roles.sizes)
        witnesses = np.add.reduceat(preferred, roles.starts) / roles.sizes[:, None]
        classes = np.repeat([1, 0], [len(witnesses), len(roles.others)])
        previous = None
        for n_iter in range(1, self.max_iter + 1):
            self.n_iter_ = n_iter
            self.svm_ = SVC(
                C=self.C,
                kernel=self.kernel,
                gamma=self.gamma,
                degree=self.degree,
                coef0=self.coef0,
                class_weight=self.class_weight,
                tol=self.tol,
            ).fit(np.vstack([witnesses, X[roles.others]]), classes)
            scores = self.svm_.decision_function(preferred)
            # by bag, best first; the first of equals
            chosen = np.lexsort((-scores, bag_of_item))[roles.starts]
            if previous is not None and np.array_equal(chosen, previous):
                return self
            previous = chosen
            witnesses = preferred[chosen]
        warnings.warn(
            f"MISVM did not settle in max_iter={self.max_iter} rounds: witnesses still change; "
            "raise max_iter",
            ConvergenceWarning,
            stacklevel=2,
        )
        return self

    def decision_function(self, X):
        """Score items; the higher, the more preferred.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)

        Returns
        -------
        ndarray of shape (n_items,)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.svm_.decision_function(X)
