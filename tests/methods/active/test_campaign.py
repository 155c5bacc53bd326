"""Whole campaigns."""

from __future__ import annotations

import numpy as np
import pytest

from icml2008.methods.active.campaign import minimise_samples
from icml2008.methods.active.slopes import slopes_beforehand

BOX = [[0.0, 2.0], [0.0, 2.0]]
GRID = np.stack(np.meshgrid(*[np.linspace(0, 2, 50)] * 2), axis=-1).reshape(-1, 2)


def waves():
    """Two mirror images, whose sum crosses zero along winding lines (SimpleSin2D of the paper)."""

    def one(x):
        return np.sin(4 * x[0]) + np.cos(4 * x[1]) - np.cos(x[0] * x[1])

    return [one, lambda x: one(x[::-1])]


TRUTH = np.array([sum(f(x) for f in waves()) for x in GRID])


def test_the_cap_ends_a_campaign_that_cannot_reach_its_aim():
    result = minimise_samples(
        waves(), BOX, 0.0, max_samples=12, stop=lambda _: False, slopes=5.0, random_state=0
    )
    assert not result.reached
    assert result.n_samples.sum() == len(result.level_set.samples) == 12


def test_without_an_aim_a_campaign_takes_all_its_samples():
    result = minimise_samples(waves(), BOX, 0.0, max_samples=9, random_state=0)
    assert not result.reached
    assert result.n_samples.sum() == 9


def test_counts_are_those_of_the_samples():
    result = minimise_samples(waves(), BOX, 0.0, max_samples=30, random_state=0)
    counts = np.bincount([i for _, i, _ in result.level_set.samples], minlength=2)
    np.testing.assert_array_equal(result.n_samples, counts)


def test_the_aim_is_met_when_it_is_reached():
    result = minimise_samples(
        waves(),
        BOX,
        0.0,
        max_samples=300,
        stop=lambda level_set: level_set.accuracy(GRID, TRUTH) >= 0.95,
        slopes=slopes_beforehand(waves(), BOX, "gradient", n_points=64),
        random_state=0,
    )
    assert result.reached
    assert result.level_set.accuracy(GRID, TRUTH) >= 0.95


@pytest.mark.parametrize("seed", range(3))
def test_learnt_slopes_reach_the_aim_too(seed):
    result = minimise_samples(
        waves(),
        BOX,
        0.0,
        max_samples=400,
        stop=lambda level_set: level_set.accuracy(GRID, TRUTH) >= 0.97,
        random_state=seed,
    )
    assert result.reached
