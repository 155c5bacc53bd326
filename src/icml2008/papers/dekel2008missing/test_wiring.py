"""What the trials record, by plain loops over the same streams."""

import numpy as np
import pytest

from icml2008.data.images import Images
from icml2008.data.tables import Table
from icml2008.papers.dekel2008missing import experiments
from icml2008.papers.dekel2008missing.method import average_perceptrons, solve_program
from icml2008.papers.dekel2008missing.rivals import (
    deletion_ranks,
    fit_svm,
    fit_worst_deletions,
    information_values,
)
from wiring import wire


def toy_table(n_rows):
    rng = np.random.default_rng(0)
    X = rng.exponential(size=(n_rows, 6)) * (rng.random((n_rows, 6)) < 0.7) * [1, 2, 3, 4, 5, 6]
    y = np.where(X[:, 0] + X[:, 1] / 2 + X[:, 2] / 3 + rng.normal(size=n_rows) > 1.6, "1", "0")
    return Table(X, y, tuple("abcdef"), {})


def plain_error(w, b, X, y, values, limit, *, rank="contribution", below=False):
    """Return the percentage of mistakes under the greedy adversary, feature by feature."""
    wrong = 0
    for x, label in zip(X, y, strict=True):
        left = label * w * x
        keys = {
            "contribution": left,
            "per-value": left / np.maximum(values, 1e-12),
            "value": values + 1e-9 * left,
        }
        spent = 0.0
        score = label * b + left.sum()
        for j in np.argsort(-keys[rank]):
            fits = spent + values[j] < limit if below else spent + values[j] <= limit + 1e-9
            if left[j] > 0 and fits:
                spent += values[j]
                score -= left[j]
        wrong += score <= 0
    return 100 * wrong / len(y)


def averaged(X, y, chunks, values, limit, ratio):
    solved = [solve_program(X[rows], y[rows], values, limit, ratio) for rows in chunks]
    return sum(w for w, _, _ in solved) / len(chunks), sum(b for _, b, _ in solved) / len(chunks)


def fold_of(wired, n_drawn, n_rows):
    order = wired.rng("folds", across=(*wired.trial.cell, "repeat")).permutation(n_rows)[:n_drawn]
    parts = np.array_split(order, 10)
    rest = wired.rng("rest").permutation(np.concatenate(parts[1:]))
    return rest[len(rest) // 9 :], rest[: len(rest) // 9], parts[0]


def scaled(X, train, how):
    if how == "binary":
        return (X > 0) * 1.0
    return X / {"largest": np.max, "deviation": np.std}[how](X[train], axis=0)


@pytest.mark.parametrize("kind", ["uniform", "information"])
@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"attack": "per-value"},
        {"attack": "value"},
        {"limit": "below"},
        {"validation": "no"},
        {"margins": "wide"},
        {"scaling": "binary"},
        {"scaling": "deviation"},
        {"chunk": "200"},
        {"passes": "5"},
    ],
)
def test_adversary_tunes_and_attacks_by_the_reading(kind, choices):
    table = toy_table(300)
    cell = {"panel": f"spam-{kind}/230", "n": 2}
    wired = wire(experiments.run_adversary, cell, choices=choices, data={"spambase": table})
    train, held, test = fold_of(wired, 230, 300)
    y = np.where(table.y == "1", 1.0, -1.0)
    X = scaled(table.X, train, choices.get("scaling", "largest"))
    values = np.ones(6) if kind == "uniform" else information_values(X[train], y[train])
    attack = {"rank": choices.get("attack", "contribution"), "below": "limit" in choices}
    wide = "margins" in choices
    ratios = np.array([0.25, 16, 1024] if wide else [1, 8, 64]) / X[train].sum(axis=1).mean()
    costs = np.array([0.1, 10, 1000] if wide else [1.0, 10, 100])
    costs /= (X[train] ** 2).sum(axis=1).mean()
    size = int(choices.get("chunk", 50))
    chunks = np.array_split(train, round(184 / size))
    passes = int(choices.get("passes", 1))

    def program(ratio, parts):
        return averaged(X, y, parts, values, 2.0, ratio)

    def best(candidates):
        limit = 0.0 if "validation" in choices else 2.0
        errors = [plain_error(*c, X[held], y[held], values, limit, **attack) for c in candidates]
        return errors.index(min(errors))

    tried = chunks[: 400 // size]
    averages = average_perceptrons(X[train], y[train], values, 2.0, ratios, passes=passes)
    perceptrons = list(zip(*averages, strict=True))
    machines = [fit_svm(X[train], y[train], cost) for cost in costs]
    expected = {
        "LP": program(ratios[best([program(ratio, tried) for ratio in ratios])], chunks),
        "perceptron": perceptrons[best(perceptrons)],
        "SVM": machines[best(machines)],
        "majority": (np.zeros(6), np.sign(y[train].sum())),
    }
    for name, (w, b) in expected.items():
        error = plain_error(w, b, X[test], y[test], values, 2.0, **attack)
        assert wired[name]["error"] == pytest.approx(error)
        assert wired.n_test[name]["error"] == 23
    assert wired["majority"]["constant"] == 100
    assert wired["SVM"]["constant"] < 100


def test_half_is_of_the_largest_contributions_with_n_of_4():
    table = toy_table(300)
    wired = wire(experiments.run_adversary, data={"spambase": table})
    assert set(wired["LP"]) == {"error", "constant", "half"}
    assert experiments.half_of(np.array([1.0, 5, 1, 1, 2])) == 20
    assert experiments.half_of(np.ones(10)) == 50


def test_digits_have_four_chunks_and_another_to_tune():
    rng = np.random.default_rng(1)
    labels = np.tile([4, 7, 1], 150)
    images = np.zeros((450, 28, 28), dtype=np.uint8)
    images[:, 9, :12] = rng.integers(0, 255, size=(450, 12))
    images[labels == 4, 9, :4] //= 3
    data = {"mnist": Images(images, labels)}
    cell = {"panel": "mnist-information", "n": 64}
    wired = wire(experiments.run_adversary, cell, data=data)
    X = images[labels != 1].reshape(300, -1) / 255
    y = np.where(labels[labels != 1] == 4, 1.0, -1.0)
    train, held, test = fold_of(wired, 300, 300)
    values = information_values(X[train], y[train])
    ratios = np.array([1, 8, 64]) / X[train].sum(axis=1).mean()
    chunks = np.array_split(train, 5)
    tried = [averaged(X, y, chunks[4:5], values, 64.0, ratio) for ratio in ratios]
    errors = [plain_error(*c, X[held], y[held], values, 64.0) for c in tried]
    w, b = averaged(X, y, chunks[:4], values, 64.0, ratios[errors.index(min(errors))])
    expected = plain_error(w, b, X[test], y[test], values, 64.0)
    assert wired["LP"]["error"] == pytest.approx(expected)


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"noise-parameter": "as-deleted"},
        {"random-validation": "no"},
        {"random-margins": "wide"},
        {"random-scaling": "binary"},
        {"random-scaling": "deviation"},
    ],
)
def test_random_tunes_for_each_number_of_deleted_features(monkeypatch, choices):
    monkeypatch.setattr(experiments, "DELETED", {"spam": (1, 2, 3)})
    monkeypatch.setattr(experiments, "NOISE", {"spam": (1, 4)})
    table = toy_table(2300)
    wired = wire(
        experiments.run_random, {"dataset": "spam"}, choices=choices, data={"spambase": table}
    )
    rng = wired.rng("split")
    rows = rng.permutation(2300)[:2250]
    y = np.where(table.y[rows] == "1", 1.0, -1.0)
    X = scaled(table.X[rows], slice(0, 50), choices.get("random-scaling", "largest"))
    ranks = deletion_ranks(X, rng)
    train = (X[:50], y[:50])
    wide = "random-margins" in choices
    ratios = np.array([0.25, 16, 1024] if wide else [1, 8, 64]) / X[:50].sum(axis=1).mean()
    costs = np.array([0.1, 10, 1000] if wide else [1.0, 10, 100])
    costs /= (X[:50] ** 2).sum(axis=1).mean()

    def error(w, b, number, part):
        left = np.where(ranks[part] < number, 0, X[part])
        return 100 * np.mean(y[part] * (left @ w + b) <= 0)

    errors = {name: [] for name in ("LP", "GR", "SVM")}
    for number in (1, 2, 3):
        noise = [number] if "noise-parameter" in choices else [1, 4]
        settings = [(k, c) for k in noise for c in costs]
        weights, intercepts, _ = fit_worst_deletions(*train, settings)
        fitted = {
            "LP": [solve_program(*train, np.ones(6), k, r)[:2] for k in noise for r in ratios],
            "GR": list(zip(weights, intercepts, strict=True)),
            "SVM": [fit_svm(*train, cost) for cost in costs],
        }
        gone = 0 if "random-validation" in choices else number
        for name, candidates in fitted.items():
            tried = [error(*c, gone, slice(50, 250)) for c in candidates]
            chosen = candidates[tried.index(min(tried))]
            errors[name].append(error(*chosen, number, slice(250, 2250)))
    for name, by_number in errors.items():
        assert wired[name]["error"] == pytest.approx(np.mean(by_number))
        assert wired[name]["most"] == pytest.approx(by_number[-1])
        assert wired.kept[name] == pytest.approx(by_number)
        assert wired.n_test[name]["error"] == 2000
    assert wired["majority"]["constant"] == 100


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"points": "uniform"},
        {"points": "apart"},
        {"sanity-margin": "0.1"},
        {"sanity-margin": "10"},
        {"svm-cost": "svmlight"},
        {"svm-cost": "100"},
    ],
)
def test_sanity_deletes_one_or_both_copies_of_the_noisy_label(choices):
    wired = wire(experiments.run_sanity, choices=choices)
    rng = wired.rng("points")
    plane = rng.normal(size=20)
    X = rng.normal(size=(8000, 20))
    if choices.get("points") == "uniform":
        X = rng.uniform(-1, 1, size=(8000, 20))
    elif choices.get("points") == "apart":
        X = X[np.abs(X @ plane / np.linalg.norm(plane)) >= 1]
    X = X[:1000]
    clean = np.sign(X @ plane)
    y = clean * np.where(rng.random(1000) < 0.2, -1, 1)
    first = 20 + rng.integers(2)
    X = np.column_stack([X, y, y])
    values = np.append(np.ones(20), [10, 10])
    cost = {"svmlight": 100 / np.sum(X[:100] ** 2)}.get(choices.get("svm-cost"))
    ratio = float(choices.get("sanity-margin", 0))
    if not ratio:
        tried = [solve_program(X[11:100], y[11:100], values, 20.0, r)[:2] for r in (0.1, 1.0, 10.0)]
        errors = [plain_error(*c, X[:11], y[:11], values, 20.0) for c in tried]
        ratio = (0.1, 1.0, 10.0)[errors.index(min(errors))]
    fitted = {
        "SVM": fit_svm(X[:100], y[:100], cost or float(choices.get("svm-cost", 1))),
        "LP": solve_program(X[:100], y[:100], values, 20.0, ratio)[:2],
    }
    for name, (w, b) in fitted.items():
        shares = []
        for gone in ([], [first], [20, 21]):
            left = X[500:].copy()
            left[:, gone] = 0
            shares.append(np.mean(y[500:] * (left @ w + b) <= 0))
        names = ("intact", "one_deleted", "both_deleted")
        assert [wired[name][metric] for metric in names] == pytest.approx(shares)
        weight = 100 * (abs(w[20]) + abs(w[21])) / np.sum(np.abs(w))
        assert wired[name]["on_labels"] == pytest.approx(weight)
        above = 100 * (shares[2] - np.mean(clean[500:] != y[500:]))
        assert wired[name]["above_best"] == pytest.approx(above)


def test_chunks_are_tuned_and_the_whole_has_the_margin_of_the_large_ones():
    table = toy_table(460)
    wired = wire(experiments.run_chunks, data={"spambase": table})
    train, held, test = fold_of(wired, 230, 460)
    y = np.where(table.y == "1", 1.0, -1.0)
    X = scaled(table.X, train, "largest")
    values = np.ones(6)
    ratios = np.array([1, 8, 64]) / X[train].sum(axis=1).mean()
    for size in (50, 200):
        chunks = np.array_split(train, round(184 / size))
        tried = [averaged(X, y, chunks, values, 4.0, ratio) for ratio in ratios]
        errors = [plain_error(*c, X[held], y[held], values, 4.0) for c in tried]
        best = errors.index(min(errors))
        error = plain_error(*tried[best], X[test], y[test], values, 4.0)
        assert wired[f"LP-{size}"]["error"] == pytest.approx(error)
    w, b, _ = solve_program(X[train], y[train], values, 4.0, ratios[best])
    error = plain_error(w, b, X[test], y[test], values, 4.0)
    assert wired["LP-whole"]["error"] == pytest.approx(error)


def test_a_program_that_is_no_optimum_is_told(monkeypatch):
    for values, metric in (("binary", "inexact"), ("real", "below")):
        right = wire(experiments.run_program, {"values": values})["LP"]
        assert max(right.values()) < 1e-7
        with monkeypatch.context() as patch:
            patch.setattr(experiments, "solve_program", lambda *p: (np.ones(6), 0.0, -1.0))
            wrong = wire(experiments.run_program, {"values": values})["LP"]
        assert wrong[metric] > 0.1
        with monkeypatch.context() as patch:
            patch.setattr(experiments, "kept_shares", lambda x, *rest: np.full(x.shape, 0.5))
            wrong = wire(experiments.run_program, {"values": values})["LP"]
        assert wrong["unrelaxed"] > 0.1
        with monkeypatch.context() as patch:
            patch.setattr(experiments, "empirical_risk", lambda *problem: 5.0)
            assert wire(experiments.run_program, {"values": values})["LP"]["unbounded"] > 1


def test_a_perceptron_that_does_not_learn_is_told(monkeypatch):
    assert max(wire(experiments.run_online)["perceptron"].values()) < 0

    def unmoved(X, y, values, limit, ratios):
        return (np.full((1, 7), -1e3) for _ in y)

    monkeypatch.setattr(experiments, "perceptron_path", unmoved)
    monkeypatch.setattr(
        experiments, "average_perceptrons", lambda *p: (np.full((1, 6), -1e3), np.zeros(1))
    )
    assert min(wire(experiments.run_online)["perceptron"].values()) > 0


def test_bounds_that_are_too_small_are_told(monkeypatch):
    right = wire(experiments.run_margins)["LP"]
    assert right["excess_risk"] < 0
    assert right["corrupted"] < 0 < right["corrupted_as_printed"]
    monkeypatch.setattr(experiments, "kl_bound", lambda losses, budget: losses / 2)
    monkeypatch.setattr(experiments, "corrupted_risk", lambda n, gamma: 0.5)
    wrong = wire(experiments.run_margins)["LP"]
    assert wrong["excess_risk"] > 0
    assert wrong["corrupted"] > 0
