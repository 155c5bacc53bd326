"""What the trials record, from their streams and scikit-learn's models; what choices change."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr, wilcoxon
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import CategoricalNB

from icml2008.catalogue.entry import Entry
from icml2008.data.tables import Table
from icml2008.papers.obrien2008costsensitive import experiments, statements
from icml2008.papers.obrien2008costsensitive.learners import QDA, NaiveBayes, by_class
from icml2008.papers.obrien2008costsensitive.method import assign, learn_partition
from icml2008.papers.obrien2008costsensitive.protocol import (
    USUAL,
    folds_of,
    learned,
    learner_of,
    rarity_costs,
    relabelled,
    resampled,
)
from icml2008.papers.obrien2008costsensitive.tasks import codes_of, lesion, task_of, training_rows
from wiring import wire


def table(n=120, n_classes=3, name="class"):
    """Return a table of four nominal features that say something of three classes."""
    rng = np.random.default_rng(0)
    y = rng.integers(n_classes, size=n)
    X = np.where(rng.uniform(size=(n, 4)) < 0.55, y[:, None], rng.integers(3, size=(n, 4)))
    names = tuple("abcd")
    categories = dict.fromkeys(names, ("0", "1", "2"))
    return Table(X.astype(float), np.array([f"{name}{label}" for label in y]), names, categories)


CAR = table()


def cross_validation(wired, percent="runs"):
    """Return what a trial on `CAR` measures, by loops over models of scikit-learn."""
    X = CAR.X.astype(int)
    y = np.unique(CAR.y, return_inverse=True)[1]
    shared = ("repeat",) if wired.trial.choices["matrix"] == "set" else ()
    drawn = wired.rng("costs", across=shared).uniform(1, 10, size=(3, 3)) * (1 - np.eye(3))
    folds = folds_of(wired.rng("folds"), len(y), 10)
    inner = wired.rng("inner")
    bags = wired.rng("resamples")
    spent = {}
    wrong = 0
    for fold in range(10):
        train = np.flatnonzero(folds != fold)
        test = np.flatnonzero(folds == fold)

        def model(rows, labels):
            return CategoricalNB(min_categories=3).fit(X[rows], labels)

        deeper = folds_of(inner, len(train), 9)
        seen = np.empty((len(train), 3))
        for part in range(9):
            kept = train[deeper != part]
            seen[deeper == part] = model(kept, y[kept]).predict_proba(X[train[deeper == part]])
        new = model(train, y[train]).predict_proba(X[test])
        wrong += np.sum(new.argmax(axis=1) != y[test])
        counts = bags.multinomial(len(train), np.full(len(train), 1 / len(train)), size=100)
        bagged = np.array(
            [
                model(np.repeat(train, row), np.repeat(y[train], row)).predict_proba(X[train])
                for row in counts
            ]
        )
        out = (counts == 0)[:, :, None]
        curved = [
            IsotonicRegression(out_of_bounds="clip")
            .fit(seen[:, k], y[train] == k)
            .predict(new[:, k])
            for k in range(3)
        ]
        for kind in ("rarity", "random"):
            costs = rarity_costs(np.bincount(y[train])) if kind == "rarity" else drawn
            labels = {
                "cost matrix": assign(new, costs),
                "calibrated": assign(np.transpose(curved), costs),
            }
            labels["constant"] = np.argmin([costs[i, y[train]].sum() for i in range(3)])
            means = {"MetaCost all": bagged.mean(axis=0)}
            means["MetaCost out"] = (bagged * out).sum(axis=0) / out.sum(axis=0)
            for name, mean in means.items():
                given = assign(mean, costs)
                final = model(train, given)
                labels[name] = final.classes_[final.predict_proba(X[test]).argmax(axis=1)]
            searches = {"parallel": {}, "five passes": {"passes": 5}, "LF": {"family": "weights"}}
            searches["rarest first"] = {"order": np.argsort(np.bincount(y[train]), kind="stable")}
            searches |= {name: {"family": name} for name in ("rows", "columns", "free")}
            for name, how in searches.items():
                labels[name] = assign(new, learn_partition(seen, y[train], costs, **how))
            for name, chosen in labels.items():
                spent.setdefault((name, kind), []).append(costs[chosen, y[test]].sum())
    measured = {"error": 100 * wrong / len(y)}
    for (name, kind), cost in spent.items():
        cost = np.array(cost)
        base = np.array(spent["cost matrix", kind])
        measured[name, f"cost_{kind}"] = 100 * cost.sum() / len(y)
        measured[name, kind] = 100 - 100 * cost.sum() / base.sum()
        if percent == "folds":
            measured[name, kind] = np.mean(100 - 100 * cost[base > 0] / base[base > 0])
    return measured


@pytest.mark.parametrize("choices", [{}, {"matrix": "set", "percent": "folds"}])
def test_tables_measure_costs_saved_by_models_of_scikit_learn(choices):
    wired = wire(
        experiments.run_tables, {"row": "nb-car"}, data={"car": CAR}, choices=choices, repeat=1
    )
    measured = cross_validation(wired, choices.get("percent", "runs"))
    assert wired["cost matrix"]["error"] == pytest.approx(measured.pop("error"), abs=0.01)
    compared = 0
    for (name, metric), value in measured.items():
        if metric in wired[name]:
            assert wired[name][metric] == pytest.approx(value, abs=0.06), (name, metric)
            compared += 1
    assert compared == 4 + 2 * 11
    assert "many starts" in wired.metrics


def test_what_was_fitted_is_the_saving_on_rows_learned_from_less_that_on_new_ones():
    wired = wire(experiments.run_tables, {"row": "nb-car"}, data={"car": CAR})
    for name in ("parallel", "LF", "free"):
        assert wired[name]["fitted_rarity"] + wired[name]["rarity"] >= -0.1 * (
            name != "LF"
        ) - 30 * (name == "LF")
    # Entries of their own fit those rows at least as well as nearly any shift does.
    totals = [wired[name]["fitted_random"] + wired[name]["random"] for name in ("free", "parallel")]
    assert totals[0] > totals[1] - 1


def test_one_set_of_costs_serves_all_repeats_of_a_set():
    draws = {}
    for matrix in ("run", "set"):
        draws[matrix] = []
        for repeat in (0, 1):
            wired = wire(
                experiments.run_tables,
                {"row": "qda-iris"},
                data=IRIS,
                repeat=repeat,
                choices={"matrix": matrix},
            )
            shared = ("repeat",) if matrix == "set" else ()
            draws[matrix].append(wired.rng("costs", across=shared).uniform(1, 10))
    assert draws["set"][0] == draws["set"][1]
    assert draws["run"][0] != draws["run"][1]


def test_rows_measure_what_tables_measure_of_the_methods_of_the_print():
    rows = replace(experiments.run_rows, name="tables")  # by the streams of tables
    for choices in ({}, {"ties": "least", "middle": "arithmetic"}):
        first, second = (
            wire(run, {"row": "nb-car"}, data={"car": CAR}, choices=choices)
            for run in (experiments.run_tables, rows)
        )
        for name in ("parallel", "LF", "MetaCost all", "MetaCost out"):
            assert second[name].items() <= first[name].items()
            assert set(second[name]) == {"rarity", "random"}
    iris = wire(rows, {"row": "qda-iris"}, data=IRIS)
    tables = wire(experiments.run_tables, {"row": "qda-iris"}, data=IRIS)
    for name in ("parallel", "LF"):
        assert iris[name].items() <= tables[name].items()
        assert "fitted_rarity" in iris[name]


def test_what_an_experiment_does_not_vary_is_as_by_default():
    declared = Entry("obrien2008costsensitive").paper.choices
    assert {name: declared[name].default for name in USUAL} == USUAL


def test_even_folds_have_each_class_as_often_as_can_be():
    y = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [50, 23, 10]))
    folds = folds_of(np.random.default_rng(1), len(y), 10, y)
    counts = np.array([np.bincount(folds[y == label], minlength=10) for label in range(3)])
    assert np.ptp(counts, axis=1).max() <= 1
    assert np.ptp(counts.sum(axis=0)) <= 1
    other = folds_of(np.random.default_rng(2), len(y), 10, y)
    assert not np.array_equal(folds, other)


def test_corrected_priors_count_a_row_more_of_each_class():
    y = np.array([0, 0, 0, 1])
    blank = np.ones((4, 1))
    for priors, shares in (("shares", [3 / 4, 1 / 4]), ("corrected", [4 / 6, 2 / 6])):
        model = NaiveBayes(blank, np.zeros(1, dtype=int), priors)
        estimates = model.probabilities(by_class(np.ones((1, 4)), y))
        assert np.allclose(estimates[0], shares)


def test_a_resample_of_half_the_rows_leaves_more_of_them_out():
    class Counting:
        def probabilities(self, weights):
            self.sizes = weights.sum(axis=(1, 2))
            return np.full((len(weights), weights.shape[2], weights.shape[1]), 1 / 2)

    y = np.repeat([0, 1], 10)
    for size, number in (("all", 18), ("half", 9)):
        learner = Counting()
        resampled(np.random.default_rng(0), learner, y, np.arange(20) >= 2, 2, size)
        assert set(learner.sizes) == {number}


def test_metacosts_last_model_assigns_the_likeliest_class_or_the_cheapest():
    class Fixed:
        def probabilities(self, weights):
            return np.array([[[0.7, 0.3], [0.4, 0.6]]])

    costs = np.array([[0.0, 9.0], [1.0, 0.0]])
    given = (Fixed(), np.eye(2), np.arange(2), costs, 2)
    assert list(relabelled(*given)) == [0, 1]
    assert list(relabelled(*given, "costs")) == [1, 1]


RNG = np.random.default_rng(5)
LABELS = np.repeat(["x", "y", "z"], 30)
IRIS = {
    "iris": Table(
        (RNG.normal(size=(90, 4)) + np.repeat([[0.0], [0.7], [1.4]], 30, axis=0)) * [1, 1, 1, 1e-3],
        LABELS,
        tuple("abcd"),
    )
}


def learner(**choices):
    wired = wire(experiments.run_tables, {"row": "qda-iris"}, data=IRIS, choices=choices)
    return learner_of("qda-iris", IRIS["iris"], USUAL | dict(wired.trial.choices))[1]


def test_units_and_the_path_of_regularisation_are_those_chosen():
    assert learner().path == "equal"
    assert learner(regularised="least").path == "least"
    assert learner(regularised="identity").path == "identity"
    assert np.allclose(learner(units="standard").X.std(axis=0), 1)
    assert np.allclose(learner().X, IRIS["iris"].X - IRIS["iris"].X.mean(axis=0))
    steps = {
        path: list(QDA(np.zeros((2, 1)), path).steps()) for path in ("equal", "identity", "least")
    }
    assert steps["equal"][:2] == [(0, 0), (0.01, 0.01)]
    assert steps["equal"][-1] == (0.5, 0.5)
    assert steps["identity"][-1] == (1.0, 0)
    assert steps["least"][1:3] == [(1e-6, 1e-6), (2e-6, 2e-6)]


def test_searches_take_the_chosen_mean_rule_and_order():
    rng = np.random.default_rng(2)
    plain = {"middle": "geometric", "ties": "first", "lf": "pass"}
    differ = dict.fromkeys(("middle", "ties", "order", "lf", "before"), False)
    for _ in range(8):
        points = rng.dirichlet(np.ones(3), size=30)
        y = np.array([rng.choice(3, p=p) for p in points])
        costs = rng.integers(1, 4, size=(3, 3)) * (1.0 - np.eye(3))

        def partition(name, points=points, y=y, costs=costs, **choices):
            return learned(name, points, y, costs, rng, plain | choices)

        rarest = np.argsort(np.bincount(y), kind="stable")
        for part, name, choices, how in (
            ("middle", "parallel", {"middle": "arithmetic"}, {"middle": "arithmetic"}),
            ("ties", "parallel", {"ties": "least"}, {"ties": "least"}),
            ("lf", "LF", {"lf": "sequential"}, {"family": "sequential"}),
            ("before", "LF", {"lf": "before"}, {"family": "before"}),
            ("order", "rarest first", {}, {"order": rarest}),
        ):
            expected = learn_partition(points, y, costs, **how)
            assert np.array_equal(partition(name, **choices), expected)
            usual = partition("LF" if name == "LF" else "parallel")
            differ[part] |= not np.array_equal(expected, usual)
        assert np.array_equal(partition("LF"), learn_partition(points, y, costs, "weights"))
        assert np.array_equal(partition("parallel"), learn_partition(points, y, costs))
    assert all(differ.values()), differ


def test_bins_are_even_in_width_or_in_rows_and_missing_values_ignored_or_values():
    numbers = np.append(np.arange(42.0) ** 2, np.nan)[:, None]
    made = Table(numbers, np.repeat(["x", "y"], [20, 23]), ("a",))
    task = task_of("nb-glass", made)
    for bins, edges in (
        ("width", np.linspace(0, 41**2, 22)),
        ("count", np.quantile(numbers[:-1], np.linspace(0, 1, 22))),
    ):
        indicators, feature = codes_of(task, bins)
        assert indicators.shape == (43, 21)
        assert not feature.any()
        counts = np.histogram(numbers[:-1], edges)[0]
        assert np.array_equal(indicators.sum(axis=0), counts)
        assert not indicators[-1].any()
    indicators, _ = codes_of(task, missing="value")
    assert indicators.shape == (43, 22)
    assert indicators[-1].argmax() == 21


def test_other_outcomes_are_inputs_only_where_that_is_chosen():
    names = ("RIVER", "LOCATION", "MATERIAL", "SPAN")
    X = np.tile([[0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]], (12, 1))
    categories = {"RIVER": ("A", "M"), "LOCATION": ("39.5", "2"), "MATERIAL": ("WOOD", "STEEL")}
    y = np.append(np.repeat(["ARCH", "WOOD"], 11), ["", "ARCH"])
    made = Table(X, y, names, categories | {"SPAN": ("LONG", "SHORT")})
    task = task_of("nb-bridges-type", made)
    assert len(task.y) == 23
    assert np.array_equal(task.X[:2], [[0.0, 2.0], [1.0, 39.5]])
    assert list(task.numeric) == [False, True]
    task = task_of("nb-bridges-material", made, "rest")
    assert task.X.shape == (24, 4)
    assert np.array_equal(task.y[:2], [0, 1])
    assert np.isnan(task.X[22, 3])


def test_lesions_are_read_digit_by_digit():
    assert lesion("03205") == [3, 2, 0, 5]
    assert lesion("00000") == [0, 0, 0, 0]
    assert lesion("11124") == [11, 1, 2, 4]
    assert lesion("31110") == [3, 1, 1, 10]
    assert lesion("12208") == [1, 2, 2, 8]


def test_training_rows_of_segmentation_stand_twice():
    rows = np.array([[1.0, 2, 0], [29, 111, 0], [5, 6, 1], [1, 2, 0], [29, 111, 0], [7, 8, 1]])
    assert training_rows(rows).tolist() == [0]


def test_classes_of_fewer_than_ten_rows_are_left_out():
    made = Table(np.zeros((25, 1)), np.repeat(["x", "y", "z"], [10, 9, 6]), ("a",))
    assert len(task_of("nb-glass", made).y) == 10


def test_statistics_of_rows_are_scipys():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(6, 2, 21, 1)) + np.arange(21)[:, None] / 9
    means = values[..., 0].mean(axis=0)
    result = wilcoxon(means[0], means[1])
    ranks = experiments.signed_ranks(values)
    assert abs(ranks) == pytest.approx(1 - 2 * result.statistic / 231)
    assert experiments.rank_with_size(values) == pytest.approx(spearmanr(means[0], range(21))[0])
    cost = np.exp(values)
    first, base = cost[..., 0].mean(axis=0)
    expected = spearmanr(1 - first / base, base)[0]
    assert experiments.rank_with_cost(cost) == pytest.approx(expected)
    best = np.maximum(means[0], means[1])
    assert experiments.better(values).mean() == pytest.approx(best.mean())
    assert experiments.spread(values) == pytest.approx(best.std(ddof=1))
    assert experiments.improved_rows(values) == np.sum(best > 0)
    medians = np.median(means, axis=1)
    assert experiments.lead_of_medians(values) == pytest.approx(medians[0] - medians[1])
    three = np.concatenate([values, rng.normal(size=(6, 1, 21, 1))], axis=1)
    rest = np.maximum(means[1], three[:, 2, :, 0].mean(axis=0))
    assert experiments.lead_over_better(three).mean() == pytest.approx((means[0] - rest).mean())


def test_a_statement_that_does_not_hold_is_told(monkeypatch):
    usual = wire(experiments.run_statements, {"classes": 3})
    assert max(measured["violation"] for measured in usual.metrics.values()) < 1e-9
    monkeypatch.setattr(statements, "mossman_matrix", lambda a, b, large: 1 - np.eye(3))
    monkeypatch.setattr(statements, "threshold_of", lambda costs: 0.4321)
    monkeypatch.setattr(
        statements, "learn_partition", lambda points, y, costs: costs + [[0.2], [0]]
    )
    monkeypatch.setattr(statements, "equal_risk_point", lambda costs: np.full(3, 1 / 3) + costs[0])
    broken = wire(experiments.run_statements, {"classes": 3})
    for name in ("Mossman", "threshold", "PAV", "equal-risk-point", "multiplied-column"):
        assert broken[name]["violation"] > 1e-3, name


def test_estimates_that_stand_for_the_truth_change_classes():
    for kind in ("zero-one", "asymmetric"):
        wired = wire(experiments.run_smoothing, {"costs": kind})
        draw = wired.rng("naive Bayes", across=("costs",)).dirichlet(np.ones(8), size=3)
        matrices = [1 - np.eye(3)]
        if kind == "asymmetric":
            matrices = wired.rng("costs").uniform(1, 10, size=(10, 3, 3)) * (1 - np.eye(3))
        true = (draw / draw.sum(axis=0)).T
        twice = (draw**2 / (draw**2).sum(axis=0)).T
        moved = [np.mean(assign(true, costs) != assign(twice, costs)) for costs in matrices]
        assert wired["naive Bayes"]["changed"] == pytest.approx(100 * np.mean(moved))
        assert (wired["naive Bayes"]["changed"] == 0) == (kind == "zero-one")
        assert wired["naive Bayes"]["entropy"] < 0 < wired["neighbours"]["entropy"]


def test_normals_further_apart_leave_less_to_chance():
    errors = [
        np.mean(1 - statements.wide_neighbours(np.random.default_rng(0), radius)[0].max(axis=1))
        for radius in (1.0, 2.0)
    ]
    assert errors[0] > 2 * errors[1] > 0.05


def test_two_classes_are_judged_by_costs_of_the_likelier_class_against_the_rest():
    wired = wire(experiments.run_two_class, {"row": "nb-glass"}, data={"glass": CAR})
    costs = wired.rng("costs").uniform(1, 10, size=(2, 2)) * (1 - np.eye(2))
    labels = np.unique(CAR.y, return_inverse=True)[1]
    y = (labels == np.bincount(labels).argmax()).astype(int)
    X = CAR.X.astype(int)
    seeds = wired.rng("folds")
    spent = dict.fromkeys(("cost matrix", "parallel"), 0.0)
    outer = KFold(10, shuffle=True, random_state=int(seeds.integers(2**31)))
    for train, test in outer.split(X):
        inner = KFold(9, shuffle=True, random_state=int(seeds.integers(2**31)))
        seen = np.empty((len(train), 2))
        for part, left in inner.split(train):
            model = CategoricalNB(min_categories=42).fit(X[train[part]], y[train[part]])
            seen[left] = model.predict_proba(X[train[left]])
        new = CategoricalNB(min_categories=42).fit(X[train], y[train]).predict_proba(X[test])
        for name, partition in (
            ("cost matrix", costs),
            ("parallel", learn_partition(seen, y[train], costs)),
        ):
            spent[name] += costs[assign(new, partition), y[test]].sum()
    expected = 100 - 100 * spent["parallel"] / spent["cost matrix"]
    assert wired["parallel"]["improved"] == pytest.approx(expected, abs=0.01)
    assert wired["cost matrix"]["improved"] == 0


def test_sizes_count_steps_back():
    names = ("bridges-2", "audiology", "horse-colic", "segment", "glass", "flags", "iris", "ecoli")
    names += ("dermatology", "wine", "flare-2", "car", "nursery")
    made = dict.fromkeys(names, CAR)
    horses = np.array(["01111", "02222", "03333"])[np.unique(CAR.y, return_inverse=True)[1]]
    made["horse-colic"] = Table(CAR.X, horses, CAR.feature_names, CAR.categories)
    made["bridges-2"] = Table(CAR.X[:30], CAR.y[:30], ("RIVER", "ERECTED", "MATERIAL", "REL-L"), {})
    made["segment"] = Table(
        np.repeat(CAR.X, 2, axis=0)[:80], np.repeat(CAR.y, 2)[:80], ("a", "b", "c", "d"), {}
    )
    wired = wire(experiments.run_sizes, data=made)
    sizes = wired.kept["sizes"]
    assert len(sizes) == 21
    assert wired["counts"]["backward"] == np.sum(np.diff(sizes) < 0)
