"""The four master problems of Nowozin and Bakir (2008, Section 3.1) on a finite set of columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ._mixture import mixture_weights
from ._quadratic import solve_quadratic

OBJECTIVES = ("margin", "likelihood", "margin-variance", "mean-variance")


@dataclass(frozen=True)
class MasterSolution:
    """Weights of the columns, and what tells whether a further column would help.

    Attributes
    ----------
    weights : ndarray of shape (n_columns,)
    objective : float
        Minus Omega: larger is better.
    sample_weights : ndarray of shape (n_samples,)
        Minus the multipliers alpha of the responses: a column k helps only if
        ``sample_weights @ k > level``, and by no more than the difference.
    level : float
    gap : float
        Largest such difference among the columns: the duality gap.
    """

    weights: np.ndarray
    objective: float
    sample_weights: np.ndarray
    level: float
    gap: float


def solve_master(objective, columns, penalty, tol):
    """Solve problem (4) for given columns.

    Parameters
    ----------
    objective : str
        One of `OBJECTIVES`.
    columns : ndarray of shape (n_samples, n_columns)
        Responses, non-negative.
    penalty : float
        C of the last two objectives.
    tol : float
        Duality gap at which to stop.

    Returns
    -------
    MasterSolution

    Examples
    --------
    Two columns that reach one sample each, and one that reaches both half:

    >>> columns = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]])
    >>> solution = solve_master("margin", columns, 0.0, 1e-9)
    >>> round(solution.objective, 6), solution.sample_weights.round(6)
    (0.5, array([0.5, 0.5]))
    """
    if objective == "likelihood":
        mixture = mixture_weights(columns, tol=tol)
        sample_weights = 1 / (len(columns) * (columns @ mixture.weights))
        return MasterSolution(mixture.weights, mixture.objective, sample_weights, 1.0, mixture.gap)
    if objective == "mean-variance":
        program = _mean_variance_program(columns, penalty)
    else:
        program = _margin_program(columns, 0.0 if objective == "margin" else penalty)
    matrices, certify = program
    y, multipliers = solve_quadratic(*matrices, gap=lambda y, m: certify(y, m).gap, tol=tol)
    solution = certify(y, multipliers)
    # Strict complementarity tells the support, as far as the certificate allows.
    n_columns = columns.shape[1]
    support = np.where(y[:n_columns] > multipliers[:n_columns], y[:n_columns], 0)
    sparse = certify(np.concatenate([support, y[n_columns:]]), multipliers)
    return sparse if sparse.gap <= max(tol, solution.gap) else solution


def _margin_program(columns, penalty):
    """-rho + (C/n) sum_i (gamma_i - rho)^2 in (q, rho), subject to gamma_i >= rho, q >= 0."""
    n_samples, n_columns = columns.shape
    excess = np.hstack([columns, -np.ones((n_samples, 1))])
    selector = np.eye(n_columns, n_columns + 1)
    constraints = np.vstack([selector, excess])
    linear = np.append(np.zeros(n_columns), -1.0)
    quadratic = 2 * penalty / n_samples * (excess.T @ excess)
    uniform = np.full(n_columns, 1 / n_columns)
    y = np.append(uniform, (columns @ uniform).min() - 0.1 * columns.max())
    slope = quadratic @ y + linear
    omega = np.full(n_samples, -slope[-1] / n_samples)
    of_weights, level = _positive_multipliers(slope[:-1] - omega @ columns)
    start = y, np.append(of_weights, omega), level

    def certify(y, multipliers):
        weights = np.maximum(y[:n_columns], 0)
        weights = weights / weights.sum()
        mixture = columns @ weights
        margin = mixture.min()
        slack = mixture - margin
        pushes = 2 * penalty / n_samples * slack
        # Scaled such that the Lagrangian is flat in rho: then the bound holds exactly.
        omega = multipliers[n_columns:]
        omega = omega * ((1 + pushes.sum()) / omega.sum())
        sample_weights = omega - pushes
        value = margin - penalty * np.mean(slack**2)
        level = sample_weights @ mixture - omega @ slack
        gap = (sample_weights @ columns).max() - level
        return MasterSolution(weights, float(value), sample_weights, float(level), float(gap))

    return (quadratic, linear, constraints, selector.sum(axis=0), start), certify


def _mean_variance_program(columns, penalty):
    """-mean(gamma) + C var(gamma) in q on the simplex."""
    n_samples, n_columns = columns.shape
    mean = columns.mean(axis=0)
    centred = columns - mean
    quadratic = 2 * penalty / n_samples * (centred.T @ centred)
    eye = np.eye(n_columns)
    ones = np.ones(n_columns)
    uniform = ones / n_columns
    start = uniform, *_positive_multipliers(quadratic @ uniform - mean)

    def certify(y, multipliers):
        weights = np.maximum(y, 0) / np.maximum(y, 0).sum()
        mixture = columns @ weights
        deviation = mixture - mixture.mean()
        sample_weights = (1 - 2 * penalty * deviation) / n_samples
        value = mixture.mean() - penalty * np.mean(deviation**2)
        level = sample_weights @ mixture
        gap = (sample_weights @ columns).max() - level
        return MasterSolution(weights, float(value), sample_weights, float(level), float(gap))

    return (quadratic, -mean, eye, ones, start), certify


def _positive_multipliers(slope):
    """Multipliers l > 0 of q >= 0 and v of sum(q) = 1 with slope = l + v."""
    level = slope.min() - max(np.ptp(slope), 0.1 * np.abs(slope).max(), 1e-3)
    return slope - level, level
