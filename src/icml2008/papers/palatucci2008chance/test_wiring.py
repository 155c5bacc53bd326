"""What is measured of guessers and of selected features, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.naive_bayes import GaussianNB

from icml2008.papers.palatucci2008chance import experiments
from icml2008.papers.palatucci2008chance.method import (
    error_threshold,
    expected_fewest_errors,
    halves,
    validation_errors,
)
from wiring import wire


def test_the_best_of_guessers_is_measured_by_theorem_and_by_simulation():
    cell = {"guessers": 200, "examples": 20, "p_err": 0.75}
    wired = wire(experiments.best_of_many_guessers, cell)
    theorem = expected_fewest_errors(200, 20, 0.75)
    assert wired["Theorem 4.1"] == pytest.approx(
        {"accuracy": 100 - 5 * theorem, "gap": 15 - theorem, "perfect": 200 / 4**20}
    )
    shares = binom.pmf(np.arange(21), 20, 0.75)
    groups = wired.rng("guesses").multinomial(200, shares / shares.sum(), size=2000)
    fewest = [next(errors for errors in range(21) if group[errors]) for group in groups]
    mean = np.mean(fewest)
    metrics = wired["Simulation"]
    assert metrics["accuracy"] == pytest.approx(100 - 5 * mean, abs=0.05)
    assert metrics["perfect"] == np.mean(groups[:, 0])
    assert metrics["distance"] == pytest.approx(
        abs(mean - theorem) / np.sqrt(np.var(fewest) / 2000), rel=0.05
    )


def genes(seed=1, n=14, m=9):
    """Return genes of which the first two tell the classes apart."""
    rng = np.random.default_rng(seed)
    y = np.repeat(["1", "2", "2"], 5)[:n]
    X = np.exp(rng.normal(size=(n, m)))
    X[:, :2] *= np.where(y == "2", 4.0, 1.0)[:, None]
    return SimpleNamespace(X=X, y=y)


TABLE = genes()


def never(errors, n, p):
    return np.zeros(len(errors), bool)


def few(errors, n, p):
    return errors < np.ceil(n * p / 2)


def fields(wired, choices):
    """Return what leaves one out: rows, validation size, errors, and the odds of features."""
    X = np.log(TABLE.X) if choices.get("scale") == "logarithm" else TABLE.X
    y = (TABLE.y == "2").astype(int)
    rng = wired.rng("halves")
    left_out = []
    options = {
        "prior": choices.get("prior", "estimated"),
        "variance": choices.get("variance", "class"),
    }
    for i in range(len(y)):
        rest = np.array([row for row in range(len(y)) if row != i])
        split = halves(
            rest,
            y,
            rng,
            stratified=choices.get("halves") == "stratified",
            larger=choices.get("larger-half", "validation"),
        )
        errors = validation_errors(X, y, *split, **options)
        odds = []
        for j in range(X.shape[1]):
            ours = X[rest, j]
            means = [ours[y[rest] == k].mean() for k in (0, 1)]
            spread = [ours[y[rest] == k].var() for k in (0, 1)]
            if options["variance"] == "pooled":
                within = np.mean((ours - np.take(means, y[rest])) ** 2)
                spread = [within, within]
            logs = [
                -((X[i, j] - m) ** 2) / (2 * v) - np.log(v) / 2
                for m, v in zip(means, spread, strict=True)
            ]
            odds.append(logs[1] - logs[0])
        ones = y[rest].sum()
        prior = 0.0 if options["prior"] == "equal" else np.log(ones / (len(rest) - ones))
        left_out.append((rest, len(split[1]), errors, np.array(odds), prior))
    return y, left_out


CHOICES = [
    {},
    {"halves": "stratified"},
    {"larger-half": "training"},
    {"prior": "equal"},
    {"variance": "pooled"},
    {"chance": "rarer-class"},
    {"scale": "logarithm"},
    {"nothing-kept": "prior"},
    {"allowed": "fewer"},
]


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_each_example_is_left_out_once_and_told_by_the_features_kept(choices):
    methods = {"never": never, "few": few}
    ends = dict.fromkeys(("Oracle", "Inside gap", "Outside gap", "Constant"))
    wired = wire(
        experiments.select_genes,
        methods={**methods, **ends},
        choices=choices,
        data={"colon": TABLE},
    )
    y, left_out = fields(wired, choices)
    coins = wired.rng("coins").random(len(y)) < 0.5
    if "nothing-kept" in choices:
        coins = np.array([prior > 0 for *_, prior in left_out])

    def says(i, kept):
        *_, odds, prior = left_out[i]
        return (sum(odds[kept]) + prior > 0) if any(kept) else coins[i]

    for name, rule in methods.items():
        kept = []
        for rest, n, errors, *_ in left_out:
            share = min(sum(y[rest]), sum(1 - y[rest])) / len(rest)
            kept.append(rule(errors, n, share if "chance" in choices else 0.5))
        hits = [says(i, kept[i]) == y[i] for i in range(len(y))]
        assert wired[name]["accuracy"] == pytest.approx(100 * np.mean(hits))
        assert wired[name]["kept"] == pytest.approx(np.mean([sum(mask) for mask in kept]))
        assert wired.cases[name] == [int(hit) for hit in hits]
        assert wired.n_test[name]["accuracy"] == len(y)
    n = left_out[0][1]
    curve = []
    for t in range(n + 1):
        hits = [says(i, errors <= t) == y[i] for i, (_, _, errors, *_) in enumerate(left_out)]
        curve.append(100 * np.mean(hits))
    p = min(sum(y), sum(1 - y)) / len(y) if "chance" in choices else 0.5
    low = error_threshold("best-chance", 9, n, p)
    high = n * p
    marks = [t + ("allowed" in choices) for t in range(n + 1)]
    inside = [low <= mark <= high for mark in marks]
    assert wired["Oracle"]["accuracy"] == pytest.approx(max(curve))
    best = max(a for a, there in zip(curve, inside, strict=True) if there)
    assert wired["Inside gap"]["accuracy"] == pytest.approx(best)
    best = max(a for a, there in zip(curve, inside, strict=True) if not there)
    assert wired["Outside gap"]["accuracy"] == pytest.approx(best)
    assert wired["Constant"]["accuracy"] == pytest.approx(100 * max(np.mean(y), np.mean(1 - y)))
    np.testing.assert_allclose(wired.kept["curve"], curve, atol=1e-3)
    np.testing.assert_allclose(wired.kept["gap"], [low, high], atol=1e-3)


def test_a_selector_of_ones_own_learns_from_the_others():
    class First:
        def fit(self, X, y):
            self.width = X.shape[1]
            assert len(X) == len(y) == 13
            return self

        def get_support(self):
            return np.arange(self.width) < 2

    ends = dict.fromkeys(("Oracle", "Inside gap", "Outside gap", "Constant"))
    wired = wire(experiments.select_genes, methods={"First": First, **ends}, data={"colon": TABLE})
    y = (TABLE.y == "2").astype(int)
    hits = []
    for i in range(14):
        rest = np.delete(np.arange(14), i)
        model = GaussianNB(var_smoothing=0).fit(TABLE.X[rest, :2], y[rest])
        hits.append(model.predict(TABLE.X[[i], :2])[0] == y[i])
    assert wired["First"] == {"accuracy": pytest.approx(100 * np.mean(hits)), "kept": 2}


@pytest.mark.parametrize("tails", ["two", "one"])
def test_criteria_are_those_of_their_names(tails):
    made = experiments.criteria({"test": tails})
    n = 10
    p = 0.5
    errors = np.array([0, 1, 2, 3, 4, 5, 6, 10])
    assert made["No selection"](errors, n, p).all()
    for name, threshold in (
        ("Best chance", "best-chance"),
        ("MGM", "midpoint"),
        ("Single chance", "single-chance"),
    ):
        expected = errors < error_threshold(threshold, 8, n, p)
        np.testing.assert_array_equal(made[name](errors, n, p), expected)
    low = binom.cdf(errors, n, p)
    values = (
        low if tails == "one" else np.minimum(1, 2 * np.minimum(low, binom.sf(errors - 1, n, p)))
    )
    order = np.argsort(values, kind="stable")
    passed = [k for k, at in enumerate(order) if values[at] <= 0.05 * (k + 1) / 8]
    kept = np.isin(np.arange(8), order[: max(passed, default=-1) + 1])
    np.testing.assert_array_equal(made["FDR"](errors, n, p), kept)


@pytest.mark.parametrize(
    "choices", [{}, {"chance": "rarer-class"}, {"larger-half": "training"}, {"prior": "equal"}]
)
def test_permuted_genes_are_beside_as_many_guessers(choices):
    wired = wire(experiments.genes_without_meaning, choices=choices, data={"colon": TABLE})
    y = wired.rng("labels").permutation((TABLE.y == "2").astype(int))
    larger = choices.get("larger-half", "validation")
    split = halves(np.arange(1, 14), y, wired.rng("halves"), larger=larger)
    n = len(split[1])
    p = min(np.mean(y[1:]), np.mean(1 - y[1:])) if "chance" in choices else 0.5
    fewest = expected_fewest_errors(9, n, p)
    assert wired["Theorem 4.1"] == pytest.approx(
        {"accuracy": 100 - 100 * fewest / n, "single": 100 - 100 * p}
    )
    options = {"prior": choices.get("prior", "estimated"), "variance": "class"}
    normal = wired.rng("features").normal(size=TABLE.X.shape)
    for name, X in (("Genes", TABLE.X), ("Independent", normal)):
        errors = validation_errors(X, y, *split, **options)
        assert wired[name] == pytest.approx(
            {"accuracy": 100 - 100 * min(errors) / n, "single": 100 - 100 * np.mean(errors) / n}
        )
        assert wired.n_test[name]["accuracy"] == n


@pytest.mark.parametrize("choices", [{}, {"effect": "2"}, {"features": "blocks"}])
def test_sparse_tasks_are_told_by_the_informative_features_alone(choices):
    ends = dict.fromkeys(("Oracle", "Inside gap", "Outside gap", "Constant", "Bayes rule"))
    cell = {"features": 60, "informative": 10}
    wired = wire(
        experiments.select_among_noise, cell, methods={"few": few, **ends}, choices=choices
    )
    rng = wired.rng("examples")
    X = rng.normal(size=(40, 60))
    if "features" in choices:
        shared = rng.normal(size=(40, 6))
        X = np.sqrt(0.2) * X + np.sqrt(0.8) * shared[:, np.arange(60) // 10]
    effect = float(choices.get("effect", "1"))
    X[:20, :10] -= effect / 2
    X[20:, :10] += effect / 2
    hits = [(sum(row[:10]) > 0) == (i >= 20) for i, row in enumerate(X)]
    assert wired["Bayes rule"]["accuracy"] == pytest.approx(100 * np.mean(hits))
    assert wired["Constant"]["accuracy"] == 50
    assert wired.n_test["few"]["accuracy"] == 40
