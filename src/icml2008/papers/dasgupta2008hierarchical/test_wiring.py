"""What the trials record, from their own draws."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from wiring import values_of, wire

from . import experiments
from .experiments import (
    ClusterSampler,
    best_prunings,
    best_threshold,
    linkage_tree,
    logistic,
    squared_distances,
    tradeoff,
    ward_tree,
)

DRAW = np.random.default_rng(0)
LABELS = DRAW.integers(10, size=70_000)
IMAGES = (20 * LABELS[:, None, None] + DRAW.integers(60, size=(70_000, 3, 3))).astype(np.uint8)
MNIST = {"mnist": SimpleNamespace(images=IMAGES, y=LABELS)}


def digits(seen):
    train = seen.rng("train").permutation(60_000)[:100]
    test = seen.rng("test").permutation(np.arange(60_000, 70_000))[:20]
    flat = IMAGES.reshape(70_000, 9).astype(float)
    return flat[train], LABELS[train], flat[test], LABELS[test]


def followed(sampler, y, budget):
    asked = set()
    for _ in range(budget):
        point = sampler.ask()
        asked.add(int(point))
        sampler.tell(y[point])
    return np.array(sampler.labels_), sorted(asked)


def test_curves_are_test_errors_in_percent_at_each_budget():
    seen = wire(experiments.run_digits, data=MNIST)
    X, y, X_test, y_test = digits(seen)
    tree = linkage_tree(squared_distances(X))
    X = X / 255
    X_test = X_test / 255

    def error(rows, labels):
        return 100 * np.mean(logistic(X[rows], labels, 0.1).predict(X_test) != y_test)

    order = seen.rng("random").permutation(100)
    expected = {"random": {b: error(order[:b], y[order[:b]]) for b in (50, 100)}}
    everything = np.arange(100)
    expected["all labels"] = dict.fromkeys((50, 100), error(everything, y))
    expected["cluster-adaptive"] = {}
    expected["own labels"] = {}
    for budget in (50, 100):
        sampler = ClusterSampler(
            tree, y.max() + 1, seen.rng("sampler"), select="lower", interval="plain", replace=True
        )
        labels, asked = followed(sampler, y, budget)
        expected["cluster-adaptive"][budget] = error(everything, labels)
        labels[asked] = y[asked]
        expected["own labels"][budget] = error(everything, labels)
    rows = list(order[:20])
    expected["margin"] = {}
    for size in (25, 5, 25, 25):
        shares = logistic(X[rows], y[rows], 0.1)
        rest = [i for i in range(100) if i not in rows]
        chances = np.sort(shares.predict_proba(X[rest]), axis=1)
        margin = chances[:, -1] - chances[:, -2]
        rows += [rest[i] for i in np.argsort(margin, kind="stable")[:size]]
        if len(rows) in (50, 100):
            expected["margin"][len(rows)] = error(rows, y[rows])
    for name, errors in expected.items():
        mean = sum(errors.values()) / 2
        recorded = {"error_50": errors[50], "error_100": errors[100], "curve": mean, "early": mean}
        assert seen[name] == pytest.approx(recorded), name
        assert seen.n_test[name]["error_50"] == 20


def test_late_errors_are_those_of_the_last_two_budgets(monkeypatch):
    errors = {100: 9.0, 1000: 7.0, 3000: 5.0, 5000: 2.0}

    def curves(trial, *given):
        for name in trial.methods:
            trial.measure(name, curve=0.0)
        return dict.fromkeys(trial.methods, errors)

    monkeypatch.setattr(experiments, "learning_curves", curves)
    seen = wire(experiments.run_digits, data=MNIST)
    assert seen["margin"] == {"curve": 0, "early": 8, "late": 3.5}


def test_the_tradeoff_has_the_fewest_errors_over_ten_folds():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
    grid = (1e-6, 0.1, 1e4)
    rows = np.random.default_rng(2).permutation(60)[:40]
    wrong = []
    for C in grid:
        total = 0
        for test in np.array_split(rows, 10):
            train = [i for i in rows if i not in test]
            total += np.sum(logistic(X[train], y[train], C).predict(X[test]) != y[test])
        wrong.append(total)
    assert tradeoff(X, y, grid, np.random.default_rng(2), most=40) == grid[np.argmin(wrong)]
    assert tradeoff(X, y, (7,), None) == 7
    assert logistic(X, y, 0.3).C == 0.3
    assert isinstance(logistic(X, y, 0.3), LogisticRegression)


@pytest.mark.parametrize("choices", [{}, {"draw": "without"}])
def test_clusters_are_compared_with_the_truth_after_400_queries(choices):
    seen = wire(experiments.run_clusters, data=MNIST, choices=choices)
    X, y, _, _ = digits(seen)
    tree = linkage_tree(squared_distances(X))
    errors = 100 * best_prunings(tree, y, 100)
    assert seen["best pruning"]["pruning_50"] == pytest.approx(errors[49])
    np.testing.assert_allclose(seen.kept["errors"], errors[::5], atol=6e-3)
    if "draw" in choices:
        return  # 100 points have no 400 queries without replacement
    for name, other in (("cluster-adaptive", {}), ("size-weighted", {"select": "naive"})):
        sampler = ClusterSampler(tree, 10, seen.rng("labels"), **other)
        labels, _ = followed(sampler, y, 400)
        assert seen[name]["wrong_400"] == pytest.approx(100 * np.mean(labels != y))


def test_settings_are_those_of_the_choices():
    plain = {"select": "lower", "interval": "plain", "replace": True}
    assert experiments.settings({}) == plain
    assert experiments.settings({"draw": "without"}) == {**plain, "replace": False}
    assert experiments.settings({"select": "x"}) == {**plain, "select": "x"}
    assert experiments.settings({"interval": "lemma"}) == {**plain, "interval": "lemma"}


def shuttle(n=400):
    rng = np.random.default_rng(3)
    y = np.r_[np.arange(7), rng.choice(7, size=n - 7, p=[0.5, 0.01, 0.02, 0.3, 0.15, 0.01, 0.01])]
    X = np.column_stack([10.0 * y, rng.normal(size=n)]) + 0.1 * rng.normal(size=(n, 2))
    return {"statlog-shuttle": SimpleNamespace(X=X, y=np.array(list("abcdefg"))[y])}


@pytest.mark.parametrize("scaling", ["unit-variance", "other"])
def test_queries_are_counted_until_every_class_was_seen(scaling):
    data = shuttle()
    values = values_of("dasgupta2008hierarchical", "scaling")
    value = next(v for v in values if (v == "unit-variance") == (scaling == "unit-variance"))
    cell = {"rows": 200}
    seen = wire(experiments.run_rare, cell, data=data, choices={"scaling": value})
    table = data["statlog-shuttle"]
    y = np.array([ord(label) - ord("a") for label in table.y])
    common = seen.rng("rows", across=("repeat",)).permutation(400)
    rare = [i for i in common if y[i] not in (0, 3, 4)]
    rows = np.sort([*rare, *(i for i in common if y[i] in (0, 3, 4))][:200])
    X = table.X[rows]
    y = y[rows]
    if scaling == "unit-variance":
        X = X / X.std(axis=0)
    rng = seen.rng("random")
    waits = []
    for _ in range(100):
        left = np.bincount(y, minlength=7)
        total = 0
        while left.sum():
            total += rng.geometric(left.sum() / 200)
            left[rng.choice(7, p=left / left.sum())] = 0
        waits.append(total)
    assert seen["random"]["queries"] == pytest.approx(np.mean(waits))
    rng = seen.rng("sampler")
    took = []
    for _ in range(10):
        sampler = ClusterSampler(
            ward_tree(X)[0], 7, rng, **experiments.settings(seen.trial.choices)
        )
        met = set()
        count = 0
        while len(met) < 7:
            point = sampler.ask()
            sampler.tell(y[point])
            met.add(int(y[point]))
            count += 1
        took.append(count)
    assert seen["cluster-adaptive"]["queries"] == pytest.approx(np.mean(took))


def test_queries_without_replacement_are_places_in_an_order():
    data = shuttle(60)
    seen = wire(experiments.run_rare, {"rows": 60}, data=data, choices={"draw": "without"})
    y = np.array([ord(label) - ord("a") for label in data["statlog-shuttle"].y])
    rng = seen.rng("random")
    last = []
    for _ in range(100):
        drawn = rng.permutation(y)
        last.append(1 + max(list(drawn).index(c) for c in range(7)))
    assert seen["random"]["queries"] == pytest.approx(np.mean(last))


def test_thresholds_err_least_and_are_compared_on_all_points():
    x = np.array([0.1, 0.5, 0.2, 0.9, 0.7])
    y = np.array([0, 1, 0, 1, 0])
    assert best_threshold(x, y) == pytest.approx(0.35)
    assert best_threshold(x, 1 - y) == pytest.approx(-0.9)
    seen = wire(experiments.run_bias)
    rng = seen.rng("points")
    groups = [(0, 1, 3600, 0), (1.05, 1.25, 400, 1), (1.6, 2, 200, 0), (2, 2.4, 200, 1)]
    groups.append((3, 4, 3600, 1))
    x = np.concatenate([rng.uniform(low, high, size=n) for low, high, n, _ in groups])
    y = np.repeat([label for *_, label in groups], [n for _, _, n, _ in groups])

    def error(points, labels):
        return 100 * np.mean((x >= best_threshold(x[points], labels)).astype(int) != y)

    rows = list(rng.permutation(np.flatnonzero((x < 1) | (x > 3)))[:10])
    while len(rows) < 100:
        w = best_threshold(x[rows], y[rows])
        rows.append(min(set(range(8000)) - set(rows), key=lambda i: (abs(x[i] - w), i)))
    at = seen.rng("random").permutation(8000)[:100]
    sampler = ClusterSampler(ward_tree(x[:, None])[0], 2, seen.rng("sampler"))
    labels, _ = followed(sampler, y, 100)
    expected = {
        "random": error(at, y[at]),
        "margin": error(rows, y[rows]),
        "cluster-adaptive": error(np.arange(8000), labels),
    }
    assert {name: seen[name]["error"] for name in expected} == pytest.approx(expected)
    assert seen.n_test["margin"]["error"] == 8000


def test_rates_are_logarithms_of_wrong_labels_of_halves_of_halves():
    seen = wire(experiments.run_rates)
    n = 2**17
    y = np.zeros(n, dtype=int)
    start = 0
    for level in range(18):
        stop = n - n // 2 ** (level + 1)
        y[start:stop] = level % 2
        start = stop
    y[-1] = 17 % 2
    tree = np.arange(2 * n - 2).reshape(-1, 2)
    for name, rule in (("cluster-adaptive", "lower"), ("size-weighted", "naive")):
        sampler = ClusterSampler(tree, 2, seen.rng("sampler"), select=rule)
        labels, _ = followed(sampler, y, 64)
        wrong = max(1, np.sum(labels != y))
        assert seen[name]["log_error"] == pytest.approx(np.log(wrong / n))


def test_misses_and_violations_are_of_the_two_trees(monkeypatch):
    outcomes = iter(
        [(0.25, False)] * 20 + [(0.5, False)] * 10 + [(9.0, True)] * 10 + [(-2.0, True)] * 40
    )
    monkeypatch.setattr(experiments, "audit", lambda *given: next(outcomes))
    seen = wire(experiments.run_guarantees)
    assert seen["cluster-adaptive"] == {"missed": 0.5, "violation": 0.5}
    assert seen["size-weighted"] == {"missed": 1.0, "violation": -1.0}
    assert seen.n_test["size-weighted"] == {"missed": 2, "violation": 2}


def news(most):
    rng = np.random.default_rng(5)
    words = np.array([f"word{i}" for i in range(40)])
    groups = np.array(experiments.PAIRS["religion"])
    y = groups[rng.integers(2, size=most + 50)]
    texts = [
        " ".join(rng.choice(words[:25] if label == groups[0] else words[15:], size=12))
        for label in y
    ]
    return {"20newsgroups": SimpleNamespace(y=y, texts=texts)}


def test_prunings_are_means_over_sizes_of_each_representations_tree():
    data = news(60)
    seen = wire(experiments.run_representations, data=data)
    rows = seen.rng("split").permutation(110)[:60]
    table = data["20newsgroups"]
    words = sorted({word for i in rows for word in table.texts[i].split()})
    counts = np.array([[table.texts[i].split().count(word) for word in words] for i in rows])[:40]
    y = (table.y[rows] == "talk.religion.misc").astype(int)[:40]
    seed = int(seen.rng("topics").integers(2**31))
    unit = counts / np.linalg.norm(counts, axis=1, keepdims=True)
    idf = np.log(41 / (1 + (counts > 0).sum(axis=0))) + 1
    weighted = counts * idf
    weighted = weighted / np.linalg.norm(weighted, axis=1, keepdims=True)
    for name, rows_of in (("counts", counts), ("unit-length", unit), ("tf-idf", weighted)):
        squares = np.sum((rows_of[:, None] - rows_of) ** 2, axis=2)
        distances = experiments.represent(
            experiments.CountVectorizer(dtype=float).fit_transform([table.texts[i] for i in rows])[
                :40
            ],
            name,
            seed,
        )
        np.testing.assert_allclose(distances, squares, atol=1e-9)
        errors = 100 * best_prunings(linkage_tree(distances), y, 40)
        assert seen[name]["prunings"] == pytest.approx(np.mean(errors))
        np.testing.assert_allclose(seen.kept[f"errors of {name}"], errors[::4], atol=6e-3)
    assert 0 <= seen["lda"]["prunings"] <= 50


@pytest.mark.parametrize("penalty", ["three", "other"])
def test_newsgroups_are_curves_on_unit_rows_with_the_grid_of_the_choice(monkeypatch, penalty):
    given = {}

    def curves(trial, *rest):
        given.update(zip(NAMES, rest, strict=True))
        for name in trial.methods:
            trial.measure(name, curve=0.0)

    monkeypatch.setattr(experiments, "learning_curves", curves)
    values = values_of("dasgupta2008hierarchical", "penalty")
    value = next(v for v in values if (v == "three") == (penalty == "three"))
    seen = wire(
        experiments.run_newsgroups,
        {"most": 1200},
        data=news(1200),
        choices={"penalty": value},
    )
    assert given["grid"] == ((1, 10, 100) if penalty == "three" else experiments.WIDE)
    assert (given["tune_at"], given["step"]) == (100, 25)
    assert given["budgets"] == (50, 100, 150, 200, 300, 400)
    assert given["start"] == min(int(seen.trial.choices["start"]), 200)
    assert (given["X"].shape[0], given["X_test"].shape[0]) == (800, 400)
    np.testing.assert_allclose(given["X"].multiply(given["X"]).sum(axis=1), 1)
    assert len(given["y"]) == 800


NAMES = ("X", "y", "X_test", "y_test", "tree", "budgets", "tune_at", "step", "start", "grid")
