"""The four master problems against a general solver, and their certificates."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.methods.clustering._masters import OBJECTIVES, solve_master

QUADRATIC = ("margin-variance", "mean-variance")


def value(objective, mixture, penalty):
    """Minus Omega of Section 3.1 at the responses gamma."""
    margin = mixture.min()
    return {
        "margin": margin,
        "likelihood": np.log(mixture).mean(),
        "margin-variance": margin - penalty * np.mean((mixture - margin) ** 2),
        "mean-variance": mixture.mean() - penalty * mixture.var(),
    }[objective]


def peer_optimum(objective, columns, penalty):
    q = cvxpy.Variable(columns.shape[1], nonneg=True)
    rho = cvxpy.Variable()
    mixture = columns @ q
    mean = cvxpy.sum(mixture) / len(columns)
    spread = cvxpy.sum_squares(mixture - (rho if objective == "margin-variance" else mean))
    goal = {
        "margin": rho,
        "likelihood": cvxpy.sum(cvxpy.log(mixture)) / len(columns),
        "margin-variance": rho - penalty / len(columns) * spread,
        "mean-variance": mean - penalty / len(columns) * spread,
    }[objective]
    program = cvxpy.Problem(cvxpy.Maximize(goal), [cvxpy.sum(q) == 1, mixture >= rho])
    return program.solve(solver=cvxpy.CLARABEL)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("shape", [(20, 8), (8, 20)])
def test_optimum_agrees_with_clarabel(objective, shape):
    columns = np.random.default_rng(5).uniform(size=shape)
    for penalty in (0.0, 1.0, 50.0):
        solution = solve_master(objective, columns, penalty, 1e-9)
        # Clarabel's tolerance is 1e-8 on scaled quantities.
        assert solution.objective == pytest.approx(
            peer_optimum(objective, columns, penalty), abs=1e-6
        )


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from(OBJECTIVES), st.floats(0, 20))
def test_gap_reaches_the_tolerance(seed, objective, penalty):
    rng = np.random.default_rng(seed)
    columns = rng.uniform(size=(rng.integers(1, 25), rng.integers(1, 25)))
    solution = solve_master(objective, columns, penalty, 1e-8)
    assert solution.gap <= 1e-8
    assert solution.objective == pytest.approx(
        value(objective, columns @ solution.weights, penalty), rel=1e-9, abs=1e-9
    )


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from(OBJECTIVES))
def test_a_further_column_gains_no_more_than_its_excess(seed, objective):
    rng = np.random.default_rng(seed)
    columns = rng.uniform(size=(15, 6))
    extra = rng.uniform(size=15)
    before = solve_master(objective, columns, 3.0, 1e-9)
    after = solve_master(objective, np.column_stack([columns, extra]), 3.0, 1e-9)
    excess = max(before.sample_weights @ extra - before.level, before.gap, 0)
    assert -2e-9 <= after.objective - before.objective <= excess + 2e-9


@pytest.mark.parametrize("objective", ["likelihood", "mean-variance"])
def test_sample_weights_are_the_gradient_of_the_objective(objective):
    # At the optimum the derivative of the value along a column, as mass moves to it, is
    # its excess; checked by a move of 1e-6, whose second order is below 1e-4.
    columns = np.random.default_rng(7).uniform(0.2, 1, size=(12, 5))
    extra = np.random.default_rng(8).uniform(0.2, 1, size=12)
    solution = solve_master(objective, columns, 2.0, 1e-10)
    mixture = columns @ solution.weights
    step = 1e-6
    moved = value(objective, (1 - step) * mixture + step * extra, 2.0)
    slope = (moved - value(objective, mixture, 2.0)) / step
    excess = solution.sample_weights @ extra - solution.level
    assert slope == pytest.approx(excess, abs=1e-4)


def test_margin_of_uncovered_samples_is_zero_with_weight_on_all_of_them():
    columns = np.array([[1.0], [0.0], [0.0]])
    solution = solve_master("margin", columns, 0.0, 1e-9)
    np.testing.assert_allclose(solution.sample_weights, [0, 0.5, 0.5], atol=1e-6)


@pytest.mark.parametrize("objective", QUADRATIC)
def test_samples_of_large_response_can_weigh_against_a_column(objective):
    # The paper takes alpha <= 0 for granted; here one sample is far above the rest.
    columns = np.array([[1.0, 0.9], [0.1, 0.2], [0.1, 0.1], [0.1, 0.15]])
    solution = solve_master(objective, columns, 20.0, 1e-9)
    assert solution.sample_weights.min() < 0
