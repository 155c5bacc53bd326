"""What is measured of penalties and solvers, and which C is taken."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from icml2008.papers.szafranski2008ckl import experiments
from icml2008.papers.szafranski2008ckl.experiments import POWERS, Penalty
from wiring import wire


@pytest.mark.parametrize("powers", ["MKL", "groups alone", "CKL 1/2", "CKL 1"])
def test_named_norms_are_those_of_problem_11(powers):
    p, q = POWERS[powers]
    norms = np.array([0.5, 1.0, 2.0, 0.25, 3.0])
    penalty = Penalty((p, q), [2, 3])
    gamma = 2 / (q + 1)
    outer = 2 / (p + q + 1)
    total = 0.0
    for group in (norms[:2], norms[2:]):
        total += len(group) ** (1 - outer / gamma) * np.sum(group**gamma) ** (outer / gamma)
    assert penalty.squared_norm(norms) == pytest.approx(total ** (2 / outer))
    named = experiments.NAMED[powers]([norms[:2], norms[2:]])
    assert penalty.squared_norm(norms) == pytest.approx(named**2)


@pytest.mark.parametrize("powers", ["MKL", "CKL 1/2", "a quarter", "sum below 0", "q above 1"])
def test_violations_are_the_largest_over_ten_structures(powers):
    wired = wire(experiments.run_propositions, {"powers": powers})
    rng = wired.rng("structures")
    p, q = POWERS[powers]
    off = []
    bends = []
    for _ in range(10):
        penalty = Penalty((p, q), rng.integers(2, 5, size=rng.integers(2, 5)))
        size = sum(map(int, penalty.sizes))
        norms = np.exp(rng.normal(size=size))
        drawn = np.exp(rng.normal(size=(100, 2, 2, size)))
        if q >= 0 and p + q > 0:
            best = penalty.best(norms)
            least = penalty.squared_norm(norms)
            off += [abs(sum(norms**2 / best) / least - 1), abs(penalty.bound(best) - 1)]
            for sigma in drawn[:, 0, 0]:
                for scale in (1, 0.01):
                    near = penalty.project(best * sigma**scale)
                    off.append(1 - sum(norms**2 / near) / least)
        for (a, b), (f, g) in drawn:
            a = penalty.project(a)
            b = penalty.project(b)
            bends.append(penalty.bound((a + b) / 2) - 1)
            mean = (sum(f**2 / a) + sum(g**2 / b)) / 2
            bends.append(sum(((f + g) / 2) ** 2 / ((a + b) / 2)) / mean - 1)
    metrics = dict(wired["CKL"])
    assert metrics.pop("bend") == pytest.approx(max(bends), abs=1e-9)
    assert metrics.pop("special", 0.0) < 1e-9
    assert wired.n_test["CKL"]["bend"] == 10
    assert ("special" in wired["CKL"]) is (powers in experiments.NAMED)
    assert metrics == ({"violation": pytest.approx(max(off), abs=1e-9)} if off else {})


def test_a_segment_outside_of_the_set_is_told_where_it_is_not_convex():
    assert wire(experiments.run_propositions, {"powers": "q above 1"})["CKL"]["bend"] > 0.01
    assert wire(experiments.run_propositions, {"powers": "MKL"})["CKL"]["bend"] < 1e-9


def test_a_gap_is_what_the_dual_leaves_over_the_value():
    slopes = np.array([1.0, 3.0, 2.0, 2.5])
    sigma = np.array([0.1, 0.2, 0.3, 0.4])

    def machine(weights):
        return 5.0, slopes

    inside = slopes @ sigma
    by_kernels = experiments.gap(machine, Penalty(POWERS["MKL"], [2, 2]), sigma)
    assert by_kernels == pytest.approx((3.0 - inside) / 5)
    half = Penalty(POWERS["CKL 1/2"], [2, 2])
    dual = max(np.sqrt(1 + 9), np.sqrt(4 + 6.25)) / np.sqrt(2)
    assert experiments.gap(machine, half, sigma) == pytest.approx((dual - inside) / 5)


@pytest.mark.parametrize("powers", ["MKL", "CKL 1/2"])
def test_what_a_solver_leaves_is_its_gap_on_the_toy(monkeypatch, powers):
    asked = []

    def solver(machine, penalty, start, tol, most):
        asked.append((machine.C, tol, most))
        return start

    methods = {"algorithm-1": solver, "equation-12": solver}
    wired = wire(experiments.run_descent, {"powers": powers}, methods=methods)
    assert asked == [(1.0, 1e-4, 200), (1.0, 1e-6, 200)]
    rng = wired.rng("problem")
    X = rng.normal(size=(12, 3, 2))
    y = np.where(X[:, 0, 0] + X[:, 0, 1] + rng.normal(size=12) > 0, 1.0, -1.0)
    penalty = Penalty(POWERS[powers], [2, 2, 2])
    start = penalty.project(rng.uniform(0.1, 1, size=6))
    left = experiments.gap(experiments.Machine(X.reshape(12, 6), y, 1.0), penalty, start)
    assert left > 0.01
    assert wired["equation-12"]["gap"] == wired["algorithm-1"]["gap"] == pytest.approx(left)


class Machine:
    """A machine whose weights are good at C = 10 alone."""

    made = ()

    def __init__(self, X, y, C):
        self.made.append((X, y, C))
        self.C = C

    def __call__(self, sigma):
        self.coef = CONTRAST * (1 if self.C == 10 else -1)
        return 1.0, np.ones(len(sigma))


# What a frame has in common with the others of its channel says nothing.
CONTRAST = np.tile([1.0, 1, -1, -1], 12)
KEPT = {"SVM": 48, "MKL": 1, "CKL 1/2": 12, "CKL 1": 5}


@pytest.fixture
def machines(monkeypatch):
    monkeypatch.setattr(Machine, "made", [])
    monkeypatch.setattr(experiments, "Machine", Machine)

    def learn(trial, name, machine, sizes):
        kept = {
            "SVM": slice(None),
            "MKL": slice(0, 1),
            "CKL 1/2": slice(0, 12),
            "CKL 1": slice(0, 5),
        }
        sigma = np.zeros(sum(sizes))
        sigma[kept[name]] = 0.5
        return sigma

    monkeypatch.setattr(experiments, "learn", learn)
    return Machine.made


def test_the_c_of_the_best_validation_area_is_tested(machines):
    wired = wire(experiments.run_sparsity, {"data": "channels"})
    rng = wired.rng("channels")
    y = np.where(rng.random(520) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(520, 12, 4)) + rng.normal(size=(520, 12, 1))
    X[:, :3, :2] += 0.5 * y[:, None, None]
    X = X.reshape(520, 48)
    rows = wired.rng("split").permutation(520)
    train = rows[:60]
    test = rows[60:]
    X = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    assert [C for *_, C in machines[:4]] == [1, 10, 100, 10]
    np.testing.assert_allclose(machines[0][0], X[train[:45]])
    np.testing.assert_allclose(machines[3][0], X[train])
    groups = {"SVM": 12, "MKL": 1, "CKL 1/2": 3, "CKL 1": 2}
    for name, n in KEPT.items():
        scores = X[test, :n] @ CONTRAST[:n]
        metrics = wired[name]
        assert metrics["auc"] == pytest.approx(100 * roc_auc_score(y[test], scores))
        assert metrics["auc"] > 50
        assert (metrics["kernels"], metrics["groups"]) == (n, groups[name])
        assert metrics["irrelevant"] == max(groups[name] - 3, 0)
        assert ("gap" in metrics) is (name in ("MKL", "CKL 1/2"))
    # The dual of equal slopes of 1 is 1 for MKL, and 1 for four of a group by half powers.
    assert wired["MKL"]["gap"] == pytest.approx(1 - 0.5)
    assert wired["CKL 1/2"]["gap"] == pytest.approx(1 - 6.0)


@pytest.mark.parametrize(("solver", "tol"), [("algorithm-1", 1e-3), ("equation-12", 1e-6)])
def test_the_solver_is_the_choices(monkeypatch, solver, tol):
    asked = []

    def stub(name):
        return lambda machine, penalty, sigma, tol: asked.append((name, penalty.q, tol)) or sigma

    monkeypatch.setattr(
        experiments, "SOLVERS", {name: stub(name) for name in ("algorithm-1", "equation-12")}
    )
    trial = SimpleNamespace(choices={"solver": solver})
    sigma = experiments.learn(trial, "CKL 1/2", None, [2, 2])
    assert asked == [(solver, 0.5, tol)]
    assert Penalty(POWERS["CKL 1/2"], [2, 2]).bound(sigma) == pytest.approx(1)
    np.testing.assert_array_equal(experiments.learn(trial, "SVM", None, [2, 2]), np.full(4, 0.25))


def test_groups_are_electrodes_and_rows_of_digits():
    rng = np.random.default_rng(1)
    brain = SimpleNamespace(images=rng.normal(size=(5, 3, 7)), y=np.array([1, -1, 1, 1, -1]))
    digits = SimpleNamespace(X=rng.normal(size=(4, 64)), y=np.array(["3", "4", "7", "0"]))
    data = {"ssl-bci": brain, "optdigits": digits}
    trial = SimpleNamespace(cell={"data": "electrodes"}, data=data.__getitem__)
    X, y, sizes = experiments.grouped(trial)
    assert (X.shape, sizes, y.tolist()) == ((5, 21), [7, 7, 7], [1, -1, 1, 1, -1])
    trial.cell["data"] = "digits"
    X, y, sizes = experiments.grouped(trial)
    assert (X.shape, sizes, y.tolist()) == ((4, 64), [8] * 8, [1, -1, 1, -1])
