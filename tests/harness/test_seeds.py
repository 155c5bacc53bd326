import pytest

from icml2008.errors import Icml2008Error
from icml2008.harness.seeds import stream

AT = ("paper", "experiment", {"dataset": "a", "size": 10}, 3, "split")


def first(*args, **kwargs):
    return stream(*args, **kwargs).integers(2**63)


def test_same_coordinates_give_the_same_draws():
    assert first(*AT) == first(*AT)


def test_draws_do_not_change_between_versions():
    """A changed value here changes every result of the project."""
    assert first(*AT) == 6171409566066455247


@pytest.mark.parametrize("place", range(5))
def test_each_coordinate_changes_the_draws(place):
    other = list(AT)
    other[place] = {"dataset": "b", "size": 10} if place == 2 else 4 if place == 3 else "other"
    assert first(*other) != first(*AT)


def test_order_of_coordinates_does_not_matter():
    cell = {"size": 10, "dataset": "a"}
    assert first("paper", "experiment", cell, 3, "split") == first(*AT)


def test_a_stream_across_repeats_is_one_draw():
    draws = {first("p", "e", {"size": 1}, repeat, "data", across=["repeat"]) for repeat in range(5)}
    assert len(draws) == 1


def test_a_stream_across_a_coordinate_still_differs_by_the_others():
    quiet, two = ({"size": 1, "noise": noise} for noise in (0.1, 0.2))
    assert first("p", "e", quiet, 0, "x", across=["noise"]) == first(
        "p", "e", two, 0, "x", ["noise"]
    )
    assert first("p", "e", quiet, 0, "x", across=["noise"]) != first(
        "p", "e", quiet, 1, "x", ["noise"]
    )


def test_unknown_coordinate_to_share_across_is_named():
    with pytest.raises(Icml2008Error, match="no coordinate 'repeats'; did you mean 'repeat'"):
        stream(*AT, across=["repeats"])
