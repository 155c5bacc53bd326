"""What the updates, estimates and counts must agree with."""

import numpy as np
import pytest

from . import experiments as ours
from .experiments import ILSPE, ILSTD, NONE, PTD


def inverse_B(rule, A, D):
    return {
        "GRAD": lambda: A.T,
        "MR": lambda: -np.eye(len(A)),
        "LSPE": lambda: -np.linalg.inv(D),
        "LSTD": lambda: np.linalg.inv(A),
    }[rule]()


@pytest.mark.parametrize("name", [*PTD, "iLSPE", "iLSTD"])
def test_online_errors_are_those_of_a_plain_loop_over_the_text(name):
    """Sections 2 to 5: Boyan's chain by hand, sums over T, Equations 14 to 21, lambda 0.4."""
    rule = (PTD | {"iLSPE": ILSPE, "iLSTD": ILSTD})[name]
    steps = ours.walk(np.random.default_rng(1), 12, 60)
    learned = ours.learn(
        rule, steps, ours.features(12), 0.4, False, (0.1, 100.0), ours.solution(12)
    )
    phi = [np.interp(s / 4, range(4), row) for row in np.eye(4) for s in range(13)]
    phi = np.vstack([np.reshape(phi, (4, 13)).T, np.zeros(4)])
    sum_A = (-0.01 if name == "LSTD" else 0.0) * np.eye(4)
    sum_D = (0.01 if name == "LSPE" else 0.0) * np.eye(4)
    sum_b = np.zeros(4)
    z = np.zeros(4)
    w = np.full(4, 0.1)
    trajectory = 1
    p_residual = np.zeros(4)
    v = np.zeros(4)
    for T, (s, after) in enumerate(zip(*steps[:2], strict=True), start=1):
        assert after in {12: (13,), 11: (12,)}.get(s, (s + 1, s + 2))
        reward = -3.0 if s < 11 else {11: -2.0, 12: 0.0}[s]
        z = 0.4 * z + phi[s]
        sum_A = sum_A + np.outer(z, phi[after] - phi[s])
        sum_b = sum_b + z * reward
        sum_D = sum_D + np.outer(phi[s], phi[s])
        A = sum_A / T
        b = sum_b / T
        D = sum_D / T
        e = A @ w + b
        if name == "iLSPE":
            kappa = e + D @ p_residual
            p_residual = p_residual - kappa @ D @ kappa / np.sum((D @ kappa) ** 2) * kappa
            chi = A @ p_residual + D @ v
            v = v - chi @ D @ chi / np.sum((D @ chi) ** 2) * chi
            delta = p_residual
            alpha = p_residual @ v / (v @ v)
        elif name == "iLSTD":
            delta = -e
            alpha = 0.1 * 101 / (trajectory + 100)
        else:
            delta = inverse_B(name, A, D) @ e
            y = inverse_B(name, A, D) @ A @ delta
            alpha = delta @ y / (y @ y) if y.any() else 0.0
        w = w - alpha * delta
        if after == 13:
            z = np.zeros(4)
            trajectory = trajectory + 1
    values = -2.0 * (12 - np.arange(13))
    assert learned[3] == pytest.approx(np.sqrt(np.mean((phi[:13] @ w - values) ** 2)), rel=1e-6)


@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_estimates_tend_to_the_model_and_its_solution_is_exact(trace):
    A, b, D = ours.model(12, trace)
    np.testing.assert_allclose(-np.linalg.solve(A, b), ours.solution(12), atol=1e-12)
    steps = ours.trajectories(np.random.default_rng(0), 12, 5000)
    assert np.count_nonzero(steps[1] == 13) == 5000
    assert steps[1][-1] == 13
    how = (ours.features(12), trace, False, (0.0, 0.0), ours.solution(12))
    for estimate, model in zip(ours.learn(NONE, steps, *how), (A, b, D), strict=False):
        np.testing.assert_allclose(estimate, model, atol=0.02 * np.abs(model).max())


def test_updates_of_figure_4_are_those_of_a_plain_loop_and_end_at_the_solution():
    """Equations 14 to 16 by estimates of few trajectories, until values are as near as is asked."""
    steps = ours.trajectories(np.random.default_rng(0), 12, 200)
    how = (ours.features(12), 1.0, False, (0.0, 0.0), ours.solution(12))
    A, b, D = ours.learn(NONE, steps, *how)[:3]
    phi = ours.features(12)[:13]
    limit = -np.linalg.solve(A, b)
    counts = {}
    for name, rule in PTD.items():
        w = np.full(4, 0.1)
        path = [np.full(4, 0.1)]
        while np.sqrt(np.mean((phi @ (w - limit)) ** 2)) > 1e-5:
            delta = inverse_B(name, A, D) @ (A @ w + b)
            y = inverse_B(name, A, D) @ A @ delta
            w = w - delta @ y / (y @ y) * delta
            path.append(w)
        sizes, errors, left = ours.replay(rule, A, b, D, 12)
        counts[name] = len(sizes)
        assert len(sizes) == len(path) - 1
        by_hand = [np.sqrt(np.mean((phi @ (w - ours.solution(12))) ** 2)) for w in path]
        np.testing.assert_allclose(errors, by_hand, rtol=1e-6)
        assert left[-1] <= 1e-5 < left[-2]
    assert counts["LSTD"] == 1
    assert max(counts, key=counts.get) == "GRAD"


def test_spectral_radius_is_that_of_the_iteration_matrix():
    A, _, D = ours.model(12, 0.3)
    for name, rule in PTD.items():
        inverse_C = inverse_B(name, A, D) @ np.linalg.inv(A.T)
        matrix = np.eye(4) - 0.7 * inverse_C @ A.T @ A
        expected = np.abs(np.linalg.eigvals(matrix)).max()
        assert ours.radii(rule, [0.1, 0.7], A, D)[1] == pytest.approx(expected, abs=1e-12)


def test_multiplications_of_a_sparse_elimination_are_counted_one_by_one():
    from scipy import sparse

    dense = ours.model(48, 0.0)[0].copy()
    count = 0
    A = sparse.csr_array(np.where(np.abs(dense) > 1e-12, dense, 0))
    k = len(dense)
    assert A.nnz == 48
    M = A.toarray()
    for i in range(k):
        rows = np.flatnonzero(M[i + 1 :, i]) + i + 1
        right = np.flatnonzero(M[i, i:]) + i
        count += len(rows) * len(right)  # a factor, and a product for each entry to the right
        for row in rows:
            M[row, right] -= M[row, i] / M[i, i] * M[i, right]
            M[row, i] = 0
        count += len(rows) + len(right)  # of the two triangles
    assert ours.multiplications("LSTD, sparse LU", A, A) == count


def test_a_singular_model_moves_no_weights_along_what_it_does_not_see():
    """The image of the p-residual is 0 up to rounding, and so is the step."""
    A = np.multiply.outer([1.0, 0.0], [0.1 + 0.2, -0.3])
    b = np.ones(2)
    unseen = np.array([1.0, 1.0])  # A's rounding leaves 5e-17
    _, alpha = ours.direction(PTD["MR"], A, unseen - A @ b, np.eye(2), b, np.zeros((2, 2)))
    assert 0 < np.abs(A @ unseen).max() < 1e-15
    assert alpha == 0
