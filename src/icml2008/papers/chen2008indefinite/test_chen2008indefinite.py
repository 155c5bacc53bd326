"""Solvers beside plain loops and general ones, and errata that a small computation settles."""

import math
from itertools import islice

import numpy as np
import pytest
from scipy import optimize
from sklearn.svm import SVC

from icml2008.catalogue.library import measured
from icml2008.data import DataUnavailable, load

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
    optimum = least(K0, y, alpha)[0]
    every = np.arange(16)
    solution = Saddle(K0).solve(y, 1.0, RHO, every, tol=1e-6)[0]
    assert least(K0, y, solution)[0] == pytest.approx(optimum, abs=1e-7)
    for prune in (True, False):
        *_, last = islice(cutting_planes(K0, y, 1.0, RHO, prune, every), 25)
        assert last[0] - 1e-6 <= optimum <= last[1] + 1e-6 < last[0] + 1e-2


def climbed(K0, y, train, rho, gap):
    """Return decision values by Equations 2, 4 and 9: an SVM for the worst K shows where to go."""

    def least(v):
        values, U = np.linalg.eigh(K0 + np.outer(v, v) / (4 * rho))
        K = (U * np.maximum(values, 0)) @ U.T
        return v @ y - v @ K @ v / 2 + rho * np.sum((K - K0) ** 2), K

    v = np.zeros(len(y))
    step = 1.0
    low, K = least(v)
    while True:
        svm = SVC(kernel="precomputed", tol=1e-5).fit(K[np.ix_(train, train)], y[train])
        aim = np.zeros(len(y))
        aim[train[svm.support_]] = svm.dual_coef_[0]
        if aim @ y - aim @ K @ aim / 2 - (v @ y - v @ K @ v / 2) < gap:
            return K @ v + svm.intercept_
        step = min(1.0, 2 * step)
        while (new := least(v + step * (aim - v)))[0] <= low:
            step /= 2
        v = v + step * (aim - v)
        (low, K) = new


@pytest.fixture
def split(monkeypatch):
    """Return what Table 1's first split of Sonar gives to the max-min SVM, and its accuracy."""
    calls = []
    solve = ours.indefinite
    monkeypatch.setattr(ours, "indefinite", lambda *args: calls.append(args) or solve(*args))
    try:
        X = load("sonar").X
        values = measured("chen2008indefinite", "table-1", dataset="sonar")
    except DataUnavailable as why:
        pytest.skip(str(why))
    return X, [call[:4] for call in calls], calls[-1][5][0], values["Indefinite SVM", "accuracy"]


def test_accuracy_of_sonar_is_that_of_a_plain_loop_over_the_text(split):
    """Table 1, from rows to percent: the kernel of Section 6.1, then Equation 2, at three rhos."""
    X, [*_, (K0, y, train, test)], rho, accuracy = split
    X = 2 * (X - X.min(axis=0)) / np.ptp(X, axis=0) - 1
    noise = K0 - np.exp(-0.215 * np.sum((X[:, None] - X) ** 2, axis=2))
    assert np.allclose(noise, noise.T)
    assert np.std(noise) == pytest.approx(0.1 / np.sqrt(2), rel=0.02)
    values = climbed(K0, y, train, rho, 1e-3)[test]
    assert 100 * np.mean(values * y[test] > 0) == pytest.approx(accuracy, abs=1e-4)
    for other in (10.0, 0.1):
        decisions = ours.indefinite(K0, y, train, test, "whole", [other], None)[0]
        signs = climbed(K0, y, train, other, 0.1)[test] * decisions > 0
        assert np.count_nonzero(~signs) <= 1


@pytest.mark.thorough
def test_rho_is_the_one_with_which_a_plain_loop_is_right_most_often(split):
    """Five folds of the samples to train on; one sample may tip over at the loop's gap."""
    _, [*folds, (K0, y, train, _)], rho, _ = split
    assert sorted(np.concatenate([fold[3] for fold in folds])) == list(train)
    right = {
        other: sum(np.sum((climbed(K0, y, a, other, 0.01) * y)[b] > 0) for _, _, a, b in folds)
        for other in ours.RHOS
    }
    assert right[rho] >= max(right.values()) - 1


def test_pruning_keeps_active_constraints_whose_weight_is_small():
    """Lemma 4.1 at rho = 0.001, where active constraints have multipliers of 1e-4 and less."""
    K0, y, _ = ours.instance(np.random.default_rng(0), n=24)
    planes = islice(cutting_planes(K0, y, 1.0, 1e-3, True, np.arange(24)), 25)
    assert np.all(np.diff([upper for _, upper, *_ in planes]) < 1e-6)


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
    K0 = problem[0][:6, :6]
    y = np.array([1.0, -1, 1, -1, 1, -1])
    v = np.linspace(-1, 1, 6)
    K = cvxpy.Variable((6, 6), PSD=True)
    S = RHO * cvxpy.sum_squares(K - K0) - cvxpy.trace(np.outer(v, v) @ K) / 2
    value = cvxpy.Problem(cvxpy.Minimize(S)).solve(solver="CLARABEL")
    worst, penalty = worst_kernel(K0, v, RHO)
    assert penalty - v @ worst @ v / 2 == pytest.approx(value, abs=1e-6)
    kernels = np.array([worst, np.eye(6)]) * np.outer(y, y)
    penalties = np.array([penalty, 0.4])
    alpha = cvxpy.Variable(6)
    t = cvxpy.Variable()
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
