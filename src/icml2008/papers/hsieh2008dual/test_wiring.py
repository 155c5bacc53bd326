"""What trials record, on solvers whose path is known, and from the text."""

from itertools import cycle

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .experiments import LOSSES, documents, dual, last, outer_iterations, primal, reference

SCALES = [0, 0.9, 0.999, 0.5, 0.99, 0.995, 0.97, *[1.0] * 40]


def split_of(seen, n_rows=1000):
    rng = seen.rng("split", across=("C",))
    X, y = documents(rng)
    parts = [rng.permutation(np.flatnonzero(y == label)) for label in (-1, 1)]
    train = np.sort(np.concatenate([part[:400] for part in parts]))
    return X[train], y[train], X[np.concatenate([part[400:] for part in parts])], parts


OPTIMA = {}


def optimum(seen, loss):
    """Return the optimal w, its objective and the accuracy of any w, of the first smoke trial."""
    if loss not in OPTIMA:
        OPTIMA[loss] = computed(seen, loss)
    return OPTIMA[loss]


def computed(seen, loss):
    X, y, X_test, _ = split_of(seen)
    w, value = reference(X, y, seen.trial.cell["C"], loss, seen.rng(f"reference {loss}"))
    labels = np.repeat([-1.0, 1.0], 100)

    def score(w):
        return 100 * np.mean(np.where(X_test @ w > 0, 1, -1) == labels)

    return w, value, score


def scaled(seen, loss):
    """Return a solver that takes the optimum times known scales, 1.5 passes each."""
    w, _, _ = optimum(seen, loss)

    def solve(X, y, C, rng):
        for number, scale in enumerate(SCALES, start=1):
            yield scale * w, 1.5 * number * X.nnz

    return solve


@pytest.mark.parametrize("reached", ["first", "stays"])
def test_work_is_the_passes_until_an_error_is_reached_first_or_for_good(reached):
    none = dict.fromkeys(("L1-SVM", "L2-SVM"))
    names = ("DCDL1", "DCDL2", "DCDL2 cyclic", "DCDL1 online")
    plain = wire(experiments.run_race, methods=none)
    solvers = {name: scaled(plain, LOSSES["DCDL2" in name]) for name in names}
    half = solvers["DCDL2"]

    def slower(X, y, C, rng):
        for w, work in half(X, y, C, rng):
            yield w, 2 * work

    solvers["DCDL2 cyclic"] = slower
    methods = {name: lambda solve=solve: solve for name, solve in solvers.items()} | none
    seen = wire(experiments.run_race, methods=methods, choices={"reached": reached})
    X, y, _, _ = split_of(seen)

    def until(near):
        first = np.flatnonzero(near)[0]
        stays = len(near) - np.flatnonzero(~np.array(near)[::-1])[0] if not all(near) else 0
        return 1.5 * (1 + (first if reached == "first" else stays))

    for number, loss in enumerate(LOSSES, start=1):
        w, value, score = optimum(seen, loss)
        shared = seen[f"L{number}-SVM"]
        assert shared["accuracy"] == pytest.approx(score(w))
        errors = np.array([primal(X, y, s * w, 1.0, loss) / value - 1 for s in SCALES])
        apart = np.array([abs(score(s * w) - score(w)) for s in SCALES])
        name = f"DCDL{number}"
        assert seen[name]["work"] == until(errors <= 1e-2)
        assert seen[name]["work_fine"] == until(errors <= 1e-4)
        assert seen[name]["work_accuracy"] == until(apart <= 0.1)
        assert seen[name]["jumps"] == 0
    assert seen["DCDL2 cyclic"]["work"] == 2 * seen["DCDL2"]["work"]
    assert seen["DCDL2"]["order_gain"] == 2
    assert "work_fine" not in seen["DCDL1 online"]
    assert "order_gain" not in seen["DCDL1"]
    assert not seen.kept
    assert seen.n_test["L1-SVM"]["accuracy"] == 200


def test_a_solver_that_never_comes_near_has_all_its_passes():
    def stays(X, y, C, rng):
        for number in range(1, 10**6):
            yield np.zeros(X.shape[1]), 7 * number * X.nnz

    methods = {"DCDL1": lambda: stays, "L1-SVM": None, "L2-SVM": None}
    seen = wire(experiments.run_race, methods=methods)["DCDL1"]
    assert (seen["work"], seen["work_fine"]) == (100, 100)


def test_jumps_are_the_mean_change_of_accuracy_from_the_sixth_iteration_on():
    none = dict.fromkeys(("L1-SVM", "L2-SVM"))
    w, _, score = optimum(wire(experiments.run_race, methods=none), LOSSES[0])

    def swings(X, y, C, rng):
        for number, sign in zip(range(1, 41), cycle([1, -1]), strict=False):
            yield sign * w, number * X.nnz

    seen = wire(experiments.run_race, methods={"DCDL1": lambda: swings, **none})["DCDL1"]
    assert seen["jumps"] == pytest.approx(abs(score(w) - score(-w)))
    assert seen["work"] == 1


@pytest.mark.parametrize(
    ("choice", "value", "rows"),
    [("rows", "file", 800), ("rows", "shuffled", 800), ("trained-on", "all", 1000)],
)
def test_rows_are_those_that_the_choices_say(choice, value, rows):
    given = []

    def spy(X, y, C, rng):
        given.append((X, y))
        yield np.zeros(X.shape[1]), 1.0

    methods = {"DCDL1": lambda: spy, "L1-SVM": None, "L2-SVM": None}
    seen = wire(experiments.run_race, methods=methods, choices={choice: value})
    ((X, y),) = given
    assert X.shape == (rows, 3000)
    expected, labels, _, _ = split_of(seen)
    if rows == 1000:
        expected, labels = documents(seen.rng("split", across=("C",)))
    in_order = X.shape == expected.shape and (expected != X).nnz == 0
    assert in_order == (value != "shuffled")
    assert sorted(X.sum(axis=1)) == pytest.approx(sorted(expected.sum(axis=1)))
    assert np.sum(y) == np.sum(labels) == 0


def test_penalty_measures_work_at_the_coarse_level_with_its_own_c():
    asked = []

    def spy(X, y, C, rng):
        asked.append(C)
        yield np.zeros(X.shape[1]), 3.0 * X.nnz

    methods = {"TRON": lambda: spy, "L1-SVM": None, "L2-SVM": None}
    seen = wire(experiments.run_penalty, methods=methods)
    assert asked == [0.25]
    assert seen["TRON"] == {"work": 100}


def test_options_of_the_solvers_are_those_of_the_choices(monkeypatch):
    asked = []
    monkeypatch.setattr(experiments, "outer_iterations", lambda *_, **how: asked.append(how) or [])
    choices = {"shrinking-tolerance": "0.1", "shrinking-threshold": "0.5"}
    made = experiments.solvers({**choices, "pegasos-projection": "no"})
    for name in ("DCDL1", "DCDL1-S", "DCDL2 cyclic", "DCDL2 online"):
        list(made[name]()(None, None, 1.0, None))
    for how in asked:
        how.pop("rng")
    assert asked == [
        {},
        {"shrinking": True, "tol": 0.1, "aggressive": 0.5},
        {"order": "cyclic"},
        {"order": "random"},
    ]
    assert made["Pegasos"]().keywords == {"project": False}
    assert experiments.loss_of("DCDL1-S") == experiments.loss_of("SVM-perf") == "hinge"
    assert experiments.loss_of("DCDL2") == experiments.loss_of("TRON") == "squared_hinge"


def test_theorems_report_the_worst_of_ten_problems_that_count(monkeypatch):
    outcomes = cycle([(np.nan, 3.0), (-0.5, 1.0), (0.25, 2.0)])
    monkeypatch.setattr(experiments, "convergence", lambda *_, **__: next(outcomes))
    seen = wire(experiments.run_theorems, methods={"cyclic": {}})
    assert seen["cyclic"] == {"gradient_left": 3.0, "rate_excess": 0.25}
    assert seen.n_test["cyclic"] == {"gradient_left": 15, "rate_excess": 10}


def test_convergence_is_within_the_bound_and_leaves_no_gradient():
    rng = np.random.default_rng(0)
    runs = []
    for loss in LOSSES:
        for seed in range(4):
            runs.append(experiments.convergence(*experiments.problem(rng), loss, seed))
    excess, left = np.transpose(runs)
    assert np.nanmax(excess) < 0
    assert np.max(left) < 1e-10


def test_the_rate_bound_is_that_of_a_problem_by_hand():
    X = experiments.csr_array(np.array([[1.0, 0.0], [1.0, 1.0], [5.0, 5.0]]))
    y = np.array([1.0, -1.0, 1.0])
    free = np.array([True, True, False])
    for ridge in (0.0, 0.5):
        least = 1.5 + ridge - 0.5 * np.sqrt(5)
        lower = (1 + ridge) ** 2 + (2 + ridge) ** 2 + 1
        expected = 1 - least * (1 + ridge) / lower
        assert experiments.rate_bound(X, y, free, ridge) == pytest.approx(expected)


@pytest.mark.parametrize("loss", LOSSES)
def test_selection_counts_steps_and_touched_features(loss):
    seen = wire(experiments.run_selection, {"loss": loss})
    X, y = documents(seen.rng("documents", across=("loss",)), n_rows=300)
    rng = seen.rng("orders")
    end = last(outer_iterations(X, y, 1.0, loss, tol=1e-9, rng=rng))
    best = dual(end.alpha, end.w, 1.0, loss)
    upper = 1.0 if loss == "hinge" else np.inf
    ridge = 0.0 if loss == "hinge" else 0.5
    signed = X.toarray() * y[:, None]
    alpha = np.zeros(300)
    steps = 0
    while True:
        w = signed.T @ alpha
        value = 0.5 * w @ w + 0.5 * ridge * alpha @ alpha - alpha.sum()
        if value <= best + 1e-3 * abs(best):
            break
        g = signed @ w + ridge * alpha - 1
        g_projected = np.where(alpha == 0, np.minimum(g, 0), g)
        g_projected = np.where(alpha == upper, np.maximum(g_projected, 0), g_projected)
        i = np.argmax(abs(g_projected))
        alpha[i] = np.clip(alpha[i] - g[i] / (signed[i] @ signed[i] + ridge), 0, upper)
        steps += 1
    assert seen["greedy"]["steps"] == pytest.approx(steps, abs=2)  # a step at the limit
    assert seen["greedy"]["touched"] == seen["greedy"]["steps"] * X.nnz
    states = enumerate(outer_iterations(X, y, 1.0, loss, rng=rng), start=1)
    touched = next(
        (300 * count, state.work)
        for count, state in states
        if dual(state.alpha, state.w, 1.0, loss) <= best + 1e-3 * abs(best)
    )
    assert tuple(seen["permuted"][name] for name in ("steps", "touched")) == touched
