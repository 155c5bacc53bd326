"""What the trials record, from their own streams, by plain loops and general solvers."""

import itertools

import numpy as np
import pytest
from scipy.linalg import eigh, null_space

from icml2008.data.tables import Table
from icml2008.papers.coleman2008advice import experiments, points
from icml2008.papers.coleman2008advice.method import gaussian_affinity, method_one
from wiring import wire

HEART = {"dataset": "heart", "p": 0.75}


def toy(n, columns, labels, seed=0, nominal=()):
    """Return a table of two clusters, the first of which has the first label."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) < 0.4 * n, *labels)
    X = rng.normal(size=(n, columns)) + 1.2 * (y == labels[0])[:, None]
    categories = {}
    for column in nominal:
        X[:, column] = 1 + (X[:, column] > 0)
        categories[f"x{column}"] = ("?", "a", "b", "c", "d")
    return Table(X, y, tuple(f"x{i}" for i in range(columns)), categories)


@pytest.fixture
def data():
    cleveland = toy(60, 13, ("1", "3"), nominal=(11, 12))
    cleveland.X[[3, 50], [11, 12]] = 0
    hepatitis = toy(50, 4, ("1", "2"), seed=1)
    hepatitis.X[:8, 0] = np.nan
    credit = toy(60, 15, ("+", "-"), seed=2, nominal=(3, 4, 5, 6, 12))
    credit.X[:4, 3] = np.nan
    credit.X[4:6, 0] = np.nan
    return {
        "heart-cleveland": cleveland,
        "heart": toy(55, 13, ("1", "2"), seed=3),
        "hepatitis": hepatitis,
        "credit-approval": credit,
        "spambase": toy(200, 5, ("1", "0"), seed=4),
        "haberman": toy(60, 3, ("1", "2"), seed=5),
    }


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(points, "GROUP", 8)
    monkeypatch.setattr(points, "SAMPLE", 60)
    monkeypatch.setattr(experiments, "SEARCH", 2)


def ahead(v):
    """Return where v has the sign of its largest entry, and is not zero but for rounding."""
    v = v * np.sign(v[np.abs(v).argmax()])
    return v > 1e-9 * v.max()


def curve_by_hand(affinity, pairs, signs):
    """Return the clusters for every f, each by a general solver in a null space."""
    n = len(affinity)
    matrix = np.zeros((n, n))
    for (i, j), sign in zip(pairs, signs, strict=True):
        matrix[[i, j], [i, j]] += 1
        matrix[i, j] -= sign
        matrix[j, i] -= sign
    reached = np.linalg.matrix_power(np.eye(n) + (matrix != 0), n) > 0
    excluded = []
    dims = n
    for block in {tuple(np.flatnonzero(row)) for row in reached if row.sum() > 1}:
        values, vectors = np.linalg.eigh(matrix[np.ix_(block, block)])
        dims -= len(block) - 1
        for value, vector in list(zip(values, vectors.T, strict=True))[1:]:
            row = np.zeros(n)
            row[list(block)] = vector
            ratio = value / values[0] if values[0] > 1e-9 else np.inf
            excluded.append((ratio, value, row))
    excluded.sort(key=lambda entry: entry[:2])
    degrees = affinity.sum(axis=0)
    laplacian = np.diag(degrees) - affinity
    labels = []
    for step in range(len(excluded) + 1):
        free = null_space(np.array([degrees, *(row for *_, row in excluded[step:])]))
        if not free.shape[1]:
            labels.append(ahead(np.linalg.eigh(matrix)[1][:, 0]))
            continue
        weights = free.T @ (degrees[:, None] * free)
        labels.append(ahead(free @ eigh(free.T @ laplacian @ free, weights)[1][:, 0]))
    return labels


def percent(labels, classes, counted=slice(None)):
    right = np.mean(labels[counted] == (classes[counted] > 0))
    return 100 * max(right, 1 - right)


def scaled(X, scaling="unit-variance"):
    if scaling == "unit-variance":
        return (X - X.mean(axis=0)) / X.std(axis=0)
    return X if scaling == "no" else (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))


def dense_by_hand(rng, X, classes, p, groups=5, size=8):
    """Return pairs and signs of advice, from a trial's stream."""
    n = len(X)
    parts = rng.permutation(n)[: groups * size].reshape(groups, size)
    pairs = sorted({tuple(sorted(pair)) for g in parts for pair in itertools.combinations(g, 2)})
    pairs = np.array(pairs)[rng.choice(len(pairs), n, replace=False)]
    right = rng.random(n) < p
    truth = classes[pairs[:, 0]] * classes[pairs[:, 1]]
    return pairs, np.where(right, truth, -truth)


def expected_of(curve, strict, share=None):
    """Return what is measured of a curve, the middle at a share or by the mean of the half."""
    curve = np.array(curve)
    last = len(curve) - 1
    position = int(np.clip(np.rint(last * share), 1, last - 1)) if share else None
    middle = curve[position] if share else curve[last // 4 : last - last // 4 + 1].mean()
    high = curve[-1 - last // 5 : -1]
    inner = curve[1:-1]
    return {
        "spectral": curve[-1],
        "method-one": strict,
        "method-two": curve[0],
        "low": curve[: last // 2].mean(),
        "middle": middle,
        "high": high.mean(),
        "gap": np.abs(high - curve[-1]).mean(),
        "range": 100 * np.mean(inner > max(strict, curve[-1])),
    }


def check(wired, expected):
    for name in ("spectral", "method-one", "method-two", "low", "middle", "high"):
        assert wired[name]["accuracy"] == pytest.approx(expected[name], abs=1e-3), name
    assert wired["high"]["gap"] == pytest.approx(expected["gap"], abs=1e-3)
    assert wired["method-three"]["range"] == pytest.approx(expected["range"], abs=0.01)


def cleveland_of(data):
    table = data["heart-cleveland"]
    X = table.X.copy()
    X[:, 11] -= 1
    X[:, 12] = np.array([0, 3, 6, 7])[X[:, 12].astype(int)]
    kept = (table.X[:, 11] > 0) & (table.X[:, 12] > 0)
    return X[kept], np.where(table.y == "1", 1, -1)[kept]


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"scaling": "no"},
        {"scaling": "range"},
        {"affinity": "narrow"},
        {"affinity": "local"},
        {"affinity": "neighbours"},
        {"points": "without-advice"},
        {"heart": "statlog"},
    ],
)
def test_dense_measures_the_curve_of_its_advice(data, choices):
    wired = wire(experiments.run_dense, HEART, choices={"middle": "half", **choices}, data=data)
    X, classes = cleveland_of(data)
    if "heart" in choices:
        X = data["heart"].X
        classes = np.where(data["heart"].y == "1", 1, -1)
    pairs, signs = dense_by_hand(wired.rng("advice"), X, classes, 0.75)
    affinity = gaussian_affinity(
        scaled(X, choices.get("scaling", "unit-variance")), choices.get("affinity", "median")
    )
    counted = np.ones(len(X), dtype=bool)
    if "points" in choices:
        counted[pairs] = False
    curve = [percent(c, classes, counted) for c in curve_by_hand(affinity, pairs, signs)]
    strict = percent(method_one(affinity, pairs, signs), classes, counted)
    check(wired, expected_of(curve, strict))
    share = max(np.mean(classes > 0), np.mean(classes < 0))
    assert wired["majority"] == {"larger": pytest.approx(100 * share), "inconsistent": 100}
    assert wired["method-two"]["room"] == 1
    edited = affinity.copy()
    for (i, j), sign in zip(pairs, signs, strict=True):
        edited[i, j] = edited[j, i] = max(sign, 0) or 1e-12
    edited[np.diag_indices(len(X))] = 1e-12
    degrees = edited.sum(axis=0)
    v = eigh(np.diag(degrees) - edited, np.diag(degrees))[1][:, 1]
    assert wired["edited"]["accuracy"] == pytest.approx(percent(v > 0, classes, counted))


def test_the_middle_f_is_found_on_other_draws(data):
    wired = wire(experiments.run_dense, HEART, data=data)
    X, classes = cleveland_of(data)
    affinity = gaussian_affinity(scaled(X))
    rng = wired.rng("search", across=("repeat",))
    curves = []
    for _ in range(2):
        pairs, signs = dense_by_hand(rng, X, classes, 0.75)
        curve = [percent(c, classes) for c in curve_by_hand(affinity, pairs, signs)]
        last = len(curve) - 1
        curves.append(
            [curve[int(np.clip(np.rint(last * s / 40), 1, last - 1))] for s in range(1, 40)]
        )
    np.testing.assert_allclose(wired.kept["curve"], np.mean(curves, axis=0), atol=0.01)
    share = (1 + int(np.argmax(np.mean(curves, axis=0)))) / 40
    pairs, signs = dense_by_hand(wired.rng("advice"), X, classes, 0.75)
    curve = [percent(c, classes) for c in curve_by_hand(affinity, pairs, signs)]
    check(wired, expected_of(curve, percent(method_one(affinity, pairs, signs), classes), share))
    best = wire(experiments.run_dense, HEART, choices={"middle": "same-draw"}, data=data)
    assert best["middle"]["accuracy"] == pytest.approx(max(curve[1:-1]), abs=1e-3)
    assert best["high"] == wired["high"]
    ranks = np.arange(len(curve) - 1)
    distances = np.abs(np.array(curve[:-1]) - curve[-1])
    order = np.array([np.mean([(d > e) + (d == e) / 2 for e in distances]) for d in distances])
    correlation = np.corrcoef(ranks, order)[0, 1]
    assert wired["method-three"]["approach"] == pytest.approx(correlation, abs=1e-3)


def test_equal_classes_are_drawn_from_both(monkeypatch, data):
    taken = []
    rows_of = experiments.balanced_rows
    monkeypatch.setattr(
        experiments, "balanced_rows", lambda *args: taken.append(rows_of(*args)) or taken[-1]
    )
    wired = wire(experiments.run_dense, HEART, choices={"middle": "half"}, data=data)
    X, classes = cleveland_of(data)
    (rows,) = taken
    assert len(set(rows)) == len(rows) == 2 * np.sum(classes > 0)
    assert classes[rows].sum() == 0
    affinity = gaussian_affinity(scaled(X))[np.ix_(rows, rows)]
    degrees = affinity.sum(axis=0)
    v = eigh(np.diag(degrees) - affinity, np.diag(degrees))[1][:, 1]
    assert wired["balanced"]["accuracy"] == pytest.approx(percent(v > 0, classes[rows]))


def drawn_pairs(monkeypatch, data, dataset, **choices):
    """Return what a dense trial advises on, and how many points and features it has."""
    calls = []
    path = experiments.AdvicePath
    monkeypatch.setattr(experiments, "AdvicePath", lambda *args: calls.append(args) or path(*args))
    features = []
    affinity = experiments.gaussian_affinity
    monkeypatch.setattr(
        experiments, "gaussian_affinity", lambda X, w: features.append(X) or affinity(X, w)
    )
    cell = {"dataset": dataset, "p": 0.65}
    wire(experiments.run_dense, cell, choices={"middle": "half", **choices}, data=data)
    return calls[0][1], features[0]


def blocks_of(pairs):
    blocks = []
    for pair in pairs:
        joined = set(pair).union(*(b for b in blocks if b & set(pair)))
        blocks = [b for b in blocks if not b & set(pair)] + [joined]
    return blocks


@pytest.mark.parametrize(
    ("groups", "n", "largest"), [("four", 42, 8), ("smaller", 42, 8), ("all-records", 50, 8)]
)
def test_groups_of_hepatitis(monkeypatch, data, groups, n, largest):
    monkeypatch.setattr(points, "GROUP", 9)
    pairs, X = drawn_pairs(monkeypatch, data, "hepatitis", hepatitis=groups)
    assert len(X) == len(pairs) == n
    named = len(np.unique(pairs))
    sizes = sorted(map(len, blocks_of(pairs)))
    if groups == "four":
        assert named <= 36
        assert sizes[-1] <= 9
    elif groups == "smaller":
        assert 32 < named <= 40
        assert sizes[-1] <= largest
    else:
        assert 40 < named <= 45


def test_groups_of_hepatitis_may_overlap(monkeypatch, data):
    pairs, _ = drawn_pairs(monkeypatch, data, "hepatitis", hepatitis="overlapping")
    assert max(map(len, blocks_of(pairs))) > 8


def test_pairs_may_have_several_pieces_of_advice(monkeypatch, data):
    single, _ = drawn_pairs(monkeypatch, data, "haberman")
    assert len(np.unique(single, axis=0)) == len(single) == 60
    several, _ = drawn_pairs(monkeypatch, data, "haberman", pairs="yes")
    assert len(np.unique(several, axis=0)) < len(several) == 60


def test_the_australian_set_is_stripped_or_filled(monkeypatch, data):
    _, stripped = drawn_pairs(monkeypatch, data, "australian")
    assert len(stripped) == 54
    _, whole = drawn_pairs(monkeypatch, data, "australian", australian="filled", scaling="no")
    credit = data["credit-approval"].X
    usual = 1 + (np.mean(credit[4:, 3] == 2) > 0.5)
    np.testing.assert_allclose(whole[:4, 3], usual)
    np.testing.assert_allclose(whole[4:6, 0], np.nanmean(credit[:, 0]))


def test_nominal_features_may_be_indicators(monkeypatch, data):
    _, codes = drawn_pairs(monkeypatch, data, "australian", scaling="no")
    _, columns = drawn_pairs(monkeypatch, data, "australian", scaling="no", nominal="indicators")
    assert codes.shape[1] == 15
    assert columns.shape[1] == 20
    np.testing.assert_allclose(columns[:, 3] + columns[:, 4], 1)
    np.testing.assert_allclose(columns[:, 4], codes[:, 3] - 1)


def test_spambase_is_sampled_anew_or_once(monkeypatch, data):
    seen = {}
    affinity = experiments.gaussian_affinity
    for choice, repeat in itertools.product(("anew", "once"), (0, 1)):
        drawn = []
        monkeypatch.setattr(
            experiments, "gaussian_affinity", lambda X, w, d=drawn: d.append(X) or affinity(X, w)
        )
        wire(
            experiments.run_dense,
            {"dataset": "spambase", "p": 0.65},
            repeat=repeat,
            choices={"middle": "half", "sample": choice, "scaling": "no"},
            data=data,
        )
        seen[choice, repeat] = {tuple(row) for row in drawn[0]}
        assert len(seen[choice, repeat]) == 60
    assert seen["once", 0] == seen["once", 1]
    assert seen["anew", 0] != seen["anew", 1]


def complete_by_hand(rng, classes, p):
    pairs = np.array(list(itertools.combinations(range(len(classes)), 2)))
    truth = classes[pairs[:, 0]] * classes[pairs[:, 1]]
    return pairs, np.where(rng.random(len(pairs)) < p, truth, -truth)


def flips_by_hand(pairs, signs, n, start):
    """Return the clusters by pivots and single flips, in plain loops."""
    W = np.zeros((n, n))
    for (i, j), sign in zip(pairs, signs, strict=True):
        W[i, j] = W[j, i] = sign
    pivots = [np.where(np.arange(n) == k, 1, W[k]) for k in range(n)]
    agreed = [v @ W @ v for v in pivots]
    starts = pivots if start == "each-pivot" else [pivots[int(np.argmax(agreed))]]
    ends = []
    for clusters in starts:
        clusters = clusters.copy()
        while (clusters * (W @ clusters)).min() < 0:
            clusters[np.argmin(clusters * (W @ clusters))] *= -1
        ends.append(clusters)
    return ends[int(np.argmax([v @ W @ v for v in ends]))], W


@pytest.mark.parametrize("choices", [{}, {"solver": "each-pivot"}, {"lone": "two"}])
def test_complete_measures_the_curve_and_2cc_itself(data, choices):
    cell = {"dataset": "heart"}
    wired = wire(experiments.run_complete, cell, choices={"middle": "half", **choices}, data=data)
    X, classes = cleveland_of(data)
    pairs, signs = complete_by_hand(wired.rng("advice"), classes, 0.53)
    affinity = gaussian_affinity(scaled(X))
    curve = [percent(c, classes) for c in curve_by_hand(affinity, pairs, signs)]
    strict, _ = flips_by_hand(pairs, signs, len(X), choices.get("solver"))
    begin = 1 if "lone" in choices else 0
    check(wired, expected_of(curve[begin:], percent(strict > 0, classes)))


@pytest.mark.parametrize("choices", [{}, {"solver": "each-pivot"}, {"heart": "statlog"}])
def test_overwhelming_follows_advice_alone(data, choices):
    cell = {"dataset": "heart", "p": 0.65}
    wired = wire(experiments.run_overwhelming, cell, choices=choices, data=data)
    classes = cleveland_of(data)[1]
    if "heart" in choices:
        classes = np.where(data["heart"].y == "1", 1, -1)
    pairs, signs = complete_by_hand(wired.rng("advice"), classes, 0.65)
    clusters, W = flips_by_hand(pairs, signs, len(classes), choices.get("solver"))
    assert wired["method-one"]["accuracy"] == pytest.approx(percent(clusters > 0, classes))
    first = np.linalg.eigh(W)[1][:, -1]
    assert wired["eigenvector"]["accuracy"] == pytest.approx(percent(first > 0, classes))


ADVICE_MATRIX = experiments.advice_matrix
SPECTRA = experiments.spectra_of


def turned(n, pairs, signs):
    return [(block, values + 1, U[:, ::-1]) for block, values, U in SPECTRA(n, pairs, signs)]


@pytest.mark.parametrize(
    ("name", "broken", "metrics"),
    [
        ("advice_matrix", lambda *args: 1.01 * ADVICE_MATRIX(*args), {"count", "negative"}),
        ("spectra_of", turned, {"consistent", "beyond", "excess"}),
        ("cut_ratio", lambda affinity, v: 1.0, {"excess"}),
        ("respected", lambda *args: np.zeros(len(args[1]), dtype=bool), {"disregarded"}),
        ("null_space", lambda rows: np.eye(rows.shape[1])[:, 1:], {"basis"}),
    ],
)
def test_a_broken_identity_is_told(monkeypatch, name, broken, metrics):
    monkeypatch.setattr(experiments, "INSTANCES", 2)
    sound = wire(experiments.run_identities, {"points": 14})
    assert sound["triangle"] == {"room": 2}
    for metric, value in sound["method-three"].items():
        assert value > 1e-2 if metric == "outside" else value < 1e-8
    monkeypatch.setattr(experiments, name, broken)
    recorded = wire(experiments.run_identities, {"points": 14})["method-three"]
    assert all(recorded[metric] > 1e-3 for metric in metrics), recorded


def test_another_solution_with_all_eigenvectors_is_told(monkeypatch):
    monkeypatch.setattr(experiments, "INSTANCES", 1)
    monkeypatch.setattr(experiments.AdvicePath, "solution", lambda path, step: np.arange(14.0))
    recorded = wire(experiments.run_identities, {"points": 14})["method-three"]
    assert recorded["apart"] > 0.1
    assert recorded["excess"] > 1e-3
