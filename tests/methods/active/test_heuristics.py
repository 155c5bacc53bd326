"""Scores against the printed formulas, and the fast choice against the plain one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icml2008.methods.active.heuristics import (
    combined_straddle,
    largest_variance,
    straddle,
    variance_maxvarstraddle,
)
from icml2008.methods.active.models import FunctionModel
from icml2008.methods.active.selection import best_candidate
from icml2008.methods.active.system import KrigingSystem

T = -2.0


def predictions(seed=0, q=20, m=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(q, m)), rng.exponential(size=(q, m))


def test_straddle_is_the_printed_formula():
    means, variances = predictions(m=1)
    expected = [1.96 * v - abs(f - T) for f, v in zip(means[:, 0], variances[:, 0], strict=True)]
    np.testing.assert_allclose(straddle(means[:, 0], variances[:, 0], T), expected, rtol=1e-14)


def test_combined_straddle_is_equation_3():
    means, variances = predictions()
    expected = [
        1.96 * sum(v) - abs(sum(f) - T)
        for f, v in zip(means.tolist(), variances.tolist(), strict=True)
    ]
    np.testing.assert_allclose(combined_straddle(means, variances, T), expected, rtol=1e-12)


def test_the_best_function_of_variance_maxvarstraddle_gives_equation_4():
    means, variances = predictions()
    expected = [
        max(1.96 * s for s in v) - abs(sum(f) - T)
        for f, v in zip(means.tolist(), variances.tolist(), strict=True)
    ]
    scores = variance_maxvarstraddle(means, variances, T)
    np.testing.assert_allclose(scores.max(axis=1), expected, rtol=1e-12)
    np.testing.assert_array_equal(scores.argmax(axis=1), variances.argmax(axis=1))


def test_with_deviations_the_sum_has_the_deviation_of_independent_terms():
    means, variances = predictions()
    scores = combined_straddle(means, variances, T, spread="deviation")
    expected = 1.96 * np.sqrt(variances.sum(axis=1)) - np.abs(means.sum(axis=1) - T)
    np.testing.assert_allclose(scores, expected, rtol=1e-14)


def test_with_one_function_both_straddles_are_the_plain_one():
    means, variances = predictions(m=1)
    plain = straddle(means[:, 0], variances[:, 0], T)
    np.testing.assert_array_equal(combined_straddle(means, variances, T), plain)
    np.testing.assert_array_equal(variance_maxvarstraddle(means, variances, T)[:, 0], plain)


def test_a_cost_divides_what_a_sample_buys():
    means, variances = predictions()
    costs = np.array([1.0, 2.0, 5.0])
    scores = variance_maxvarstraddle(means, variances, T, costs=costs)
    np.testing.assert_allclose(
        scores, variance_maxvarstraddle(means, variances / costs, T), rtol=1e-12
    )
    np.testing.assert_array_equal(
        largest_variance(means, variances, T, costs=costs), variances / costs
    )


@pytest.mark.parametrize("score", [combined_straddle, variance_maxvarstraddle, largest_variance])
@pytest.mark.parametrize("spread", ["variance", "deviation"])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), growth=st.floats(0, 10))
def test_no_score_falls_where_a_variance_grows(score, spread, seed, growth):
    means, variances = predictions(seed)
    larger = variances.copy()
    larger[seed % 20, seed % 3] += growth
    assert np.all(score(means, larger, T, spread) >= score(means, variances, T, spread))


def plain_choice(models, candidates, score):
    """The best of all scores, from all means and variances."""
    means = np.stack([model.mean(candidates) for model in models], axis=1)
    scores = score(means, np.stack([model.variance(candidates) for model in models], axis=1))
    return np.unravel_index(np.argmax(scores), scores.shape), scores.max()


@pytest.mark.parametrize("score", [combined_straddle, variance_maxvarstraddle, largest_variance])
@pytest.mark.parametrize("spread", ["variance", "deviation"])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_no_means_give_a_larger_score_than_none(score, spread, seed):
    means, variances = predictions(seed)
    assert np.all(score(means, variances, T, spread) <= score(None, variances, T, spread))


@pytest.mark.parametrize("score", [combined_straddle, variance_maxvarstraddle, largest_variance])
@pytest.mark.parametrize("spread", ["variance", "deviation"])
@pytest.mark.parametrize("form", ["textbook", "short"])
@settings(max_examples=20)
@given(
    seed=st.integers(0, 10**6),
    slope=st.sampled_from([0.01, 1.0, 100.0]),
    neighbors=st.sampled_from([None, None, 12]),
)
def test_the_fast_choice_is_that_of_all_variances(score, spread, form, seed, slope, neighbors):
    rng = np.random.default_rng(seed)
    models = []
    for k in range(3):
        model = FunctionModel(
            KrigingSystem(2, 0.0, form, neighbors if k else None), slope * (k + 1)
        )
        X = rng.random((rng.integers(2, 40), 2))
        model.tell_all(X, np.sin(5 * X @ rng.normal(size=2)))
        models.append(model)
    candidates = rng.random((150, 2))
    rule = partial(score, threshold=0.3, spread=spread, costs=np.array([1.0, 1.0, 3.0]))
    fast = best_candidate(models, candidates, rule)
    plain, value = plain_choice(models, candidates, rule)
    assert fast[: len(plain)] == plain
    assert fast.score == pytest.approx(value, rel=1e-9, abs=1e-12)


def test_few_variances_are_computed_for_a_choice():
    rng = np.random.default_rng(0)
    asked = []

    class Counting(FunctionModel):
        def variance(self, points):
            asked.append(len(points))
            return super().variance(points)

    models = []
    for k in range(4):
        model = Counting(KrigingSystem(2), 5.0)
        X = rng.random((500, 2))
        model.tell_all(X, np.sin((k + 2) * X).sum(axis=1))
        models.append(model)
    rule = partial(variance_maxvarstraddle, threshold=2.0)
    best_candidate(models, rng.random((1000, 2)), rule)
    assert 0 < sum(asked) < 400  # of 4000
