"""Mixture proportions: the convex master problem of exemplar-based clustering.

For a response matrix K >= 0 with n samples as rows and m candidate components as columns, find
the weights q on the simplex that maximise the mean log-likelihood (1/n) sum_i log (K q)_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from warnings import warn

import numpy as np
from scipy.sparse import csc_array, diags_array, issparse

from ._active_set import active_set
from ._interior_point import mixture_gradient, newton, trim
from ._multiplicative import multiplicative, scout

METHODS = ("interior-point", "active-set", "multiplicative", "auto")
# From so many components on "auto" tries few columns first.
_MANY = 512
# From this share of entries on, products of dense matrices are the faster ones.
_DENSE_SHARE = 0.05
# Samples whose responses sum to less are scaled up, lest 1 / (K q) overflow.
_SMALLEST = 1e-200


@dataclass(frozen=True)
class MixtureWeights:
    """Weights of a mixture with fixed components, and the certificate of their quality.

    Attributes
    ----------
    weights : ndarray of shape (n_components,)
        Non-negative, with sum 1.
    objective : float
        Mean log-likelihood of the samples.
    gap : float
        Bound on what any other weights could add to `objective`: log max_j D_j.
    gradient : ndarray of shape (n_components,)
        D_j = mean_i K_ij / (K q)_i: at the optimum 1 where the weight is positive and at most
        1 elsewhere.
    n_iter : int
        Multiplicative and Newton steps together.
    """

    weights: np.ndarray
    objective: float
    gap: float
    gradient: np.ndarray
    n_iter: int


def mixture_weights(
    responses, *, start=None, method="interior-point", tol=1e-8, max_iter=None, prune=0.0
):
    """Maximise the likelihood of a mixture over the weights of its fixed components.

    The gap is computed from the weights alone: for any q on the simplex, eta_i = 1 / (n (K q)_i)
    divided by max_j D_j is feasible for the dual problem, and the two values differ by
    log max_j D_j, where D = K^T eta.

    Parameters
    ----------
    responses : array or sparse array of shape (n_samples, n_components)
        Component densities at the samples, known up to one factor for each sample.
    start : array-like of shape (n_components,), optional
        Positive starting weights; uniform by default. A component that starts with weight zero
        stays out under the multiplicative update and may come in under interior point.
    method : {"interior-point", "active-set", "multiplicative", "auto"}
        `"multiplicative"` is q_j <- q_j D_j, the update of Csiszar and Shields used by Lashkari
        and Golland (2007, eq. 9). `"interior-point"` begins with such steps, accelerated, keeps
        the columns that still matter, solves for them by a primal-dual Newton method on
        min_q sum(q) - (1/n) sum_i log (K q)_i, q >= 0, whose optimum lies on the simplex, and
        takes in further columns until the gap over all of them is below `tol`. `"active-set"`
        solves by the same Newton method on few columns that grow from none, and hands over to
        the whole where they come to more than 64 and an eighth of all: faster where few of very
        many are positive. `"auto"` is `"active-set"` from 512 components on, unless less than a
        twentieth of the responses are positive.
    tol : float
        Duality gap at which to stop, in nats per sample.
    max_iter : int, optional
        Limit on the steps; 100,000 multiplicative or 200 Newton steps by default.
    prune : float
        For the multiplicative update: drop components whose weight falls below
        ``prune / n_components``, as Lashkari and Golland do with 1e-3. The gap is then tested on
        the components that remain, and reported over all.

    Returns
    -------
    MixtureWeights

    Raises
    ------
    ValueError
        If a response is negative or not finite, or a sample has none that is positive.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If the gap is above `tol` at the end.

    References
    ----------
    Lashkari, D. and Golland, P. (2007). Convex clustering with exemplar-based models. NIPS.

    Kim, Y., Carbonetto, P., Stephens, M. and Anitescu, M. (2020). A fast algorithm for maximum
    likelihood estimation of mixture proportions using sequential quadratic programming. JCGS.

    Examples
    --------
    Two components that each explain one sample twice as well as the other does:

    >>> solution = mixture_weights([[2.0, 1.0], [1.0, 2.0], [2.0, 1.0]])
    >>> solution.weights.round(6)
    array([1., 0.])
    >>> solution.gap <= 1e-8
    True
    """
    if method not in METHODS:
        msg = f"method is {method!r}; known: {', '.join(METHODS)}"
        raise ValueError(msg)
    responses = csc_array(responses) if issparse(responses) else np.asarray(responses, dtype=float)
    n_components = responses.shape[1]
    totals = responses.sum(axis=1)
    if responses.min() < 0 or not np.isfinite(totals).all():
        msg = "responses must be non-negative and finite"
        raise ValueError(msg)
    if totals.min() <= 0:
        sample = int(np.argmin(totals))
        msg = (
            f"sample {sample} has response zero to every component, so its likelihood is zero; "
            "add a component near it or widen the kernel"
        )
        raise ValueError(msg)
    factor = np.ones(len(totals))
    if totals.min() < _SMALLEST:
        factor = 1 / np.maximum(totals, _SMALLEST)
        responses = (
            csc_array(diags_array(factor) @ responses)
            if issparse(responses)
            else (responses * factor[:, None])
        )
    if start is None:
        start = np.full(n_components, 1 / n_components)
    weights = np.asarray(start, dtype=float)
    if weights.shape != (n_components,) or weights.min() < 0 or not weights.sum() > 0:
        msg = f"start must be {n_components} non-negative weights that are not all zero"
        raise ValueError(msg)
    weights = weights / weights.sum()
    if method == "auto":
        method = _fitting_method(responses)
    if method == "multiplicative":
        limit = 100_000 if max_iter is None else max_iter
        weights, n_iter = multiplicative(responses, weights, tol, limit, prune / n_components)
    elif method == "active-set":
        weights, n_iter = active_set(responses, weights, tol, limit := max_iter or 200)
        if np.log(mixture_gradient(responses, responses @ weights).max()) > tol and n_iter < limit:
            weights, steps = _working_set(responses, weights, tol, limit - n_iter)
            n_iter += steps
    else:
        weights, n_iter = _working_set(responses, weights, tol, max_iter or 200)
    mixture = responses @ weights
    gradient = mixture_gradient(responses, mixture)
    gap = float(np.log(gradient.max()))
    if gap > tol:
        from sklearn.exceptions import ConvergenceWarning

        text = f"duality gap {gap:.3g} is above tol={tol:.3g} after {n_iter} steps"
        warn(text, ConvergenceWarning, stacklevel=2)
    objective = float(np.log(mixture).mean() - np.log(factor).mean())
    return MixtureWeights(weights, objective, max(gap, 0.0), gradient, n_iter)


def _fitting_method(responses):
    """Return the method that is the faster one for most responses of this size."""
    sparse = issparse(responses)
    entries = responses.shape[0] * responses.shape[1]
    few = sparse and responses.nnz <= _DENSE_SHARE * entries
    return "active-set" if responses.shape[1] >= _MANY and not few else "interior-point"


def _working_set(responses, weights, tol, limit):
    """Solve on the columns that can matter; take in those that turn out to."""
    weights, gradient, working, n_iter = scout(responses, weights, tol)
    if np.log(gradient.max()) <= tol:
        weights, steps = trim(responses, weights, 1 - gradient, tol)
        return weights, n_iter + steps
    # A sample that many light columns share must not be left without any.
    before = responses @ weights
    after = responses @ np.where(working, weights, 0)
    working |= responses[after < before / 2].sum(axis=0) > 0
    first = True
    newton_steps = 0
    while np.log(gradient.max()) > tol and newton_steps < limit:
        columns = np.flatnonzero(working)
        part = responses[:, columns]
        if issparse(part) and part.nnz > _DENSE_SHARE * part.shape[0] * part.shape[1]:
            part = part.toarray()
        left = limit - newton_steps
        part_weights, slack, steps = newton(part, weights[columns], tol, left, shrink=first)
        part_weights, more_steps = trim(part, part_weights, slack, tol)
        newton_steps += steps + more_steps
        weights = np.zeros_like(weights)
        weights[columns] = part_weights
        gradient = mixture_gradient(responses, part @ part_weights)
        entering = gradient > 1 + tol / 2
        if first:
            working = weights > 0
            first = False
        elif not (entering & ~working).any():
            break
        # From now on the set only grows: what was dropped and taken back stays.
        working |= entering
    return weights, n_iter + newton_steps
