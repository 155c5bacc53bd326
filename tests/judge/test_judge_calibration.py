"""A small run of benchmarks/calibration.py, and its power to find a bad judge."""

import csv
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from icml2008.judge import decide

ROOT = Path(__file__).parents[2]
DRAWS = 2000
QUICK = (
    "normal",
    "two_shares",
    "zero_spread",
    "resplits",
    "folds",
    "printed_with_spread",
    "printed_without_spread",
    "printed_over_few_runs",
    "printed_over_folds",
    "printed_over_splits_of_one_draw",
    "printed_over_starts",
    "printed_as_a_single_run",
    "counts",
    "counts_that_agree",
    "leads",
    "ratios",
    "trends",
)


@pytest.fixture(scope="module")
def calibration():
    path = ROOT / "benchmarks" / "calibration.py"
    spec = importlib.util.spec_from_file_location("calibration", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["calibration"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["calibration"]


@pytest.mark.parametrize("name", QUICK)
def test_rates_keep_to_their_levels(calibration, name):
    rows = calibration.simulate(DRAWS, (name,))
    assert rows
    assert [row for row in rows if not row.ok] == []


def test_a_judge_that_never_decides_is_found_out(calibration, monkeypatch):
    def mute(estimate, *_):
        return np.zeros(np.shape(estimate.effect), dtype=np.int8), np.ones(1)

    for name in ("above", "near"):
        monkeypatch.setattr(decide, name, mute)
    for name in ("normal", "resplits", "printed_with_spread"):
        assert not all(row.ok for row in calibration.simulate(DRAWS, (name,)))


def test_a_judge_twice_too_liberal_is_found_out(calibration, monkeypatch):
    monkeypatch.setattr(decide, "LEVEL", 0.90)
    monkeypatch.setattr(decide, "CONFIRM_LEVEL", 0.80)
    for name in ("normal", "resplits", "folds", "printed_with_spread", "leads"):
        assert not all(row.ok for row in calibration.simulate(DRAWS, (name,)))


def test_a_judge_twice_too_strict_is_found_out(calibration, monkeypatch):
    monkeypatch.setattr(decide, "LEVEL", 0.975)
    assert not all(row.ok for row in calibration.simulate(DRAWS, ("normal",)))


def test_committed_table_is_of_all_situations_and_meets_every_level(calibration):
    with (ROOT / "docs" / "calibration.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 300
    assert {row["ok"] for row in rows} == {"yes"}
    assert all(int(row["draws"]) >= 1_000 for row in rows)
    parts = {int(row["parts"]) for row in rows if row["situation"].startswith("table of single")}
    assert parts >= {10, 20, 40}
