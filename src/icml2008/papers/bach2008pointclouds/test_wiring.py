"""What trials record, of kernels, folds and skeletons whose hits and sizes are known."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from wiring import wire

from . import experiments, selection
from .kernels import (
    DEPTHS,
    WIDTHS,
    Gradients,
    Pixels,
    PyramidMatch,
    RandomWalk,
    Skeletons,
    Walks,
)


@pytest.fixture
def mnist():
    """Return digits whose pixel is their number: classes take turns; the last 400 are tests."""
    n = 1000
    images = np.arange(n).reshape(n, 1, 1).astype(np.int16)
    return {"mnist": SimpleNamespace(images=images, y=np.arange(n) % 10, n_train=600)}


class Numbers:
    """Has a Gram matrix of a setting, whose diagonal are the digits' numbers."""

    def grams(self, images):
        return np.diag(images.ravel().astype(float))[None]


@pytest.fixture
def folds(monkeypatch):
    """Return the calls of the folds, which get digits right whose number is at least 20."""
    calls = []

    def hits(grams, y, rng, stratified):
        numbers = np.diag(grams[0])
        calls.append((numbers, y, rng.random(), stratified))
        return numbers >= 20

    monkeypatch.setattr(experiments, "nested_hits", hits)
    return calls


def first_digits(start, n):
    """Return the numbers of n digits of each class from a number on, class by class."""
    return [start + c + 10 * k for c in range(10) for k in range(n)]


@pytest.mark.parametrize("name", ["classify_digits", "classify_digits_as_tuned"])
def test_the_error_is_the_percent_of_the_first_training_digits_that_folds_get_wrong(
    mnist, folds, name
):
    methods = {"mine": Numbers, "other": Numbers}
    seen = wire(getattr(experiments, name), {"per_class": 5}, methods=methods, data=mnist)
    for method in methods:
        assert seen[method]["error"] == pytest.approx(40)
        assert seen.n_test[method]["error"] == 50
    fold = seen.rng("folds").random()
    assert len(folds) == 2
    for numbers, y, drawn, stratified in folds:
        assert numbers.tolist() == first_digits(0, 5)
        assert y.tolist() == np.repeat(range(10), 5).tolist()
        assert (drawn, stratified) == (fold, True)


def test_figure_7_has_walks_of_four_orders_and_each_baseline():
    kernels = {name: make() for name, make in experiments.of_figure_7({}).items()}
    assert kernels == {
        **{f"walks-{beta}": Walks(1, beta) for beta in (1, 2, 4, 6)},
        "RBF": Pixels(),
        "random-walk": RandomWalk(),
        "pyramid-match": PyramidMatch(),
        "HOG": Gradients(),
    }


def test_as_printed_the_folds_choose_the_widths_too():
    kernels = {name: make() for name, make in experiments.as_printed({}).items()}
    assert kernels == {
        **{f"walks-{beta}": Walks(1, beta, widths=WIDTHS) for beta in (1, 2, 4, 6)},
        "RBF": Pixels(),
        "random-walk": RandomWalk(widths=WIDTHS),
        "pyramid-match": PyramidMatch(),
    }


def test_trees_alone_have_conventions_of_leaves_and_siblings_and_both_the_cells_order(
    mnist, monkeypatch
):
    shown = []
    monkeypatch.setattr(
        experiments,
        "measure_error",
        lambda trial, name, kernel: shown.append((name, kernel)) or trial.measure(name, error=0),
    )
    choices = {"leaves": "last", "siblings": "ordered"}
    wire(experiments.compare_arities, {"beta": 4}, data=mnist)
    wire(experiments.compare_arities, {"beta": 1}, choices=choices, data=mnist)
    assert shown == [
        ("walks", Walks(1, 4)),
        ("tree-walks", Walks(2, 4)),
        ("walks", Walks(1, 1)),
        ("tree-walks", Walks(2, 1, leaves="last", siblings="ordered")),
    ]


PLAIN_WALKS = Walks(1, 2, widths=(0.05,))
PLAIN_RANDOM = RandomWalk(widths=(0.05,))


@pytest.mark.parametrize(
    ("choices", "walks", "random_walk"),
    [
        ({}, {}, {}),
        ({"root": "state"}, {"root": "state"}, {"root": "state"}),
        ({"short": "left-out"}, {"short": False}, {}),
        ({"diagonal": "mean"}, {"unit_diagonal": False}, {"unit_diagonal": False}),
        ({"widths": "nested"}, {"widths": WIDTHS}, {"widths": WIDTHS}),
        *(
            (choice, {"skeletons": skeletons}, {"skeletons": skeletons})
            for choice, skeletons in [
                ({"thinning": "lee"}, Skeletons("lee")),
                ({"step": "3"}, Skeletons(step=3)),
                ({"unit": "step"}, Skeletons(unit="step")),
            ]
        ),
    ],
)
def test_a_convention_changes_what_it_says_of_both_walks_and_nothing_else(
    mnist, monkeypatch, choices, walks, random_walk
):
    shown = {}

    def measure(trial, name, kernel, part, stratified):
        assert (part, stratified) == ("training", True)
        shown[name] = kernel
        trial.measure(name, error=0)

    monkeypatch.setattr(experiments, "measure_error", measure)
    wire(experiments.try_conventions, choices=choices, data=mnist)
    assert shown == {
        "walks-2": replace(PLAIN_WALKS, **walks),
        "RBF": Pixels(),
        "random-walk": replace(PLAIN_RANDOM, **random_walk),
    }


@pytest.mark.parametrize(
    ("choices", "start", "stratified"),
    [({}, 0, True), ({"part": "test"}, 600, True), ({"folds": "plain"}, 0, False)],
)
def test_conventions_say_which_digits_fall_into_which_folds(
    mnist, folds, choices, start, stratified
):
    wire(experiments.try_conventions, choices=choices, methods={"mine": Numbers}, data=mnist)
    ((numbers, _, _, how),) = folds
    assert numbers.tolist() == first_digits(start, 5)
    assert how == stratified


def test_short_walks_that_are_left_out_are_those_of_fewer_vertices_than_the_order(monkeypatch):
    asked = []

    class Kernel:
        def __init__(self, *setting, **settings):
            asked.append((setting, settings))

        def log_pairwise(self, graphs, *, nus, upsilons, depths):
            asked.append((nus, upsilons, depths))
            return np.zeros((len(nus), len(upsilons), len(depths), len(graphs), len(graphs)))

    monkeypatch.setattr("icml2008.papers.bach2008pointclouds.kernels.PointCloudKernel", Kernel)
    kernel = Walks(2, 4, widths=WIDTHS, skeletons=lambda images: images, short=False, root="state")
    # Two leaf penalties by three widths of attributes, for each of three widths of positions.
    assert kernel.grams([1, 2]).shape == (3 * 2 * 3 * 4, 2, 2)
    depths = [depth for depth in DEPTHS if depth >= 4]
    assert [setting["tau"] for _, setting in asked[::2]] == list(WIDTHS)
    assert all(order == (2, 4, 24) for order, _ in asked[::2])
    assert all(setting["root"] == "state" for _, setting in asked[::2])
    assert asked[1::2] == [((0.1, 0.01), WIDTHS, depths)] * 3


def test_the_setting_and_c_with_the_fewest_inner_errors_meet_the_outer_fold(monkeypatch):
    """Of the second Gram matrix the last C has least errors, and the third as few."""
    y = np.repeat([0, 1], 10)
    grams = np.array([np.full((20, 20), setting) for setting in range(3)])
    used = []

    def errors(gram, y, folds):
        assert len(y) == 16
        return np.array([[5, 4, 3], [9, 2, 1], [1, 7, 7]][int(gram[0, 0])])

    def predicted(gram, y, train, test, Cs):
        used.append((gram[0, 0], Cs.tolist(), sorted([*train, *test])))
        return np.where(test % 4 == 0, 1 - y[test], y[test])[None]

    monkeypatch.setattr(selection, "count_errors", errors)
    monkeypatch.setattr(selection, "_predicted", predicted)
    hits = selection.nested_hits(grams, y, np.random.default_rng(0))
    assert used == [(1, [100.0], list(range(20)))] * 5
    assert hits.tolist() == [at % 4 != 0 for at in range(20)]


def test_inner_errors_are_counted_for_each_c_over_all_folds(monkeypatch):
    def predicted(gram, y, train, test, Cs):
        assert not set(train) & set(test)
        return np.array([y[test], 1 - y[test], np.zeros(len(test), int)])

    monkeypatch.setattr(selection, "_predicted", predicted)
    y = np.repeat([0, 1], [6, 4])
    folds = np.arange(10) % 5
    assert selection.count_errors(np.eye(10), y, folds).tolist() == [0, 10, 4]


def sizes_of(seen_images):
    """Return skeletons of which a digit's has as many nodes as its number, by ten."""

    def drawn(images):
        seen_images.append(images.ravel().tolist())
        return [SimpleNamespace(n_nodes=number // 10) for number in images.ravel()]

    return drawn


@pytest.mark.parametrize("leaves", ["any", "last"])
def test_sizes_are_means_over_the_repeats_own_digits(monkeypatch, mnist, leaves):
    images = []
    asked = []

    def subtrees(graph, alpha, beta, *, leaves):
        asked.append((alpha, beta, leaves))
        return graph.n_nodes**2

    monkeypatch.setattr(experiments, "count_subtrees", subtrees)
    seen = wire(
        experiments.count_states,
        {"alpha": 2, "beta": 4, "per_class": 5},
        repeat=2,
        choices={"leaves": leaves},
        methods={"skeletons": partial(sizes_of, images)},
        data=mnist,
    )
    assert images == [first_digits(100, 5)]
    nodes = np.repeat([[10, 11, 12, 13, 14]], 10, axis=0).ravel()
    assert seen["skeletons"]["nodes"] == pytest.approx(12)
    assert seen["skeletons"]["spread"] == pytest.approx(np.sqrt(2))
    assert seen["skeletons"]["subtrees"] == pytest.approx(np.mean(nodes**2))
    assert set(asked) == {(2, 4, leaves)}
    assert not seen.kept


@pytest.mark.parametrize(("alpha", "beta", "kept"), [(1, 2, True), (2, 2, False), (1, 4, False)])
def test_the_first_trial_of_walks_keeps_two_twos_and_their_best_walks(
    monkeypatch, mnist, alpha, beta, kept
):
    matched = []

    class Graphs:
        def __call__(self, images):
            return [
                SimpleNamespace(n_nodes=1, positions=image + [[0.5, 0]], edges=[[0, 1]])
                for image in images
            ]

    def walks(first, second, **settings):
        matched.append(settings)
        return [1, 2], [3, 4], 0.5

    monkeypatch.setattr(experiments, "Skeletons", Graphs)
    monkeypatch.setattr(experiments, "best_matching_walks", walks)
    monkeypatch.setattr(experiments, "count_subtrees", lambda *_, leaves: 1)
    cell = {"alpha": alpha, "beta": beta, "per_class": 5}
    seen = wire(experiments.count_states, cell, data=mnist, methods={"skeletons": Graphs})
    if not kept:
        assert not seen.kept
        return
    assert seen.kept["image-0"].tolist() == [[2]]
    assert seen.kept["image-1"].tolist() == [[12]]
    assert seen.kept["positions-1"].tolist() == [[12.5, 12]]
    assert seen.kept["walk-0"].tolist() == [1, 2]
    assert seen.kept["walk-1"].tolist() == [3, 4]
    assert matched == [{"beta": 2, "length": 6, "tau": 0.05, "kappa": 0.001, "upsilon": 0.05}]


@pytest.mark.parametrize("kind", ["covariance", "correlation", "star"])
def test_the_negativity_is_the_worst_of_five_models_least_eigenvalues(kind):
    def kernel(K, L, cliques):
        """Is above 1, more so in models with more variables."""
        return 1 + len(K) / 100

    methods = {"mine": lambda: kernel, "flat": lambda: lambda K, L, cliques: 0.5}
    seen = wire(experiments.look_for_negative_eigenvalues, {"matrices": kind}, methods=methods)
    models = experiments.draw(kind, seen.rng("models"))
    assert len(models) == 5
    # All n matrices are c alike: eigenvalues are 1 - c, n - 1 times, and 1 + (n - 1) c.
    expected = [
        (len(matrices[0]) / 100) / (1 + (len(matrices) - 1) * (1 + len(matrices[0]) / 100))
        for matrices, _ in models
    ]
    assert seen["mine"]["negativity"] == pytest.approx(max(expected))
    assert seen["flat"]["negativity"] == 0
    assert seen.n_test["mine"]["negativity"] == 5
