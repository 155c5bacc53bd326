"""Verdicts derived again: last digits may differ, nothing else may."""

import copy

import pytest

from icml2008.run.reference.rejudge import differences

ROW = {
    "universe": "default",
    "claim": "a-beats-b",
    "part": "size=10",
    "verdict": "confirmed",
    "effect": 0.123456789,
    "n": 20,
    "floor": None,
    "reason": "0.1235 lies above 0 (p = 3.1e-05)",
    "parts": [{"p": 1e-30}],
}


def changed(**values):
    return {**copy.deepcopy(ROW), **values}


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"effect": 0.123456788},
        {"reason": "0.1236 lies above 0 (p = 3.1e-05)"},
        {"parts": [{"p": 1.0000001e-30}]},
    ],
)
def test_last_digits_are_no_difference(values):
    assert differences([ROW], [changed(**values)]) == []


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"verdict": "refuted"}, "verdict is 'confirmed', derived again it is 'refuted'"),
        ({"effect": 0.12346}, "effect is 0.123456789"),
        ({"n": 19}, "n is 20"),
        ({"floor": 0.0}, "floor is None"),
        ({"reason": "0.1235 lies below 0 (p = 3.1e-05)"}, "reason is"),
        ({"reason": "0.1335 lies above 0 (p = 3.1e-05)"}, "reason is"),
        ({"parts": []}, "parts is"),
        ({"n": 19, "floor": 0.0}, "and 1 more"),
    ],
)
def test_anything_else_is_named(values, says):
    (line,) = differences([ROW], [changed(**values)])
    assert line.startswith("a-beats-b[size=10]: ")
    assert says in line


def test_rows_of_one_side_alone_are_named():
    assert differences([ROW], []) == [
        "a-beats-b[size=10]: stored, but not derived from the records"
    ]
    assert differences([], [changed(universe="ties=random")]) == [
        "a-beats-b[size=10] in ties=random: derived from the records, but not stored"
    ]
