"""Multiple instance ranking, and multiple instance classification put to the same task.

Both learn from boxes of bags of items of which only the preferred bag of each box is known, not
the item that makes it preferred, by :mod:`icml2008.methods.bag_ranking.successive_lp`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from icml2008.methods.bag_ranking.successive_lp import SuccessiveLinearProgramming


class MIRank(SuccessiveLinearProgramming):
    """Multiple instance ranking by successive linear programming.

    Minimises ``nu * sum(xi) + |w|_1`` such that for each pair of bags of which the first is known
    to be preferred, a convex combination of its items scores higher, by 1 - xi, than each item of
    the second. Usually the pairs are those of a box's preferred bag with its other bags.

    Parameters
    ----------
    nu : float, default=1.0
        Weight of the losses against the 1-norm of the coefficients, positive.
    kernel : {"linear", "poly", "rbf", ...}, callable or None, default=None
        None learns one coefficient for each feature (Eqs. 2-6). A kernel learns one for each
        training item (Eqs. 7-12); it is a name known to
        :func:`sklearn.metrics.pairwise.pairwise_kernels` or a function of two items.
    gamma, degree, coef0 : float, default=None, 3, 1
        Parameters of kernels given by name; gamma None means 1 / n_features.
    kernel_params : dict or None, default=None
        Further parameters of the kernel, the only ones that a callable is given.
    solution : {"vertex", "interior"}, default="vertex"
        Which solution of each linear program is kept: a vertex, where a simplex method ends, or
        that of an interior-point method, the point on the central path with a duality gap of 1e-8
        of the objective. Coefficients that are 0 at the optimum are tiny there and still rank.
    tol : float, default=1e-3
        Stop when no convex combination changes by more than this (1-norm) or, at a vertex, when the
        objective no longer decreases.
    max_iter : int, default=100
        Largest number of rounds. The paper sets none; a handful is usual.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients, if kernel is None: an item's score rises by ``coef_[k]`` with a unit of
        feature k. A difference of 1 is the margin that an item of a preferred bag should have over
        the others, and there is no intercept: only differences between items have a meaning.
    dual_coef_ : ndarray of shape (n_train_items,)
        Coefficients of the training items otherwise; `X_fit_` holds the items.
    objective_path_ : ndarray of shape (n_iter_,)
        Objective after each linear program in w; never increases beyond rounding.
    n_iter_ : int
        Number of linear programs in w that were solved.
    n_skipped_boxes_ : int
        Boxes in which no bag is known to be preferred; nothing is learnt from them.
    n_features_in_ : int

    See Also
    --------
    mirank_path : Fit for many values of nu at once, faster than one by one.

    Notes
    -----
    The paper has a vector of weights for each pair of bags. Those of one preferred bag start equal,
    and giving all weight to the best item is optimal for each of them, so that one vector a
    preferred bag is enough. Where items tie for best, they share the weight, so that the order of
    items does not matter.

    References
    ----------
    Bergeron, Zaretzki, Breneman and Bennett (2008). Multiple Instance Ranking. ICML, Algorithm 1
    and Eqs. 2-12.

    Examples
    --------
    Three boxes of two bags; the bag with the item of largest first feature is preferred.

    >>> import numpy as np
    >>> from icml2008.methods import MIRank
    >>> X = np.array([[0, 5], [3, 1], [1, 4], [2, 3], [8, 0], [7, 7], [4, 2], [5, 1], [4, 0]])
    >>> boxes = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> bags = [1, 1, 2, 1, 2, 1, 2, 1, 2]
    >>> y = [1, 1, 0, 0, 1, 0, 0, 1, 0]
    >>> ranker = MIRank(nu=10).fit(X, y, boxes=boxes, bags=bags)
    >>> ranker.rank(X, boxes=boxes, bags=bags)
    {'a': [1, 2], 'b': [2, 1], 'c': [1, 2]}
    >>> ranker.score(X, y, boxes=boxes, bags=bags, guesses=1)
    1.0
    """

    def __init__(
        self,
        nu=1.0,
        kernel=None,
        *,
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        solution="vertex",
        tol=1e-3,
        max_iter=100,
    ):
        self.nu = nu
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solution = solution
        self.tol = tol
        self.max_iter = max_iter

    def _penalty(self, n_coefs):
        return np.ones(n_coefs)

    def fit(self, X, y=None, *, boxes, bags, pairs=()):
        """Learn from preferred bags, from pairs of bags, or from both.

        Parameters
        ----------
        X : array-like of shape (n_items, n_features)
            Finite. The 1-norm depends on the units of features: bring them to similar scales.
        y : array-like of shape (n_items,) or None
            1 for every item of a preferred bag, else 0: each is preferred over all bags of its box
            that are not. A box without one is skipped, and `n_skipped_boxes_` counts it.
        boxes, bags : array-like of shape (n_items,)
            Labels; a bag is the pair (box, bag). A box of one bag holds no preference.
        pairs : sequence of pairs (I, J) of bags, optional
            Bag I is preferred over bag J, each given as (box label, bag label), in one box or two.
            What y says already counts once.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X, y, the labels or a pair are malformed, no bag is preferred over another, or a
            parameter is out of range.

        Warns
        -----
        sklearn.exceptions.ConvergenceWarning
            If convex combinations still change and the objective still decreases after `max_iter`
            rounds; the last coefficients are kept.
        """
        features, roles = self._features(X, y, boxes, bags, pairs)
        self._alternate([self], features, roles)
        return self

    def _loss_weights(self, roles):
        return np.ones(len(roles.losers))

    def _rows(self, centres, others, roles):
        return centres[roles.winners] - others[roles.losers]


class MIC(SuccessiveLinearProgramming):
    """Multiple instance classification by successive linear programming, used to rank.

    Preferred bags are active bags and all others inactive, whatever their box. Minimises
    ``nu * (sum of losses) + |w|_1`` where each active bag should have a convex combination of its
    items with ``x'w - gamma >= 1``, and each item of an inactive bag ``x'w - gamma <= -1``. A bag
    is scored by the maximum of ``x'w - gamma`` over its items.

    Parameters
    ----------
    nu : float, default=1.0
        Weight of the losses against the 1-norm of the coefficients, positive.
    kernel : {"linear", "poly", "rbf", ...}, callable or None, default=None
        None learns one coefficient for each feature, a kernel one for each training item, see
        :class:`MIRank`.
    balanced : bool, default=False
        Give the active bags together the same weight as the items of all inactive bags, at an
        unchanged sum of weights. Off by default: Bergeron et al. (2008, section 4) describe
        Mangasarian and Wild's objective as the 1-norm of the losses and the 1-norm of w under one
        trade-off, which leaves no weight for a class. Where items of inactive bags are many, the
        unbalanced program is often best off with w = 0: a vertex then ranks nothing.
    gamma, degree, coef0 : float, default=None, 3, 1
        Parameters of kernels given by name; gamma None means 1 / n_features.
    kernel_params : dict or None, default=None
        Further parameters of the kernel, the only ones that a callable is given.
    solution : {"vertex", "interior"}, default="vertex"
        Which solution of each linear program is kept: a vertex, where a simplex method ends, or
        that of an interior-point method, the point on the central path with a duality gap of 1e-8
        of the objective. Coefficients that are 0 at the optimum are tiny there and still rank.
    tol : float, default=1e-3
        Stop when no convex combination changes by more than this (1-norm) or, at a vertex, when the
        objective no longer decreases.
    max_iter : int, default=100
        Largest number of rounds.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients, if kernel is None.
    dual_coef_ : ndarray of shape (n_train_items,)
        Coefficients of the training items otherwise; `X_fit_` holds the items.
    intercept_ : float
        Minus the threshold gamma, which is free of penalty.
    objective_path_ : ndarray of shape (n_iter_,)
        Objective after each linear program in w; never increases beyond rounding.
    n_iter_ : int
        Number of linear programs in w that were solved.
    n_skipped_boxes_ : int
        Boxes in which no bag is known to be preferred; nothing is learnt from them.
    n_features_in_ : int

    See Also
    --------
    mic_path : Fit for many values of nu at once, faster than one by one.

    References
    ----------
    Mangasarian and Wild (2008). Multiple Instance Classification via Successive Linear
    Programming. Journal of Optimization Theory and Applications 137, 555-568.

    Bergeron, Zaretzki, Breneman and Bennett (2008). Multiple Instance Ranking. ICML, section 7.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import MIC
    >>> X = np.array([[0, 5], [3, 1], [1, 4], [2, 3], [8, 0], [1, 7]])
    >>> labels = {"boxes": [0, 0, 0, 1, 1, 1], "bags": ["u", "u", "v", "u", "v", "u"]}
    >>> y = [1, 1, 0, 0, 1, 0]
    >>> MIC(nu=10).fit(X, y, **labels).rank(X, **labels)
    {0: ['u', 'v'], 1: ['v', 'u']}
    """

    def __init__(
        self,
        nu=1.0,
        kernel=None,
        *,
        balanced=False,
        gamma=None,
        degree=3,
        coef0=1,
        kernel_params=None,
        solution="vertex",
        tol=1e-3,
        max_iter=100,
    ):
        self.nu = nu
        self.kernel = kernel
        self.balanced = balanced
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.solution = solution
        self.tol = tol
        self.max_iter = max_iter

    def _penalty(self, n_coefs):
        return np.append(np.ones(n_coefs), 0.0)

    def _loss_weights(self, roles):
        counts = np.array([len(roles.starts), len(roles.others)])
        weights = 0.5 * counts.sum() / counts if self.balanced else np.ones(2)
        return np.repeat(weights, counts)

    def _rows(self, centres, others, roles):
        sides = np.repeat([1.0, -1.0], [len(centres), len(others)])[:, None]
        return sides * np.hstack([np.vstack([centres, others]), np.ones_like(sides)])

    def _keep(self, w):
        super()._keep(w[:-1])
        self.intercept_ = float(w[-1])


def mirank_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    boxes: ArrayLike,
    bags: ArrayLike,
    nus: Sequence[float],
    pairs: Sequence[Sequence[tuple]] = (),
    **parameters,
) -> list[MIRank]:
    """Fit :class:`MIRank` for many values of nu.

    Parameters
    ----------
    X : array-like of shape (n_items, n_features)
    y : array-like of shape (n_items,) or None
        1 for every item of a preferred bag, else 0.
    boxes, bags : array-like of shape (n_items,)
        Labels; a bag is the pair (box, bag).
    nus : sequence of float
        Positive.
    pairs : sequence of pairs of bags, optional
        As in :meth:`MIRank.fit`.
    **parameters
        Other parameters of the estimator.

    Returns
    -------
    list of MIRank
        Fitted, in the order of `nus`. Each equals, to the last bit, the estimator fitted alone:
        neighbours lend their basis to get started, never their result.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import mirank_path
    >>> X, y = np.array([[0.0], [1.0], [3.0], [2.0]]), [0, 1, 1, 0]
    >>> labels = {"boxes": [0, 0, 1, 1], "bags": [0, 1, 0, 1]}
    >>> [float(m.coef_[0]) for m in mirank_path(X, y, **labels, nus=[0.1, 10])]
    [0.0, 1.0]
    """
    return MIRank(**parameters)._fit_path(X, y, boxes, bags, nus, pairs)


def mic_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    boxes: ArrayLike,
    bags: ArrayLike,
    nus: Sequence[float],
    **parameters,
) -> list[MIC]:
    """Fit :class:`MIC` for many values of nu.

    Parameters
    ----------
    X, y, boxes, bags, nus, **parameters
        As in :func:`mirank_path`.

    Returns
    -------
    list of MIC
        Fitted, in the order of `nus`; each equals the estimator fitted alone.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import mic_path
    >>> X, y = np.array([[0.0], [1.0], [3.0], [2.0]]), [0, 1, 1, 0]
    >>> labels = {"boxes": [0, 0, 1, 1], "bags": [0, 1, 0, 1]}
    >>> [float(m.coef_[0]) for m in mic_path(X, y, **labels, nus=[0.1, 10])]
    [0.0, 0.666...]
    """
    return MIC(**parameters)._fit_path(X, y, boxes, bags, nus)
