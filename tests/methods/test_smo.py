"""SMO against scikit-learn's solver, a general one, and the optimality conditions."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from icml2008.methods.smo import SMOClassifier


def problem(seed, n=40, d=3):
    """Return overlapping samples of two classes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, d)) + 0.7 * y[:, None], y


def dual(alpha, y, K):
    """Return the dual objective."""
    signed = alpha * (2 * y - 1)
    return alpha.sum() - signed @ K @ signed / 2


def primal(machine, y, K):
    """Return the primal objective of a fitted machine with kernel K on its own samples."""
    signed = machine.alpha_ * (2 * y - 1)
    margins = (2 * y - 1) * (K @ signed + machine.intercept_)
    return signed @ K @ signed / 2 + machine.C * np.maximum(0, 1 - margins).mean()


@pytest.mark.parametrize("C", [0.1, 10.0, 1000.0])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_decision_values_are_those_of_libsvm(C, kernel):
    X, y = problem(1)
    ours = SMOClassifier(C=C, kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
    theirs = SVC(C=C / len(y), kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
    # both stop at violations of 1e-9; values grow with C
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-6 * (1 + C))


@pytest.mark.parametrize("C", [0.5, 20.0])
def test_dual_value_is_that_of_a_general_solver(C):
    X, y = problem(2)
    signs = 2.0 * y - 1
    a = cp.Variable(len(y))
    best = cp.Problem(
        cp.Maximize(cp.sum(a) - cp.sum_squares(X.T @ cp.multiply(signs, a)) / 2),
        [a >= 0, a <= C / len(y), signs @ a == 0],
    ).solve(solver=cp.CLARABEL)
    machine = SMOClassifier(C=C, kernel="linear").fit(X, y)
    assert_allclose(
        dual(machine.alpha_, y, X @ X.T), best, rtol=1e-7
    )  # Clarabel's tolerance is 1e-8


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), log_c=st.floats(-2, 3))
def test_solution_is_feasible_and_the_duality_gap_closes(seed, log_c):
    X, y = problem(seed)
    machine = SMOClassifier(C=10**log_c, kernel="linear", tol=1e-8).fit(X, y)
    K = X @ X.T
    cap = machine.C / len(y)
    assert abs(machine.alpha_ @ (2 * y - 1)) <= 1e-10 * (1 + machine.alpha_.sum())
    assert machine.alpha_.min() >= 0
    assert machine.alpha_.max() <= cap
    # the gap is at most the violation times the total of the box
    gap = primal(machine, y, K) - dual(machine.alpha_, y, K)
    assert -1e-9 <= gap / (1 + machine.C) <= 1e-6


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_objective_never_decreases_and_ends_at_the_dual_value(seed):
    X, y = problem(seed)
    machine = SMOClassifier(C=20.0, gamma=1.0).fit(X, y)
    assert np.diff(machine.objective_path_, prepend=0.0).min() >= -1e-12
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    # the path adds up thousands of steps
    assert_allclose(machine.objective_path_[-1], dual(machine.alpha_, y, K), rtol=1e-9)


def test_precomputed_kernel_gives_the_same_machine():
    X, y = problem(3)
    plain = SMOClassifier(C=5.0, kernel="linear").fit(X, y)
    given_kernel = SMOClassifier(C=5.0, kernel="precomputed").fit(X @ X.T, y)
    assert_allclose(plain.alpha_, given_kernel.alpha_)
    assert_allclose(plain.decision_function(X), given_kernel.decision_function(X @ X.T))


def test_gaussian_kernel_separates_moons():
    X, y = make_moons(100, noise=0.05, random_state=0)
    assert SMOClassifier(C=1000.0, gamma=3.0).fit(X, y).score(X, y) == 1.0


def test_duplicates_with_opposite_labels_do_not_stall():
    X = np.zeros((6, 1))
    y = np.array([0, 1, 0, 1, 0, 1])
    machine = SMOClassifier(C=6.0, kernel="linear").fit(X, y)
    assert_allclose(machine.alpha_, 1.0)


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_rounding_of_the_kernel_changes_no_step(seed):
    X, y = problem(seed, n=400, d=2)
    K = rbf_kernel(X, gamma=0.5)
    change = 1e-14 * np.random.default_rng(seed).normal(size=K.shape)
    given, other = (
        SMOClassifier(C=400.0, kernel="precomputed", tol=1e-3).fit(kernel, y)
        for kernel in (K, K * (1 + change + change.T))
    )
    assert given.n_iter_ == other.n_iter_
    assert_allclose(other.objective_path_, given.objective_path_, rtol=1e-9)


@pytest.mark.parametrize(("seed", "n"), [(27, 300), (17, 400)])
def test_no_step_is_spent_on_a_variable_a_hair_off_its_bound(seed, n):
    X, y = problem(seed, n=n, d=2)
    machine = SMOClassifier(C=float(n), gamma=0.5, tol=1e-3).fit(X, y)
    assert np.diff(machine.objective_path_, prepend=0.0).min() > 1e-9


def test_too_few_steps_are_warned_of():
    X, y = problem(4)
    with pytest.warns(ConvergenceWarning, match="after 3 steps"):
        machine = SMOClassifier(C=100.0, max_iter=3).fit(X, y)
    assert machine.n_iter_ == len(machine.objective_path_) == 3
    assert abs(machine.alpha_ @ (2 * y - 1)) <= 1e-12  # feasible all the same


def test_it_is_an_estimator_of_scikit_learn():
    check_estimator(SMOClassifier())


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [({"C": 0}, [0, 1], "C: 0"), ({}, [1, 1], "y has 1 class")],
)
def test_wrong_input_is_named(parameters, y, message):
    with pytest.raises(ValueError, match=message):
        SMOClassifier(**parameters).fit([[0.0], [1.0]], y)
