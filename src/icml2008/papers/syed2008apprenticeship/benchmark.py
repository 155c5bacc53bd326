"""LPAL and MWAL on the gridworlds of Table 1, 64 regions, in seconds, beside LPAL as cvxpy has it.

All have the expert's values. LPAL by HiGHS's interior point and simplex methods and by Clarabel's
interior point method (ours), and as a model of cvxpy for Clarabel, what it makes of the model
included; MWAL
until the mixture is worth 95 % of the expert's by the true weights, planning with policy iteration
from the last round's policy on and one occupancy solve a round. Least processor time of three
turns on one thread.
"""

from __future__ import annotations

from functools import partial

import cvxpy
import numpy as np

from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.syed2008apprenticeship.experiments import expert_of, gridworld
from icml2008.papers.syed2008apprenticeship.method import (
    apprentice_program,
    game,
    largest,
    stationary,
)

PACKAGES = ("highspy", "cvxpy", "clarabel", "scipy")

SIZES = (16, 24, 32, 48)
REGIONS = 64


def ours(problem, expert, solver):
    solution, _ = largest(*apprentice_program(problem, expert), solver=solver)
    return stationary(solution[:-1].reshape(len(problem.start), -1))


def by_cvxpy(problem, expert):
    x = cvxpy.Variable(problem.flow.shape[1], nonneg=True)
    lead = cvxpy.Variable()
    flows = [problem.flow @ x == problem.start, lead <= problem.rewards @ x - expert]
    cvxpy.Problem(cvxpy.Maximize(lead), flows).solve(solver=cvxpy.CLARABEL)
    return stationary(x.value.reshape(len(problem.start), -1))


def mwal(problem, expert, truth):
    total = 0
    for t, (*_, visits) in enumerate(game(problem, expert, 1663), start=1):
        total = total + visits
        if truth @ problem.rewards @ total.ravel() >= 0.95 * t * (truth @ expert):
            break
    return stationary(total)


def rows():
    """Yield the rows of the table."""
    for size in SIZES:
        rng = np.random.default_rng(size)
        truth = np.zeros(REGIONS)
        truth[rng.choice(REGIONS, 6, replace=False)] = rng.dirichlet(np.ones(6))
        problem = gridworld(size, REGIONS, 0.9)
        expert = problem.rewards @ expert_of(problem, truth).ravel()
        tasks = {
            "LPAL, interior point": partial(ours, problem, expert, "ipm"),
            "LPAL, simplex": partial(ours, problem, expert, "simplex"),
            "LPAL, Clarabel": partial(ours, problem, expert, "clarabel"),
            "LPAL, cvxpy and Clarabel": partial(by_cvxpy, problem, expert),
            "MWAL": partial(mwal, problem, expert, truth),
        }
        for name, (seconds, policy) in least_seconds(tasks, times=3).items():
            value = truth @ problem.values(policy) / (truth @ expert)
            yield {
                "size": size,
                "method": name,
                "seconds": f"{seconds:.2g}",
                "value": f"{value:.5f}",
            }
