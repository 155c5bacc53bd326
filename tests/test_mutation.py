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


def test_bugs_that_were_caught_are_not_tried_again(tool, monkeypatch, tmp_path):
    bugs = tool.choose("li2008worst")
    caught = {tool.identity(bug.row) for bug in bugs[:3]}
    tried = []
    monkeypatch.setattr(tool, "notices", lambda *_, **__: (False, ""))
    monkeypatch.setattr(tool, "noticed", lambda bug, *_: tried.append(bug) or bug == bugs[3])
    rows = tool.try_package("li2008worst", tmp_path, None, caught)
    assert tried == bugs[3:]
    outcomes = [row["outcome"] for row in rows]
    assert outcomes == [*[tool.KILLED] * 4, tool.SURVIVED]


def test_a_paper_whose_experiments_are_in_several_modules_has_bugs_in_any(tool):
    modules = {path.name for path in tool.sources("foundations")}
    assert {"clusters.py", "networks.py"} <= modules
    assert modules.isdisjoint({"figures.py", "samples.py", "test_wiring.py"})


def test_a_bug_of_the_engine_meets_those_that_run_its_function_the_quickest_first(tool):
    bug = tool.choose("harness")[0]
    start = tool.function_at((ROOT / bug.file).read_text("utf-8"), bug.made.line)
    place = [bug.file.as_posix(), start]
    elsewhere = [bug.file.as_posix(), start + 10_000]
    reach = {
        "tests/harness/test_slow.py": {"seconds": 60.0, "runs": [place]},
        "tests/run/test_quick.py": {"seconds": 0.5, "runs": [elsewhere, place]},
        "tests/run/test_other.py": {"seconds": 0.1, "runs": [elsewhere]},
    }
    rounds = [["tests/run/test_quick.py"], ["tests/harness/test_slow.py"]]
    assert tool.rounds_of(bug, reach) == rounds


def test_a_line_is_in_the_innermost_function_that_has_it(tool):
    text = "def outer():\n    @decorated\n    def inner():\n        return 1\n    return inner\n"
    assert [tool.function_at(text, line) for line in (4, 5)] == [2, 1]


def test_the_page_counts_the_table(tool):
    with (ROOT / "docs" / "mutation.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tool.counted(rows) in (ROOT / "docs" / "mutation.md").read_text("utf-8")
    assert {row["outcome"] for row in rows} <= {tool.KILLED, tool.SURVIVED}
