"""The program of hinge losses and 1-norm on its central path."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from icml2008.methods.bag_ranking.central_path import CentralProgram
from icml2008.methods.bag_ranking.hinge_program import HingeProgram

GAP = 1e-8


def random_program(seed, nu=1.0):
    """Rows of both signs with an intercept; every other program has rounded numbers and ties."""
    rng = np.random.default_rng(seed)
    n_rows = rng.integers(2, 40)
    n_coefs = rng.integers(1, 6)
    X = rng.normal(size=(n_rows, n_coefs))
    sides = np.where(np.arange(n_rows) % 4 == 0, 1.0, -1.0)[:, None]
    rows = sides * np.hstack([X.round() if seed % 2 else X, np.ones((n_rows, 1))])
    return rows, np.append(np.ones(n_coefs), 0.0), nu * rng.uniform(0.1, 1, n_rows)


@given(seed=st.integers(0, 10_000), log_nu=st.floats(-3, 6))
@example(seed=9999, log_nu=1.0)
@example(seed=8223, log_nu=1.0)
@settings(max_examples=40)
def test_the_objective_is_the_optimum_but_for_the_gap(seed, log_nu):
    rows, penalty, cost = random_program(seed, 10**log_nu)
    central = CentralProgram(rows, penalty)
    vertex = HingeProgram(rows, penalty)
    best = vertex.objective(vertex.solve(cost), cost)
    value = central.objective(central.solve(cost), cost)
    # HiGHS allows infeasibilities of 1e-9, and losses weigh up to nu times that
    assert best * (1 - 1e-6) <= value <= best * (1 + 1.1 * GAP) + 1e-9 * cost.sum()


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_minimiser_of_the_objective_with_a_barrier(seed, monkeypatch):
    """At a gap that a general solver can resolve: each log has the weight gap / pairs."""
    monkeypatch.setattr("icml2008.methods.bag_ranking.central_path._GAP", 1e-2)
    rows, penalty, cost = random_program(2 * seed)
    n_rows, n_coefs = rows.shape
    w = CentralProgram(rows, penalty).solve(cost)

    u, v = (cvxpy.Variable(n_coefs - 1, pos=True) for _ in range(2))
    xi, s = (cvxpy.Variable(n_rows, pos=True) for _ in range(2))
    free = cvxpy.Variable()
    objective = cost @ xi + cvxpy.sum(u + v)
    mu = cvxpy.Parameter(pos=True, value=1e-3)
    barrier = sum(cvxpy.sum(cvxpy.log(part)) for part in (u, v, xi, s))
    meets = rows[:, :-1] @ (u - v) + rows[:, -1] * free + xi - s == 1
    problem = cvxpy.Problem(cvxpy.Minimize(objective - mu * barrier), [meets])
    for _ in range(8):  # the gap is a share of an objective that depends on it
        problem.solve(solver="CLARABEL")
        mu.value = 1e-2 * objective.value / (2 * n_rows + 2 * (n_coefs - 1))
    np.testing.assert_allclose(w[:-1], u.value - v.value, atol=1e-3 * np.abs(w).max())
    np.testing.assert_allclose(w[-1], free.value, rtol=1e-3)


def test_a_coefficient_that_is_zero_at_the_optimum_keeps_the_sign_of_the_path():
    """One active item among twenty: w = 0 is optimal, and the path comes from where it scores."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(21, 2)) * [1.0, 0.1]
    X[0] = [1.0, -0.1]
    sides = np.where(np.arange(21) == 0, 1.0, -1.0)[:, None]
    rows = sides * np.hstack([X, np.ones((21, 1))])
    penalty = np.array([1.0, 1.0, 0.0])
    cost = np.full(21, 0.01)
    vertex = HingeProgram(rows, penalty)
    central = CentralProgram(rows, penalty)
    np.testing.assert_array_equal(vertex.solve(cost)[:2], 0.0)
    w = central.solve(cost)
    assert w[0] > 0 > w[1]
    assert np.abs(w[:2]).max() < 1e-6


def test_it_does_not_depend_on_the_order_of_rows():
    rows, penalty, cost = random_program(4)
    order = np.random.default_rng(0).permutation(len(rows))
    theta = CentralProgram(rows, penalty).solve(cost)
    other = CentralProgram(rows[order], penalty).solve(cost[order])
    np.testing.assert_allclose(other, theta, rtol=1e-4)
