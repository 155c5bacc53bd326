"""What kernels, gates, solvers and tests must agree with, and errata that a computation settles."""

import numpy as np
import pytest
from scipy.stats import wilcoxon
from sklearn.svm import SVC

from . import experiments as ours
from .experiments import Fold, combined, gates, gradient, shares


def fold(n=30, start=0.01, trace=1.0, kernels=2, seed=0):
    """Return n training rows of GAUSS4, and 2n to be scored."""
    rng = np.random.default_rng(seed)
    X, y = ours.gauss4(rng)
    rows = np.column_stack([rng.permutation(600), 600 + rng.permutation(600)]).ravel()[: 3 * n]
    start = start * rng.uniform(-1, 1, size=(3, kernels))
    return Fold(X[rows], y[rows], n, n, start, trace)


@pytest.mark.parametrize("names", ["LP", "LLL"])
def test_scores_are_those_of_a_plain_loop_over_algorithm_1(names):
    """Equations 7 and 8, Algorithm 1 and both gradients as printed, solved by LIBSVM."""
    one, C, p = fold(20, trace=None, kernels=len(names)), 1.0, len(names)
    X, y, n = one.X[:20], one.y[:20], 20

    def kernel(name, a, b):
        values = {"L": a @ b.T, "P": (a @ b.T + 1) ** 2}[name]
        return values / np.trace({"L": X @ X.T, "P": (X @ X.T + 1) ** 2}[name]) * n

    def gate(rows, v, v0):
        e = np.exp(rows @ v.T + v0)
        return e / e.sum(axis=1)[:, None]

    K = [kernel(name, X, X) for name in names]
    v0, v = one.start[0].copy(), one.start[1:].T.copy()
    for step in range(51):
        eta = gate(X, v, v0)
        K_eta = sum(eta[:, [m]] * K[m] * eta[:, m] for m in range(p))
        machine = SVC(C=C, kernel="precomputed", tol=1e-10).fit(K_eta, y)
        a = np.zeros(n)
        a[machine.support_] = machine.dual_coef_[0]
        down0, down = np.zeros(p), np.zeros((p, 2))
        for m in range(p if step < 50 else 0):
            for k in range(p):
                A = np.outer(a * eta[:, k], a * eta[:, k]) * K[k]
                left = (m == k) - eta[:, m]
                down0[m] -= 0.5 * np.sum(A * (left[:, None] + left))
                down[m] -= 0.5 * (np.sum(A, axis=1) * left + np.sum(A, axis=0) * left) @ X
        v0, v = v0 - 0.01 * down0, v - 0.01 * down
    eta_x = gate(one.X, v, v0)
    score = sum(eta_x[:, m] * (kernel(names[m], one.X, X) @ (eta[:, m] * a)) for m in range(p))
    ours.TOLERANCE, tolerance = 1e-10, ours.TOLERANCE
    found, *_ = ours.lmkl(one, list(names), C)
    ours.TOLERANCE = tolerance
    np.testing.assert_allclose(found, score + machine.intercept_, atol=1e-5)


def test_gradient_is_the_derivative_of_the_optimum(monkeypatch):
    monkeypatch.setattr(ours, "TOLERANCE", 1e-12)
    one, names = fold(start=1.0, trace=None), ["P", "G"]
    square = {name: K[: one.n] for name, K in one.kernels.items()}

    def optimum(V):
        eta = gates(one.X[: one.n], V)
        signed, _ = one.solve(combined(square, names, eta, eta), 10.0)
        parts = eta * signed[:, None] * shares(square, names, eta, signed)
        return np.abs(signed).sum() - parts.sum() / 2, gradient(one.X[: one.n], eta, parts)

    h, found = 1e-4, optimum(one.start)[1]
    for place in np.ndindex(found.shape):
        up, down = one.start.copy(), one.start.copy()
        up[place] += h
        down[place] -= h
        slope = (optimum(up)[0] - optimum(down)[0]) / (2 * h)
        assert slope == pytest.approx(found[place], rel=1e-4, abs=1e-4 * np.abs(found).max())


def test_equal_gates_of_copies_of_a_kernel_are_a_stationary_point():
    one = fold(start=0.0, kernels=3)
    square, eta = {"L": one.kernels["L"][: one.n]}, gates(one.X[: one.n], one.start)
    signed = one.y[: one.n] * np.random.default_rng(0).uniform(size=one.n)
    parts = eta * signed[:, None] * shares(square, "LLL", eta, signed)
    np.testing.assert_allclose(gradient(one.X[: one.n], eta, parts), 0, atol=1e-12)


def test_weights_of_mkl_are_those_of_a_cone_program():
    """Lanckriet et al. (2004): a quadratically constrained program, solved by Clarabel."""
    cp = pytest.importorskip("cvxpy")
    one, C = fold(trace=None), 1.0
    y, K = one.y[: one.n], [one.kernels[name][: one.n] for name in "LP"]
    alpha, t = cp.Variable(one.n, nonneg=True), cp.Variable()
    limits = [alpha <= C, y @ alpha == 0]
    for kernel in K:
        values, vectors = np.linalg.eigh(kernel)
        root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
        limits.append(cp.sum_squares(root @ cp.multiply(y, alpha)) <= t)
    problem = cp.Problem(cp.Maximize(cp.sum(alpha) - t / 2), limits)
    problem.solve(solver=cp.CLARABEL)
    _, signed, told = ours.mkl(one, ["L", "P"], C)
    weights = 1 - told["weight"], told["weight"]
    value = np.abs(signed).sum() - signed @ (weights[0] * K[0] + weights[1] * K[1]) @ signed / 2
    assert value == pytest.approx(problem.value, rel=1e-3)


def test_splits_have_the_sizes_to_which_the_printed_percentages_fit():
    """Test rows and rows of a half: sonar, WDBC, German, and 1,500 rows of Banana."""
    for counts, sizes in {
        (111, 97): (70, 69),
        (357, 212): (189, 190),
        (700, 300): (334, 333),
        (2924, 2376): (500, 500),
    }.items():
        y = np.repeat([1.0, -1.0], counts)
        test, pairs = ours.thirds(y, np.random.default_rng(0), 1500)
        assert (len(test), *{len(half) for pair in pairs for half in pair}) == sizes
        for one, other in pairs:
            assert len({*test, *one, *other}) == len(test) + 2 * len(one)
            assert y[one].sum() == y[other].sum()


def test_tests_of_differences_are_the_known_ones():
    """Alpaydin (1999) by hand: 10 differences of 2 or 1, f = 25 / 5; and Wilcoxon's test."""
    gaps = np.array([2.0, 1.0] * 5)
    assert ours.significant(gaps, np.zeros(10)) == 1
    assert ours.significant(np.zeros(10), gaps) == -1
    assert ours.significant(gaps - 0.1, np.zeros(10)) == 0
    assert ours.significant(gaps, gaps) == 0
    pairs = np.random.default_rng(0).normal(size=(2, 10))
    r = ours.signed_rank(pairs[None, :, :, None])[0]
    assert (1 - abs(r)) / 2 * 55 == pytest.approx(wilcoxon(*pairs).statistic)
    assert wilcoxon(np.arange(1.0, 11) * ([1, 1, 1, 1, 1, 1, 1, -1, 1, 1])).pvalue < 0.05


def test_bayes_rule_of_gauss4_is_below_the_printed_accuracy():
    """gonen2008localized, Section 4.1: 92.00 % beside 89.74 %."""
    line = np.linspace(-15, 15, 401)
    x, y = line[:, None], line[None]
    density = [
        np.exp(-((x - a) ** 2) / 1.6 - (y - b) ** 2 / (2 * v)) / (2 * np.pi * np.sqrt(0.8 * v))
        for a, b, v in ((-3, 1, 2), (1, 1, 2), (-1, -2.2, 4), (3, -2.2, 4))
    ]
    best = np.maximum(density[0] + density[1], density[2] + density[3]).sum() / 4
    assert 100 * best * (line[1] - line[0]) ** 2 == pytest.approx(89.74, abs=0.01)


def test_unit_trace_leaves_all_rows_at_the_bound():
    """gonen2008localized, Section 4.1: K_G of 400 rows of GAUSS4."""
    for C in (0.01, 10.0):
        one = fold(400)
        signed, _ = one.solve(one.kernels["G"][:400], C)
        assert np.all(np.abs(signed) == C)


def test_combined_kernel_is_semidefinite_for_gates_of_any_sign():
    """gonen2008localized, Section 2; and equal gates give a ninth of the sum of three kernels."""
    one, rng = fold(), np.random.default_rng(0)
    square = {name: K[: one.n] for name, K in one.kernels.items()}
    for eta in (gates(one.X[: one.n], one.start), rng.normal(size=(one.n, 2))):
        assert np.linalg.eigvalsh(combined(square, ["L", "G"], eta, eta)).min() > -1e-12
    third = np.full((one.n, 3), 1 / 3)
    np.testing.assert_allclose(
        combined(square, ["L", "P", "G"], third, third), sum(square.values()) / 9
    )
