"""A small run of benchmarks/fixed_rules.py: rules of others by hand, and the judge's own levels."""

import csv
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from icml2008.judge.fixed import reach

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fixed():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        spec = importlib.util.spec_from_file_location(
            "fixed_rules", ROOT / "benchmarks" / "fixed_rules.py"
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules["fixed_rules"] = module
        spec.loader.exec_module(module)
        yield module
    for name in ("fixed_rules", "calibration"):
        sys.modules.pop(name, None)


def test_the_prediction_interval_is_that_of_a_new_run(fixed):
    three = np.array([1.0, 2.0, 3.0])
    assert reach(three) == pytest.approx(4.302653 * 1.0 * (4 / 3) ** 0.5)
    rng = np.random.default_rng(0)
    runs = rng.normal(size=(20_000, 4))
    inside = np.abs(runs[:, 3] - runs[:, :3].mean(axis=1)) <= reach(runs[:, :3])
    assert inside.mean() == pytest.approx(0.95, abs=0.01)


def test_three_seeds_decide_only_if_they_agree(fixed):
    runs = np.array([[1, 2, 3, 99], [1, 2, 9, 0], [8, 9, 7, 0]])
    printed = np.full(3, 2.0)
    assert fixed.values_by_tolerance(runs, printed, 1.5).tolist() == [1, 0, -1]
    assert fixed.orders_by_seeds(np.array([[1, 2, 3], [1, -1, 2], [-1, -2, -3]])).tolist() == [
        1,
        0,
        -1,
    ]


def test_only_the_first_three_runs_count_for_them(fixed):
    gains = np.array([[5.0, 5.1, 4.9, -100.0]])
    assert fixed.orders_by_interval(gains).tolist() == [1]
    assert fixed.values_by_interval(gains, np.array([5.0])).tolist() == [1]


def test_this_project_keeps_its_levels_where_the_others_are_tried(fixed):
    rows = [row for row in fixed.simulate(2000) if row.rule == "this project"]
    assert len(rows) == 24
    for row in rows:
        wrong = {fixed.HOLDS: row.refuted, fixed.FAILS: row.confirmed}
        # Either side of 2.5 %; 2,000 draws of 5 % exceed 7.5 % once in a million times.
        assert wrong.get(row.truth, row.confirmed + row.refuted) < 0.075


def test_every_rule_is_tried_in_every_situation_of_the_committed_table(fixed):
    with fixed.FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    now = {
        (row.about, row.situation, row.truth, row.rule, str(row.repeats))
        for row in fixed.simulate(10)
    }
    names = ("about", "situation", "truth", "rule", "repeats")
    assert {tuple(row[name] for name in names) for row in rows} == now
    assert all(int(row["draws"]) >= 10_000 for row in rows)
