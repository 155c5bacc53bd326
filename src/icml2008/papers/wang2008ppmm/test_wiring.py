"""What the trials record, from their own streams and scikit-learn's fits."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture
from sklearn.svm import SVC

from icml2008.data.tables import Table
from icml2008.papers.wang2008ppmm import experiments
from icml2008.papers.wang2008ppmm.bags import bags_of, choose_cost, hausdorff_distances
from icml2008.papers.wang2008ppmm.method import power_alignments, powers_up_to
from wiring import wire

HALVES = {"dataset": "musk-1/halves"}


def toy_table():
    rng = np.random.default_rng(0)
    bags = np.repeat(np.arange(30), 6)
    positive = bags < 16
    X = rng.normal(size=(180, 4)) * [1, 1, 1, 5]
    X[:, 0] += 3 * (positive & (rng.random(180) < 0.4))
    names = ("bag", "a", "b", "c", "d")
    categories = {"bag": tuple(map(str, range(30)))}
    return Table(np.column_stack([bags, X]), np.where(positive, "1", "0"), names, categories)


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setattr(experiments, "CLUSTERS", 6)
    monkeypatch.setattr(experiments, "RUNS", 3)
    return {"musk-1": toy_table()}


def histograms(X, bags, rows, seed):
    inside = np.isin(bags, rows)
    clusters = KMeans(6, init="random", n_init=1, random_state=_state(seed))
    labels = clusters.fit(X[inside]).predict(X)
    counts = np.array([[np.sum(labels[bags == b] == k) for k in range(6)] for b in range(30)])
    return counts / counts.sum(axis=1, keepdims=True)


def _state(seed):
    return np.random.RandomState(seed).randint(2**31 - 1)


def best_of(counts, y, rows, reach=3.0):
    powers = powers_up_to(reach)
    curve = power_alignments(counts[rows], y[rows], powers)
    return curve.max(), powers[curve.argmax()], curve


def svm_labels(gram, y, train, test, cost):
    svm = SVC(C=cost, kernel="precomputed").fit(gram[np.ix_(train, train)], y[train])
    return svm.predict(gram[np.ix_(test, train)])


def gram_of(counts, power):
    return np.array([[np.dot(a**power, b**power) for a in counts] for b in counts])


def redo(wired, table, *, how="alignment", cost="folds", fitting="within", scaling="no"):
    """Return accuracies of the kernel, plain histograms and its power, by plain steps."""
    X, bags, y = bags_of(table, scaling)
    halves = np.array_split(wired.rng("folds").permutation(30), 2)
    runs = wired.rng("runs")
    inner = wired.rng("inner")

    def best_run(rows, folds, seen):
        scores = []
        for seed in runs.integers(2**31 - 1, size=3):
            counts = histograms(X, bags, seen, int(seed))
            alignment, power, _ = best_of(counts, y, rows)
            gram = gram_of(counts, power)
            price, right = choose_cost(gram, y, folds, cost)
            trained = np.concatenate(folds)
            fit = np.mean(svm_labels(gram, y, trained, trained, price) == y[trained])
            score = {"alignment": alignment, "accuracy": fit, "folds": right}[how]
            scores.append((score, gram, counts))
        best = int(np.argmax([score for score, _, _ in scores]))
        plain = [power_alignments(c[rows], y[rows], [1.0])[0] for _, _, c in scores]
        return scores[best][1], scores[int(np.argmax(plain))][2]

    right = {"PPMM": 0, "power-1": 0}
    if fitting == "all-bags":
        gram, plain = best_run(np.arange(30), halves, np.arange(30))
    for number, test in enumerate(halves):
        train = halves[1 - number]
        folds = np.array_split(inner.permutation(train), 5)
        if fitting != "all-bags":
            seen = train if fitting == "within" else np.arange(30)
            gram, plain = best_run(train, folds, seen)
        for name, matrix in (("PPMM", gram), ("power-1", gram_of(plain, 1))):
            chosen, _ = choose_cost(matrix, y, folds, cost)
            right[name] += np.sum(svm_labels(matrix, y, train, test, chosen) == y[test])
    return {name: pytest.approx(100 * hits / 30) for name, hits in right.items()}


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"runs": "accuracy"},
        {"runs": "folds"},
        {"cost": "1"},
        {"cost": "hard"},
        {"fitting": "all-bags"},
        {"fitting": "all-instances"},
        {"fitting": "all-bags", "runs": "folds"},
        {"scaling": "unit-variance"},
    ],
)
def test_accuracy_is_of_clusters_power_and_cost_by_the_reading(data, choices):
    wired = wire(experiments.run_accuracy, HALVES, choices=choices, data=data)
    reading = {"how" if name == "runs" else name: value for name, value in choices.items()}
    expected = redo(wired, data["musk-1"], **reading)
    assert wired["PPMM"]["accuracy"] == expected["PPMM"]
    assert wired.n_test["PPMM"]["accuracy"] == 30
    counted = {"accuracy": pytest.approx(1600 / 30), "positives": 16, "negatives": 14}
    assert wired["majority"] == counted | {"instances": 180}


def test_rivals_are_told_apart(monkeypatch, data):
    X, bags, y = bags_of(data["musk-1"], "no")
    asked = []

    def nearest(distances, labels, train, test):
        asked.append((len(train), len(test)))
        np.testing.assert_allclose(distances, hausdorff_distances(X, bags))
        return labels[test]

    monkeypatch.setattr(experiments, "citation_knn", nearest)
    wired = wire(experiments.run_accuracy, HALVES, data=data)
    assert wired["citation-kNN"]["accuracy"] == 100
    assert asked == [(15, 15), (15, 15)]


def test_today_compares_on_the_same_clusters(monkeypatch, data):
    _, _, y = bags_of(data["musk-1"], "no")
    perfect = (np.outer(y, y) + 1.0) / 2
    monkeypatch.setattr(experiments, "set_kernels", lambda X, bags: [np.eye(30), perfect])
    wired = wire(experiments.run_today, HALVES, data=data)
    expected = redo(wired, data["musk-1"])
    assert wired["PPMM"]["accuracy"] == expected["PPMM"]
    assert wired["power-1"]["accuracy"] == expected["power-1"]
    assert wired["set-kernel"]["accuracy"] == 100
    monkeypatch.setattr(experiments, "POWERS", (1.0,))
    alone = wire(experiments.run_today, HALVES, data=data)
    monkeypatch.setattr(experiments, "POWERS", (0.05, 1.0, 3.0))
    several = wire(experiments.run_today, HALVES, data=data)
    assert alone["PPMM"] == several["PPMM"] == wired["PPMM"]
    assert alone["power-by-folds"] != several["power-by-folds"]


@pytest.mark.parametrize(
    "choices", [{}, {"reach": "10"}, {"scaling": "unit-variance"}, {"runs": "folds"}]
)
def test_adapted_has_each_sets_power_and_the_nearest_drawn_set(data, choices):
    wired = wire(experiments.run_adapted, {"dataset": "musk-1"}, choices=choices, data=data)
    X, bags, y = bags_of(data["musk-1"], choices.get("scaling", "no"))
    rng = wired.rng("runs")
    reach = float(choices.get("reach", 3))
    folds = np.array_split(rng.permutation(30), 5)
    scores = []
    for seed in rng.integers(2**31 - 1, size=3):
        counts = histograms(X, bags, np.arange(30), int(seed))
        alignment, power, curve = best_of(counts, y, np.arange(30), reach)
        _, right = choose_cost(gram_of(counts, power), y, folds)
        score = right if choices.get("runs") == "folds" else alignment
        scores.append((score, power, curve))
    _, power, curve = scores[int(np.argmax([score for score, _, _ in scores]))]
    drawn = [abs(power - wired[name]["power"]) for name in experiments.SETS]
    expected = {
        "power": pytest.approx(power),
        "jump": pytest.approx(np.abs(np.diff(curve)).max() / np.ptp(curve), abs=1e-4),
        "nearer": pytest.approx(min(drawn[1:]) - drawn[0], abs=1e-3),
    }
    assert wired["musk-1"] == expected


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"spread": "1.0"},
        {"fitted": "fewer"},
        {"mixture": "full"},
        {"mixture": "histogram"},
        {"shared": "no"},
        {"reach": "10"},
    ],
)
def test_mechanisms_draws_and_fits_by_the_reading(choices):
    wired = wire(experiments.run_mechanisms, {"K": 10, "D": 2, "S": 7}, choices=choices)
    rng = wired.rng("sets")
    seed = int(wired.rng("mixture").integers(2**31 - 1))
    components = 5 if "fitted" in choices else 15
    powers = []
    for positive, least in ((1, 1), (2, 2), (5, 4)):
        if positive == 1 or "shared" in choices:
            means = rng.normal(size=(10, 2))
            drawn = rng.integers(10, size=1400)
            X = means[drawn] + float(choices.get("spread", 0.3)) * rng.normal(size=(1400, 2))
        marked = np.isin(drawn, rng.choice(10, size=positive, replace=False))
        y = np.array(
            [1 if marked[7 * bag : 7 * bag + 7].sum() >= least else -1 for bag in range(200)]
        )
        kind = choices.get("mixture", "spherical")
        settings = {"random_state": _state(seed)}
        if kind == "histogram":
            fitted = KMeans(components, init="random", n_init=1, **settings).fit(X)
            posteriors = np.eye(components)[fitted.predict(X)]
        else:
            fitted = GaussianMixture(components, covariance_type=kind, max_iter=1000, **settings)
            posteriors = fitted.fit(X).predict_proba(X)
        bags = posteriors.reshape(200, 7, components).mean(axis=1)
        reach = float(choices.get("reach", 3))
        _, power, _ = best_of(bags, y, np.arange(200), reach)
        assert wired[f"set-{len(powers) + 1}"] == {"power": pytest.approx(power)}
        powers.append(power)
    in_order = powers == sorted(set(powers))
    lowest = powers.count(min(powers)) == 1 and powers[0] == min(powers)
    assert wired["PPMM"] == {"ordered": 100 * in_order, "lowest": 100 * lowest}


def test_only_the_printed_setting_has_shares_and_curves():
    wired = wire(experiments.run_mechanisms, experiments.PRINTED)
    sets = experiments.draw_sets(wired.rng("sets"), 20, 5, 13, 0.3, shared=True)
    for name, (_, bags, y) in zip(experiments.SETS, sets, strict=True):
        assert wired[name]["unbalanced"] == pytest.approx(abs(np.sum(y) / 4))
        assert np.bincount(bags).tolist() == [13] * 200
        curve = wired.kept[name]
        assert curve.max() == 1
        steps = np.abs(np.diff(curve)).max() / np.ptp(curve)
        assert wired[name]["jump"] == pytest.approx(steps, abs=0.01)


def test_a_kernel_that_breaks_an_identity_is_told(monkeypatch):
    printed = {"vectors": "printed"}
    drawn = {"vectors": "drawn"}
    assert wire(experiments.run_kernel, printed)["PPMM"]["violation"] < 1e-12
    assert wire(experiments.run_kernel, drawn)["PPMM"]["emphasis"] < 1e-12
    monkeypatch.setattr(experiments, "TOY", experiments.TOY[::-1])
    assert wire(experiments.run_kernel, printed)["PPMM"]["violation"] > 1e-3
    share = experiments.largest_share
    monkeypatch.setattr(experiments, "largest_share", lambda drawn, p: -share(drawn, p))
    assert wire(experiments.run_kernel, drawn)["PPMM"]["emphasis"] > 1e-3


def test_a_larger_power_gives_the_largest_pattern_a_larger_share():
    shares = [
        experiments.largest_share(np.array([[0.5, 0.5, 0], [0.6, 0.2, 0.2]]), p) for p in (1, 2)
    ]
    expected = [[0.5, 0.36 / 0.44], [0.5, 0.6**4 / (0.6**4 + 2 * 0.2**4)]]
    np.testing.assert_allclose(shares, expected)
