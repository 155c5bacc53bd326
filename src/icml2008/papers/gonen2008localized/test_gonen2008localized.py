"""What gates, solvers and splits must agree with, and errata that a computation settles."""

import numpy as np
import pytest
from scipy.stats import wilcoxon
from sklearn.svm import SVC

from . import experiments as ours
from .method import Fold, LocalizedMKL, combined, gates, gradient, optimum

EXACT = 1e-10


def fold(n=30, start=0.01, trace=None, kernels=2, tol=1e-3):
    """Return n training rows of GAUSS4, n for validation and n for testing."""
    rng = np.random.default_rng(0)
    X, y = ours.gauss4(rng)
    rows = np.column_stack([rng.permutation(600), 600 + rng.permutation(600)]).ravel()[: 3 * n]
    return Fold(X[rows], y[rows], n, n, start * rng.uniform(-1, 1, (3, kernels)), trace, tol)


@pytest.mark.parametrize("names", ["LP", "LLL"])
def test_scores_are_those_of_a_plain_loop_over_the_text(names):
    """Equations 7 and 8 and Algorithm 1, with LIBSVM for the canonical SVM."""
    data = fold(20, kernels=len(names), tol=EXACT)
    n = 20
    p = len(names)
    A = data.X[:n]
    ones = np.ones((len(data.X), 1))
    K = [{"L": data.X @ A.T, "P": (data.X @ A.T + 1) ** 2}[name] for name in names]
    K = [kernel / np.trace(kernel[:n]) * n for kernel in K]
    V = np.vstack([data.start[1:], data.start[:1]]).T

    def gate(X):
        E = np.exp(np.hstack([X, ones[: len(X)]]) @ V.T)
        return E / E.sum(axis=1)[:, None]

    for step in range(51):
        H = gate(A)
        q = np.zeros(n)
        K_eta = sum(H[:, [m]] * K[m][:n] * H[:, m] for m in range(p))
        machine = SVC(C=1.0, kernel="precomputed", tol=1e-10).fit(K_eta, data.y[:n])
        q[machine.support_] = machine.dual_coef_[0]
        T = np.stack([q * H[:, k] * (K[k][:n] @ (q * H[:, k])) for k in range(p)], axis=1)
        if step < 50:
            V = V + 0.01 * (T - H * T.sum(axis=1)[:, None]).T @ np.hstack([A, ones[:n]])
    f = sum(gate(data.X)[:, m] * (K[m] @ (q * H[:, m])) for m in range(p)) + machine.intercept_
    np.testing.assert_allclose(ours.lmkl(data, list(names), 1.0)[0], f, atol=1e-5)


def test_gradient_is_the_derivative_of_the_optimum():
    data = fold(start=1.0, tol=EXACT)
    names = ["P", "G"]
    X = data.X[: data.n]
    steps = 1e-4 * np.eye(data.start.size).reshape(-1, *data.start.shape)

    def J(V):
        return optimum(data, names, gates(X, V), 10.0)[2]

    eta = gates(X, data.start)
    slopes = [(J(data.start + h) - J(data.start - h)) / 2e-4 for h in steps]
    slope = gradient(X, eta, optimum(data, names, eta, 10.0)[3]).ravel()
    np.testing.assert_allclose(slope, slopes, atol=1e-4 * np.abs(slope).max())


def test_equal_gates_of_copies_of_a_kernel_are_a_stationary_point():
    data = fold(start=0.0, kernels=3)
    X = data.X[: data.n]
    eta = gates(data.X[: data.n], data.start)
    np.testing.assert_allclose(gradient(X, eta, optimum(data, "LLL", eta, 1.0)[3]), 0, atol=1e-12)


def test_weights_of_mkl_are_those_of_a_cone_program():
    """The quadratically constrained program of Lanckriet et al. (2004), solved by Clarabel."""
    cp = pytest.importorskip("cvxpy")
    data = fold()
    C = 1.0
    y = data.y[: data.n]
    K = [data.square[name] for name in "LP"]
    alpha = cp.Variable(data.n, nonneg=True)
    t = cp.Variable()
    limits = [alpha <= C, y @ alpha == 0]
    limits += [cp.quad_form(cp.multiply(y, alpha), cp.psd_wrap(kernel)) <= t for kernel in K]
    problem = cp.Problem(cp.Maximize(cp.sum(alpha) - t / 2), limits)
    problem.solve(solver=cp.CLARABEL)
    _, signed, extra = ours.mkl(data, ["L", "P"], C)
    both = (1 - extra["weight"]) * K[0] + extra["weight"] * K[1]
    value = np.abs(signed).sum() - signed @ both @ signed / 2
    assert value == pytest.approx(problem.value, rel=1e-3)


@pytest.mark.parametrize(
    ("counts", "sizes"),
    [((111, 97), (70, 69)), ((357, 212), (189, 190)), ((2924, 2376), (500, 500))],
)
def test_splits_have_the_sizes_to_which_the_printed_percentages_fit(counts, sizes):
    """Rows for testing and in a half: sonar, WDBC, and 1,500 of Banana."""
    y = np.repeat([1.0, -1.0], counts)
    test, pairs = ours.thirds(y, np.random.default_rng(0), 1500)
    assert (len(test), *{len(half) for pair in pairs for half in pair}) == sizes
    for half, other in pairs:
        assert len({*test, *half, *other}) == len(test) + 2 * len(half)
        assert y[half].sum() == y[other].sum()


def test_tests_of_differences_are_the_known_ones():
    """Alpaydin's by hand, f = 25 / 5 for gaps of 2 and 1; and Wilcoxon's."""
    gaps = np.array([2.0, 1.0] * 5)
    none = np.zeros(10)
    pairs = [(gaps, none), (none, gaps), (gaps - 0.1, none), (gaps, gaps)]
    assert [ours.significant(*pair) for pair in pairs] == [1, -1, 0, 0]
    pair = np.random.default_rng(0).normal(size=(2, 10))
    ranks = ours.signed_rank(pair[None, :, :, None])[0]
    assert (1 - abs(ranks)) / 2 * 55 == pytest.approx(wilcoxon(*pair).statistic)


def test_bayes_rule_of_gauss4_is_below_the_printed_accuracy():
    """gonen2008localized, Section 4.1: 92.00 % beside 89.74 %."""
    line = np.linspace(-15, 15, 401)
    x = line[:, None]
    y = line[None]
    density = [
        np.exp(-((x - a) ** 2) / 1.6 - (y - b) ** 2 / (2 * v)) / (2 * np.pi * np.sqrt(0.8 * v))
        for a, b, v in ((-3, 1, 2), (1, 1, 2), (-1, -2.2, 4), (3, -2.2, 4))
    ]
    best = np.maximum(density[0] + density[1], density[2] + density[3]).sum() / 4
    assert 100 * best * (line[1] - line[0]) ** 2 == pytest.approx(89.74, abs=0.01)


def test_unit_trace_leaves_all_rows_at_the_bound():
    """gonen2008localized, Section 4.1: K_G of 400 rows of GAUSS4."""
    data = fold(400, trace=1.0)
    assert all(np.all(np.abs(data.solve(data.square["G"], C)[0]) == C) for C in (0.01, 10.0))


def test_combined_kernel_is_semidefinite_for_gates_of_any_sign():
    """gonen2008localized, Section 2; and equal gates give a ninth of the sum of three kernels."""
    data = fold()
    third = np.full((30, 3), 1 / 3)
    for eta in (gates(data.X[:30], data.start), np.random.default_rng(0).normal(size=(30, 2))):
        assert np.linalg.eigvalsh(combined(data.square, ["L", "G"], eta)).min() > -1e-9
    ninth = sum(data.square.values()) / 9
    np.testing.assert_allclose(combined(data.square, ["L", "P", "G"], third), ninth)


def test_the_estimator_scores_new_rows_as_the_trial_does():
    data = fold()
    model = LocalizedMKL(2.0, kernels=["quadratic", "gaussian"], random_state=1)
    X = data.X[: data.n]
    model.fit(X, np.where(data.y[: data.n] > 0, "up", "down"))
    data.start = 0.01 * np.random.RandomState(1).uniform(-1, 1, (3, 2))
    scores, signed, _ = ours.lmkl(data, ["P", "G"], 2.0)
    np.testing.assert_allclose(model.decision_function(data.X), scores)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(signed))
    assert model.classes_.tolist() == ["down", "up"]
    assert model.predict(data.X).tolist() == np.where(scores > 0, "up", "down").tolist()
    np.testing.assert_allclose(model.weights(data.X).sum(axis=1), 1)


def test_one_kernel_is_a_plain_machine():
    data = fold()
    X = data.X[: data.n]
    y = data.y[: data.n]
    model = LocalizedMKL(0.5, kernels=["linear"], tol=1e-8).fit(X, y)
    machine = SVC(C=0.5 * data.n / np.sum(X**2), kernel="linear", tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), machine.decision_function(X), atol=1e-5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kernels": ["lineal"]}, "kernels: no 'lineal'; did you mean 'linear'"),
        ({"kernels": []}, "kernels: none is given"),
        ({"C": 0}, "'C' parameter of LocalizedMKL .* Got 0"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        LocalizedMKL(**parameters).fit([[0.0], [1.0]], [0, 1])
