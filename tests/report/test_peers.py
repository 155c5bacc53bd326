"""The best peer of each task, as the table of the benchmark has it."""

from __future__ import annotations

import csv
import importlib
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from icml2008.report.peers import best_peers, peers_moved, peers_table

ROOT = Path(__file__).parents[2]


def row(solver, by, seconds, answer="same", task="t"):
    fields = {"solver": solver, "by": by, "seconds": seconds, "answer": answer}
    return {"method": "M", "task": task, "measured": "2026-11-28, a processor"} | fields


def test_the_fastest_package_counts_against_our_fastest_solver():
    (best,) = best_peers(
        [
            row("a", "icml2008", "2"),
            row("b", "icml2008", "1"),
            row("slow", "package", "9"),
            row("fast", "package", "3"),
            row("away", "package", ""),
            row("loop", "own loop", "4"),
        ]
    )
    assert str(best) == "t: fast takes 3 times as long."
    assert not best.ahead


def test_what_is_faster_is_named_a_loop_of_our_own_as_such():
    rows = [
        row("a", "icml2008", "2", "90 % right"),
        row("fast", "package", "1", "95 % right"),
        row("loop", "own loop", "0.5"),
    ]
    (best,) = best_peers(rows)
    assert str(best) == (
        "t: a loop of our own, loop, is faster, 0.25 of the time (same; ours: 90 % right); "
        "fast is faster, 0.5 of the time (95 % right; ours: 90 % right)."
    )
    assert best.ahead


def test_a_loop_that_is_faster_than_the_package_is_the_number_to_beat():
    ours = row("a", "icml2008", "1")
    package = row("fast", "package", "2000")
    loop = row("loop", "own loop", "2")
    says = "t: a loop of our own, loop, takes 2 times as long; fast takes 2e+03 times as long."
    assert str(best_peers([ours, package, loop])[0]) == says


def test_without_a_package_it_says_so():
    rows = [row("a", "icml2008", "2"), row("away", "package", "")]
    assert str(best_peers(rows)[0]) == "t: no package was timed."


def test_a_task_without_a_row_of_ours_is_named():
    with pytest.raises(ValueError, match="M, t: no row is by icml2008"):
        best_peers([row("fast", "package", "1")])


@pytest.mark.parametrize(
    ("package", "loop", "first"),
    [
        ("3", "2", "loop (own loop) | 2 | nearly"),
        ("3", "4", "fast | 3 | same"),
        ("", "4", "loop (own loop) | 4 | nearly"),
        ("0.5", "0.4", "loop (own loop) | 0.4 | nearly"),
        ("", "", "none timed |  | "),
    ],
)
def test_the_table_begins_with_whatever_is_fastest(package, loop, first):
    rows = [
        row("a", "icml2008", "1"),
        row("fast", "package", package),
        row("loop", "own loop", loop, "nearly"),
    ]
    last = peers_table(rows).splitlines()[-1]
    assert last == f"| {first} | `M` | t | 2026-11-28, a processor |"


def test_a_ratio_that_grew_or_shrank_by_half_has_moved():
    def timed(*seconds):
        return [
            timing
            for task, peer in enumerate(seconds)
            for timing in (
                row("a", "icml2008", "1", task=f"t{task}"),
                row("fast", "package", peer, task=f"t{task}"),
            )
        ]

    before = timed("2", "2", "2", "", "2", "2")
    now = timed("2.9", "3.1", "1.3", "2", "")
    assert peers_moved(before, now) == [
        "M, t1: 3.1 (fast), was 2 (fast)",
        "M, t2: 1.3 (fast), was 2 (fast)",
        "M, t4: no package was timed, was 2 (fast)",
    ]
    assert peers_moved(before, now[:-2], factor=2) == []


@pytest.fixture(scope="module")
def script():
    """The benchmark itself, whose settings of threads are not left to other tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            patch.setenv(name, "1")
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield importlib.import_module("peers")


@pytest.mark.parametrize(
    ("peer", "printed", "status"),
    [
        ("2.5", "Nothing moved.", 0),
        ("4", "M, t: 4 (fast), was 2 (fast)", 1),
    ],
)
def test_the_scheduled_comparison_prints_what_moved_and_fails_and_writes_nothing(
    script, monkeypatch, tmp_path, capsys, peer, printed, status
):
    def rows_of(seconds):
        return [row("a", "icml2008", "1"), row("fast", "package", seconds)]

    table = tmp_path / "peers.csv"
    script.write(rows_of("2"), table, ["numpy"])
    before = table.read_bytes()
    task = SimpleNamespace(method=SimpleNamespace(__name__="M"))
    monkeypatch.setattr(script, "TABLE", table)
    monkeypatch.setattr(script, "TASKS", {lambda: [task]: ("M",)})
    monkeypatch.setattr(script, "measure", lambda task: rows_of(peer))
    with pytest.raises(SystemExit) as ended:
        script.main(["--compare"])
    assert bool(ended.value.code) == bool(status)
    assert capsys.readouterr().out.splitlines()[-1] == printed
    assert table.read_bytes() == before


def test_the_workflow_opens_an_issue_only_where_the_comparison_said_that_something_moved():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "peers.yml").read_text("utf-8"))
    steps = workflow["jobs"]["peers"]["steps"]
    compares = next(step for step in steps if "--compare" in step.get("run", ""))
    opens = next(step for step in steps if "gh issue create" in step.get("run", ""))
    file = re.search(r" > (\S+) 2>&1$", compares["run"])[1]
    assert f"{file} | gh issue create" in opens["run"]
    assert opens["if"] == f"failure() && steps.{compares['id']}.conclusion == 'failure'"
    assert steps.index(compares) < steps.index(opens)


def test_the_guide_quotes_the_committed_table():
    table = ROOT / "benchmarks" / "results" / "peers.csv"
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert peers_table(rows) in (ROOT / "docs" / "peers.md").read_text("utf-8")
    packages = {
        row["solver"].split()[0] for row in rows if row["by"] == "package" and row["seconds"]
    }
    assert len(packages) >= 6
