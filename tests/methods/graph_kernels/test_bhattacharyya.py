"""Kernels between covariance matrices: closed forms, definiteness, the indefinite example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from icml2008.methods.graph_kernels.bhattacharyya import (
    bhattacharyya,
    conditional_bhattacharyya,
    indefinite_example,
    rooted_kernel,
    unrooted_kernel,
)

CHAIN = [(0, 1), (1, 2), (2, 3)]
WIDE = [(0, 1, 2), (1, 2, 3), (2, 3, 4)]


def covariances(n, size, seed):
    factors = np.random.default_rng(seed).normal(size=(n, size, size))
    return factors @ factors.transpose(0, 2, 1) + 0.05 * np.eye(size)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (1.0, 4.0), (0.1, 30.0)])
def test_kernel_of_variances_is_the_squared_overlap_of_the_densities(a, b):
    overlap, _ = quad(
        lambda x: np.sqrt(norm.pdf(x, scale=a**0.5) * norm.pdf(x, scale=b**0.5)),
        -40,
        40,
        points=[0],
    )
    assert bhattacharyya([[a]], [[b]]) == pytest.approx(overlap**2, rel=1e-7)


@settings(max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_conditional_kernel_is_the_joint_one_under_an_identity_prior(seed):
    K, L = covariances(2, 5, seed)
    given_ = [0, 2, 4]
    new = [1, 3]

    def joint(matrix):
        slope = np.linalg.solve(matrix[np.ix_(given_, given_)], matrix[np.ix_(given_, new)]).T
        rest = matrix[np.ix_(new, new)] - slope @ matrix[np.ix_(given_, new)]
        return np.block([[np.eye(3), slope.T], [slope, rest + slope @ slope.T]])

    value = conditional_bhattacharyya(K, L, new, given_)
    # condition numbers of up to 1e4
    assert value == pytest.approx(bhattacharyya(joint(K), joint(L)), rel=1e-9)


def test_conditional_kernel_without_conditions_is_the_plain_one():
    K, L = covariances(2, 3, 0)
    assert conditional_bhattacharyya(K, L, [0, 1, 2], []) == pytest.approx(bhattacharyya(K, L))


def test_conditional_kernel_of_nothing_is_one():
    K, L = covariances(2, 3, 0)
    assert conditional_bhattacharyya(K, L, [], [0, 1, 2]) == 1


@pytest.mark.parametrize("cliques", [CHAIN, WIDE, [(0, 1, 2, 3, 4)]], ids=len)
@settings(max_examples=5)
@given(seed=st.integers(0, 10_000))
def test_rooted_kernel_is_positive_semidefinite(cliques, seed):
    matrices = covariances(10, 5, seed)
    gram = [[rooted_kernel(K, L, cliques) for L in matrices] for K in matrices]
    # 10 eigenvalues of a matrix with unit diagonal
    assert np.linalg.eigvalsh(gram)[0] > -1e-12


def test_kernels_on_a_single_clique_are_the_plain_one():
    K, L = covariances(2, 3, 1)
    for kernel in (rooted_kernel, unrooted_kernel):
        assert kernel(K, L, [(0, 1, 2)]) == pytest.approx(bhattacharyya(K, L))


def test_unrooted_kernel_does_not_depend_on_the_root():
    K, L = covariances(2, 5, 2)
    turned = [WIDE[1], WIDE[2], WIDE[0]]
    assert unrooted_kernel(K, L, WIDE) == pytest.approx(unrooted_kernel(K, L, turned))


def test_unrooted_kernel_is_positive_semidefinite_on_correlation_matrices_of_a_chain():
    matrices = covariances(40, 4, 3)
    scale = 1 / np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
    matrices = scale[:, :, None] * matrices * scale[:, None]
    gram = [[unrooted_kernel(K, L, CHAIN) for L in matrices] for K in matrices]
    assert np.linalg.eigvalsh(gram)[0] > -1e-12


@pytest.mark.parametrize(("n_leaves", "negative"), [(10, False), (11, True), (16, True)])
def test_smallest_eigenvalue_of_the_star_is_that_of_its_symmetric_part(n_leaves, negative):
    matrices, cliques = indefinite_example(n_leaves)
    gram = np.array([[unrooted_kernel(K, L, cliques) for L in matrices] for K in matrices])
    side = np.sqrt(n_leaves / 5)
    symmetric = [[1 + (n_leaves - 1) / 9, side], [side, 1]]
    smallest = np.linalg.eigvalsh(gram)[0]
    assert smallest == pytest.approx(np.linalg.eigvalsh(symmetric)[0], abs=1e-12)
    assert (smallest < -1e-3) == negative


def test_matrices_of_the_star_are_positive_definite():
    matrices, _ = indefinite_example()
    # |matrix| = 1 or 1/5, largest eigenvalue below 10
    assert np.linalg.eigvalsh(matrices).min() > 0.05


def test_rooted_kernel_is_positive_semidefinite_on_the_star():
    matrices, cliques = indefinite_example()
    gram = [[rooted_kernel(K, L, cliques) for L in matrices] for K in matrices]
    assert np.linalg.eigvalsh(gram)[0] > 0


def test_cliques_without_running_intersection_are_refused():
    K, L = covariances(2, 4, 0)
    with pytest.raises(ValueError, match=r"clique \[1, 3\] shares \[1, 3\]"):
        rooted_kernel(K, L, [(0, 1), (2, 3), (1, 3)])
