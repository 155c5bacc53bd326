from functools import partial
from itertools import islice, permutations, product, repeat
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.harness.trial import Trial
from icml2008.methods.nets.class_rbm import ClassRBM

from .experiments import Split, chosen, digits, run_hidden_25, trained
from .method import (
    climb,
    log_partition,
    maximise,
    persistent,
    pseudo,
    pseudo_gradient,
    pseudo_optimum,
)
from .pictures import SIDE, energy_distance, polygons, shapes


def field(n, seed=0):
    return np.tril(np.random.default_rng(seed).normal(size=(n, n)))


def plainly(S):
    """Return log Z and the moments by a plain loop over all states."""
    total = 0.0
    moments = np.zeros_like(S)
    for state in product((0.0, 1.0), repeat=len(S)):
        v = np.array(state)
        weight = np.exp(v @ S @ v)
        total += weight
        moments += weight * np.outer(v, v)
    return np.log(total), np.tril(moments) / total


@pytest.mark.parametrize("n", [4, 9])
def test_sum_over_states_of_a_field_is_that_of_a_plain_loop(n):
    (log_z, moments) = log_partition(field(n))
    (plain_log_z, those) = plainly(field(n))
    np.testing.assert_allclose(log_z, plain_log_z, rtol=1e-12)
    np.testing.assert_allclose(moments, those, rtol=1e-12)


def test_gradient_of_pseudo_likelihood_is_that_of_finite_differences():
    rng = np.random.default_rng(2)
    S = field(4)
    V = (rng.random((6, 4)) < 0.5).astype(float)

    def value(S):
        W = np.tril(S, -1) + np.tril(S, -1).T
        inputs = V @ W + np.diag(S)
        return np.sum(V * inputs - np.logaddexp(0, inputs)) / len(V)

    W = np.tril(S, -1) + np.tril(S, -1).T
    by_weights, by_biases = pseudo_gradient(W, np.diag(S), V)
    for i, j in zip(*np.tril_indices(4), strict=True):
        step = np.zeros((4, 4))
        step[i, j] = 1e-6
        slope = (value(S + step) - value(S - step)) / 2e-6
        assert slope == pytest.approx(by_weights[i, j] if i > j else by_biases[i], abs=1e-8)


def test_chains_that_persist_find_the_field_whose_moments_they_are_given():
    truth = field(4)
    log_z, moments = log_partition(truth)
    climbed = climb(np.zeros((4, 4)), persistent(moments, 500, np.random.default_rng(3)), 2000, 0.5)
    np.testing.assert_allclose(log_partition(climbed)[1], moments, atol=0.01)


def test_pseudo_likelihood_finds_the_field_that_rows_were_drawn_from():
    truth = field(3)
    states = np.array(list(product((0.0, 1.0), repeat=3)))
    shares = np.exp(np.sum((states @ truth) * states, axis=1) - log_partition(truth)[0])
    rng = np.random.default_rng(4)

    def draw(n):
        return states[rng.choice(8, size=n, p=shares / shares.sum())]

    climbed = climb(np.zeros((3, 3)), pseudo(draw, 200), 2000, 0.5)
    np.testing.assert_allclose(climbed, truth, atol=0.15)


def test_the_largest_pseudo_likelihood_has_no_gradient_left():
    rng = np.random.default_rng(6)
    rows = np.array(list(product((0.0, 1.0), repeat=4)))
    counts = rng.integers(1, 20, size=len(rows))
    optimum = pseudo_optimum(np.zeros((4, 4)), rows, counts / counts.sum(), 1e-9)
    W = np.tril(optimum, -1) + np.tril(optimum, -1).T
    gradients = pseudo_gradient(W, np.diag(optimum), np.repeat(rows, counts, axis=0))
    assert max(np.abs(gradient).max() for gradient in gradients) < 1e-6


def test_the_least_loss_ignores_what_is_above_the_diagonal():
    target = field(3)

    def loss(S):
        error = S - target
        return np.sum(error**2), 2 * error + np.triu(np.ones((3, 3)), 1)

    np.testing.assert_allclose(maximise(np.zeros((3, 3)), loss, 1e-9), target, atol=1e-6)


def test_a_search_of_its_own_differs_from_repeat_to_repeat():
    def search(repeat, across):
        cell = {"hidden": 6, "updates": 40}
        trial = Trial("p", run_hidden_25, cell, repeat, choices={}, load=None)
        return chosen(trial, "search", list(range(50)), lambda rate, rng: rng.random(), across)

    shared = {search(repeat, ("repeat",)) for repeat in range(6)}
    own = {search(repeat, ()) for repeat in range(6)}
    assert len(shared) == 1 < len(own)


@pytest.fixture(scope="module")
def images():
    return np.random.default_rng(5).integers(0, 256, size=(20, 28, 28)).astype(np.uint8)


@pytest.mark.parametrize("by", ["patches", "images"])
def test_split_counts_patches_as_a_plain_loop_does(images, by):
    split = Split(images, 3, by, np.random.default_rng(6))
    counts = {}
    total = np.zeros((9, 9))
    for image in images:
        for i, j in product(range(26), repeat=2):
            patch = tuple((image[i : i + 3, j : j + 3] >= 128).astype(float).ravel())
            counts[patch] = counts.get(patch, 0) + 1
            total += np.outer(patch, patch)
    seen = {tuple(row) for row in split.rows}
    assert seen == set(counts)
    shares = np.array([0.6, 0.2, 0.2])
    whole = sum(p * moments for p, moments in zip(shares, split.moments, strict=True))
    np.testing.assert_allclose(whole, np.tril(total) / (20 * 26 * 26), rtol=1e-12)
    assert split.counts[-1] == 12 * 26 * 26


def test_optimum_of_a_split_has_the_training_moments_and_the_best_fit(images):
    split = Split(images, 3, "patches", np.random.default_rng(7))
    moments = log_partition(split.optimum)[1]
    np.testing.assert_allclose(moments, split.moments[0], atol=1e-4)
    best = split.fits(split.optimum)[0]
    assert best > split.fits(split.start)[0]
    assert -split.entropy > best


def test_rate_falls_linearly_and_updates_are_charged():
    rates = []

    def machine(hidden, **how):
        model = SimpleNamespace(partial_fit=lambda: rates.append(model.learning_rate))
        return model

    trained(
        machine,
        ("cd", 10, 4),
        5,
        160,
        lambda rng: repeat(()),
        0.8,
        np.random.default_rng(0),
    )
    np.testing.assert_allclose(rates, [0.7, 0.5, 0.3, 0.1])


def test_an_epoch_shows_each_training_digit_once_with_its_label():
    places = np.arange(60_000)
    images = np.stack([places // 256, places % 256], axis=1).astype(np.uint8)[:, :, None]
    data = SimpleNamespace(images=images, y=places % 10)
    blocks = islice(digits(data, True, np.random.default_rng(9)), 50)
    X, y, classes = zip(*blocks, strict=True)
    shown = np.rint(255 * np.concatenate(X)).astype(int) @ [256, 1]
    np.testing.assert_array_equal(np.sort(shown), np.arange(50_000))
    np.testing.assert_array_equal(np.concatenate(y), shown % 10)
    np.testing.assert_array_equal(classes[0], np.arange(10))


def test_outlines_are_closed_lines_between_corners():
    ring, dot = np.zeros((2, SIDE, SIDE))
    ring[:4, :4] = 1
    ring[1:3, 1:3] = 0
    dot[1, 1] = 1
    corners = np.array([[0, 3, 3 * SIDE + 3, 3 * SIDE], [SIDE + 1] * 4])
    np.testing.assert_array_equal(polygons(corners).reshape(2, SIDE, SIDE), [ring, dot])


def test_images_hold_a_rectangle_and_a_triangle_drawn_by_a_plain_loop():
    images = shapes(np.random.default_rng(10), 20)
    rng = np.random.default_rng(10)
    x, y = rng.integers(SIDE, size=(2, 20, 2))
    triangles = rng.integers(SIDE**2, size=(20, 3))
    for n, image in enumerate(images.reshape(20, SIDE, SIDE)):
        plain = np.zeros((SIDE, SIDE))
        for a, b in product(range(SIDE), repeat=2):
            inside = min(x[n]) <= a <= max(x[n]) and min(y[n]) <= b <= max(y[n])
            plain[a, b] = inside and (a in x[n] or b in y[n])
        for i in range(3):
            (a, b), (c, d) = (divmod(triangles[n, j % 3], SIDE) for j in (i, i + 1))
            for t in range(SIDE):
                s = t / (SIDE - 1)
                plain[round(a * (1 - s) + c * s), round(b * (1 - s) + d * s)] = 1
        np.testing.assert_array_equal(image, plain)


def test_energy_distance_is_that_of_plain_loops_and_tells_samples_apart():
    rng = np.random.default_rng(11)
    X, Y = (rng.random((n, 5)) < 0.5 for n in (4, 6))

    def mean(pairs):
        return np.mean([np.sqrt(sum(u != v for u, v in zip(a, b, strict=True))) for a, b in pairs])

    plain = 2 * mean(product(X, Y)) - mean(permutations(X, 2)) - mean(permutations(Y, 2))
    assert energy_distance(X, Y) == pytest.approx(plain, rel=1e-12)
    means = 0.2, 0.2, 0.5
    near, same, far = ((rng.random((400, 20)) < p).astype(float) for p in means)
    assert abs(energy_distance(near, same)) < 0.02 < energy_distance(near, far)


def test_error_of_a_machine_with_labels_is_that_of_a_plain_loop():
    """Figure 3's number at smoke size: the likeliest label by sums over all hidden states."""
    rng = np.random.default_rng(12)
    X = (rng.random((60, 4)) < 0.5).astype(float)
    y = rng.integers(3, size=60)
    model = trained(
        partial(ClassRBM, objective="generative"),
        ("pcd", 1, 1),
        3,
        20,
        lambda rng: repeat((X, y, np.arange(3))),
        0.3,
        rng,
    )
    W = model.components_
    U = model.class_components_
    b, c, d = (getattr(model, f"intercept_{name}_") for name in ("visible", "hidden", "class"))
    wrong = 0
    for v, label in zip(X, y, strict=True):
        scores = [0.0] * 3
        for k, h in product(range(3), product((0, 1), repeat=3)):
            scores[k] += np.exp(h @ W @ v + b @ v + c @ h + d[k] + h @ U[:, k])
        wrong += int(np.argmax(scores)) != label
    assert np.sum(model.predict(X) != y) == wrong
