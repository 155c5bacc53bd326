"""A choice counts for a claim only where it ran on the claim's own cells."""

import pytest
import yaml

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import universe_name
from icml2008.run.reference.judging import judge_paper

KEY = "roe2008choices"
SIZES = (10, 100)
PAPER = {
    "title": "Choices",
    "authors": ["Jane Roe"],
    "pages": [1, 8],
    "topic": "evaluation",
    "idea": "A has an accuracy above 50.",
    "metrics": {"accuracy": {"unit": "percent", "bounds": [0, 100], "better": "higher"}},
    "experiments": {
        name: {"feeds": ["-"], "protocol": "-", "resampling": {"kind": "fresh"}}
        for name in ("main", "other")
    },
    "claims": {
        "above-half": {
            "says": "A is above 50.",
            "status": "ours",
            "statistic": {"mean": "A", "metric": "accuracy", "experiment": "main"},
            "each": {"size": list(SIZES)},
            "above": "50",
        }
    },
    "choices": {
        name: {
            "question": "?",
            "default": "no",
            "alternatives": ["yes"],
            "touches": ["other" if name == "elsewhere" else "main"],
            "why": "-",
            "cells": {"size": [100]} if name == "large" else {},
        }
        for name in ("elsewhere", "large", "noise", "order", "unseen")
    },
}


@pytest.fixture
def rows(tmp_path, monkeypatch):
    """Return a function from the means of A by universe and size to the default's rows by part.

    As in record files, a universe has the default's records of the cells that it does not touch.
    """
    (tmp_path / KEY).mkdir()
    (tmp_path / KEY / "paper.yaml").write_text(yaml.safe_dump({"key": KEY, **PAPER}))
    monkeypatch.setattr("icml2008.papers.__path__", [str(tmp_path)])
    library._folders.cache_clear()

    def judged(repeats=8, **means):
        evidence = {}
        for choice, by_size in means.items():
            changed = [] if choice == "default" else choice.split("_and_")
            universe = universe_name(dict.fromkeys(changed, "yes"))
            lines = [{"schema": 2, "paper": KEY, "experiment": "main", "universe": universe}]
            for size, mean, default in zip(SIZES, by_size, means["default"], strict=True):
                n = 8 if mean == default else repeats
                at = {"cell": {"size": size}, "method": "A", "metric": "accuracy"}
                lines += [
                    at | {"kind": "measurement", "repeat": r, "value": mean + r % 3}
                    for r in range(n)
                ]
            evidence["main", universe] = lines
        universes = [*(f"{c}=yes" for c in PAPER["choices"]), "noise=yes+order=yes"]
        verdicts = judge_paper(Entry(KEY), evidence, "full", universes)
        return {row["part"]: row for row in verdicts if row["universe"] == "default"}

    yield judged
    library._folders.cache_clear()


def test_a_choice_that_touches_other_cells_only_is_not_tried(rows):
    by_part = rows(default=(53, 53), large=(53, 54), noise=(54, 54))
    assert by_part["size=10"]["tried"] == ["noise"]
    assert by_part["size=100"]["tried"] == by_part[""]["tried"] == ["large", "noise"]


def test_choices_without_records_or_of_other_experiments_are_not_tried(rows):
    for row in rows(default=(53, 53), noise=(54, 54)).values():
        assert row["tried"] == ["noise"]
        assert row["choices"] == ["large", "noise", "order", "unseen"]


def test_robust_takes_three_choices_tried_on_each_decided_part(rows):
    by_part = rows(default=(53, 53), large=(53, 54), noise=(54, 54), order=(55, 55))
    assert [by_part[part]["robustness"] for part in ("", "size=100", "size=10")] == [
        None,
        "robust",
        None,
    ]


def test_one_choice_that_turns_a_claim_is_said_whatever_number_was_tried(rows):
    by_part = rows(default=(53, 53), noise=(54, 40))
    assert [by_part[part]["turned_by"] for part in ("", "size=10", "size=100")] == [
        ["noise"],
        [],
        ["noise"],
    ]
    assert {row["robustness"] for row in by_part.values()} == {"turns on: noise", None}


def test_choices_that_turn_a_claim_only_together_are_named(rows):
    alone = {"default": (53, 53), "large": (53, 54), "noise": (54, 54), "order": (54, 54)}
    by_part = rows(**alone, noise_and_order=(54, 40))
    for part in ("", "size=100"):
        assert by_part[part]["robustness"] == "turns on: noise+order"
        assert by_part[part]["tried"] == ["large", "noise", "order"]
    assert by_part["size=10"]["turned_by"] == []


def test_a_whole_is_refuted_by_the_part_that_every_reading_refutes(rows):
    by_part = rows(default=(40, 40), large=(40, 53), noise=(41, 41))
    words = [by_part[part]["verdict"] for part in ("", "size=10", "size=100")]
    assert words == ["refuted", "refuted", "depends"]
    assert by_part["size=100"]["turned_by"] == ["large"]
    assert by_part["size=100"]["readings"] == {
        "confirmed": ["large=yes"],
        "refuted": ["default", "noise=yes"],
    }


def test_a_reading_that_meets_all_parts_makes_the_claim_depend(rows):
    by_part = rows(default=(53, 40), large=(53, 53), noise=(53, 41))
    assert by_part[""]["verdict"] == "depends"
    assert by_part[""]["reason"].startswith(
        "confirmed under large=yes; refuted under default, noise=yes. Under the default reading: "
    )


def test_too_few_repeats_try_nothing(rows):
    assert rows(5, default=(53, 53), noise=(40, 40))[""]["tried"] == []


def test_without_other_universes_nothing_is_tried(rows):
    row = rows(default=(53, 53))[""]
    assert (row["robustness"], row["tried"], row["turned_by"]) == (None, [], [])
