"""Reading a comparison with the reference."""

import pytest

from icml2008.report.problems import of_check

QUIET = {"compared": 80, "judged": 3, "moved": [], "flipped": [], "stale": []}
SHIFT = {"method": "A", "metric": "error", "cell": '{"size":10}', "old": 0.25, "new": 0.5}
FLIP = {"claim": "a-beats-b", "old": "confirmed", "new": "refuted"}


def lines(check):
    return [str(problem) for problem in of_check(check).problems]


def test_a_comparison_without_differences_has_no_problems():
    outcome = of_check({"doe": QUIET, "roe": QUIET, "poe": None})
    assert (outcome.problems, outcome.compared, outcome.summary) == ([], 160, "")


def test_each_difference_is_a_line_that_names_paper_place_old_and_new():
    entry = QUIET | {
        "moved": [SHIFT | {"change": 0.25}, SHIFT | {"experiment": "main", "new": "7 values"}],
        "flipped": [FLIP | {"part": ""}, FLIP | {"part": "size=10"}],
        "missing": ["main: nothing of size=10"],
    }
    assert lines({"doe": entry}) == [
        "doe: main: nothing of size=10",
        "doe: a-beats-b: confirmed became refuted",
        "doe: a-beats-b[size=10]: confirmed became refuted",
        "doe: A, error at size=10: 0.25 became 0.5",
        "doe: main, A, error at size=10: 0.25 became 7 values",
    ]
    summary = "1 result is missing, 2 verdicts flipped, 2 means moved"
    assert of_check({"doe": entry}).summary == summary


def test_numbers_that_differ_in_the_seventh_digit_look_different():
    moved = SHIFT | {"old": 1234.5678, "new": 1234.5691}
    assert lines({"doe": QUIET | {"moved": [moved]}})[0].endswith("1234.5678 became 1234.5691")


def test_what_other_arithmetic_explains_is_no_problem():
    outcome = of_check({"doe": QUIET | {"arithmetic": [SHIFT]}})
    assert outcome.problems == []
    assert [str(problem) for problem in outcome.explained] == [
        "doe: A, error at size=10: 0.25 became 0.5"
    ]


@pytest.mark.parametrize(("judged", "wrong"), [(0, True), (1, False)])
def test_a_comparison_that_judged_nothing_is_a_problem(judged, wrong):
    check = {"doe": QUIET | {"judged": 0}, "roe": QUIET | {"judged": judged}}
    assert bool(lines(check)) == wrong


def test_without_any_reference_nothing_is_wrong():
    assert lines({"doe": None}) == []
