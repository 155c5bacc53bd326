from itertools import islice, product, repeat
from types import SimpleNamespace

import numpy as np
import pytest

from .experiments import Split, digits, trained
from .method import climb, log_partition, persistent, pseudo, pseudo_gradient


def field(n, seed=0):
    return np.tril(np.random.default_rng(seed).normal(size=(n, n)))


def plainly(S):
    """Return log Z and the moments by a plain loop over all states."""
    total, moments = 0.0, np.zeros_like(S)
    for state in product((0.0, 1.0), repeat=len(S)):
        v = np.array(state)
        weight = np.exp(v @ S @ v)
        total += weight
        moments += weight * np.outer(v, v)
    return np.log(total), np.tril(moments) / total


@pytest.mark.parametrize("n", [4, 9])
def test_sum_over_states_of_a_field_is_that_of_a_plain_loop(n):
    (log_z, moments), (wanted, those) = log_partition(field(n)), plainly(field(n))
    np.testing.assert_allclose(log_z, wanted, rtol=1e-12)
    np.testing.assert_allclose(moments, those, rtol=1e-12)


def test_gradient_of_pseudo_likelihood_is_that_of_finite_differences():
    rng = np.random.default_rng(2)
    S, V = field(4), (rng.random((6, 4)) < 0.5).astype(float)

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
    found = climb(np.zeros((4, 4)), persistent(moments, 500, np.random.default_rng(3)), 2000, 0.5)
    np.testing.assert_allclose(log_partition(found)[1], moments, atol=0.01)


def test_pseudo_likelihood_finds_the_field_that_rows_were_drawn_from():
    truth = field(3)
    states = np.array(list(product((0.0, 1.0), repeat=3)))
    shares = np.exp(np.sum((states @ truth) * states, axis=1) - log_partition(truth)[0])
    rng = np.random.default_rng(4)

    def draw(n):
        return states[rng.choice(8, size=n, p=shares / shares.sum())]

    found = climb(np.zeros((3, 3)), pseudo(draw, 200), 2000, 0.5)
    np.testing.assert_allclose(found, truth, atol=0.15)


@pytest.fixture(scope="module")
def images():
    return np.random.default_rng(5).integers(0, 256, size=(20, 28, 28)).astype(np.uint8)


@pytest.mark.parametrize("by", ["patches", "images"])
def test_split_counts_patches_as_a_plain_loop_does(images, by):
    split = Split(images, 3, by, np.random.default_rng(6))
    counts, total = {}, np.zeros((9, 9))
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
