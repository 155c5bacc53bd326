"""Interior point for the small dense quadratic programs of the INFEX master problem."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

# Steps without a smaller gap after which rounding, not distance, is what is left of it.
_PATIENCE = 8


def solve_quadratic(quadratic, linear, constraints, total, start, gap, tol, max_iter=100):
    """Minimise y'Qy / 2 + c'y subject to G y >= 0 and e'y = 1.

    Mehrotra's predictor-corrector method from a start that is strictly feasible for the dual, too.
    Its multipliers tend to the centre of the optimal face, which column generation wants: a vertex
    would put all weight on one of many equally bad samples.

    Parameters
    ----------
    quadratic : ndarray of shape (n, n)
        Q, positive semidefinite.
    linear, total : ndarray of shape (n,)
        c and e.
    constraints : ndarray of shape (m, n)
        G, of full column rank.
    start : tuple of ndarray of shape (n,), ndarray of shape (m,) and float
        y with G y > 0 and e'y = 1; multipliers l > 0 of G and v of e with Q y + c = G'l + v e.
    gap : callable
        Told y and the multipliers of G, returns the duality gap that they prove.
    tol : float
        Gap at which to stop.
    max_iter : int
        Most steps; fewer are taken when rounding stops all progress, at a gap of about 1e-8 where
        columns are nearly alike. The best point met is returned.

    Returns
    -------
    y : ndarray of shape (n,)
    multipliers : ndarray of shape (m,)

    Examples
    --------
    The point of the simplex nearest to the origin:

    >>> eye = np.eye(2)
    >>> y, multipliers = solve_quadratic(
    ...     eye,
    ...     np.zeros(2),
    ...     eye,
    ...     np.ones(2),
    ...     start=(np.array([0.3, 0.7]), np.array([1.3, 1.7]), -1.0),
    ...     gap=lambda y, multipliers: y @ multipliers,
    ...     tol=1e-12,
    ... )
    >>> y.round(6)
    array([0.5, 0.5])
    """
    y, multipliers, level = start
    slack = constraints @ y
    best = (y, multipliers)
    best_gap = np.inf
    since = 0
    for _ in range(max_iter):
        since += 1
        if (new_gap := gap(y, multipliers)) < best_gap:
            best = (y, multipliers)
            best_gap = new_gap
            since = 0
        if best_gap <= tol or since > _PATIENCE:
            break
        residual = quadratic @ y + linear - constraints.T @ multipliers - level * total
        scaled = constraints * np.sqrt(multipliers / slack)[:, None]
        matrix = scaled.T @ scaled + quadratic
        diagonal = np.diag_indices_from(matrix)
        matrix[diagonal] += 1e-14 * matrix[diagonal]
        try:
            factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
        except np.linalg.LinAlgError:
            break
        along = cho_solve(factor, total, check_finite=False)

        def direction(complement, at=(factor, along, slack, multipliers, residual)):
            factor, along, slack, multipliers, residual = at
            right = constraints.T @ (complement / slack) - residual
            move = cho_solve(factor, right, check_finite=False)
            level_move = -(total @ move) / (total @ along)
            move = move + level_move * along
            slack_move = constraints @ move
            return move, level_move, slack_move, (complement - multipliers * slack_move) / slack

        mu = slack @ multipliers / len(slack)
        _, _, slack_move, multiplier_move = direction(-slack * multipliers)
        length = _longest(slack, slack_move), _longest(multipliers, multiplier_move)
        ahead = (slack + length[0] * slack_move) @ (multipliers + length[1] * multiplier_move)
        target = (ahead / len(slack) / mu) ** 3 * mu
        complement = target - slack * multipliers - slack_move * multiplier_move
        move, level_move, slack_move, multiplier_move = direction(complement)
        length = 0.995 * min(_longest(slack, slack_move), _longest(multipliers, multiplier_move))
        y = y + length * move
        level += length * level_move
        slack = slack + length * slack_move
        multipliers = multipliers + length * multiplier_move
    return best


def _longest(values, move):
    falling = move < 0
    return min(1.0, (values[falling] / -move[falling]).min(initial=1.0))
