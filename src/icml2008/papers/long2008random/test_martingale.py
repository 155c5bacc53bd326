"""Martingale boosting against all paths of its walk, and as published for binary features."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.papers.long2008random.method.hard import hard_sample, noisy_distribution
from icml2008.papers.long2008random.method.martingale import MartingaleBooster
from icml2008.papers.long2008random.method.potentials import POTENTIALS

seeds = st.integers(0, 2**32 - 1)


def draws(seed, values, n=40, d=4):
    rng = np.random.default_rng(seed)
    X = rng.choice(values, (n, d))
    y = np.where(X.sum(axis=1) + rng.normal(size=n) > 0, 1, -1)
    y[:2] = [-1, 1]
    return X, y


def as_published(X, y, n_rounds):
    """Return the last places of a program for binary features without noise or complements."""
    places = np.zeros(len(y), dtype=int)
    ended = np.zeros(len(y))
    for t in range(n_rounds):
        step = np.zeros(len(y), dtype=int)
        for place in range(t + 1):
            here = (places == place) & (ended == 0)
            if len(set(y[here])) < 2:
                ended[here] = y[here]
                continue
            edges = [
                np.mean(X[here & (y == 1), j]) - np.mean(X[here & (y == -1), j])
                for j in range(X.shape[1])
            ]
            first_best = np.argmax(np.array(edges) > max(edges) - 1e-9)
            step[here] = X[here, first_best] > 0
        places += step
    return np.where(ended, ended, np.sign(places - n_rounds / 2))


@settings(max_examples=40)
@given(seeds, st.integers(1, 5))
def test_binary_features_give_the_published_program(seed, n_rounds):
    X, y = draws(seed, [-1.0, 1.0])
    expected = as_published(X, y, n_rounds)
    booster = MartingaleBooster(n_rounds, complements=False).fit(X, y)
    np.testing.assert_allclose(booster.decision_function(X), expected, atol=1e-12)


@settings(max_examples=20)
@given(seeds, st.booleans())
def test_equal_edges_choose_the_first_feature_in_whatever_order_examples_are_added(
    seed, complements
):
    X, y = draws(seed, [-1.0, 1.0], n=200, d=6)
    order = np.random.default_rng(seed).permutation(len(y))
    given, shuffled = (
        MartingaleBooster(15, complements=complements).fit(X[rows], y[rows])
        for rows in (np.arange(len(y)), order)
    )
    np.testing.assert_array_equal(given.predict(X), shuffled.predict(X))


@settings(max_examples=25)
@given(seeds, st.integers(1, 7), st.sampled_from([0.0, 0.2]))
def test_the_score_is_the_mean_over_all_paths(seed, n_rounds, noise_rate):
    X, y = draws(seed, [-0.9, -0.3, 0.0, 0.4, 1.0])
    booster = MartingaleBooster(n_rounds, noise_rate=noise_rate).fit(X, y)
    x = X[5]
    score = 0.0
    for path in itertools.product([0, 1], repeat=n_rounds):
        place = 0
        chance = 1.0
        label = 0.0
        for t, up in enumerate(path):
            label = label or booster.ends_[t][place]
            h = booster.signs_[t][place] * x[booster.features_[t][place]]
            chance *= (1 + h) / 2 if up else (1 - h) / 2
            place += up
        score += chance * (label or np.sign(place - n_rounds / 2))
    assert np.isclose(booster.decision_function(x[None])[0], score, atol=1e-12)


@pytest.mark.parametrize("name", POTENTIALS)
@pytest.mark.parametrize("noise", [0.1, 0.2])
def test_it_solves_the_sample_that_defeats_a_potential(name, noise):
    """The base classifiers are odd, so that the mirrored examples change no potential."""
    sample = hard_sample(name, noise)
    rotated = sample.rotated()
    X, y, weights = noisy_distribution(
        np.concatenate([rotated, -rotated]), np.concatenate([sample.y, -sample.y]), noise
    )
    n_rounds = int(1 / sample.gamma**2) | 1
    booster = MartingaleBooster(n_rounds, noise_rate=noise).fit(X, y, weights)
    assert (booster.decision_function(rotated) > 0).all()


@settings(max_examples=20)
@given(seeds)
def test_weights_count_examples(seed):
    X, y = draws(seed, [-0.9, -0.3, 0.4, 1.0], n=12)
    counts = np.random.default_rng(seed).integers(1, 4, 12)
    weighted = MartingaleBooster(3).fit(X, y, counts)
    repeated = MartingaleBooster(3).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), atol=1e-9
    )


@pytest.mark.parametrize(
    ("options", "X", "y", "message"),
    [
        ({"n_rounds": 0}, [[0.0], [1.0]], [0, 1], "n_rounds: found 0"),
        ({"noise_rate": 0.5}, [[0.0], [1.0]], [0, 1], "noise_rate: found 0.5"),
        ({}, [[0.0], [2.0]], [0, 1], "from -1 to 1 only"),
        ({}, [[0.0], [1.0]], [1, 1], "1 class where"),
    ],
)
def test_what_cannot_be_done_is_said(options, X, y, message):
    with pytest.raises(ValueError, match=message):
        MartingaleBooster(**options).fit(X, y)
