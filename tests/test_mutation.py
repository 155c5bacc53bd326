"""Bugs that benchmarks/mutation.py makes, and the page that counts them."""

import csv
import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = """
def tuned(rates, errors, trial):
    best = rates[errors.argmin()]
    first, second = (1.0, 2.0) if best == rates[0] else (2.0, 1.0)
    trial.measure("mine", n_test=7, error=first, rate=second)
    return max(first, second)
"""


@pytest.fixture(scope="module")
def tool():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        patch.delitem(sys.modules, "mutants", raising=False)
        path = ROOT / "benchmarks" / "mutation.py"
        spec = importlib.util.spec_from_file_location("mutation", path)
        module = importlib.util.module_from_spec(spec)
        patch.setitem(sys.modules, "mutation", module)
        spec.loader.exec_module(module)
        yield module
    sys.modules.pop("mutants", None)


def test_wrong_settings_are_extremes_cases_and_measurements(tool):
    lines = range(20)
    kind = "wrong setting"
    count = tool.mutants.count(SOURCE, kind, lines)
    afters = [tool.mutants.mutation(SOURCE, kind, lines, place).after for place in range(count)]
    assert afters == [
        "errors.argmax()",
        "(2.0, 1.0) if best == rates[0] else (1.0, 2.0)",
        "best != rates[0]",
        "trial.measure('mine', n_test=7, error=second, rate=first)",
        "min(first, second)",
    ]


def test_bugs_are_drawn_alike_each_time_and_no_place_has_two_of_a_kind(tool):
    bugs = tool.choose("li2008worst")
    assert bugs == tool.choose("li2008worst")
    assert len({(bug.kind, bug.made.text) for bug in bugs}) == tool.EACH_PAPER
    assert len({bug.kind for bug in bugs}) == tool.EACH_PAPER
    assert len(tool.choose("harness")) == tool.EACH_PART


def test_the_page_counts_the_table(tool):
    with (ROOT / "docs" / "mutation.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tool.counted(rows) in (ROOT / "docs" / "mutation.md").read_text("utf-8")
    assert {row["outcome"] for row in rows} <= {tool.KILLED, tool.SURVIVED}
