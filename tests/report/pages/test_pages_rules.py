"""How verdicts are reached: examples picked from the evidence, error rates as measured."""

import csv
from pathlib import Path

import pytest

from icml2008.catalogue.entry import Entry
from icml2008.report.pages.rules_page import error_rates, other_rules, rules_page, unmet
from icml2008.report.pages.worked_examples import examples
from icml2008.store import Shelf
from reading import Read

ROOT = Path(__file__).parents[3]
HEALTH = {"health": {"line": ""}, "whole": True}


@pytest.fixture
def picked(tmp_path, paper, monkeypatch):
    """Return a function from verdicts on the paper to the examples that are picked of them."""
    monkeypatch.setattr("icml2008.catalogue.library.load_paper", lambda key: paper)
    monkeypatch.setattr("icml2008.catalogue.digest.load_digest", lambda key: paper)

    def pick(*verdicts):
        shelf = Shelf(tmp_path, Entry(paper.key))
        shelf.write_verdicts(list(verdicts))
        return examples([shelf])

    return pick


ORDER = {
    "comparison": "above",
    "statistic": "difference of A and B",
    "printed": "0",
    "floor": 0.0,
    "n": 8,
    "effect": 2.5,
    "low": 1.501,
    "high": 3.499,
    "level": 0.95,
    "se": 0.4226,
    "df": 7,
    "how": "2.5 ± 2.365 × 0.4226, df = 7",
}


def test_an_order_is_worked_with_its_own_arithmetic(picked, verdict):
    example = picked(verdict("a-beats-b", **ORDER))["order"]
    assert example["address"] == "doe2008toy/a-beats-b.html"
    assert [step.replace("\N{NO-BREAK SPACE}", " ") for step in example["steps"]] == [
        "The statistic is the difference of A and B. In 8 repeats its mean is 2.5 percent, "
        "with a standard error of 0.4226.",
        "The 95 % interval is 2.5 ± 2.365 × 0.4226 = [1.50, 3.50], by Student's t with 7 degrees "
        "of freedom.",
        "All of it lies above 0: the claim is confirmed.",
    ]


def test_a_value_is_worked_from_its_tolerance(picked, verdict):
    reason = (
        "16.21 from the printed 36, tolerance 3.5 (0.5 + 3 × 1.004 / sqrt(1), our spread): 95 %"
    )
    fields = {"comparison": "near", "printed": "36", "tolerance": 3.5, "half_unit": 0.5}
    example = picked(verdict("a-accuracy", word="refuted", **(ORDER | fields | {"reason": reason})))
    assert (
        "3.5 away, 0.5 + 3 × 1.004 / √(1), our spread: from 32.5 to 39.5."
        in example["value"]["steps"][2]
    )


def test_an_open_order_says_its_power(picked, verdict):
    power = {"could_see": 3.1, "repeats_needed": 90, "low": -1.0}
    example = picked(verdict("a-beats-b", word="inconclusive", **(ORDER | power)))["open"]
    assert example["verdict"] == "inconclusive"
    assert "a true difference of 3.1 percent four times in five" in example["steps"][-1]
    assert example["steps"][-1].endswith("takes about 90.")


def test_an_invariant_says_which_rate_is_excluded(picked, verdict):
    fields = {"comparison": "never_violated", "tolerance": 1e-9, "rate_bound": 0.00993}
    fields |= {
        "effect": -0.25,
        "reason": "largest violation -0.25 of 300 instances, tolerance 1e-09",
    }
    example = picked(verdict("a-beats-b", **fields))["invariant"]
    assert (
        "among 300 instances is −0.25, below the bound: the claim is confirmed"
        in example["steps"][1]
    )
    assert example["steps"][2].startswith("If 0.99\N{NO-BREAK SPACE}% of all instances")


@pytest.mark.parametrize(
    "more",
    [
        {"hindrance": "degenerate"},
        {"how": "2.5 ± 2.365 × 0.4226, df = 7; at least exact limits of 4 : 1 effective cases"},
        {"se": None},
    ],
)
def test_only_plain_cases_are_examples(picked, verdict, more):
    assert picked(verdict("a-beats-b", **(ORDER | more))) == {}


@pytest.mark.parametrize(
    "fact", [{"status": "ours"}, {"same_as": "a-accuracy"}, {"disputed": True}]
)
def test_only_own_claims_are_examples(picked, paper, verdict, fact, monkeypatch):
    changed = paper.claims["a-beats-b"].model_copy(update=fact)
    today = paper.model_copy(update={"claims": {**paper.claims, "a-beats-b": changed}})
    monkeypatch.setattr("icml2008.catalogue.digest.load_digest", lambda key: today)
    assert picked(verdict("a-beats-b", **ORDER)) == {}


def test_a_part_is_an_example_only_if_the_whole_came_out_alike(picked, verdict):
    part = verdict("a-beats-b", "iris", **ORDER)
    parts = [{"part": "dataset=iris", "verdict": "confirmed", "p": 1.0}]
    assert picked(verdict("a-beats-b", word="refuted", parts=parts), part) == {}
    example = picked(verdict("a-beats-b", parts=parts), part)["order"]
    assert example["part"] == "iris"


def rate(situation, what, value, demand="at most", nominal=0.025, **more):
    row = {"rule": "above", "situation": situation, "repeats": "8", "parts": "1", "what": what}
    return row | {"demand": demand, "nominal": str(nominal), "rate": str(value)} | more


def test_of_each_rule_the_worst_situation_is_shown():
    rates = error_rates(
        [
            rate("a", "false confirmation", 0.01),
            rate("b", "false confirmation", 0.024, "exactly"),
            rate("c", "false confirmation", 0.3, "shown"),
            rate("b", "power", 0.1, "exactly"),
        ]
    )
    assert [(row["situations"], row["rate"], row["where"]) for row in rates] == [
        (2, 0.024, "b, 8 repeats")
    ]


def test_rates_beyond_their_level_are_listed_the_worst_first():
    rates = unmet(
        [
            rate("a", "false confirmation", 0.01, "shown"),
            rate("b", "false refutation", 0.2, "shown"),
            rate("c", "false refutation", 0.4, "shown", parts="3"),
            rate("d", "power", 0.9, "shown"),
        ]
    )
    assert [row["where"] for row in rates] == ["c, 8 repeats, 3 parts", "b, 8 repeats"]


def test_wrong_is_what_the_truth_says_is_wrong():
    def row(truth, rule="x"):
        return {"about": "order", "situation": truth, "truth": truth, "rule": rule, "repeats": "3",
                "confirmed": "0.2", "refuted": "0.1"}  # fmt: skip

    (table,) = other_rules([row("holds"), row("does not hold"), row("is equal")])
    wrong = [row["cells"]["X"]["wrong"] for row in table["rows"]]
    assert wrong == pytest.approx([0.1, 0.2, 0.3])
    assert table["worst"]["X"] == pytest.approx(0.3)
    assert table["rows"][0]["cells"]["X"]["open"] == pytest.approx(0.7)


def test_the_page_shows_what_the_committed_tables_say():
    page = rules_page([], docs=ROOT / "docs", **HEALTH)
    markup = Read(page.render())
    assert markup.open == []
    assert {"reply", "errors", "others"} <= set(markup.ids)
    assert len(markup.ids) == len(set(markup.ids))
    with (ROOT / "docs" / "fixed-rules.csv").open(encoding="utf-8", newline="") as file:
        names = {row["situation"].capitalize() for row in csv.DictReader(file)}
    assert names
    assert all(name in markup.text for name in names)


def test_without_tables_and_evidence_the_rules_alone_are_shown(tmp_path):
    markup = Read(rules_page([], docs=tmp_path, **HEALTH).render())
    assert "Near a printed value" in markup.text
    assert not {"errors", "others"} & set(markup.ids)
