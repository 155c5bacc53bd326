"""Rankers that are trained on whole lists: ListMLE, ListNet and RankCosine."""

from __future__ import annotations

import numpy as np

from icml2008.methods.listwise import _kernels
from icml2008.methods.listwise.base import ListwiseRanker
from icml2008.methods.listwise.targets import MAPPINGS

# from so many items on, exponentials of all at once are worth their overhead
_MANY = 4096
# the sum of 1 / odds over an item's predecessors must not overflow
_LEAST_ODDS = 1e-200


_PARAMETERS = """hidden : int, default=0
        Units of a hidden layer of hyperbolic tangents; 0 for a linear score.
    bias : bool, default=False
        Whether a constant is added to the scores. {bias}
    solver : {{"lbfgs", "sgd"}}, default="lbfgs"
        Quasi-Newton steps on all lists until the gradient vanishes, or one plain step a list in
        turn until an epoch changes the mean loss by less than `tol` (Algorithm 1 of the paper).
    alpha : float, default=0.0
        Weight of a squared penalty (lbfgs only).
    learning_rate : float, default=0.01
        Of sgd.
    tol : float, default=1e-6
        Of the solver.
    max_iter : int, default=1000
        Iterations, or epochs of sgd.
    init_scale : float, default=0.1
        Standard deviation of the normal initial parameters; the bias starts at 0.
    random_state : int, RandomState instance or None, default=None
        For initial parameters and the order of equal items.

    Attributes
    ----------
    coef_ : ndarray of shape (n_parameters,)
        Weights and bias; with a hidden layer its weights (a row a unit) and constants, then the
        weights of the units and the bias.
    n_iter_ : int
    loss_ : float
        Mean loss of a list at the end{loss}.
    loss_path_ : ndarray of shape (n_iter_,)
        Mean loss after each epoch (sgd only).
    """


class ListMLE(ListwiseRanker):
    __doc__ = f"""Ranker of greatest likelihood under a Plackett-Luce model of orders.

    Parameters
    ----------
    {_PARAMETERS.format(bias="It changes no order and no loss here.", loss="")}
    References
    ----------
    Xia et al. (2008), Section 5. Equal items are put in random order, as in Section 6.2.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ListMLE
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.random((300, 2)), np.repeat(np.arange(20), 15)
    >>> y = X @ [1, 10] + rng.normal(scale=0.05, size=300)
    >>> model = ListMLE(random_state=0).fit(X, y, qid)
    >>> bool(abs(model.coef_[1] / model.coef_[0] - 10) < 1)
    True
    """

    _kind = "likelihood"

    def __init__(
        self,
        *,
        hidden=0,
        bias=False,
        solver="lbfgs",
        alpha=0.0,
        learning_rate=0.01,
        tol=1e-6,
        max_iter=1000,
        init_scale=0.1,
        random_state=None,
    ):
        self.hidden = hidden
        self.bias = bias
        self.solver = solver
        self.alpha = alpha
        self.learning_rate = learning_rate
        self.tol = tol
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.random_state = random_state

    def _targets(self, y, starts):
        return np.zeros(len(y))

    def _total_loss(self, kind, X, targets, starts):
        compiled = super()._total_loss(kind, X, targets, starts)
        if self.hidden or len(X) < _MANY:
            return compiled
        first = starts[:-1]
        sizes = np.diff(starts)
        tails = np.empty(len(X))
        by_score = np.empty(len(X))

        def loss(at, gradient):
            """Take exponentials and logarithms of all items at once, one of each an item."""
            shift = X @ at[:-1]
            shift -= np.repeat(np.maximum.reduceat(shift, first), sizes)
            odds = np.exp(shift)
            if odds.min() < _LEAST_ODDS:
                return compiled(at, gradient)
            _kernels.weigh_tails(odds, starts, tails, by_score)
            gradient[:-1] = by_score @ X
            gradient[-1] = 0.0  # a constant changes no order
            return np.sum(np.log(tails)) - np.sum(shift)

        return loss


class _MappedRanker(ListwiseRanker):
    """A ranker whose loss needs target scores."""

    def __init__(
        self,
        mapping="linear",
        *,
        hidden=0,
        bias=False,
        solver="lbfgs",
        alpha=0.0,
        learning_rate=0.01,
        tol=1e-6,
        max_iter=1000,
        init_scale=0.1,
        random_state=None,
    ):
        self.mapping = mapping
        self.hidden = hidden
        self.bias = bias
        self.solver = solver
        self.alpha = alpha
        self.learning_rate = learning_rate
        self.tol = tol
        self.max_iter = max_iter
        self.init_scale = init_scale
        self.random_state = random_state


_MAPPING = f"""mapping : {{{", ".join(f'"{name}"' for name in MAPPINGS)}}} or None, default="linear"
        Target score of a place, see `target_scores`; None takes y itself."""


class ListNet(_MappedRanker):
    __doc__ = f"""Ranker by the cross entropy of top-one probabilities.

    Parameters
    ----------
    {_MAPPING}
    {_PARAMETERS.format(bias="It changes no order and no loss here.", loss=", entropy included")}
    References
    ----------
    Cao et al. (2007); Xia et al. (2008), Section 4.3.3 and note 4.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import ListNet
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.random((300, 2)), np.repeat(np.arange(20), 15)
    >>> model = ListNet(random_state=0).fit(X, X @ [1, 10], qid)
    >>> bool(model.score(X, X @ [1, 10], qid) > 0.3)  # whole lists of 15 without a fault
    True
    """

    _kind = "cross entropy"

    def _targets(self, y, starts):
        scores = self._target_scores(y, starts)
        first = starts[:-1]
        sizes = np.diff(starts)
        weights = np.exp(scores - np.repeat(np.maximum.reduceat(scores, first), sizes))
        return weights / np.repeat(np.add.reduceat(weights, first), sizes)


class RankCosine(_MappedRanker):
    __doc__ = f"""Ranker by the cosine of scores and target scores.

    The loss is not convex, and depends on the direction of the scores alone.

    Parameters
    ----------
    {_MAPPING}
    {_PARAMETERS.format(bias="Without one it can fail for all mappings but linear.", loss="")}
    References
    ----------
    Qin et al. (2007); Xia et al. (2008), Section 4.3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import RankCosine
    >>> rng = np.random.default_rng(0)
    >>> X, qid = rng.random((300, 2)), np.repeat(np.arange(20), 15)
    >>> model = RankCosine(bias=True, random_state=0).fit(X, X @ [1, 10], qid)
    >>> bool(model.score(X, X @ [1, 10], qid) > 0.3)  # whole lists of 15 without a fault
    True
    """

    _kind = "cosine"

    def _targets(self, y, starts):
        return self._target_scores(y, starts)
