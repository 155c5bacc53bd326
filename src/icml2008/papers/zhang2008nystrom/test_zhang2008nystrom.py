"""What landmarks, misalignments, classifiers and bounds must agree with."""

import numpy as np
import pytest

from icml2008.methods.kernels.nystroem import (
    LANDMARKS,
    LandmarkNystroem,
    gaussian,
    nystroem_error_bound,
    principal,
    spread,
)

from . import experiments as ours


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(60, 2)) * [1, 3]


def test_pivots_and_misalignment_are_those_of_a_plain_loop(X):
    """Incomplete Cholesky on the whole matrix, and eigenvectors of the centred one."""
    K, G, left = gaussian(X, X, spread(X)), np.zeros((60, 12)), np.ones(60)
    for j in range(12):
        p = left.argmax()
        G[:, j] = (K[:, p] - G @ G[p]) / np.sqrt(left[p])
        left -= G[:, j] ** 2
    H = np.eye(60) - 1 / 60
    U, V = (np.linalg.eigh(H @ A @ H)[1][:, -3:] for A in (K, G @ G.T))
    wanted = np.sqrt(3 - np.sum((V.T @ U) ** 2))
    found = LandmarkNystroem("cholesky", 12).fit_transform(X)
    np.testing.assert_allclose(found @ found.T, G @ G.T, atol=1e-8)
    assert ours.misalignment(U, found) == pytest.approx(wanted, rel=1e-6)
    np.testing.assert_allclose(
        np.abs(principal(found - found.mean(0), 3).T @ V)[::-1], np.eye(3), atol=1e-6
    )


@pytest.mark.parametrize("landmarks", LANDMARKS)
def test_no_error_exceeds_the_trace_of_what_closest_landmarks_leave(X, landmarks):
    model = LandmarkNystroem(landmarks, 10, random_state=0)
    G, width = model.fit_transform(X), spread(X)
    bound = nystroem_error_bound(X, model.components_, lambda A, B: gaussian(A, B, width))
    assert np.linalg.norm(gaussian(X, X, width) - G @ G.T) <= bound
    assert bound <= 2 * model.quantisation_error_ / width


def test_the_classifier_solves_the_least_squares_system(X):
    """Section 4.3 with y_i in the sum: y_i f(x_i) = 1 - alpha_i / C, and alpha'y = 0."""
    y, K = np.sign(X[:, 0]), gaussian(X, X, 2.0)
    system = np.block(
        [[np.zeros((1, 1)), y[None]], [y[:, None], np.outer(y, y) * K + 2 * np.eye(60)]]
    )
    b, *alpha = np.linalg.solve(system, np.append(0.0, np.ones(60)))
    found = ours.classified(ours.woodbury(np.linalg.cholesky(K + 1e-12 * np.eye(60))), y, K)
    np.testing.assert_allclose(found, K @ (y * alpha) + b, rtol=1e-6)
    without_y = K @ np.array(alpha) + b
    assert np.mean(np.sign(found) == y) > 0.9 > np.mean(np.sign(without_y) == y)


@pytest.mark.parametrize("kernel", ours.KERNELS)
def test_printed_constants_fail_and_derived_ones_hold(kernel):
    """Section 3.4: property (8), and with its own constants Propositions 2 and 3."""
    rng = np.random.default_rng(0)
    moves = [ours.moved(kernel, rng) for _ in range(300)]
    assert any(ratio > ours.CONSTANTS[kernel](R)[0] for ratio, R in moves)
    assert all(ratio <= ours.CONSTANTS[kernel](R)[1] * (1 + 1e-9) for ratio, R in moves)
    for _ in range(50):
        left, blocks, partial, complete = ours.bounds(kernel, *ours.clustered(rng), 1)
        assert (blocks <= partial).all()
        assert np.linalg.norm(left) <= complete


def test_a_polynomial_kernel_violates_proposition_3():
    """One landmark far off and one sample as far beside it: the printed C grows too slowly."""
    Z = np.array([[100.0, 0.0]])
    left, _, _, complete = ours.bounds("polynomial", Z, Z[None] + [[[0.0, 100.0]]], 0)
    assert np.linalg.norm(left) > 10 * complete
