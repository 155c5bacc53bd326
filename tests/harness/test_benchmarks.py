"""What is timed: tasks in turns, each run once beforehand and given up when it has taken long."""

import ast
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

import icml2008.papers
from icml2008.errors import Icml2008Error
from icml2008.harness import benchmarks
from icml2008.harness.benchmarks import compare, least_seconds, read, run, write


def test_tasks_take_turns_until_patience_ends():
    calls = []

    def slow():
        calls.append("slow")
        return sum(range(10**5))

    def slower():
        calls.append("slower")
        return sum(range(10**6))

    timed = least_seconds({"slow": slow, "slower": slower}, times=3, patience=1e-9)
    assert calls[:2] == ["slow", "slower"]
    assert calls.count("slower") == 2  # one that does not count, and one turn
    assert timed["slower"][1] == sum(range(10**6))


def test_what_is_short_is_run_many_times_between_two_looks_at_the_clock():
    runs = []
    ((seconds, last),) = least_seconds({"": lambda: runs.append(0) or len(runs)}, times=3).values()
    assert last == len(runs) > 100
    assert seconds > 0


@pytest.mark.parametrize("row", [{"by": "ours", "seconds": "2"}, ("ours", "2")])
def test_a_table_says_what_it_ran_on_and_has_a_row_for_each_measurement(tmp_path, row):
    rows = write([row], tmp_path / "b.csv", ["numpy"], ["by", "seconds"], "least of three")
    assert rows == [{"by": "ours", "seconds": "2"}]
    *head, columns, values = (tmp_path / "b.csv").read_text("utf-8").splitlines()
    assert head[0].startswith("# CPU: ")
    assert "numpy" in head[1]
    assert head[2:] == ["# least of three"]
    assert (columns, values) == ("by,seconds", "ours,2")


def test_rows_are_read_again_where_processor_and_versions_are_todays(tmp_path, monkeypatch):
    table = tmp_path / "b.csv"
    rows = [{"by": "ours", "seconds": "2"}, {"by": "theirs", "seconds": "3"}]
    write(rows, table, ["numpy"], remark="least of three")
    assert read(table, ["numpy"]) == rows
    with pytest.raises(Icml2008Error, match="b.csv is of another processor or other versions"):
        read(table, ["scipy"])
    monkeypatch.setattr(benchmarks, "machine", lambda: {"cpu": "another", "cores": 2})
    with pytest.raises(Icml2008Error, match="measure all rows"):
        read(table, ["numpy"])


def test_named_cold_starts_are_measured_and_the_others_stay(monkeypatch):
    path = Path(__file__).parents[2] / "benchmarks" / "cold_starts.py"
    spec = importlib.util.spec_from_file_location("cold_starts", path)
    cold_starts = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(cold_starts)
    monkeypatch.setattr(cold_starts, "seconds", lambda name, cache: [1.0, 2.0])
    old = [dict.fromkeys(["method", "import"], name) for name in ("Bolasso", "ListMLE")]
    first, second, third = cold_starts.merged(old, ["ListMLE", "ward_tree"])
    assert first == old[0]
    assert second["method"] == "ListMLE"
    assert second["import"] == "1.00"
    assert third["method"] == "ward_tree"


def test_a_benchmark_leaves_its_table_and_its_picture_beside_itself(tmp_path):
    drawn = []
    module = SimpleNamespace(
        __file__=str(tmp_path / "benchmark.py"),
        PACKAGES=["numpy"],
        rows=lambda: iter([{"by": "ours"}]),
    )
    assert run(module) == [tmp_path / "benchmark.csv"]
    module.draw = lambda rows, path: drawn.append((rows, path))
    assert run(module) == [tmp_path / "benchmark.csv", tmp_path / "benchmark.svg"]
    assert drawn == [([{"by": "ours"}], tmp_path / "benchmark.svg")]


def test_ways_are_compared_with_the_first():
    ways = {"ours": lambda: 1, "theirs": lambda: sum(range(10**5))}
    ours, theirs = compare("task", ways, lambda by, result: f"{by}: {result}", times=1)
    assert ours["times"] == "1.00"
    assert float(theirs["times"]) > 1
    assert [row["answer"] for row in (ours, theirs)] == ["ours: 1", f"theirs: {sum(range(10**5))}"]


def test_every_papers_benchmark_has_rows_and_packages_and_runs_by_the_command_alone():
    files = list(Path(icml2008.papers.__file__).parent.glob("*/benchmark.py"))
    assert files
    for file in files:
        tree = ast.parse(file.read_text("utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        targets = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
        names = {target.id for target in targets if isinstance(target, ast.Name)}
        assert "rows" in functions, f"{file}: no function rows"
        assert "PACKAGES" in names, f"{file}: no PACKAGES"
        assert "__main__" not in file.read_text("utf-8"), f"{file} runs itself, too"


def test_a_task_of_a_tenth_of_a_millisecond_is_run_ten_times_more_a_turn(monkeypatch):
    clock = [0.0]
    calls = []

    def task():
        calls.append(clock[0])
        clock[0] += 2.0**-13  # a power of two: sums of it are exact

    monkeypatch.setattr(benchmarks.time, "process_time", lambda: clock[0])
    seconds, _ = least_seconds({"": task}, times=3)[""]
    assert seconds == 2.0**-13
    # The first does not count, the next turn has one, and the others fill a millisecond.
    assert len(calls) == 1 + 1 + 2 * (1 + int(1e-3 * 2**13))
