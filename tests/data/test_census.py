"""The join that gives the rows of house_16H their states and place codes."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter, defaultdict
from importlib.resources import files

import numpy as np
import pytest

# Rows and bags of each state, by its FIPS code, as counted when the join was first made, apart
# from this package.
ROWS_AND_BAGS = """
01 50,8; 02 4,4; 04 26,8; 05 27,8; 06 383,9; 08 39,9; 09 25,7; 10 5,4; 12 216,8; 13 66,9;
15 14,5; 16 10,7; 17 180,9; 18 64,9; 19 30,9; 20 34,8; 21 39,9; 22 45,9; 23 13,5; 24 31,3; 25 83,9;
26 110,9; 27 73,8; 28 34,9; 29 60,8; 30 10,5; 31 10,4; 32 14,8; 33 14,6; 34 162,9; 35 19,8;
36 180,9; 37 52,8; 38 9,7; 39 164,9; 40 39,9; 41 43,9; 42 102,9; 44 15,7; 45 39,8; 46 10,6; 47 44,8;
48 182,8; 49 39,9; 50 3,2; 51 76,9; 53 82,9; 54 16,8; 55 61,9; 56 8,5
"""


@pytest.fixture(scope="module")
def places(dataset):
    return dataset("census-16h")


def test_join_has_the_checksum_of_its_first_making(places):
    rows = zip(places.row, places.state, places.place, strict=True)
    text = "".join(f"{row},{state},{place}\n" for row, state, place in rows)
    assert text.startswith("0,34,54360\n")
    expected = "0bd06c96213cf9b0ac7cfdb6b36519a68d9c972581736f920a1444c885e33852"
    assert hashlib.sha256(text.encode()).hexdigest() == expected


def test_every_row_is_a_different_place(places):
    assert places.X.shape == (3054, 16)
    assert len(set(zip(places.state, places.place, strict=True))) == 3054


def test_rows_and_bags_of_each_state(places):
    towns = Counter(places.state.tolist())
    bags = defaultdict(set)
    for state, place in zip(places.state, places.place, strict=True):
        bags[state].add(place[0])
    counts = {state: f"{towns[state]},{len(bags[state])}" for state in towns}
    assert counts == dict(entry.split() for entry in ROWS_AND_BAGS.split(";"))
    assert sum(map(len, bags.values())) == 378


def test_rows_by_first_digit_of_the_place_code(places):
    counts = Counter(place[0] for place in places.place)
    expected = [371, 351, 380, 346, 378, 411, 326, 314, 177]
    assert dict(counts) == dict(zip("012345678", expected, strict=True))


def test_well_known_cities_have_their_codes(places):
    codes = dict(zip(zip(places.state, places.place, strict=True), places.X[:, 0], strict=True))
    assert codes["36", "51000"] == 7322564, "New York"
    assert codes["06", "44000"] == 3485398, "Los Angeles"
    assert codes["15", "17000"] == 365272, "Honolulu"


def test_median_is_missing_in_alaska_and_hawaii_only(places):
    np.testing.assert_array_equal(
        np.isnan(places.median_value), np.isin(places.state, ["02", "15"])
    )


def test_target_is_nowhere_above_the_median(places):
    """It is the lower quartile, whatever its sources call it."""
    known = ~np.isnan(places.median_value)
    assert np.all(places.target[known] <= places.median_value[known])


def test_california_has_five_dearest_towns_in_five_bags(places):
    dearest = (places.state == "06") & (places.target == 500001)
    assert sorted(places.name[dearest]) == [
        "Beverly Hills",
        "Hillsborough",
        "Los Altos",
        "Palos Verdes Estates",
        "San Marino",
    ]
    assert len({place[0] for place in places.place[dearest]}) == 5


def test_the_eight_features_belong_to_the_same_places(places, dataset):
    other = dataset("census-8l")
    assert other.X.shape == (3054, 8)
    np.testing.assert_array_equal(other.place, places.place)
    np.testing.assert_array_equal(other.target, places.target)
    # P16p2 and H40p4 are in both files.
    for name in ("P16p2", "H40p4"):
        np.testing.assert_array_equal(
            other.X[:, other.feature_names.index(name)],
            places.X[:, places.feature_names.index(name)],
        )


def test_own_table_of_alaska_and_hawaii_has_eighteen_different_places():
    text = (files("icml2008.data") / "ak_hi_places_1990.csv").read_text(encoding="ascii")
    rows = list(csv.DictReader(text.splitlines()))
    assert Counter(row["STATE_FIPS"] for row in rows) == {"02": 4, "15": 14}
    assert len({row["POP1990"] for row in rows}) == len({row["PLACE_FIPS"] for row in rows}) == 18
