"""What the trial records, on methods that are right on a known share of the rows."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import f as f_law

from wiring import wire

from . import experiments
from .experiments import COSTS, thirds

RNG = np.random.default_rng(0)
TABLE = SimpleNamespace(X=3 + 2 * RNG.normal(size=(150, 4)), y=np.array(["a", "b", "b"] * 50))
SIGNS = np.where(TABLE.y == "a", 1.0, -1.0)


def right_but(best, worst, vectors, folds=None, **metrics):
    """Return a method that errs on `best` of ten rows at C = 1, and on more at any other cost."""

    def fit(fold, names, C):
        if folds is not None:
            folds.append((fold, names, C))
        err = best + worst * abs(np.log10(C))
        scores = np.where(np.arange(len(fold.y)) % 10 < err, -fold.y, fold.y)
        values = {key: value + C for key, value in metrics.items()}
        return scores, np.r_[np.full(vectors, -0.5), np.zeros(3)], values

    return fit


def bench(methods, **choices):
    return wire(
        experiments.run_benchmark,
        {"dataset": "sonar", "kernels": "P-G"},
        methods=methods,
        data={"sonar": TABLE},
        choices=choices,
    )


def test_results_are_means_of_ten_at_the_cost_that_is_best_on_validation_rows():
    methods = {"LMKL": right_but(1, 2, 5, work=4.0, rise=-3.0), "MKL": right_but(3, 2, 7)}
    seen = bench(methods)
    test, pairs = thirds(SIGNS, seen.rng("split", across=("kernels",)), 1500)
    for name, err, vectors in (("LMKL", 1, 5), ("MKL", 3, 7)):
        right = []
        share = []
        for train, valid in pairs:
            first = len(train) + len(valid)
            right.append(np.mean(np.arange(first, first + len(test)) % 10 >= err))
            share.append(vectors / len(train))
        assert seen[name]["accuracy"] == pytest.approx(100 * np.mean(right))
        assert seen[name]["vectors"] == pytest.approx(100 * np.mean(share))
        assert seen.n_test[name]["accuracy"] == len(test)
    assert seen["LMKL"]["work"] == 5
    assert seen["LMKL"]["rise"] == max(COSTS) - 3
    assert seen.n_test["LMKL"]["rise"] == 50
    held = {key: seen["LMKL"][key] for key in ("differs", "better", "sparser")}
    assert held == {"differs": 100, "better": 100, "sparser": 100}
    turned = bench({"LMKL": methods["MKL"], "MKL": methods["LMKL"]})["LMKL"]
    assert [turned[key] for key in ("differs", "better", "sparser")] == [100, 0, 0]
    alike = bench(dict.fromkeys(("LMKL", "MKL"), methods["MKL"]))["LMKL"]
    assert [alike[key] for key in ("differs", "better", "sparser")] == [0, 0, 0]


@pytest.mark.parametrize(
    ("choice", "value"),
    [("inputs", "standardised"), ("inputs", "raw"), ("start", "1"), ("normalise", "diagonal")],
)
def test_folds_are_prepared_as_the_choices_say(choice, value):
    folds = []
    seen = bench({"mine": right_but(1, 2, 5, folds)}, **{choice: value})
    test, pairs = thirds(SIGNS, seen.rng("split", across=("kernels",)), 1500)
    starts = seen.rng("start")
    assert [C for _, _, C in folds[::10]] == list(COSTS)
    for (fold, names, _), (train, valid) in zip(folds, pairs, strict=False):
        assert names == ["P", "G"]
        rows = np.concatenate([train, valid, test])
        X = TABLE.X[rows]
        if value != "raw":
            X = (X - TABLE.X[train].mean(axis=0)) / TABLE.X[train].std(axis=0)
        np.testing.assert_allclose(fold.X, X)
        np.testing.assert_array_equal(fold.y, SIGNS[rows])
        assert (fold.n, fold.n_valid) == (len(train), len(valid))
        size = 1.0 if choice == "start" else 0.01
        np.testing.assert_allclose(fold.start, size * starts.uniform(-1, 1, (5, 2)))
        assert fold.trace == (None if value == "diagonal" else 1.0)
        expected = fold.n if value == "diagonal" else 1.0
        for K in fold.square.values():
            assert np.trace(K) == pytest.approx(expected)


def test_the_f_test_is_alpaydins():
    rng = np.random.default_rng(0)
    seen = set()
    for shift in (0.0, 0.4, -0.4):
        for _ in range(30):
            gaps = shift + 0.2 * rng.normal(size=10)
            ones = rng.random(10)
            variances = 0.0
            for first, second in gaps.reshape(5, 2):
                mean = (first + second) / 2
                variances += (first - mean) ** 2 + (second - mean) ** 2
            p = f_law.sf(np.sum(gaps**2) / (2 * variances), 10, 5)
            expected = np.sign(sum(gaps)) if p < 0.05 else 0
            assert experiments.significant(ones + gaps, ones) == expected
            seen.add(float(expected))
    assert seen == {-1.0, 0.0, 1.0}


def test_signed_ranks_weigh_larger_gaps_more():
    values = np.zeros((1, 2, 3, 1))
    values[0, 0, :, 0] = [3.0, -1.0, 2.0]
    assert experiments.signed_rank(values) == pytest.approx((3 - 1 + 2) / 6)


def test_thirds_are_stratified_and_halves_change_places():
    test, pairs = thirds(SIGNS, np.random.default_rng(0), 1500)
    assert len(test) == 150 - 2 * round(50 / 3) - 2 * round(100 / 3)
    for (train, valid), (other, back) in zip(pairs[::2], pairs[1::2], strict=True):
        np.testing.assert_array_equal(train, back)
        np.testing.assert_array_equal(valid, other)
        assert sum(SIGNS[train] > 0) == sum(SIGNS[valid] > 0) == 17
        assert not set(train) & set(valid)
        assert not set(train) & set(test)
    few, _ = thirds(SIGNS, np.random.default_rng(0), 75)
    assert len(few) == 75 - 2 * round(25 / 3) - 2 * round(50 / 3)


def test_work_of_fixed_weights_counts_the_kernels_that_are_used():
    fold = experiments.Fold(RNG.normal(size=(40, 3)), np.tile([1.0, -1.0], 20), 20, 10, None)
    scores, signed, extra = experiments.mkl(fold, ["L", "L"], 1.0)
    alone, vectors, _ = experiments.svm(fold, ["L"], 1.0, name="L")
    np.testing.assert_allclose(scores, alone)
    assert extra == {"work": np.count_nonzero(vectors)}
    _, signed, extra = experiments.mkl(fold, ["L", "P"], 1.0)
    assert 0 <= extra["weight"] <= 1
    weights = np.linspace(0, 1, 101)
    values = []
    for weight in weights:
        K = (1 - weight) * fold.square["L"] + weight * fold.square["P"]
        v, _ = fold.solve(K, 1.0)
        values.append(np.abs(v).sum() - v @ K @ v / 2)
    assert extra["weight"] == pytest.approx(weights[np.argmin(values)], abs=0.02)
    used = (extra["weight"] > 1e-3) + (extra["weight"] < 1 - 1e-3)
    assert extra["work"] == used * np.count_nonzero(signed)
    scores, none, _ = experiments.majority(fold, None, None)
    assert len(none) == 0
    assert (scores == 0).all()


def test_gauss4_has_the_means_and_variances_of_section_4_1(monkeypatch):
    drawn = {"size": None}

    def alternating(size):
        drawn["size"] = size
        signs = np.ones(size)
        signs[:, ::2] = -1
        return signs

    X, y = experiments.gauss4(SimpleNamespace(normal=alternating))
    assert drawn["size"] == (4, 300, 2)
    groups = X.reshape(4, 300, 2)
    means = [[-3, 1], [1, 1], [-1, -2.2], [3, -2.2]]
    np.testing.assert_allclose(groups.mean(axis=1), means)
    variances = [[0.8, 2], [0.8, 2], [0.8, 4], [0.8, 4]]
    np.testing.assert_allclose(groups.var(axis=1), variances)
    assert y.reshape(4, 300).mean(axis=1).tolist() == [1, 1, -1, -1]
