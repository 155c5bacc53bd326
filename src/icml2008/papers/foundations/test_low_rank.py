"""Completion and robust PCA against a general solver, planted solutions and optimality."""

import warnings

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from icml2008.papers.foundations.low_rank import (
    complete_matrix,
    robust_pca,
    singular_value_threshold,
    soft_threshold,
)

SEEDS = st.integers(0, 2**32 - 1)


def planted(rng, shape, rank):
    """Return a random matrix of that rank."""
    return rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))


def nuclear(matrix):
    """Return the nuclear norm."""
    return np.linalg.norm(matrix, "nuc")


@pytest.mark.parametrize("share", [0.4, 0.7])
def test_completion_has_the_least_nuclear_norm(share):
    rng = np.random.default_rng(2)
    X = planted(rng, (7, 9), 2)
    observed = rng.random((7, 9)) < share
    completed = complete_matrix(X, observed)
    Z = cp.Variable(X.shape)
    best = cp.Problem(
        cp.Minimize(cp.normNuc(Z)), [cp.multiply(observed, Z) == np.where(observed, X, 0)]
    ).solve(solver=cp.SCS, eps=1e-6)
    assert_allclose(nuclear(completed), best, rtol=1e-4)  # what SCS reaches
    assert np.linalg.norm((completed - X)[observed]) <= 1e-6 * np.linalg.norm(X[observed])


def test_pursuit_reaches_the_least_objective():
    rng = np.random.default_rng(3)
    X = planted(rng, (8, 6), 2) + 3 * (rng.random((8, 6)) < 0.2)
    weight = 1 / np.sqrt(8)
    low_rank, sparse = robust_pca(X)
    L = cp.Variable(X.shape)
    best = cp.Problem(cp.Minimize(cp.normNuc(L) + weight * cp.sum(cp.abs(X - L)))).solve(
        solver=cp.SCS, eps=1e-6
    )
    assert_allclose(nuclear(low_rank) + weight * np.abs(sparse).sum(), best, rtol=1e-4)


def test_completion_is_certified_by_a_dual_matrix():
    # A subgradient of the nuclear norm that is 0 where nothing was observed proves the optimum.
    rng = np.random.default_rng(5)
    X = planted(rng, (25, 25), 2)
    observed = rng.random((25, 25)) < 0.6
    completed = complete_matrix(X, observed, tol=1e-9)
    U, singular, Vt = np.linalg.svd(completed)
    k = int((singular > 1e-6 * singular[0]).sum())
    on = U[:, :k] @ Vt[:k]
    others = np.array([np.outer(u, v).ravel() for u in U[:, k:].T for v in Vt[k:]]).T
    unseen = ~observed.ravel()
    weights = np.linalg.lstsq(others[unseen], -on.ravel()[unseen], rcond=None)[0]
    rest = (others @ weights).reshape(X.shape)
    assert np.abs((on + rest)[~observed]).max() <= 1e-6
    assert np.linalg.norm(rest, 2) < 1


@settings(max_examples=10)
@given(seed=SEEDS)
def test_few_large_errors_are_taken_out_exactly(seed):
    rng = np.random.default_rng(seed)
    clean = planted(rng, (40, 40), 1)
    wrong = rng.random((40, 40)) < 0.02
    low_rank, sparse = robust_pca(clean + 5 * wrong)
    # 1e-7 is asked of the sum of the parts; the parts themselves are some 100 times as far off
    assert np.linalg.norm(low_rank - clean) <= 1e-4 * np.linalg.norm(clean)
    assert np.linalg.matrix_rank(low_rank, tol=1e-6) == 1
    assert_allclose(sparse, 5 * wrong, atol=1e-3)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_many_entries_of_rank_two_give_the_matrix_back(seed):
    rng = np.random.default_rng(seed)
    clean = planted(rng, (30, 30), 2)
    observed = rng.random((30, 30)) < 0.8
    completed = complete_matrix(np.where(observed, clean, np.nan), observed)
    # 1e-6 is asked of the observed entries
    assert np.linalg.norm(completed - clean) <= 1e-4 * np.linalg.norm(clean)


@settings(max_examples=10)
@given(seed=SEEDS, scale=st.floats(1e-3, 1e3))
def test_both_follow_the_scale_of_the_matrix_and_its_transpose(seed, scale):
    rng = np.random.default_rng(seed)
    X = planted(rng, (6, 9), 2)
    observed = rng.random((6, 9)) < 0.7
    observed[0, 0] = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        plain = complete_matrix(X, observed, max_iter=50)
        # the steps are the same up to rounding, which few of them do not blow up
        scaled = complete_matrix(scale * X.T, observed.T, max_iter=50)
        assert_allclose(scaled, scale * plain.T, atol=1e-9 * scale * np.abs(X).max())
        plain = robust_pca(X, max_iter=50)[0]
        scaled = robust_pca(scale * X.T, max_iter=50)[0]
        assert_allclose(scaled, scale * plain.T, atol=1e-9 * scale * np.abs(X).max())


@settings(max_examples=25)
@given(seed=SEEDS, threshold=st.floats(0.01, 3))
def test_thresholding_singular_values_is_the_proximal_map(seed, threshold):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(5, 4))
    Z = singular_value_threshold(M, threshold)

    def objective(A):
        return threshold * nuclear(A) + np.linalg.norm(A - M) ** 2 / 2

    others = [objective(Z + 0.1 * rng.normal(size=M.shape)) for _ in range(10)]
    assert min(others) >= objective(Z) - 1e-12


def test_thresholding_a_diagonal_matrix_is_thresholding_its_values():
    values = np.array([3.0, 1.0, 0.2])
    assert_allclose(
        singular_value_threshold(np.diag(values), 0.5),
        np.diag(soft_threshold(values, 0.5)),
        atol=1e-12,
    )


def test_entries_that_are_not_observed_are_not_looked_at():
    rng = np.random.default_rng(4)
    X = planted(rng, (6, 5), 1)
    observed = rng.random((6, 5)) < 0.8
    for other in (np.nan, 1e6):
        completed = complete_matrix(np.where(observed, X, other), observed)
        assert_allclose(completed, complete_matrix(X, observed))


def test_a_matrix_of_zeros_is_its_own_answer():
    assert not np.any(robust_pca(np.zeros((3, 2))))
    assert not complete_matrix(np.zeros((3, 2)), np.ones((3, 2))).any()


def test_too_few_steps_are_warned_of():
    X = planted(np.random.default_rng(6), (6, 6), 2)
    with pytest.warns(ConvergenceWarning, match="after 2 steps"):
        robust_pca(X, max_iter=2)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        complete_matrix(X, np.tri(6), max_iter=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: complete_matrix(np.ones((2, 2)), np.zeros((2, 2))), "observed: .* 0 entries"),
        (lambda: complete_matrix(np.ones((2, 2)), np.ones((2, 3))), "the shape of X"),
        (lambda: complete_matrix([[1.0, np.nan]], [[1, 1]]), "1 observed entries are NaN"),
        (lambda: complete_matrix([[1.0, np.inf]], [[1, 0]]), "infinity"),
        (lambda: robust_pca([[1.0, np.nan]]), "NaN"),
        (lambda: robust_pca(np.ones((2, 2)), sparsity=0.0), "sparsity: 0.0"),
    ],
)
def test_wrong_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
