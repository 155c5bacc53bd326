"""Primal-dual interior point for the weights of a mixture with fixed components."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csc_array, diags_array, issparse
from scipy.sparse.linalg import splu

# A dense factorisation beats a sparse one until about here, whatever the sparsity.
_DENSE_LIMIT = 1000
# A product q_j s_j this far below the mean of all: the point has come too near to the border.
_UNCENTRED = 0.01
# Newton steps to put right what the columns left out had carried.
_TRIM_STEPS = 20


class _Point(NamedTuple):
    """An interior point, or a direction from one: q, K q, eta and s."""

    weights: np.ndarray
    mixture: np.ndarray
    dual: np.ndarray
    slack: np.ndarray


def mixture_gradient(responses, mixture):
    """D_j = (1/n) sum_i K_ij / (K q)_i, at most 1 for every column at the optimum."""
    return responses.T @ (1 / mixture) / len(mixture)


def newton(responses, weights, tol, limit, *, shrink=False):
    """Mehrotra's predictor-corrector method on the optimality conditions in (q, eta, s) > 0.

    K^T eta + s = 1, eta_i (K q)_i = 1 / n and q_j s_j = 0: linear but for products of two, as in
    a linear program, so that steps may be long far from the optimum, too.

    Parameters
    ----------
    responses : array or sparse array of shape (n_samples, n_components)
    weights : ndarray of shape (n_components,)
        Where to start; non-negative.
    tol : float
        Duality gap; the last steps go on well below it, which costs little and makes the
        support clear.
    limit : int
        Most steps.
    shrink : bool
        Leave out on the way the columns that look lost. Not safe: the caller must check the
        gradient of all columns at the end.

    Returns
    -------
    weights : ndarray of shape (n_components,)
        With sum 1, positive but for rounding.
    slack : ndarray of shape (n_components,)
        s; smaller than the weight for the columns of the support.
    n_iter : int
    """
    n_samples, n_components = responses.shape
    kept = np.arange(n_components)
    # Into the interior: from the border the steps are short.
    weights = 0.9 * weights + 0.1 * weights.sum() / n_components
    mixture = responses @ weights
    # Rescaled so that eta = 1 / (n K q) leaves every slack positive.
    scale = 1.1 * mixture_gradient(responses, mixture).max()
    weights = weights * scale
    mixture = mixture * scale
    dual = 1 / (n_samples * mixture)
    point = _Point(weights, mixture, dual, 1 - responses.T @ dual)
    gap = np.inf
    for n_iter in range(limit + 1):
        if shrink and gap < 0.01:
            stays = point.weights >= 0.01 / len(kept) * point.slack
            if stays.mean() < 0.9:
                kept = kept[stays]
                responses = responses[:, stays]
                weights = point.weights[stays]
                point = _Point(weights, responses @ weights, point.dual, point.slack[stays])
        gradient = mixture_gradient(responses, point.mixture)
        previous = gap
        gap = np.log(gradient.max() * point.weights.sum())
        if gap <= 1e-4 * tol or (gap <= tol and gap > previous / 2) or n_iter == limit:
            break
        point = _step(responses, point)
    final = np.zeros(n_components)
    final_slack = np.ones(n_components)
    final[kept] = point.weights / point.weights.sum()
    final_slack[kept] = point.slack
    return final, final_slack, n_iter


def trim(responses, weights, slack, tol):
    """Set to zero what strict complementarity calls zero, where the certificate allows it."""
    support = weights > slack
    if support.all() or np.log(mixture_gradient(responses, responses @ weights).max()) > tol:
        return weights, 0
    part = responses[:, support]
    trimmed = weights[support] / weights[support].sum()
    steps = 0
    if np.log(mixture_gradient(responses, part @ trimmed).max()) > tol:
        trimmed, _, steps = newton(part, trimmed, tol, _TRIM_STEPS)
        if np.log(mixture_gradient(responses, part @ trimmed).max()) > tol:
            return weights, steps
    weights = np.zeros_like(weights)
    weights[support] = trimmed
    return weights, steps


def _step(responses, point):
    weights, mixture, dual, slack = point
    solve = _factorise(responses, dual / mixture, slack / weights)
    residual = 1 - responses.T @ dual - slack

    def direction(dual_gap, complement):
        """The move that makes up these shortfalls of eta_i (K q)_i and q_j s_j, to first order."""
        move = solve(complement / weights + responses.T @ (dual_gap / mixture) - residual)
        mixture_move = responses @ move
        dual_move = (dual_gap - dual * mixture_move) / mixture
        return _Point(move, mixture_move, dual_move, (complement - slack * move) / weights)

    dual_gap = 1 / len(mixture) - dual * mixture
    complement = -weights * slack
    mu = -complement.mean()
    if -complement.max() < _UNCENTRED * mu:
        # Back to the middle: from near the border the corrected steps can go round in circles.
        move = direction(dual_gap, complement + 0.3 * mu)
    else:
        move = direction(dual_gap, complement)
        length = _longest(point, move)
        ahead = ((weights + length * move.weights) * (slack + length * move.slack)).mean()
        move = direction(
            dual_gap - move.dual * move.mixture,
            complement + (ahead / mu) ** 3 * mu - move.weights * move.slack,
        )
    length = _longest(point, move) * min(max(0.9, 1 - mu), 1 - 1e-8)
    weights, _, dual, slack = (at + length * by for at, by in zip(point, move, strict=True))
    return _Point(weights, responses @ weights, dual, slack)


def _longest(point, move):
    """Longest step in [0, 1] that keeps every value non-negative."""
    length = 1.0
    for values, by in zip(point, move, strict=True):
        falling = by < 0
        length = min(length, (values[falling] / -by[falling]).min(initial=1.0))
    return length


def _factorise(responses, inner, diagonal):
    """Factorise K^T diag(inner) K + diag(diagonal); return the solver."""
    scale = np.sqrt(inner)
    if issparse(responses):
        scaled = csc_array(diags_array(scale) @ responses)
        hessian = scaled.T @ scaled
        if len(diagonal) > _DENSE_LIMIT:
            hessian = csc_array(hessian + diags_array(diagonal))
            return splu(
                hessian,
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0,
                options={"SymmetricMode": True},
            ).solve
        hessian = hessian.toarray()
    else:
        scaled = responses * scale[:, None]
        hessian = scaled.T @ scaled
    at = np.diag_indices_from(hessian)
    # Twin columns make the matrix singular in the limit: a jitter at rounding level.
    hessian[at] += diagonal + 1e-15 * hessian[at]
    factor = cho_factor(hessian, lower=True, overwrite_a=True, check_finite=False)
    return lambda right: cho_solve(factor, right, check_finite=False)
