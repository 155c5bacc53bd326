"""Listwise losses: against their definitions, finite differences and enumerations of all orders."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cosine
from scipy.special import rel_entr, softmax

from icml2008.methods.listwise.consistency import (
    by_item,
    exchanged,
    expected_loss,
    minimiser,
    order_preserving,
    orders,
)
from icml2008.methods.listwise.losses import (
    cosine_loss,
    cross_entropy_loss,
    full_cross_entropy_loss,
    likelihood_loss,
)
from icml2008.methods.listwise.targets import MAPPINGS, target_scores

LOSSES = [likelihood_loss, cosine_loss, cross_entropy_loss, full_cross_entropy_loss]
quickly = settings(max_examples=25)
numbers = st.floats(-5, 5, allow_subnormal=False)


@st.composite
def lists(draw, most=6):
    """Scores and targets of a list; targets differ and scores are not all 0."""
    n = draw(st.integers(2, most))
    scores = draw(arrays(float, n, elements=numbers).filter(lambda s: np.abs(s).max() > 0.1))
    return scores, np.array(draw(st.permutations(range(1, n + 1))), dtype=float)


def order_probability(scores, order):
    """Return the Plackett-Luce probability of an order, as a product of choices."""
    left = [math.exp(scores[item]) for item in order]
    return math.prod(left[i] / sum(left[i:]) for i in range(len(left)))


@given(lists())
@quickly
def test_likelihood_is_the_product_of_choices(case):
    scores, targets = case
    expected = -math.log(order_probability(scores, np.argsort(-targets)))
    assert math.isclose(likelihood_loss(scores, targets)[0], expected, rel_tol=1e-9, abs_tol=1e-9)


@given(lists(most=5))
@quickly
def test_probabilities_of_all_orders_sum_to_one(case):
    scores, _ = case
    places = -np.arange(len(scores), dtype=float)
    total = sum(
        math.exp(-likelihood_loss(scores, by_item(order, places))[0])
        for order in orders(len(scores))
    )
    assert math.isclose(total, 1, rel_tol=1e-9)


@given(lists())
@quickly
def test_cosine_loss_is_half_the_cosine_distance(case):
    scores, targets = case
    assert math.isclose(cosine_loss(scores, targets)[0], cosine(scores, targets) / 2, abs_tol=1e-12)


@given(lists())
@quickly
def test_cross_entropy_is_the_divergence_of_soft_maxes(case):
    scores, targets = case
    expected = rel_entr(softmax(targets), softmax(scores)).sum()
    assert math.isclose(cross_entropy_loss(scores, targets)[0], expected, abs_tol=1e-9)


@given(lists(most=5))
@quickly
def test_a_sum_over_sets_is_the_sum_over_all_orders(case):
    """xia2008listmle, Table 1: n 2^n steps are enough."""
    scores, targets = case
    expected = 0.0
    for order in itertools.permutations(range(len(scores))):
        p = order_probability(targets, order)
        expected += p * math.log(p / order_probability(scores, order))
    value = full_cross_entropy_loss(scores, targets)[0]
    assert math.isclose(value, expected, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
@given(case=lists())
@quickly
def test_gradients_are_those_of_finite_differences(loss, case):
    scores, targets = case
    _, gradient = loss(scores, targets)
    # central differences of step 1e-5: errors of 1e-10 by curvature and 1e-11 / 1e-5 by rounding
    slopes = [
        (loss(scores + step, targets)[0] - loss(scores - step, targets)[0]) / 2e-5
        for step in 1e-5 * np.eye(len(scores))
    ]
    np.testing.assert_allclose(gradient, slopes, atol=1e-5)


@pytest.mark.parametrize("loss", [likelihood_loss, cross_entropy_loss, full_cross_entropy_loss])
@given(case=lists(), shift=numbers)
@quickly
def test_a_shift_of_all_scores_changes_nothing(loss, case, shift):
    scores, targets = case
    assert math.isclose(
        loss(scores, targets)[0], loss(scores + shift, targets)[0], rel_tol=1e-9, abs_tol=1e-9
    )
    assert abs(loss(scores, targets)[1].sum()) < 1e-9


@given(case=lists(), factor=st.floats(0.01, 100))
@quickly
def test_the_cosine_loss_knows_directions_only(case, factor):
    scores, targets = case
    loss, gradient = cosine_loss(scores, targets)
    assert math.isclose(loss, cosine_loss(factor * scores, targets)[0], abs_tol=1e-9)
    assert abs(gradient @ scores) < 1e-9


@pytest.mark.parametrize("loss", [likelihood_loss, cross_entropy_loss, full_cross_entropy_loss])
@given(first=lists(most=5), data=st.data())
@quickly
def test_three_losses_are_convex_in_the_scores(loss, first, data):
    scores, targets = first
    other = data.draw(arrays(float, len(scores), elements=numbers))
    middle = loss((scores + other) / 2, targets)[0]
    assert middle <= (loss(scores, targets)[0] + loss(other, targets)[0]) / 2 + 1e-9


def test_the_cosine_loss_is_not_convex():
    ends = [cosine_loss(scores, [2.0, 1.0])[0] for scores in ([3.0, 0.0], [-1.0, 0.0])]
    assert cosine_loss([1.0, -1e-9], [2.0, 1.0])[0] < np.mean(ends)
    assert cosine_loss([-0.5, 0.0], [2.0, 1.0])[0] > np.mean(
        [cosine_loss(s, [2.0, 1.0])[0] for s in ([-2.0, 0.0], [1.0, 0.0])]
    )


def test_likelihood_of_scores_thousands_apart_neither_overflows_nor_loses_its_tail():
    scores = np.array([3000.0, 0.0, -0.5, -3000.0])
    loss, gradient = likelihood_loss(scores, [4, 3, 2, 1])
    assert math.isclose(loss, math.log1p(math.exp(-0.5)), rel_tol=1e-12)
    backwards, gradient_back = likelihood_loss(scores, [1, 2, 3, 4])
    # three choices, each of them against the largest score by thousands
    assert math.isclose(backwards, 6000 + 3000.5 + 3000, rel_tol=1e-12)
    assert np.isfinite(gradient).all()
    np.testing.assert_allclose(gradient_back[[0, 3]], [3, -1], atol=1e-12)


def test_all_scores_zero_have_a_cosine_loss_of_one_half():
    loss, gradient = cosine_loss([0.0, 0.0], [2.0, 1.0])
    assert (loss, gradient.tolist()) == (0.5, [0.0, 0.0])


def test_the_cosine_loss_has_no_limit_at_the_origin():
    """xia2008listmle, Table 1, Proposition 7: it is not continuous there."""
    values = [cosine_loss(1e-12 * np.array(way), [2.0, 1.0])[0] for way in ([2, 1], [-2, -1])]
    np.testing.assert_allclose(values, [0, 1], atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_names_what_is_wrong_with_its_lists(loss):
    with pytest.raises(
        ValueError, match=r"two lists of one length, found shapes \(2,\) and \(3,\)"
    ):
        loss([0.0, 1.0], [1, 2, 3])
    with pytest.raises(ValueError, match="must be finite"):
        loss([0.0, np.nan], [1, 2])


def test_sets_of_too_many_items_are_refused():
    with pytest.raises(ValueError, match="at most 20 items are allowed, found 21"):
        full_cross_entropy_loss(np.zeros(21), np.zeros(21))


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_target_scores_fall_from_the_first_place(mapping):
    scores = target_scores(15, mapping)
    assert (np.diff(scores) < 0).all()
    assert scores[-1] == MAPPINGS[mapping](1.0)


def test_the_logarithm_has_no_score_for_the_last_place_counted_from_one():
    """xia2008listmle, Section 6.1: log(15 - r)."""
    assert np.isfinite(target_scores(15, "sqrt", first=1)).all()
    with pytest.raises(ValueError, match="'log' is not finite at place 15 of 15"):
        target_scores(15, "log", first=1)
    with pytest.raises(ValueError, match="did you mean 'linear'"):
        target_scores(15, "linea")


def test_quadratic_and_exponential_targets_have_the_same_top_one_probabilities():
    """xia2008listmle, Table 2: rows q and exp."""
    q, e = (softmax(target_scores(15, mapping)) for mapping in ("quadratic", "exp"))
    np.testing.assert_allclose(q, e, atol=1e-12)
    np.testing.assert_allclose(e, np.eye(15)[0], atol=1e-12)


@given(st.integers(2, 5), st.integers(0, 1000))
@quickly
def test_order_preserving_probabilities_prefer_each_item_to_the_next(n, seed):
    p = order_preserving(n, np.random.default_rng(seed))
    rows = [tuple(row) for row in orders(n).tolist()]
    chance = dict(zip(rows, p, strict=True))
    assert math.isclose(p.sum(), 1, rel_tol=1e-12)
    for row in rows:
        for i in range(n - 1):
            if row.index(i) < row.index(i + 1):
                assert chance[row] > chance[exchanged(row, i, i + 1)]
    assert max(chance, key=chance.get) == tuple(range(n))


@pytest.mark.parametrize("loss", LOSSES)
def test_expected_loss_is_the_weighted_sum_with_its_gradient(loss):
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(24))
    places = target_scores(4)
    scores = rng.normal(size=4)
    value, gradient = expected_loss(loss, scores, p, places)
    each = [loss(scores, by_item(order, places))[0] for order in itertools.permutations(range(4))]
    assert math.isclose(value, p @ each, rel_tol=1e-12)
    slope = approx_fprime(scores, lambda s: expected_loss(loss, s, p, places)[0], 1e-7)
    np.testing.assert_allclose(gradient, slope, atol=1e-5)


def test_minimisers_have_their_closed_forms():
    rng = np.random.default_rng(1)
    p = order_preserving(4, rng)
    places = target_scores(4)
    table = np.array([by_item(order, places) for order in orders(4)])
    top_one = minimiser(cross_entropy_loss, p, places)
    np.testing.assert_allclose(softmax(top_one), p @ softmax(table, axis=1), atol=1e-6)
    direction = minimiser(cosine_loss, p, places, start=rng.normal(size=4))
    expected = p @ table
    np.testing.assert_allclose(
        direction / np.linalg.norm(direction), expected / np.linalg.norm(expected), atol=1e-6
    )


def test_a_likelihood_minimiser_recovers_a_plackett_luce_model():
    scores = np.array([1.0, 0.2, -0.4, -0.8])
    p = [order_probability(scores, order) for order in itertools.permutations(range(4))]
    minimum = minimiser(likelihood_loss, p, target_scores(4))
    np.testing.assert_allclose(minimum - minimum.mean(), scores, atol=1e-6)
