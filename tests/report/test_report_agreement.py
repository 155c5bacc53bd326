"""Kappa and its interval, and what two hands on the same sentences show together."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from icml2008.catalogue.model import Paper
from icml2008.catalogue.second import FOUND, SecondHand
from icml2008.report.hand_pairs import pairs_of
from icml2008.report.hand_totals import agreed, standing, summary
from icml2008.report.kappa import agreement, interval, kappa

STATISTIC = {"difference": ["A", "B"], "metric": "accuracy", "experiment": "play"}
PAPER = Paper.model_validate(
    {
        "key": "doe2008toy",
        "title": "A Toy",
        "authors": ["Jane Doe"],
        "pages": (1, 8),
        "topic": "evaluation",
        "idea": "It plays.",
        "metrics": {"accuracy": {"unit": "percent", "bounds": [0, 100], "better": "higher"}},
        "experiments": {
            "play": {"feeds": ["Table 1"], "protocol": "Played.", "resampling": {"kind": "fresh"}}
        },
        "claims": {
            "a-beats-b": {
                "says": "A beats B.",
                "status": "headline",
                "page": 3,
                "quote": "A beats B",
                "statistic": STATISTIC,
                "each": {"size": [10, 20]},
                "above": "0",
            },
            "accuracy": {
                "says": "A's accuracy.",
                "status": "supporting",
                "page": 3,
                "quote": "of 80",
                "statistic": {"mean": "A", "metric": "accuracy", "experiment": "play"},
                "near": "80",
            },
        },
    }
)


def sentence(verdict, claims, **more):
    given = {"says": "So it is.", "quote": "so it is", "page": 3, "verdict": verdict}
    return given | {"claims": claims} | more


def pairs(sentences, rows):
    hand = SecondHand.model_validate({"limits": ["None."], "sentences": sentences})
    return pairs_of(PAPER, "second", hand, rows)


def row(verdict, claim="a-beats-b", part="", **more):
    return {"claim": claim, "part": part, "verdict": verdict, "universe": "default"} | more


def test_kappa_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    for _ in range(20):
        theirs, ours = rng.integers(0, 4, size=(2, 50))
        ours = np.where(rng.random(50) < 0.5, theirs, ours)
        scores = agreement(
            [("p", FOUND[a], FOUND[b]) for a, b in zip(theirs, ours, strict=True)], FOUND
        )
        assert scores.kappa == pytest.approx(cohen_kappa_score(theirs, ours), rel=1e-12)
        assert scores.share == (theirs == ours).mean()


def test_kappa_is_not_defined_where_both_always_say_the_same():
    assert np.isnan(kappa([[7, 0], [0, 0]]))
    assert agreement([("p", "holds", "holds")], FOUND).kappa is None


def test_no_sentence_has_no_agreement():
    assert agreement([], FOUND).share is None


def test_the_interval_is_over_papers_and_not_over_sentences():
    paper = np.array([[20, 5], [10, 15]])
    alike = np.stack([paper] * 8)
    assert interval(alike) == pytest.approx((0.4, 0.4))
    unlike = np.stack([[[20, 0], [0, 20]], [[0, 20], [20, 0]]] * 4)
    low, high = interval(unlike)
    assert low < -0.4
    assert high > 0.4
    assert interval(alike[:5]) is None


def test_the_interval_covers_the_kappa_of_the_papers_it_is_drawn_from():
    rng = np.random.default_rng(1)
    hit = 0
    tries = 100
    truth = np.array([[0.4, 0.1], [0.1, 0.4]])  # kappa 0.6
    for _ in range(tries):
        tables = rng.multinomial(12, truth.ravel(), size=30).reshape(30, 2, 2)
        low, high = interval(tables)
        hit += low <= 0.6 <= high
    assert hit >= 80  # binomial with 0.95: once in 10^8


def test_then_and_now_are_told_apart():
    pair_list = pairs(
        {"moved": sentence("fails", {"a-beats-b": "confirmed", "accuracy": None})},
        [row("refuted"), row("confirmed", "accuracy")],
    )
    assert (pair_list[0].first, pair_list[0].now, pair_list[0].kind) == ("holds", "fails", "order")
    assert agreed(pair_list, "first").agree == 0
    assert agreed(pair_list, "now").agree == 1


def test_what_one_side_did_not_judge_is_not_comparable():
    pair_list = pairs(
        {
            "later": sentence("holds", {"a-beats-b / size=20": None}),
            "untested": sentence("holds", {"accuracy": "untested"}),
            "no-claim": sentence("holds", {}),
        },
        [row("untested", "accuracy"), row("confirmed", part="size=20")],
    )
    assert agreed(pair_list, "first").sentences == 0
    assert agreed(pair_list, "now").sentences == 1
    assert summary(pair_list)["differences"] == []


def test_verdicts_of_other_universes_have_no_say():
    pair_list = pairs(
        {"one": sentence("holds", {"a-beats-b": None})},
        [row("confirmed"), row("refuted") | {"universe": "ties=last"}],
    )
    assert pair_list[0].now == "holds"


def test_differences_are_counted_by_their_cause():
    counts = summary(
        pairs(
            {
                "settled": sentence("fails", {"a-beats-b": "confirmed"}, cause="reading"),
                "open": sentence("holds", {"accuracy": "confirmed"}),
            },
            [row("refuted"), row("refuted", "accuracy")],
        )
    )
    causes = {row["cause"]: (row["first"], row["now"]) for row in counts["causes"]}
    assert causes == {"reading": (1, 0), None: (0, 1)}
    assert [row["sentence"] for row in counts["differences"]] == ["settled", "open"]


@pytest.mark.parametrize(
    ("verdict", "hindrance", "cause"),
    [
        ("depends", None, "reading"),
        ("inconclusive", "gauge", "reading"),
        ("inconclusive", "coarse", "threshold"),
        ("inconclusive", None, "repeats"),
        ("refuted", None, None),
    ],
)
def test_what_stands_in_our_verdicts_way_is_the_cause_where_none_is_given(
    verdict, hindrance, cause
):
    given = {"one": sentence("holds", {"accuracy": "confirmed"})}
    (pair,) = pairs(given, [row(verdict, "accuracy", hindrance=hindrance)])
    assert (pair.cause, bool(pair.answer)) == (cause, cause is not None)
    given["one"] |= {"cause": "ours", "answer": "Mended."}
    (pair,) = pairs(given, [row(verdict, "accuracy", hindrance=hindrance)])
    assert (pair.cause, pair.answer) == ("ours", "Mended.")


@pytest.mark.parametrize(("value", "differ"), [("80.5", False), ("83", True)])
def test_numbers_are_apart_by_more_than_the_noise_of_both(value, differ):
    measured = [
        {"what": "accuracy", "value": value, "se": "0.4", "claim": "accuracy"},
        {"what": "lead", "value": "1", "claim": "accuracy"},
    ]
    given = {"one": sentence("holds", {"accuracy": "confirmed"}, measured=measured)}
    counts = summary(pairs(given, [row("confirmed", "accuracy", effect=80.0, se=0.3)]))
    assert counts["numbers"]["compared"] == 1
    assert [number["what"] for number in counts["numbers"]["apart"]] == ["accuracy"] * differ
    if differ:
        assert counts["numbers"]["apart"][0]["apart"] == pytest.approx(3 / 0.5)


def test_a_difference_is_decided_only_for_the_verdict_that_the_text_was_read_for():
    decided = {"ours": "depends", "why": "No rate is printed."}
    given = {
        "same": sentence("holds", {"accuracy": None}),
        "decided": sentence("holds", {"a-beats-b": None}, decided=decided),
        "lapsed": sentence("fails", {"accuracy": None}, decided=decided),
        "open": sentence("fails", {"a-beats-b": None}),
        "untested": sentence("holds", {"a-beats-b / size=20": None}, decided=decided),
    }
    pair_list = pairs(given, [row("depends"), row("confirmed", "accuracy")])
    standings = {pair.name: pair.standing for pair in pair_list}
    assert standings == {
        "same": "agree",
        "decided": "decided",
        "lapsed": "open",
        "open": "open",
        "untested": None,
    }
    counts = summary(pair_list)
    assert counts["standing"] == {
        "agree": 1, "decided": 1, "open": 2, "share": 0.5, "low": None, "high": None
    }  # fmt: skip
    why = {row["sentence"]: row["decided"] for row in counts["differences"]}
    assert why == {"decided": "No rate is printed.", "lapsed": None, "open": None}


def test_the_settled_share_has_an_interval_over_papers():
    (pair,) = pairs({"same": sentence("holds", {"accuracy": None})}, [row("confirmed", "accuracy")])
    many = [replace(pair, paper=f"paper-{place}") for place in range(8)]
    share = standing(many)
    assert share["share"] == share["high"] == 1
    assert 0.5 < share["low"] < 1
