"""Labels of boxes and bags, rankings and guesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from icml2008.methods.bag_ranking.bags import guess_hits, item_roles, rank_bags
from icml2008.methods.bag_ranking.grouping import group_items, preferred_bags

items = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(0, 5)), min_size=1, max_size=30
)


@given(items)
def test_ranking_sorts_bags_by_their_maximum_then_by_appearance(rows):
    boxes, bags, scores = zip(*rows, strict=True)
    expected: dict = {}
    for box, bag, score in rows:
        inside = expected.setdefault(box, {})
        inside[bag] = max(inside.get(bag, score), score)
    expected = {
        box: sorted(inside, key=lambda bag: -inside[bag]) for box, inside in expected.items()
    }
    assert rank_bags(scores, boxes, bags) == expected


@given(items)
def test_labels_may_be_of_mixed_types(rows):
    boxes, bags, _ = zip(*rows, strict=True)
    plain = group_items(len(rows), boxes, bags)
    mixed = np.array([box if box % 2 else str(box) for box in boxes], dtype=object)
    other = group_items(len(rows), mixed, bags)
    np.testing.assert_array_equal(other.bag_of_item, plain.bag_of_item)
    np.testing.assert_array_equal(other.box_of_bag, plain.box_of_bag)


def test_a_bag_label_in_two_boxes_means_two_bags():
    group = group_items(4, boxes=["p", "p", "q", "q"], bags=[1, 2, 1, 2])
    assert (group.bags, group.box_of_bag.tolist()) == ([1, 2, 1, 2], [0, 0, 1, 1])


@given(st.permutations(range(12)))
def test_roles_gather_the_items_of_each_preferred_bag(order):
    """Three boxes, the n-th with a preferred bag of n + 1 items and another bag of the rest."""
    boxes = np.array([0] * 3 + [1] * 4 + [2] * 5)[order]
    y = np.array([1, 0, 0] + [1, 1, 0, 0] + [1, 1, 1, 0, 0])[order]
    roles = item_roles(y, boxes, bags=y, n_items=12)
    appearance = list(dict.fromkeys(boxes.tolist()))
    for box, start, size in zip(appearance, roles.starts, roles.sizes, strict=True):
        items = set(roles.preferred[start : start + size].tolist())
        assert items == set(np.flatnonzero((boxes == box) & (y == 1)).tolist())
    np.testing.assert_array_equal(np.sort(roles.others), np.flatnonzero(y == 0))
    beaten = roles.others[roles.losers]
    np.testing.assert_array_equal(np.array(appearance)[roles.winners], boxes[beaten])
    np.testing.assert_array_equal(np.sort(beaten), np.flatnonzero(y == 0))


@given(items, st.data())
def test_comparisons_are_those_of_each_preferred_bag_with_each_item_of_the_others(rows, data):
    boxes, bags, _ = zip(*rows, strict=True)
    known = sorted(set(zip(boxes, bags, strict=True)))
    preferred = data.draw(st.sets(st.sampled_from(known)))
    bag_pair = st.tuples(*[st.sampled_from(known)] * 2).filter(lambda pair: pair[0] != pair[1])
    pairs = data.draw(st.lists(bag_pair, max_size=5))
    y = [int(bag in preferred) for bag in zip(boxes, bags, strict=True)]
    expected = {
        (up, item)
        for item, down in enumerate(zip(boxes, bags, strict=True))
        for up in known
        if (up, down) in pairs or (up in preferred and down not in preferred and up[0] == down[0])
    }
    assume(expected)
    options = {"n_items": len(rows), "pairs": pairs}
    roles = item_roles(y if preferred else None, boxes, bags, **options)
    pairs_seen = []
    for winner, loser in zip(roles.winners, roles.losers, strict=True):
        start = roles.starts[winner]
        inside = roles.preferred[start : start + roles.sizes[winner]]
        (up,) = {(boxes[i], bags[i]) for i in inside}
        assert len(inside) == sum(bag == up for bag in zip(boxes, bags, strict=True))
        pairs_seen.append((up, int(roles.others[loser])))
    assert sorted(pairs_seen) == sorted(expected)
    compared = {box for box, _ in preferred} | {box for pair in pairs for box, _ in pair}
    assert roles.n_skipped == len(set(boxes) - compared)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((("p", 1), ("p", 9)), r"pairs\[0\] names bag 9 in box 'p', which has no items"),
        ((("p", 1), ("p", 1)), r"pairs\[0\] prefers bag 1 in box 'p' over itself"),
        (
            (1, 2),
            r"pairs\[0\] must be \(\(box, bag\), \(box, bag\)\), the preferred first, not \(1, 2\)",
        ),
    ],
)
def test_pairs_that_do_not_fit_are_named(pair, message):
    with pytest.raises(ValueError, match=message):
        item_roles(None, ["p"] * 3, [1, 2, 3], n_items=3, pairs=[pair])


def test_a_hit_is_any_of_several_preferred_bags_and_boxes_without_one_are_left_out():
    boxes = [0, 0, 0, 1, 1, 2, 2]
    bags = ["a", "b", "c", "a", "b", "a", "b"]
    ranking = {0: ["c", "a", "b"], 1: ["a", "b"], 2: ["a", "b"]}
    hits = guess_hits(ranking, [0, 1, 1, 0, 0, 0, 1], boxes, bags, guesses=1)
    assert hits.tolist() == [True, False]


def test_labels_come_back_as_plain_values():
    ranking = rank_bags([1.0, 2.0], np.array([3, 3]), np.array(["u", "v"]))
    assert [type(label) for label in (*ranking, *ranking[3])] == [int, str, str]


def test_hits_grow_with_guesses_to_all_boxes():
    rng = np.random.default_rng(0)
    boxes = np.repeat(range(20), 4)
    bags = np.tile(range(4), 20)
    y = (bags == rng.integers(4, size=20)[boxes]).astype(int)
    ranking = rank_bags(rng.normal(size=80), boxes, bags)
    shares = [guess_hits(ranking, y, boxes, bags, guesses=g).mean() for g in (1, 2, 3, 4)]
    assert shares == sorted(shares)
    assert shares[0] < 1.0 == shares[-1]


@pytest.mark.parametrize(
    ("boxes", "bags", "message"),
    [
        ([0, 0], [1, 2, 3], r"boxes has shape \(2,\), expected one label for each of 3 items"),
        ([0, 0, 0], [1, 2], r"bags has shape \(2,\)"),
        ([0, 0, np.nan], [1, 2, 3], r"boxes has a missing label .* at item 2"),
        ([0, 0, 0], ["a", None, "b"], r"bags has a missing label .* at item 1"),
        ([[0], [0], [0]], [1, 2, 3], r"boxes has shape \(3, 1\)"),
    ],
)
def test_labels_that_do_not_fit_are_named(boxes, bags, message):
    with pytest.raises(ValueError, match=message):
        group_items(3, boxes, bags)


def test_no_items_are_an_error():
    with pytest.raises(ValueError, match="there are no items"):
        group_items(0, [], [])


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 0, 0, 0], "no box has a preferred bag"),
        ([1, 0, 0, 0], "items of bag 1 in box 'p' have both y=0 and y=1"),
        ([1, 1, 0, -1], "found -1"),
        ([1, 1, 0, np.nan], "found nan"),
        ([1, 1, 0], r"y has shape \(3,\)"),
    ],
)
def test_y_that_tells_no_preferred_bag_is_named(y, message):
    group = group_items(4, boxes=["p"] * 4, bags=[1, 1, 2, 3])
    with pytest.raises(ValueError, match=message):
        preferred_bags(y, group)


@pytest.mark.parametrize("guesses", [0, 1.5])
def test_guesses_are_a_positive_whole_number(guesses):
    with pytest.raises(ValueError, match="guesses must be a whole number"):
        guess_hits({0: [0]}, [1], [0], [0], guesses=guesses)


def test_scores_must_not_be_nan():
    with pytest.raises(ValueError, match="not NaN"):
        rank_bags([np.nan], [0], [0])
