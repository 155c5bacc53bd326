"""Lists of Section 6.1, the checks of Section 4, and errata settled by computation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import label_ranking_average_precision_score

from icml2008.methods.listwise.consistency import order_preserving
from icml2008.methods.listwise.targets import target_scores
from icml2008.papers.xia2008listmle.enumeration import (
    LOSSES,
    convexity_violation,
    exchange_violation,
    minimum_misses,
    slope_violation,
    soundness,
)
from icml2008.papers.xia2008listmle.lists import (
    MAPPINGS,
    N_ITEMS,
    Lists,
    draw,
    minima_in_the_angle,
    rankers,
    ranking,
)

PLACES = target_scores(4)


def test_lists_are_uniform_points_scored_with_little_noise():
    lists = draw(np.random.default_rng(0))
    assert lists.X.shape == (100, 15, 2)
    assert 0 <= lists.X.min() < 0.01 < 0.99 < lists.X.max() <= 1
    noise = lists.y - lists.X @ [1.0, 10.0]
    assert 0.0045 < noise.std() < 0.0055


def test_rows_keep_items_with_their_lists():
    lists = draw(np.random.default_rng(0))
    X, y, qid = lists.rows
    assert (X[qid == 7] == lists.X[7]).all()
    assert (y[qid == 7] == lists.y[7]).all()


def test_accuracy_counts_whole_lists():
    lists = Lists(np.zeros((2, 3, 2)), np.array([[3.0, 2.0, 1.0], [1.0, 3.0, 2.0]]))
    assert lists.accuracy(np.array([9.0, 8.0, 7.0, -1.0, 1.0, 0.0])) == 1.0
    assert lists.accuracy(np.array([9.0, 8.0, 7.0, 1.0, 0.0, -1.0])) == 0.5


def test_mean_average_precision_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    lists = draw(rng)
    scores = rng.normal(size=lists.y.shape)
    relevant = lists.y == lists.y.max(axis=1, keepdims=True)
    expected = label_ranking_average_precision_score(relevant, scores)
    assert np.isclose(lists.mean_average_precision(scores.ravel()), expected, rtol=1e-12)


def test_there_is_a_method_for_each_row_of_the_table():
    assert len(rankers({"bias": "no"})) == 11
    assert all(make().bias for make in rankers({"bias": "yes"}).values())


def test_the_exact_score_is_wrong_on_few_lists():
    rng = np.random.default_rng(1)
    accuracies = [lists.accuracy(lists.X @ [1.0, 10.0]) for lists in map(draw, [rng] * 20)]
    assert 0.85 < np.mean(accuracies) < 0.98


@pytest.mark.parametrize("mapping", MAPPINGS.values())
def test_rank_cosine_has_one_minimum_on_the_circle(mapping):
    """xia2008listmle, Section 6.1: so that its spread has another cause."""
    for seed in range(10):
        lists = draw(np.random.default_rng(seed))
        assert minima_in_the_angle(lists, target_scores(N_ITEMS, mapping)) == 1


def test_every_minimum_on_the_circle_is_counted():
    # Each list follows one feature, and any weight on the other spoils it: the best directions are
    # the two axes, and opposite to both, between the two worst, lies a shallow third.
    right = target_scores(15)
    away = np.tile([1.0, -1.0, 0.0], 5)
    away -= right * (away @ right) / (right @ right)
    X = np.stack([np.column_stack([right, 50 * away]), np.column_stack([50 * away, right])])
    assert minima_in_the_angle(Lists(X, np.stack([right, right])), right) == 3


def test_the_log_of_a_convex_function_need_not_be_convex():
    """xia2008listmle, Section 4.3.3: as of 1 + x^2 about 3."""
    assert np.log1p(3.0**2) > (np.log1p(2.0**2) + np.log1p(4.0**2)) / 2


@pytest.mark.parametrize("name", LOSSES)
def test_the_losses_pass_the_checks_of_section_4(name):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=4)
    p = order_preserving(4, rng)
    assert exchange_violation(LOSSES[name], scores, PLACES) == 0
    assert slope_violation(LOSSES[name], scores, PLACES) < 1e-12
    assert minimum_misses(LOSSES[name], p, PLACES) == 0


def backwards(scores, targets):
    """Return the likelihood loss of the reversed order: a loss that fails every check."""
    return LOSSES["likelihood"](scores, -np.asarray(targets))


def constant(scores, targets):
    """Return a loss that never changes, and so is never strictly better."""
    return 1.0, np.zeros(len(scores))


def test_a_loss_of_the_reversed_order_fails_the_checks():
    rng = np.random.default_rng(3)
    scores = rng.normal(size=4)
    p = order_preserving(4, rng)
    assert exchange_violation(backwards, scores, PLACES) > 0.1
    assert minimum_misses(backwards, p, PLACES) > 0.1
    assert soundness(backwards)["rise"] > 1


def test_a_constant_loss_is_not_order_sensitive():
    scores = np.array([0.1, 0.7, -0.2, 0.4])
    assert exchange_violation(constant, scores, PLACES) == 1
    assert slope_violation(constant, scores, PLACES) == 1


def test_a_loss_of_mixed_slopes_fails_the_second_condition():
    def mixed(scores, targets):
        loss, gradient = LOSSES["likelihood"](scores, targets)
        return loss, gradient * (1 if targets[0] > targets[1] else -1)

    assert slope_violation(mixed, np.array([0.1, 0.7, -0.2, 0.4]), PLACES) > 0.1


def test_the_likelier_order_of_two_halves_can_be_missed():
    p = np.zeros(24)
    # the likeliest order against three that begin with the last item
    p[0] = 0.4
    p[-3:] = 0.2
    assert minimum_misses(LOSSES["likelihood"], p, PLACES) > 0


def test_only_the_cosine_bends_the_wrong_way():
    rng = np.random.default_rng(4)
    worst = {
        name: max(convexity_violation(loss, rng, PLACES) for _ in range(50))
        for name, loss in LOSSES.items()
    }
    assert worst.pop("cosine") > 0.05
    assert max(worst.values()) < 1e-12


def test_only_the_likelihood_rewards_every_confidence():
    rises = {name: soundness(loss)["rise"] for name, loss in LOSSES.items()}
    assert rises.pop("likelihood") == 0
    assert min(rises.values()) > 0.05


def test_equal_scores_are_ranked_in_their_order():
    assert ranking(np.array([[1.0, 2.0, 2.0]])).tolist() == [[1, 2, 0]]
