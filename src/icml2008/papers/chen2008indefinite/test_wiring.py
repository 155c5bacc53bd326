"""What the trials record, from their own draws and on methods that are known."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from wiring import values_of, wire

from . import experiments
from .experiments import OURS, RHOS, SPECTRA, C, divided, indefinite

KEY = "chen2008indefinite"

DRAW = np.random.default_rng(0)
SONAR = SimpleNamespace(X=DRAW.normal(size=(60, 5)), y=np.tile(["M", "R"], 30))
SONAR.X[:, 0] += np.tile([1.0, -1.0], 30)
SONAR.X[7, 2] = np.nan
DATA = {"sonar": SONAR}


def prepared(seen, gamma=0.215, xi=0.1):
    whole = np.arange(60) != 7
    X = MinMaxScaler((-1, 1)).fit_transform(SONAR.X[whole])
    y = np.where(SONAR.y[whole] == "M", -1.0, 1.0)
    K = rbf_kernel(X, gamma=gamma)
    E = seen.rng("noise").standard_normal(K.shape)
    order = seen.rng("split").permutation(59)
    return X, y, K + xi * (E + E.T) / 2, np.sort(order[12:]), np.sort(order[:12])


def svm(K, beside, y, train):
    return SVC(C=C, kernel="precomputed").fit(K, y[train]).decision_function(beside)


@pytest.mark.parametrize("rows", ["whole", "raw"])
def test_accuracies_are_those_of_a_changed_spectrum(rows):
    seen = wire(experiments.run_table_1, data=DATA, choices={"rows": rows})
    X, y, K0, train, test = prepared(seen)
    assert seen["SVM"]["negative"] == np.sum(np.linalg.eigvalsh(K0) < 0)
    taken = K0 if rows == "whole" else K0[np.ix_(train, train)]
    values, vectors = np.linalg.eigh(taken)
    changed = {
        "Denoise": np.maximum(values, 0),
        "Flip": abs(values),
        "Shift": values + max(0, -values.min()),
        "SVM": values,
    }
    for name, spectrum in changed.items():
        K = vectors @ np.diag(spectrum) @ vectors.T
        at = train if rows == "whole" else np.arange(len(train))
        beside = (K if rows == "whole" else K0)[np.ix_(test, train)]
        decisions = svm(K[np.ix_(at, at)], beside, y, train)
        expected = 100 * np.mean(np.sign(decisions) == y[test])
        assert seen[name]["accuracy"] == pytest.approx(expected, abs=6e-5)
        assert seen.n_test[name]["accuracy"] == 12
    rng = seen.rng("folds")
    right = dict.fromkeys(RHOS, 0)
    for fold in np.array_split(rng.permutation(train), 5):
        rest = np.array([i for i in train if i not in set(fold)])
        for rho in RHOS:
            decisions = indefinite(K0, y, rest, fold, rows, [rho], None)[0]
            right[rho] += np.sum(decisions * y[fold] > 0)
    rho = max(RHOS, key=lambda rho: (right[rho], rho))
    decisions = indefinite(K0, y, train, test, rows, [rho], None)[0]
    expected = 100 * np.mean(decisions * y[test] > 0)
    assert seen[OURS]["accuracy"] == pytest.approx(expected, abs=6e-5)


def test_of_the_rhos_the_best_is_taken_and_of_equal_ones_the_largest(monkeypatch):
    y = np.tile([1.0, -1.0], 10)
    for errors, expected in (
        ([3, 1, 0, 0, 2], 1.0),
        ([0, 0, 0, 0, 0], 100.0),
        ([5, 4, 3, 2, 1], 0.01),
    ):

        def decide(K0, y, train, test, rows, rhos, saddle, errors=errors):
            assert not set(train) & set(test)
            decisions = np.tile(y[test], (len(rhos), 1))
            for row, wrong in zip(decisions, errors, strict=True):
                row[np.isin(test, range(wrong))] *= -1
            return decisions

        monkeypatch.setattr(experiments, "indefinite", decide)
        rng = np.random.default_rng(0)
        chosen = experiments.chosen_rho(None, y, np.arange(20), "whole", rng, None)
        assert chosen == expected


@pytest.mark.parametrize("choice", ["noise", "width"])
def test_noise_and_width_are_those_of_the_choices(choice, monkeypatch):
    asked = {}
    right = experiments.noisy
    monkeypatch.setattr(
        experiments, "noisy", lambda K, xi, rng: asked.update(K=K, xi=xi) or right(K, xi, rng)
    )
    monkeypatch.setitem(experiments.SETS, "sonar", ("sonar", 0.3, 0.7))
    values = {"noise": values_of(KEY, "noise"), "width": values_of(KEY, "width")}[choice]
    for value in values:
        seen = wire(
            experiments.run_table_1,
            data=DATA,
            choices={choice: value},
            methods={"SVM": SPECTRA["SVM"]},
        )
        X, y, _, train, _ = prepared(seen)
        gamma = -np.log(asked["K"][0, 1]) / np.sum((X[0] - X[1]) ** 2)
        assert asked["xi"] == (0.1 if value == "small" else 0.7)
        if value == "cross-validated":
            assert np.log2(gamma) == pytest.approx(round(np.log2(gamma)))
        else:
            assert gamma == pytest.approx(0.3)


def test_rounds_are_those_until_the_gap_is_small_and_swings_are_early_less_late(monkeypatch):
    """Of 30 rounds at most: bounds a tenth nearer each, accuracy by the round."""
    rounds = 25

    def planes(K0, y, cost, rho, prune, train):
        n = len(K0)
        for i in range(rounds):
            K = np.full((n, n), 1.0 if i % 2 else -1.0)
            alpha = np.zeros(len(y))
            alpha[np.flatnonzero(y > 0)[0]] = 1.0
            yield 1.0, 1.0 + 10.0 ** (-i / 4), 2.0 * i + 3 * prune, alpha, K

    monkeypatch.setattr(experiments, "cutting_planes", planes)
    monkeypatch.setattr(experiments, "violation", lambda *given: (0.0, 0.0))
    seen = wire(experiments.run_convergence, data=DATA)
    order = seen.rng("samples").permutation(59)[:48]
    whole = np.arange(60) != 7
    y = np.where(SONAR.y[whole] == "M", -1.0, 1.0)[order]
    train, test = divided(seen.rng("split"), 48)
    by_sign = [100 * np.mean(y[test] < 0), 100 * np.mean(y[test] > 0)]
    right = [by_sign[i % 2] for i in range(21)]  # at i = 20 the gap is 1e-5, at 21 below
    right.append(by_sign[1])
    padded = right + right[-1:] * (70 - len(right))
    swing = np.std(padded[:10]) - np.std(padded[40:70])
    for name in ("pruned", "unpruned"):
        assert seen[name]["rounds"] == 10  # the first below 1e-2 is i = 9
        assert seen[name]["end"] == pytest.approx(22, abs=1)
        assert seen[name]["growth"] == pytest.approx(2.0)
        assert seen[name]["swing_drop"] == pytest.approx(swing, abs=1e-3)
        assert seen[name]["accuracy"] == pytest.approx(by_sign[1], abs=1e-3)
        assert seen.n_test[name]["accuracy"] == len(test)
    kept = seen.kept["pruned"]
    np.testing.assert_allclose(
        kept[:3, :3], [[1, 1, 2], [2, 1, 1 + 10**-0.25], [3, 1, 1 + 10**-0.5]], atol=1e-6
    )


def test_violations_are_the_worst_of_two_problems():
    values = iter([0.5, -1.25, 3.14159, 2.0])
    methods = {name: lambda *given: next(values) for name in ("one", "two")}
    seen = wire(experiments.run_theorems, methods=methods)
    assert seen["one"]["violation"] == 0.5
    assert seen["two"]["violation"] == 3.14
    assert seen.n_test["one"]["violation"] == 2


def test_theorems_hold_and_a_wrong_kernel_breaks_them(monkeypatch):
    rng = np.random.default_rng(0)
    K0, y, rho = experiments.instance(rng)
    assert experiments.bracket(K0, y, rho, True) < 1e-6
    assert experiments.suboptimal(K0, y, rho, rng) < 1e-8
    assert experiments.unequal(K0, y, rho, rng) < 1e-4
    exact = experiments.worst_kernel
    monkeypatch.setattr(
        experiments,
        "worst_kernel",
        lambda K0, v, rho: (exact(K0, v, rho)[0] + 0.1 * np.eye(14), 0.0),
    )
    assert experiments.suboptimal(K0, y, rho, rng) > 1e-3
