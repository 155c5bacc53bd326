"""Both classifiers, the adversaries and the rival beside enumeration and general solvers."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from . import method
from .method import (
    DeletionPerceptron,
    DeletionProgram,
    average_perceptrons,
    kept_shares,
    solve_program,
)
from .rivals import (
    deletion_ranks,
    fit_worst_deletions,
    greedy_attack,
    information_values,
)
from .theory import hinge_losses, kl_bound, left_sets, relaxed_value, solve_exponential


def draw(seed, m=12, n=5):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(m, n)) * (rng.random((m, n)) < 0.8)
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=m) > 0, 1.0, -1.0), rng


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("most", [0, 100])
def test_both_solvers_have_the_value_of_all_sets_if_values_are_one(monkeypatch, seed, most):
    monkeypatch.setattr(method, "_MOST_BY_ROWS", most)
    X, y, rng = draw(seed)
    problem = (X, y, np.ones(5), float(rng.integers(1, 4)), 2.0)
    w, b, value = solve_program(*problem)
    assert value == pytest.approx(solve_exponential(*problem)[2], abs=1e-6)
    assert np.mean(hinge_losses(w, b, *problem[:4])) == pytest.approx(value, abs=1e-6)
    assert np.abs(w).max() <= 2 + 1e-7


@pytest.mark.parametrize("most", [0, 100])
def test_both_solvers_have_the_value_of_the_printed_program_for_real_values(monkeypatch, most):
    monkeypatch.setattr(method, "_MOST_BY_ROWS", most)
    X, y, rng = draw(7)
    X[:, 2] = 0
    values = rng.uniform(0, 2, size=5)
    *_, value = solve_program(X, y, values, 1.3, 3.0)
    m, n = X.shape
    left = values.sum() - 1.3
    rows = []
    least = []
    for i in range(m):
        # variables: w, b, xi, lambda, alpha
        row = np.zeros(n + 1 + 2 * m + m * n)
        row[n] = y[i]
        row[n + 1 + i] = 1
        row[n + 1 + m + i] = left
        row[n + 1 + 2 * m + i * n : n + 1 + 2 * m + (i + 1) * n] = -1
        rows.append(row)
        least.append(0)
        for j in range(n):
            row = np.zeros_like(rows[0])
            row[j] = y[i] * X[i, j]
            row[n + 1 + m + i] = -values[j]
            row[n + 1 + 2 * m + i * n + j] = 1
            rows.append(row)
            least.append(values[j] / left)
    costs = np.zeros(len(rows[0]))
    costs[n + 1 : n + 1 + m] = 1 / m
    bounds = [(-3, 3)] * n + [(None, None)] + [(0, None)] * (2 * m + m * n)
    printed = linprog(costs, -np.array(rows), -np.array(least), bounds=bounds).fun
    assert value == pytest.approx(printed, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_relaxed_adversary_is_the_optimum_and_whole_one_the_best_set(seed):
    X, _, rng = draw(seed, m=6)
    values = rng.uniform(0.2, 2, size=5)
    kept = kept_shares(X, values, 1.5, 0.1)
    costs = np.sum(kept * (X - 0.1 * values), axis=1)
    assert costs == pytest.approx([relaxed_value(row, values, 1.5, 0.1) for row in X])
    whole = kept_shares(X, np.ones(5), 2, 0.1, whole=True)
    best = np.min((X - 0.1) @ left_sets(np.ones(5), 2).T, axis=1)
    assert np.sum(whole * (X - 0.1), axis=1) == pytest.approx(best)


def test_a_feature_without_value_is_deleted_free():
    kept = kept_shares(np.array([[0.5, 0.4, -0.1]]), np.array([0.0, 1.0, 1.0]), 0.5, 0.1)
    assert kept.tolist() == [[0, 0.5, 1]]


def test_perceptrons_take_the_printed_steps():
    X, y, _ = draw(3, m=30, n=4)
    weights, intercepts = average_perceptrons(X, y, np.ones(4), 1, [0.5, 4.0], passes=2)
    for cube, average, intercept in zip((0.5, 4.0), weights, intercepts, strict=True):
        w = np.zeros(4)
        b = 0.0
        total = np.zeros(5)
        rate = np.sqrt(5) * cube / np.sqrt(2 * 60)
        for x, label in list(zip(X, y, strict=True)) * 2:
            total += [*w, b]
            sets = left_sets(np.ones(4), 1)
            losses = sets.sum(axis=1) / 3 - label * (b + sets @ (w * x))
            kept = sets[np.argmax(losses)]
            if losses.max() > 0:
                w = np.clip(w + label * rate * kept * x, -cube, cube)
                b = np.clip(b + label * rate, -cube, cube)
        assert [*average, intercept] == pytest.approx(total / 60)


def test_only_the_ratio_of_c_to_gamma_matters():
    X, y, _ = draw(5)
    small = DeletionProgram(N=1, C=0.7).fit(X, y)
    large = DeletionProgram(N=1, C=7.0).fit(X / 10, y)
    np.testing.assert_allclose(small.decision_function(X), large.decision_function(X / 10))


def test_classifiers_take_names_of_classes_and_chunks():
    X, y, _ = draw(6, m=40)
    names = np.where(y > 0, "spam", "ham")
    program = DeletionProgram(N=1, C=2.0, chunk=20).fit(X, names)
    halves = [solve_program(X[h], y[h], np.ones(5), 1, 2.0) for h in np.split(np.arange(40), 2)]
    np.testing.assert_allclose(program.coef_, np.mean([w for w, _, _ in halves], axis=0))
    assert program.intercept_ == pytest.approx(np.mean([b for _, b, _ in halves]))
    assert set(program.predict(X)) <= {"spam", "ham"}
    perceptron = DeletionPerceptron(N=1, C=2.0).fit(X, names)
    weights, intercepts = average_perceptrons(X, y, np.ones(5), 1, [2.0])
    expected = X @ weights[0] + intercepts[0]
    np.testing.assert_allclose(perceptron.decision_function(X), expected)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"N": 5}, "N=5 is not between 0 and the sum of values, 5"),
        ({"C": 0}, "C=0 is not positive"),
        ({"values": [1, 2]}, "for each of 5 features"),
    ],
)
def test_bad_input_is_named(given, message):
    X, y, _ = draw(0)
    for classifier in (DeletionProgram, DeletionPerceptron):
        with pytest.raises(ValueError, match=message):
            classifier(**given).fit(X, y)
        with pytest.raises(ValueError, match="has 1 classes"):
            classifier().fit(X, np.ones(12))


def test_greedy_adversaries_rank_by_what_they_are_told():
    contributions = np.array([[3.0, 2.0, 1.0, -1.0, 0.0]])
    values = np.array([4.0, 1.0, 2.0, 1.0, 1.0])

    def deleted(limit, rank, **given):
        kept = greedy_attack(contributions, values, limit, rank, **given)
        return np.flatnonzero(~kept[0]).tolist()

    assert deleted(5, "contribution") == [0, 1]
    assert deleted(5, "contribution", below=True) == [0]
    assert deleted(3, "contribution") == [1, 2]
    assert deleted(4, "per-value") == [1, 2]
    assert deleted(6, "value") == [0, 2]
    assert deleted(100, "value") == [0, 1, 2]
    equal = greedy_attack(contributions, np.ones(5), 1, "value")
    assert np.flatnonzero(~equal[0]).tolist() == [0]


def test_random_deletion_takes_features_that_are_not_zero_in_even_order():
    X = np.tile([0.0, 1.0, 2.0, 0.0, 3.0], (3000, 1))
    ranks = deletion_ranks(X, np.random.default_rng(0))
    assert np.all(ranks[:, [0, 3]] == 5)
    assert np.all(np.sort(ranks[:, [1, 2, 4]], axis=1) == [0, 1, 2])
    assert np.mean(ranks[:, [1, 2, 4]], axis=0) == pytest.approx([1, 1, 1], abs=0.1)


def test_values_are_the_best_cuts_information_and_sum_to_their_number():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(60, 3)).astype(float)
    X[:, 2] = 1
    y = np.where(X[:, 0] + rng.normal(size=60) > 2, 1, -1)

    def information(predicate):
        parts = 0.0
        for side, label in product([True, False], [1, -1]):
            joint = np.mean((predicate == side) & (y == label))
            single = np.mean(predicate == side) * np.mean(y == label)
            parts += joint * np.log(joint / single) if joint else 0
        return parts

    best = [max(information(X[:, j] > cut) for cut in (0, 1, 2)) for j in range(2)] + [0]
    values = information_values(X, y)
    np.testing.assert_allclose(values, 3 * np.array(best) / sum(best), atol=1e-12)


def test_rival_minimises_its_objective():
    X, y, _ = draw(2, m=10, n=4)
    rows = np.column_stack([y[:, None] * X, y])
    weights, intercepts, gaps = fit_worst_deletions(X, y, [(1, 0.5), (2, 2.0)], passes=2000)

    def objective(w, k, cost):
        contributions = rows * w
        best = np.sort(contributions[:, :-1], axis=1)[:, ::-1][:, :k]
        left = contributions.sum(axis=1) - np.maximum(best, 0).sum(axis=1)
        return w @ w / 2 + cost * np.maximum(0, 1 - left).sum()

    for (k, cost), w, b, gap in zip([(1, 0.5), (2, 2.0)], weights, intercepts, gaps, strict=True):
        ours = objective(np.append(w, b), k, cost)
        assert 0 <= gap < 0.01 * ours
        for start in np.vstack([np.zeros(5), np.append(w, b)]):
            other = minimize(objective, start, args=(k, cost), method="Nelder-Mead").fun
            assert ours - gap <= other + 1e-9


def test_divergence_bound_is_where_the_divergence_is_spent():
    bound = kl_bound(np.array([0.0, 0.3]), 0.05)
    assert bound[0] == pytest.approx(1 - np.exp(-0.05))
    p = 0.3
    q = bound[1]
    assert p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q)) == pytest.approx(0.05)
