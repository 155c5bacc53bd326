"""Solvers beside plain loops and general ones, and errata that a small computation settles."""

import math
from itertools import islice

import numpy as np
import pytest
from scipy import optimize

from . import experiments as ours
from .method import Saddle, cutting_planes, master, worst_kernel

RHO = 2.0


@pytest.fixture
def problem():
    K0, y, _ = ours.instance(np.random.default_rng(4), n=16)
    return K0, y


def least(K0, y, alpha):
    """Return S(alpha, K) at the worst K, and K."""
    K, penalty = worst_kernel(K0, y * alpha, RHO)
    return alpha.sum() - (y * alpha) @ K @ (y * alpha) / 2 + penalty, K


def test_objective_has_a_gradient_and_both_solvers_its_maximum(problem):
    """chen2008indefinite, Section 1: it is said to be nondifferentiable; a plain loop climbs it."""
    K0, y = problem
    alpha = np.random.default_rng(0).uniform(0.2, 0.8, size=16)
    ends = ((least(K0, y, alpha + h)[0] - least(K0, y, alpha - h)[0]) for h in 1e-5 * np.eye(16))
    slopes = np.array(list(ends)) / 2e-5
    assert slopes == pytest.approx(1 - y * (least(K0, y, alpha)[1] @ (y * alpha)), abs=1e-7)
    for _ in range(600):
        alpha = alpha + 0.05 * (1 - y * (least(K0, y, alpha)[1] @ (y * alpha)))
        ends = [-99.0, 99.0]
        for _ in range(50):
            nu = sum(ends) / 2
            ends[int(y @ np.clip(alpha - nu * y, 0, 1) < 0)] = nu
        alpha = np.clip(alpha - nu * y, 0, 1)
    optimum, every = least(K0, y, alpha)[0], np.arange(16)
    found = Saddle(K0).solve(y, 1.0, RHO, every, tol=1e-6)[0]
    assert least(K0, y, found)[0] == pytest.approx(optimum, abs=1e-7)
    for prune in (True, False):
        *_, last = islice(cutting_planes(K0, y, 1.0, RHO, prune, every), 25)
        assert last[0] - 1e-6 <= optimum <= last[1] + 1e-6 < last[0] + 1e-2


def test_samples_to_test_on_have_alpha_zero_in_the_worst_kernel(problem):
    K0, y = problem
    train = np.arange(3, 16)
    alpha, intercept, decision = Saddle(K0).solve(y[train], 1.0, RHO, train, tol=1e-6)
    v = np.zeros(16)
    v[train] = y[train] * alpha
    assert decision == pytest.approx(worst_kernel(K0, v, RHO)[0] @ v + intercept, abs=1e-6)
    free = (alpha > 1e-3) & (alpha < 1 - 1e-3)
    assert (decision[train] * y[train])[free] == pytest.approx(1, abs=1e-5)


def test_worst_kernel_and_master_are_those_of_general_solvers(problem):
    cvxpy = pytest.importorskip("cvxpy")
    K0, y = problem[0][:6, :6], np.array([1.0, -1, 1, -1, 1, -1])
    v = np.linspace(-1, 1, 6)
    K = cvxpy.Variable((6, 6), PSD=True)
    S = RHO * cvxpy.sum_squares(K - K0) - cvxpy.trace(np.outer(v, v) @ K) / 2
    value = cvxpy.Problem(cvxpy.Minimize(S)).solve(solver="CLARABEL")
    worst, penalty = worst_kernel(K0, v, RHO)
    assert penalty - v @ worst @ v / 2 == pytest.approx(value, abs=1e-6)
    kernels, penalties = np.array([worst, np.eye(6)]) * np.outer(y, y), np.array([penalty, 0.4])
    alpha, t = cvxpy.Variable(6), cvxpy.Variable()
    limits = [
        t <= cvxpy.sum(alpha) - cvxpy.quad_form(alpha, cvxpy.psd_wrap(Q)) / 2 + p
        for Q, p in zip(kernels, penalties, strict=True)
    ]
    rules = [*limits, alpha >= 0, alpha <= 1, y @ alpha == 0]
    value = cvxpy.Problem(cvxpy.Maximize(t), rules).solve(solver="CLARABEL")
    assert master(kernels, penalties, y, 1.0)[1] == pytest.approx(value, abs=1e-6)


def test_theorems_fail_for_another_kernel(problem, monkeypatch):
    K0, y = problem
    assert ours.suboptimal(K0, y, RHO, np.random.default_rng(0)) < 1e-9
    assert ours.unequal(K0, y, RHO, np.random.default_rng(0)) < 1e-6
    assert ours.bracket(K0, y, RHO, prune=True, rounds=6) < 1e-6
    monkeypatch.setattr(ours, "worst_kernel", lambda K0, v, rho: worst_kernel(K0, v, 2 * rho))
    assert ours.suboptimal(K0, y, RHO, np.random.default_rng(0)) > 1e-3
    assert ours.bracket(K0, y, RHO, prune=True, rounds=6) > 1e-3


def test_mixing_weights_must_not_be_negative():
    """chen2008indefinite, Eqs. 25 to 28: without the sign there is no minimum over the weights."""
    t = np.array([0.3, 1.0, 2.0])
    signed, free = (
        optimize.linprog(t, A_eq=np.ones((1, 3)), b_eq=[1], bounds=ends)
        for ends in ((0, None), (None, None))
    )
    assert math.isclose(signed.fun, t.min(), rel_tol=1e-9)
    assert free.status == 3  # unbounded
