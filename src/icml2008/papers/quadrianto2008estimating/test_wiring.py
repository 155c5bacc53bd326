"""What the trials record, by plain loops over scikit-learn's estimators and the public method."""

from functools import cached_property

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity
from sklearn.svm import SVC

from icml2008.data.tables import Table
from wiring import wire

from . import bounds, experiments, passes
from .method import MeanMap, codes_of, coordinates, median_gamma, operator_weights
from .rivals import COSTS, WIDTHS
from .tasks import halves, task_of, thirds

GRID = {"decades": range(3, -3, -1), "narrow": range(1, -2, -1), "wide": range(5, -5, -1)}


def toy_table():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [26, 22, 24])
    centres = np.array([[0, 0, 1], [1.5, 0, 0], [0, 8, 0]])
    X = centres[y] + rng.normal(size=(72, 3)) * [1, 4, 0.5]
    names = np.array(["Iris-setosa", "Iris-versicolor", "Iris-virginica"])
    return Table(X, names[y], ("a", "b", "c"))


@pytest.fixture
def data(monkeypatch):
    monkeypatch.setattr(passes, "FOLDS", 3)
    return {"iris": toy_table(), "wine": toy_table()}


def split(rng, sizes):
    parts = [np.array_split(rng.permutation(size), 3) for size in sizes]
    return [[part[number] for part in parts] for number in range(3)]


def others(folds, number):
    kept = [fold for place, fold in enumerate(folds) if place != number]
    return [np.concatenate(parts) for parts in zip(*kept, strict=True)]


class Plain:
    """The methods of a pass, each by the plainest way."""

    def __init__(self, X, y, rows, n_classes, choices, known=None):
        self.X = [X[part] for part in rows]
        self.y = [y[part] for part in rows]
        self.n_classes = n_classes
        self.choices = choices
        self.known = known
        self.gamma = median_gamma(np.concatenate(self.X))
        self.every = np.concatenate(self.X)

    def shares(self):
        if self.known is not None:
            return self.known
        return np.array([np.mean(y[:, None] == range(self.n_classes), axis=0) for y in self.y])

    @cached_property
    def Z(self):
        gram = np.exp(-self.gamma * np.sum((self.every[:, None] - self.every) ** 2, axis=-1))
        Z, _ = coordinates(gram + (self.choices.get("constant") == "yes"))
        return np.split(Z, np.cumsum([len(X) for X in self.X])[:-1])

    def operator(self, rows, labelled=False):
        Z = self.Z
        if labelled:
            return (
                Z[-1][rows[-1]].T @ codes_of(self.n_classes)[self.y[-1][rows[-1]]] / len(rows[-1])
            )
        shares = self.shares()
        means = np.array([part[held].mean(axis=0) for part, held in zip(Z, rows, strict=True)])
        return means.T @ operator_weights(shares, shares[-1])

    def mean_map(self, train, held, lam, labelled=False):
        """Return labels of the held rows, their errors, and their log-likelihood."""
        codes = codes_of(self.n_classes)
        Z = self.Z[-1]
        theta = passes.fit_coefficients(
            Z[train[-1]], self.operator(train, labelled), codes, lam, tol=1e-6
        )
        scores = Z[held[-1]] @ theta @ codes.T
        left = len(held[-1]) * np.sum(theta * self.operator(held, labelled))
        return np.argmax(scores, axis=1), left - np.sum(np.log(np.sum(np.exp(scores), axis=1)))

    def best_penalty(self, folds, labels=False, labelled=False):
        totals = []
        for power in GRID[self.choices.get("grid", "decades")]:
            total = 0
            for number, held in enumerate(folds):
                given, fit = self.mean_map(others(folds, number), held, 10.0**power, labelled)
                total += np.sum(given == self.y[-1][held[-1]]) if labels else fit
            totals.append((total, -power))
        # The first of equals is the largest penalty.
        return 10.0 ** -max(totals, key=lambda pair: pair[0])[1]

    def best_widths(self, folds):
        table = []
        for place, X in enumerate(self.X):
            rows = X / self.scale(X)
            scores = []
            for width in WIDTHS:
                score = 0
                for fold in folds:
                    rest = np.delete(np.arange(len(X)), fold[place])
                    inside = np.intersect1d(rest, np.concatenate([f[place] for f in folds]))
                    score += (
                        KernelDensity(bandwidth=width).fit(rows[inside]).score(rows[fold[place]])
                    )
                scores.append(score)
            table.append(scores)
        if self.choices.get("width") == "common":
            table = [np.sum(table, axis=0)] * len(table)
        return [WIDTHS[np.argmax(scores)] for scores in table]

    def scale(self, X):
        whole = self.every.std(axis=0)
        own = np.maximum(X.std(axis=0), 0.05 * whole)
        return own if self.choices.get("density") == "own" else whole

    def densities(self, train, held, widths):
        logs = []
        for X, rows, width in zip(self.X, train, widths, strict=True):
            scale = self.scale(X)
            fitted = KernelDensity(bandwidth=width).fit(X[rows] / scale)
            logs.append(fitted.score_samples(self.X[-1][held[-1]] / scale) - np.log(scale).sum())
        shares = self.shares()
        unmixed = np.linalg.pinv(shares) @ np.exp(logs)
        return np.argmax(shares[-1][:, None] * unmixed, axis=0)

    def machine(self, cost, train):
        X = np.concatenate([self.X[0][train[0]], self.X[1][train[1]]])
        first = np.repeat([True, False], [len(train[0]), len(train[1])])
        return SVC(C=cost, gamma=self.gamma).fit(X, first)

    def sorted(self, cost, train, held):
        machine = self.machine(cost, train)
        new = machine.decision_function(self.X[1][held[1]])
        seen = machine.decision_function(self.X[1][train[1]])
        reference = new if self.choices.get("threshold") == "tested" else seen
        return np.where(new > np.quantile(reference, 1 - self.shares()[1, 0]), 0, 1)

    def best_cost(self, folds):
        errors = []
        for cost in COSTS:
            wrong = 0
            for number, held in enumerate(folds):
                train = others(folds, number)
                if self.choices.get("criterion") == "labels":
                    wrong += np.sum(self.sorted(cost, train, held) != self.y[1][held[1]])
                else:
                    machine = self.machine(cost, train)
                    wrong += np.sum(machine.decision_function(self.X[0][held[0]]) <= 0)
                    wrong += np.sum(machine.decision_function(self.X[1][held[1]]) > 0)
            errors.append(wrong)
        return COSTS[int(np.argmin(errors))]

    def run(self, wired):
        """Return each method's error in percent."""
        sizes = [len(y) for y in self.y]
        folds = split(wired.rng("folds"), sizes)
        inner = wired.rng("inner")
        every = [np.arange(size) for size in sizes]
        rounds = [(others(folds, number), held) for number, held in enumerate(folds)]
        if self.choices.get("tested") == "own":
            rounds = [(every, every)]
        binary = self.n_classes == 2
        nested = self.choices.get("nested") == "yes"
        wrong = {}
        for number, (train, held) in enumerate(rounds):
            if nested:
                parts = split(inner, [len(rows) for rows in train])
                parts = [[rows[p] for rows, p in zip(train, q, strict=True)] for q in parts]
            elif number == 0:
                parts = split(inner, sizes)
            if nested or number == 0:
                penalty = self.best_penalty(parts)
                widths = self.best_widths(parts)
                if binary:
                    by_labels = self.best_penalty(parts, labels=True)
                    labelled = self.best_penalty(parts, labelled=True)
                    cost = self.best_cost(parts)
            given = {
                "MM": self.mean_map(train, held, penalty)[0],
                "KDE": self.densities(train, held, widths),
            }
            if binary:
                given["MM by labels"] = self.mean_map(train, held, by_labels)[0]
                given["MM at 1"] = self.mean_map(train, held, 1.0)[0]
                given["labelled"] = self.mean_map(train, held, labelled, labelled=True)[0]
                given["DS"] = self.sorted(cost, train, held)
            for name, labels in given.items():
                wrong[name] = wrong.get(name, 0) + np.sum(labels != self.y[-1][held[-1]])
        return {name: pytest.approx(100 * count / sizes[-1]) for name, count in wrong.items()}


READINGS = [
    {},
    {"cut": "other"},
    {"pure": "second"},
    {"units": "range"},
    {"units": "raw"},
    {"shares": "population"},
    {"constant": "yes"},
    {"tested": "own"},
    {"grid": "narrow"},
    {"nested": "yes"},
    {"threshold": "tested"},
    {"criterion": "labels"},
    {"density": "own"},
    {"width": "common"},
    {"width": "common", "density": "own"},
]


@pytest.mark.parametrize("choices", READINGS, ids=str)
def test_binary_records_each_methods_errors_by_the_reading(data, choices):
    wired = wire(experiments.run_binary, {"dataset": "iris"}, choices=choices, data=data)
    X, y = task_of("iris", data["iris"], wired.trial.choices)
    rows = halves(wired.rng("halves"), y)
    whole = np.mean(y == 0)
    known = (
        np.array([[1, 0], [whole, 1 - whole]]) if choices.get("shares") == "population" else None
    )
    expected = Plain(X, y, rows, 2, choices, known).run(wired)
    share = np.mean(y[rows[1]])
    expected["majority"] = pytest.approx(100 * min(share, 1 - share))
    assert {name: values["error"] for name, values in wired.metrics.items()} == expected
    assert wired.n_test["MM"]["error"] == len(rows[1])


@pytest.mark.parametrize("choices", [{}, {"sizes": "shares"}, {"units": "raw"}], ids=str)
def test_three_class_records_both_scenarios(data, choices):
    wired = wire(experiments.run_three_class, {"dataset": "iris"}, choices=choices, data=data)
    table = data["iris"]
    X = table.X if choices.get("units") == "raw" else (table.X - table.X.mean(0)) / table.X.std(0)
    y = np.repeat([0, 1, 2], [26, 22, 24])
    expected = {}
    for scenario in "AB":
        rows = thirds(wired.rng("thirds"), y, scenario, choices.get("sizes", "half"))
        for name, value in Plain(X, y, rows, 3, choices).run(wired).items():
            expected[f"{name}-{scenario}"] = value
    counts = np.bincount(y[rows[2]])
    expected["majority"] = pytest.approx(100 - 100 * counts.max() / counts.sum())
    assert {name: values["error"] for name, values in wired.metrics.items()} == expected


@pytest.mark.parametrize("posterior", ["mean", "sum"])
def test_bounds_records_the_worst_of_its_draws(posterior):
    m = 25
    wired = wire(bounds.run_bounds, {"m": m}, choices={"posterior": posterior})
    rng = wired.rng("draws")
    ratios = []
    logs = []
    for _ in range(bounds.DRAWS):
        X, bags, y, rho = bounds.binary_case(rng, m)
        estimate, truth, bound = bounds.theorem_5(X, bags, y, rho)
        apart = bounds.norm_of(bounds.kernel(X, X), estimate - truth)
        lam = 10 ** rng.uniform(-2, 0)
        Z, _ = coordinates(bounds.kernel(X, X))
        moved, cost = bounds.posteriors(Z, bags, estimate, truth, lam)
        # A sum over rows is m times the mean, and its penalty m times as large.
        factor = 1 if posterior == "mean" else m
        allowed = apart**2 / (factor * lam)
        rest = [moved * lam / apart, cost / moved / apart, factor * cost / allowed]
        ratios.append([bounds.theorem_4(rng, m), apart / bound, *rest])
        fixed = 0.1 if posterior == "mean" else 1 / m
        deviation, _ = bounds.posteriors(Z, bags, estimate, truth, fixed)
        prior = np.array([rho, 1 - rho])
        near = [
            bounds.distance_to_population(X, weights, prior, codes_of(2))
            for weights in (estimate, truth)
        ]
        logs.append([deviation, *near])
    names = ["theorem_4", "theorem_5", "lemma_6", "equation_22", "corollary_8"]
    worst = np.max(ratios, axis=0)
    assert [wired["MM"][name] for name in names] == pytest.approx(list(worst))
    deviation, near, labelled = np.log(np.mean(logs, axis=0))
    assert wired["MM"]["log_deviation"] == pytest.approx(deviation)
    assert wired["MM"]["log_distance"] == pytest.approx(near)
    assert wired["labelled"]["log_distance"] == pytest.approx(labelled)
    assert wired.n_test["MM"]["theorem_5"] == bounds.DRAWS


def test_sets_are_won_and_gaps_rise_by_means_over_repeats():
    values = np.zeros((2, 2, 3, 1))
    values[:, 0, :, 0] = [[1, 2, 3], [3, 2, 1]]
    values[:, 1, :, 0] = [[4, 1, 2], [4, 2, 2.5]]
    assert experiments.sets_won(values) == 1 - 1 + 1
    assert experiments.rises_with_place(values) == pytest.approx(0.5)


def test_scores_outside_the_span_of_the_target_are_those_of_the_estimator():
    table = toy_table()
    bags = np.repeat([0, 1], [30, 42])
    model = MeanMap(lam=1.0, gamma=0.05)
    model.fit(table.X, bags=bags, proportions=[[1, 0], [0.3, 0.7]])
    target = model.decision_function(table.X[bags == 1])
    gradient = model.duals_[bags == 0] * 2 * model.lam
    np.testing.assert_allclose(gradient, 42 * 0.6 / 30, atol=1e-12)
    np.testing.assert_allclose(target[:, 0], -target[:, 1])
