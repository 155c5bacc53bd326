"""What penalties and solvers must agree with, and errata that a computation settles."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.svm import SVC

from .experiments import (
    POWERS,
    Machine,
    Penalty,
    algorithm_1,
    equation_12,
    gap,
    support_vectors,
    toy,
)

NORMS = np.array([1.0, 0.3, 0.5, 2.0, 0.7])
SIZES = [3, 2]
OF = np.repeat([0, 1], SIZES)


def plain_bound(sigma, p, q):
    """The third constraint of (10), from the text."""
    total = 0.0
    for group, size in enumerate(SIZES):
        inner = sum(weight ** (1 / q) for weight, of in zip(sigma, OF, strict=True) if of == group)
        total += (size**p * inner**q) ** (1 / (p + q))
    return total


def plain_penalty(p, q, inner):
    """Twice the penalty of (11), from the text, with an exponent inside."""
    gamma = 2 / (q + 1)
    gamma_0 = 2 / (p + q + 1)
    total = 0.0
    for group, size in enumerate(SIZES):
        s = sum(norm**inner for norm, of in zip(NORMS, OF, strict=True) if of == group)
        total += size ** (1 - gamma_0 / gamma) * s ** (gamma_0 / gamma)
    return total ** (2 / gamma_0)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (1.0, 1.0), (0.3, 0.6)])
def test_mixed_norm_raises_inner_norms_to_gamma(p, q):
    """szafranski2008ckl, Equation 11: the best weights by a search cost it with gamma inside."""
    # Homogeneous: any positive weights may be scaled onto the surface.
    least = minimize(
        lambda z: np.sum(NORMS**2 / np.exp(z)) * plain_bound(np.exp(z), p, q) ** (p + q),
        np.zeros(5),
        options={"gtol": 1e-8},
    ).fun
    penalty = Penalty((p, q), SIZES)
    assert least == pytest.approx(plain_penalty(p, q, 2 / (q + 1)), rel=1e-6)
    assert least != pytest.approx(plain_penalty(p, q, 2 / (p + q + 1)), rel=5e-3)
    assert penalty.squared_norm(NORMS) == pytest.approx(plain_penalty(p, q, 2 / (q + 1)))
    assert plain_bound(penalty.best(NORMS), p, q) == pytest.approx(1)


@pytest.mark.parametrize("shared", [True, False])
def test_one_budget_gives_the_mixed_norm(shared):
    """szafranski2008ckl, Equation 6: sigma_2 sums to 1 over all, not over each group."""

    def objective(z):
        first = softmax(z[:2]) / SIZES
        second = softmax(z[2:]) if shared else np.r_[softmax(z[2:5]), softmax(z[5:])]
        return np.sum(NORMS**2 / np.sqrt(first[OF] * second))

    least = minimize(objective, np.zeros(7), options={"gtol": 1e-8}).fun
    squared_norm = Penalty(POWERS["CKL 1/2"], SIZES).squared_norm(NORMS)
    assert (least == pytest.approx(squared_norm, rel=1e-6)) == shared


def test_kernel_gradient_is_of_one_kernel():
    """szafranski2008ckl, Section 5.2: the derivative by sigma_m has K_m alone, not the sum."""
    X, y = toy(np.random.default_rng(2), 8)
    machine = Machine(X.reshape(8, 6), y, 1.0)
    sigma = np.linspace(0.1, 0.6, 6)
    step = 1e-4
    slopes = machine(sigma)[1]
    differences = [
        (machine(sigma - step * direction)[0] - machine(sigma + step * direction)[0]) / (2 * step)
        for direction in np.eye(6)
    ]
    np.testing.assert_allclose(slopes, differences, rtol=1e-3, atol=1e-4)
    assert not np.allclose(slopes, slopes.sum(), rtol=0.1)


def test_convex_sets_beyond_the_range():
    """szafranski2008ckl, Proposition 2: one group, p + q above 1; single kernels, q above 1."""
    rng = np.random.default_rng(0)
    for powers, sizes in (((1.0, 0.5), [4]), ((-0.5, 1.25), [1, 1, 1, 1])):
        penalty = Penalty(powers, sizes)
        a, b = (
            [penalty.project(weights) for weights in rng.exponential(size=(50, 4))] for _ in "ab"
        )
        assert all(penalty.bound((s + t) / 2) <= 1 + 1e-12 for s, t in zip(a, b, strict=True))


def problem(seed=0, n=14):
    X, y = toy(np.random.default_rng(seed), n)
    penalty = Penalty(POWERS["CKL 1/2"], [2, 2, 2])
    return Machine(X.reshape(n, 6), y, 1.0), penalty, penalty.project(np.ones(6))


def test_plain_gradient_leaves_the_set():
    """szafranski2008ckl, Algorithm 1: d leads out of the set at once, and J falls on."""
    machine, penalty, sigma = problem()
    values, slopes = zip(*(machine(sigma * scale) for scale in (1, 10, 100)), strict=True)
    assert values[0] > values[1] > values[2]
    assert penalty.bound(sigma + 1e-6 * slopes[0]) > 1


def test_a_kept_group_keeps_all_its_kernels():
    """szafranski2008ckl, Table 1: at the optimum of CKL 1/2 none of a group's weights is 0."""
    empty = 0
    for seed in range(2):
        machine, penalty, start = problem(seed)
        kept = equation_12(machine, penalty, start, 1e-8).reshape(3, 2) > 0
        assert np.array_equal(kept.any(axis=1), kept.all(axis=1))
        empty += np.sum(~kept)
    assert empty > 0


def test_optimum_is_that_of_a_general_solver_for_the_mixed_norm():
    """Problem (11) with norms of (4/3, 1) and (1, 1), by cvxpy."""
    cp = pytest.importorskip("cvxpy")
    machine, half, _ = problem()
    for penalty in (half, Penalty(POWERS["MKL"], [2, 2, 2])):
        sigma = equation_12(machine, penalty, penalty.project(np.ones(6)), 1e-13, 5000)
        w = cp.Variable(6)
        b = cp.Variable()
        norm = sum(2**penalty.gamma_star * cp.pnorm(w[i : i + 2], penalty.gamma) for i in (0, 2, 4))
        loss = cp.sum(cp.pos(1 - cp.multiply(machine.y, machine.X @ w + b)))
        program = cp.Problem(cp.Minimize(cp.square(norm) / 2 + loss))
        tight = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-11)
        best = program.solve(solver="CLARABEL", **tight)
        assert machine(sigma)[0] == pytest.approx(best, rel=1e-8)


def test_algorithm_1_descends_to_where_equation_12_ends():
    machine, penalty, start = problem(1)
    ends = [solve(machine, penalty, start, 1e-4) for solve in (algorithm_1, equation_12)]
    assert all(0 <= gap(machine, penalty, sigma) < 1e-2 for sigma in ends)
    assert gap(machine, penalty, start) > 0.1


@pytest.mark.parametrize("C", [1.0, 1000.0])
def test_dual_optimum_is_libsvms(C):
    X, y = toy(np.random.default_rng(0), 30)
    K = X.reshape(30, 6) @ X.reshape(30, 6).T
    signed, value = support_vectors(K, y, C)
    theirs = SVC(C=C, kernel="precomputed", tol=1e-8).fit(K, y)
    a = theirs.dual_coef_[0]
    rows = theirs.support_
    assert value == pytest.approx(np.abs(a).sum() - a @ K[np.ix_(rows, rows)] @ a / 2, rel=1e-6)
    assert abs(signed.sum()) < 1e-6 * C
