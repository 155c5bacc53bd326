"""Whose claim it is: facts, printed numbers, and the hash of what is judged."""

import pytest

from icml2008.judge.claims import Claim
from icml2008.judge.standing import facts, judged_hash, stated
from icml2008.judge.verdict import Verdict

MEAN = {"mean": "A", "metric": "accuracy", "experiment": "e"}
FOUND = {"says": "A is good.", "status": "supporting", "page": 3, "quote": "A is good"}


def claim(**content):
    return Claim.model_validate({**FOUND, "statistic": MEAN, "above": "0", **content})


def test_a_stored_row_has_what_its_claim_says_of_itself_today():
    row = stated(
        {"claim": "a", "page": 2, "stand_in": False, "effect": 1.0}, {"a": claim(note="N")}
    )
    assert row == {"claim": "a", "effect": 1.0, **facts(claim(note="N"))}
    assert (row["status"], row["page"], row["note"]) == ("supporting", 3, "N")


def test_a_row_on_a_claim_that_is_gone_keeps_what_was_stored():
    assert stated({"claim": "gone", "status": "ours"}, {})["status"] == "ours"


@pytest.mark.parametrize(("flag", "status"), [(True, "stand_in"), (False, None)])
def test_the_former_flag_is_read_as_a_status(flag, status):
    names = ("paper", "claim", "part", "says", "page", "experiment", "comparison", "statistic")
    plain = dict.fromkeys((*names, "metric", "unit", "verdict", "reason"), "")
    assert Verdict.from_json({**plain, "stand_in": flag}).status == status


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ({}, []),
        ({"above": "1.5"}, ["1.5"]),
        ({"above": None, "exactly": "0"}, ["0"]),
        ({"printed": {"p": ["1.62e-6", {"n": "32"}]}}, ["1.62e-6", "32"]),
        (
            {"above": None, "near": {"value": "6.3", "sd": "1.1", "n": 32, "gap": "7"}},
            ["6.3", "1.1", "32"],
        ),
        ({"above": None, "each": {"d": [1, 2]}, "near": {"1": "-", "2": "5 +- 1"}}, ["5 +- 1"]),
        ({"above": "1.5", "printed": "3", "derived": {"1.5": "3 / 2"}}, ["3"]),
        ({"above": "1.5", "printed": "3", "derived": "halves of what is printed"}, []),
    ],
)
def test_printed_numbers_are_what_a_claim_is_compared_with_less_what_is_derived(content, texts):
    assert claim(**content).numbers == texts


@pytest.mark.parametrize(
    ("content", "same"),
    [
        *(({"says": "It is."}, True), ({"quote": "is good"}, True), ({"note": "So."}, True)),
        *(({"above": "0.0"}, False), ({"each": {"d": [1]}}, False)),
        ({"deterministic": True}, False),
        ({"statistic": {**MEAN, "where": {"d": 1}}}, False),
    ],
)
def test_the_hash_is_of_what_is_judged_not_of_its_wording(content, same):
    assert (judged_hash(claim(**content)) == judged_hash(claim())) == same
