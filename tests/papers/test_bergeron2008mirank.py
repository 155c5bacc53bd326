import math
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.papers.bergeron2008mirank.boxes import SYNTHETIC, census, preferred_bags, synthetic
from icml2008.papers.bergeron2008mirank.experiments import hit_chance, split

CHOICES = {"target": "lower-quartile", "alaska-hawaii": "kept", "california": "first"}


def towns():
    """Return five towns: two in Alaska, three in California, two of which share the top price."""
    return SimpleNamespace(
        X=np.arange(10.0).reshape(5, 2),
        state=np.array(["02", "02", "06", "06", "06"]),
        place=np.array(["03000", "16750", "06308", "10000", "33000"]),
        target=np.array([10.0, 20.0, 50.0, 40.0, 50.0]),
        median_value=np.array([np.nan, np.nan, 60.0, 70.0, 60.0]),
    )


@pytest.mark.parametrize("name", SYNTHETIC)
def test_synthetic_boxes_have_the_printed_sizes(name):
    boxes = synthetic(name, np.random.default_rng(0))
    assert boxes.X.shape == (227 * 5 * 5, 2)
    assert len(boxes.preferred) == 227
    assert boxes.y.sum() == 227 * 5


@pytest.mark.parametrize(("name", "widths"), SYNTHETIC.items())
def test_synthetic_items_lie_within_the_widths(name, widths):
    boxes = synthetic(name, np.random.default_rng(0))
    items = boxes.X.reshape(227, 5, 5, 2)
    within_bags = np.ptp(items, axis=2).max()
    centres = (items.max(axis=2) + items.min(axis=2)) / 2
    assert 1.5 * widths[1] < within_bags <= 2 * widths[1]
    assert np.ptp(centres, axis=1).max() <= 2 * (widths[0] + widths[1])


def test_the_preferred_bag_holds_the_item_of_greatest_response():
    boxes = synthetic("synthetic-4", np.random.default_rng(1))
    response = boxes.X.sum(axis=1)
    for box, (bag,) in boxes.preferred.items():
        inside = boxes.boxes == box
        assert boxes.bags[inside][response[inside].argmax()] == bag


def test_tied_bags_are_all_preferred_in_order_of_their_items():
    boxes, bags = np.array(["a"] * 4), np.array([3, 1, 2, 1])
    assert preferred_bags(boxes, bags, np.array([5.0, 2.0, 5.0, 5.0])) == {"a": [3, 2, 1]}


def test_states_are_boxes_and_first_digits_are_bags():
    found = census(towns(), CHOICES)
    assert found.preferred == {"02": ["1"], "06": ["0", "3"]}
    assert found.y.tolist() == [0, 1, 1, 0, 0]


@pytest.mark.parametrize(
    ("changed", "preferred"),
    [
        ({"target": "median"}, {"06": ["1"]}),
        ({"alaska-hawaii": "left-out"}, {"06": ["0", "3"]}),
        ({"california": "left-out"}, {"02": ["1"]}),
    ],
)
def test_choices_leave_out_what_they_say(changed, preferred):
    assert census(towns(), {**CHOICES, **changed}).preferred == preferred


def test_splits_take_60_20_and_20_percent_of_the_boxes():
    boxes = synthetic("synthetic-1", np.random.default_rng(0))
    sizes = [len(part.preferred) for part in split(boxes, np.random.default_rng(0))]
    assert sizes == [136, 45, 46]


def test_a_box_left_out_moves_no_other_box():
    boxes = synthetic("synthetic-1", np.random.default_rng(0), n_boxes=50)
    without = {box: bags for box, bags in boxes.preferred.items() if box != 7}
    all_parts = split(boxes, np.random.default_rng(3))
    fewer = split(type(boxes)(boxes.X, boxes.boxes, boxes.bags, without), np.random.default_rng(3))
    for part, left in zip(all_parts, fewer, strict=True):
        assert part.preferred.keys() - {7} == left.preferred.keys()
        assert 7 not in left.boxes


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=5),
    st.data(),
)
def test_the_chance_of_a_hit_is_the_share_of_orders_that_hit(scores, data):
    right = data.draw(st.lists(st.sampled_from(range(len(scores))), min_size=1, unique=True))
    orders = [
        order for order in permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in zip(order, order[1:], strict=False))
    ]  # fmt: skip
    share = sum(any(bag in right for bag in order[:2]) for order in orders) / len(orders)
    chance = hit_chance(dict(enumerate(map(float, scores))), right, "random")
    assert math.isclose(chance, share, abs_tol=1e-12)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_guessing_in_order_of_labels_is_a_stable_sort(scores, data):
    right = data.draw(st.lists(st.sampled_from(range(len(scores))), min_size=1, unique=True))
    guesses = sorted(range(len(scores)), key=lambda bag: (-scores[bag], bag))[:2]
    hit = hit_chance(dict(enumerate(map(float, scores))), right, "first")
    assert hit == float(any(bag in right for bag in guesses))
