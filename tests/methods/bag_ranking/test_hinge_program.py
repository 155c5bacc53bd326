"""The linear program of hinge losses and 1-norm, alone."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from icml2008.methods.bag_ranking.hinge_program import HingeProgram


def random_program(seed):
    rng = np.random.default_rng(seed)
    n_rows = rng.integers(1, 30)
    n_coefs = rng.integers(1, 6)
    penalty = rng.choice([0.0, 1.0, 2.5], size=n_coefs, p=[0.2, 0.6, 0.2])
    rows = rng.normal(size=(n_rows, n_coefs))
    return rows.round() if seed % 2 else rows, penalty, rng.uniform(0.01, 10, n_rows)


def primal_optimum(rows, penalty, cost):
    """Optimum of the program as it is written, with w split into its two signs."""
    n_rows, n_coefs = rows.shape
    constraints = np.hstack([-rows, rows, -np.eye(n_rows)])
    costs = np.concatenate([penalty, penalty, cost])
    return linprog(costs, A_ub=constraints, b_ub=-np.ones(n_rows)).fun


@given(seed=st.integers(0, 100_000))
@settings(max_examples=50)
def test_solution_attains_the_optimum_of_the_primal_program(seed):
    rows, penalty, cost = random_program(seed)
    program = HingeProgram(rows, penalty)
    value = program.objective(program.solve(cost), cost)
    # both solvers stop within their tolerance of feasibility, times costs and coefficients
    assert value == pytest.approx(primal_optimum(rows, penalty, cost), rel=1e-6, abs=1e-9)


@given(seed=st.integers(0, 100_000))
@settings(max_examples=50)
def test_what_was_solved_before_does_not_change_the_result(seed):
    """Also for integer rows, where optima are rarely unique."""
    rows, penalty, cost = random_program(seed)
    fresh = HingeProgram(rows, penalty).solve(cost)
    used = HingeProgram(rows, penalty)
    for factor in (1e-3, 1e3):
        used.solve(factor * cost)
    np.testing.assert_array_equal(used.solve(cost), fresh)
    lent = HingeProgram(rows, penalty, start=used.basis)
    np.testing.assert_array_equal(lent.solve(cost), fresh)


def test_small_costs_leave_all_coefficients_at_zero():
    """The gradient of the losses at w = 0, rows' cost, lies within the penalty."""
    rows, _, _ = random_program(4)
    cost = np.full(len(rows), 0.5 / np.abs(rows).sum(axis=0).max())
    np.testing.assert_array_equal(HingeProgram(rows, np.ones(rows.shape[1])).solve(cost), 0.0)


def test_a_coefficient_that_is_zero_up_to_rounding_is_zero():
    """Two rows that agree in all but the first feature leave it no role."""
    rows = np.array([[0.1, 0.3], [-0.1, 0.3], [0.7, 0.3], [-0.7, 0.3]])
    w = HingeProgram(rows, np.ones(2)).solve(np.full(4, 100.0))
    assert w[0] == 0.0
    assert w[1] == pytest.approx(1 / 0.3)


def test_another_user_of_highs_may_have_set_its_threads():
    """In a process of its own: HiGHS fixes the number of threads with its first solution."""
    code = """if True:
        import highspy, numpy
        from icml2008.methods.bag_ranking.hinge_program import HingeProgram
        other = highspy.Highs()
        other.setOptionValue("output_flag", False)
        other.setOptionValue("threads", 2)
        other.addVariable(0, 1, obj=-1)
        other.run()
        print(HingeProgram(numpy.eye(2), numpy.ones(2)).solve(numpy.full(2, 3.0)))
    """
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.splitlines()[-1] == "[1. 1.]"


def test_stopping_without_an_optimum_is_an_error():
    rows, penalty, cost = random_program(2)
    program = HingeProgram(rows, np.ones_like(penalty))
    program._highs.setOptionValue("simplex_iteration_limit", 0)
    with pytest.raises(FloatingPointError, match="bring the features to similar scales"):
        program.solve(1e3 * cost)
