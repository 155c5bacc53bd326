"""Kernel and alignment against matrices, rivals against loops, the files' reader against SciPy."""

import numpy as np
import pytest
from scipy.io import savemat
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from icml2008.data.tables import Table

from . import bags as module
from .bags import (
    bags_of,
    choose_cost,
    citation_knn,
    citation_votes,
    folds_of,
    hausdorff_distances,
    load_bags,
    set_kernels,
)
from .method import (
    PosteriorPowerKernel,
    aggregate_posteriors,
    power_alignments,
    powers_up_to,
)


@pytest.fixture
def drawn():
    rng = np.random.default_rng(0)
    bags = rng.permutation(np.repeat(np.arange(12), 5))
    y = np.where(np.arange(12) < 5, 1, -1)
    X = rng.normal(size=(60, 3)) + 2 * (y[bags] > 0)[:, None] * (rng.random((60, 1)) < 0.3)
    return X, bags, y


def test_alignment_is_the_cosine_of_kernel_matrix_and_labels():
    rng = np.random.default_rng(1)
    aggregates = rng.dirichlet(np.full(6, 0.3), size=20)
    y = rng.choice([-1, 1], size=20)
    powers = np.array([0.05, 0.7, 1.0, 3.0])
    for power, alignment in zip(powers, power_alignments(aggregates, y, powers), strict=True):
        kernel = np.array([[sum((a * b) ** power) for a in aggregates] for b in aggregates])
        ideal = np.outer(y, y)
        lengths = np.sqrt(np.sum(kernel * kernel) * np.sum(ideal * ideal))
        assert alignment == pytest.approx(np.sum(kernel * ideal) / lengths)


def test_powers_end_at_the_reach():
    np.testing.assert_allclose(powers_up_to(3.0)[[0, 13, -1]], [0.05, 0.7, 3.0])
    assert len(powers_up_to(10.0)) == 200


def test_aggregates_are_means_of_bayes_rule_and_blind_to_the_size_of_bags(drawn):
    X, bags, y = drawn
    kernel = PosteriorPowerKernel(3, mixture="full", n_runs=1, random_state=0)
    kernel.fit(X, y[bags], bags=bags)
    mixture = kernel.mixture_
    assert isinstance(mixture, GaussianMixture)
    aggregates = kernel.aggregate(X, bags=bags)
    for bag in range(12):
        total = np.zeros(3)
        for x in X[bags == bag]:
            joint = [
                weight
                * np.exp(-(x - mean) @ np.linalg.solve(covariance, x - mean) / 2)
                / np.sqrt(np.linalg.det(covariance))
                for weight, mean, covariance in zip(
                    mixture.weights_, mixture.means_, mixture.covariances_, strict=True
                )
            ]
            total += np.array(joint) / np.sum(joint)
        np.testing.assert_allclose(aggregates[bag], total / total.sum(), rtol=1e-7)
    twice = kernel.aggregate(np.repeat(X, 2, axis=0), bags=np.repeat(bags, 2))
    np.testing.assert_allclose(twice, aggregates)
    features = kernel.transform(X, bags=bags)
    np.testing.assert_allclose(features, aggregates**kernel.p_)


def test_certain_posteriors_make_a_normalised_histogram():
    posteriors = np.eye(3)[[0, 2, 2, 1, 0, 0]]
    bags = np.array([0, 0, 0, 0, 1, 1])
    histogram = aggregate_posteriors(posteriors, bags)
    np.testing.assert_allclose(histogram, [[0.25, 0.25, 0.5], [1, 0, 0]])


def test_the_best_power_of_the_best_run_is_taken(drawn):
    X, bags, y = drawn
    kernel = PosteriorPowerKernel(8, n_runs=4, random_state=3).fit(X, y[bags], bags=bags)
    rng = np.random.RandomState(3)
    best = (-1.0, None)
    for _ in range(4):
        clusters = KMeans(8, init="random", n_init=1, random_state=rng.randint(2**31 - 1))
        labels = clusters.fit(X).predict(X)
        counts = aggregate_posteriors(np.eye(8)[labels], bags)
        for power in powers_up_to(3.0):
            alignment = power_alignments(counts, y, [power])[0]
            best = max(best, (alignment, power))
    assert (kernel.alignment_, kernel.p_) == pytest.approx(best)
    fixed = clone(kernel).set_params(p=0.5).fit(X, y[bags], bags=bags)
    assert fixed.p_ == 0.5


@pytest.mark.parametrize(
    ("parameters", "change", "message"),
    [
        ({"p": -1}, {}, "a power is above 0"),
        ({"mixture": "tied"}, {}, "mixture='tied': one of"),
        ({}, {"y": np.zeros(60)}, "y has 1 labels"),
        ({}, {"y": np.arange(60) % 2}, "instances of both labels"),
        ({}, {"bags": np.arange(3)}, "X has 60 instances"),
    ],
)
def test_bad_input_is_named(drawn, parameters, change, message):
    X, bags, y = drawn
    given = {"y": y[bags], "bags": bags, **change}
    with pytest.raises(ValueError, match=message):
        PosteriorPowerKernel(3, **parameters).fit(X, given["y"], bags=given["bags"])


def test_distances_and_kernels_are_those_of_loops_over_pairs(drawn):
    X, bags, _ = drawn
    distances = hausdorff_distances(X, bags)
    (gram,) = set_kernels(X, bags, (2.0,))
    scale = 2 * np.var(X, axis=0).sum()
    means = np.empty((12, 12))
    for first in range(12):
        for second in range(12):
            pairs = [np.sum((a - b) ** 2) for a in X[bags == first] for b in X[bags == second]]
            assert distances[first, second] == pytest.approx(np.sqrt(min(pairs)))
            means[first, second] = np.mean(np.exp(-2 * np.array(pairs) / scale))
    roots = np.sqrt(np.diag(means))
    np.testing.assert_allclose(gram, means / np.outer(roots, roots))


def test_citers_are_counted_among_the_nearest_of_each_bag(drawn):
    X, bags, y = drawn
    distances = hausdorff_distances(X, bags)
    train = np.arange(1, 12)
    for references in range(1, 6):
        near = sorted(train, key=lambda bag: distances[0, bag])[:references]
        votes = [y[bag] for bag in near]
        for bag in train:
            others = [0, *(other for other in train if other != bag)]
            nearest = sorted(others, key=lambda other: distances[bag, other])
            if 0 in nearest[: references + 2]:
                votes.append(y[bag])
        label = citation_votes(distances, y, 0, train)[references - 1]
        assert label == (1 if sum(votes) > 0 else -1)


def test_citation_takes_the_references_that_do_best_by_leaving_one_out(monkeypatch, drawn):
    _, _, y = drawn
    table = {bag: np.full(5, -y[bag]) for bag in range(12)}
    for bag in range(9):
        table[bag][3] = y[bag]
    monkeypatch.setattr(module, "citation_votes", lambda d, y, query, train: table[query])
    got = citation_knn(np.zeros((12, 12)), y, np.arange(9), np.arange(9, 12))
    np.testing.assert_array_equal(got, -y[9:])
    table[9] = np.array([-1, -1, -1, 1, -1])
    assert citation_knn(np.zeros((12, 12)), y, np.arange(9), np.array([9])) == [1]


def test_costs_are_in_units_of_the_kernel():
    rng = np.random.default_rng(4)
    features = rng.normal(size=(30, 4))
    y = np.where(features[:, 0] + rng.normal(size=30) > 0, 1, -1)
    folds = folds_of(rng, np.arange(30), 5)
    gram = features @ features.T
    cost, right = choose_cost(gram, y, folds)
    smaller, same = choose_cost(gram / 100, y, folds)
    assert (smaller, same) == pytest.approx((100 * cost, right))
    assert choose_cost(gram, y, folds, "1")[0] == 1
    assert choose_cost(gram, y, folds, "hard")[0] == pytest.approx(1e3 / np.diag(gram).mean())
    assert right > 0.5


def test_a_matlab_file_is_read_bag_by_bag(tmp_path):
    cells = np.empty((2, 3), dtype=object)
    for row, (size, label) in enumerate([(2, 1), (3, 0)]):
        cells[row] = [np.arange(size * 2.0).reshape(size, 2), label, np.ones((size, size))]
    savemat(tmp_path / "toy.mat", {"data": cells})
    table = load_bags(tmp_path / "toy.mat")
    X, bags, y = bags_of(table, "no")
    np.testing.assert_array_equal(X, [[0, 1], [2, 3], [0, 1], [2, 3], [4, 5]])
    np.testing.assert_array_equal(bags, [0, 0, 1, 1, 1])
    np.testing.assert_array_equal(y, [1, -1])
    scaled, _, _ = bags_of(table, "unit-variance")
    np.testing.assert_allclose(scaled.std(axis=0), 1, rtol=1e-6)


def test_columns_that_are_constant_but_for_rounding_are_not_blown_up():
    bag = np.repeat([0.0, 1.0], 3)
    nearly = 0.1 + 1e-15 * np.arange(6)
    columns = np.column_stack([bag, np.arange(6.0), nearly])
    table = Table(columns, bag, ("bag", "a", "b"), {"bag": ("0", "1")})
    X, _, _ = bags_of(table, "unit-variance")
    np.testing.assert_allclose(X[:, 0].std(), 1, rtol=1e-6)
    np.testing.assert_allclose(X[:, 1], 0.1, rtol=1e-6)
