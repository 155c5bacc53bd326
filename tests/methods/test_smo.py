"""SMO against scikit-learn's solver, a general one, and the optimality conditions."""

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler
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
    return signed @ K @ signed / 2 + machine.C * np.maximum(0, 1 - margins).sum()


@pytest.mark.parametrize("C", [0.0025, 0.25, 25.0])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_decision_values_are_those_of_libsvm(C, kernel):
    X, y = problem(1)
    ours = SMOClassifier(C=C, kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
    theirs = SVC(C=C, kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
    # both stop at violations of 1e-9; values grow with C
    assert_allclose(
        ours.decision_function(X), theirs.decision_function(X), atol=1e-6 * (1 + 40 * C)
    )


@pytest.mark.parametrize("C", [0.0125, 0.5])
def test_dual_value_is_that_of_a_general_solver(C):
    X, y = problem(2)
    signs = 2.0 * y - 1
    a = cp.Variable(len(y))
    best = cp.Problem(
        cp.Maximize(cp.sum(a) - cp.sum_squares(X.T @ cp.multiply(signs, a)) / 2),
        [a >= 0, a <= C, signs @ a == 0],
    ).solve(solver=cp.CLARABEL)
    machine = SMOClassifier(C=C, kernel="linear").fit(X, y)
    assert_allclose(
        dual(machine.alpha_, y, X @ X.T), best, rtol=1e-7
    )  # Clarabel's tolerance is 1e-8


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), log_c=st.floats(-3.6, 1.4))
def test_solution_is_feasible_and_the_duality_gap_closes(seed, log_c):
    X, y = problem(seed)
    machine = SMOClassifier(C=10**log_c, kernel="linear", tol=1e-8).fit(X, y)
    K = X @ X.T
    assert abs(machine.alpha_ @ (2 * y - 1)) <= 1e-10 * (1 + machine.alpha_.sum())
    assert machine.alpha_.min() >= 0
    assert machine.alpha_.max() <= machine.C
    # the gap is at most the violation times the total of the box
    gap = primal(machine, y, K) - dual(machine.alpha_, y, K)
    assert -1e-9 <= gap / (1 + len(y) * machine.C) <= 1e-6


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1))
def test_objective_never_decreases_and_ends_at_the_dual_value(seed):
    X, y = problem(seed)
    machine = SMOClassifier(C=0.5, gamma=1.0).fit(X, y)
    assert np.diff(machine.objective_path_, prepend=0.0).min() >= -1e-12
    K = np.exp(-((X[:, None] - X) ** 2).sum(-1))
    # the path adds up thousands of steps
    assert_allclose(machine.objective_path_[-1], dual(machine.alpha_, y, K), rtol=1e-9)


def test_precomputed_kernel_gives_the_same_machine():
    X, y = problem(3)
    plain = SMOClassifier(C=0.125, kernel="linear").fit(X, y)
    given_kernel = SMOClassifier(C=0.125, kernel="precomputed").fit(X @ X.T, y)
    assert_allclose(plain.alpha_, given_kernel.alpha_)
    assert_allclose(plain.decision_function(X), given_kernel.decision_function(X @ X.T))


def test_gaussian_kernel_separates_moons():
    X, y = make_moons(100, noise=0.05, random_state=0)
    assert SMOClassifier(C=10.0, gamma=3.0).fit(X, y).score(X, y) == 1.0


def test_duplicates_with_opposite_labels_do_not_stall():
    X = np.zeros((6, 1))
    y = np.array([0, 1, 0, 1, 0, 1])
    machine = SMOClassifier(C=1.0, kernel="linear").fit(X, y)
    assert_allclose(machine.alpha_, 1.0)


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_rounding_of_the_kernel_changes_no_step(seed):
    X, y = problem(seed, n=400, d=2)
    K = rbf_kernel(X, gamma=0.5)
    change = 1e-14 * np.random.default_rng(seed).normal(size=K.shape)
    given, other = (
        SMOClassifier(C=1.0, kernel="precomputed", tol=1e-3).fit(kernel, y)
        for kernel in (K, K * (1 + change + change.T))
    )
    assert given.n_iter_ == other.n_iter_
    assert_allclose(other.objective_path_, given.objective_path_, rtol=1e-9)


@pytest.mark.parametrize(("seed", "n"), [(27, 300), (17, 400)])
def test_no_step_is_spent_on_a_variable_a_hair_off_its_bound(seed, n):
    X, y = problem(seed, n=n, d=2)
    machine = SMOClassifier(C=1.0, gamma=0.5, tol=1e-3).fit(X, y)
    assert np.diff(machine.objective_path_, prepend=0.0).min() > 1e-9


def test_too_few_steps_are_warned_of():
    X, y = problem(4)
    with pytest.warns(ConvergenceWarning, match="after 3 steps"):
        machine = SMOClassifier(C=2.5, max_iter=3).fit(X, y)
    assert machine.n_iter_ == len(machine.objective_path_) == 3
    assert abs(machine.alpha_ @ (2 * y - 1)) <= 1e-12  # feasible all the same


@pytest.mark.parametrize("gamma", ["scale", "auto", 0.05])
def test_its_parameters_mean_what_they_mean_in_svc(gamma):
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours, theirs = (kind(gamma=gamma).fit(X[:300], y[:300]) for kind in (SMOClassifier, SVC))
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=5e-3)
    assert ours.score(X[300:], y[300:]) == theirs.score(X[300:], y[300:]) > 0.9


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_sparse_rows_give_the_same_machine(kernel):
    X, y = problem(5)
    X[X < 0] = 0
    plain, sparse = (SMOClassifier(kernel=kernel).fit(form(X), y) for form in (np.array, csr_array))
    assert sparse.gamma_ == pytest.approx(plain.gamma_)
    assert_allclose(sparse.decision_function(csr_array(X)), plain.decision_function(X))


def test_a_kernel_of_ones_own_is_a_function_of_two_rows():
    X, y = problem(6)
    own = SMOClassifier(kernel=lambda a, b: a @ b).fit(X, y)
    assert_allclose(own.alpha_, SMOClassifier(kernel="linear").fit(X, y).alpha_, atol=1e-4)


def test_it_is_an_estimator_of_scikit_learn():
    check_estimator(SMOClassifier())


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({"C": 0}, [0, 1], "'C' parameter .* Got 0"),
        ({"gamma": "scaled"}, [0, 1], "'gamma' parameter .* Got 'scaled'"),
        ({"kernel": "rfb"}, [0, 1], "'kernel' parameter"),
        ({}, [1, 1], "y has 1 class"),
    ],
)
def test_wrong_input_is_named(parameters, y, message):
    with pytest.raises(ValueError, match=message):
        SMOClassifier(**parameters).fit([[0.0], [1.0]], y)
