"""The best peer of each task, as the table of the benchmark has it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

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
            row("loop", "own loop", "2"),
        ]
    )
    assert str(best) == "t: fast takes 3 times as long."


def test_what_is_faster_is_named_a_loop_of_our_own_as_such():
    rows = [
        row("a", "icml2008", "2", "90 % right"),
        row("fast", "package", "1", "95 % right"),
        row("loop", "own loop", "0.5"),
    ]
    assert str(best_peers(rows)[0]) == (
        "t: fast is faster, 0.5 of the time (95 % right; ours: 90 % right); a loop of our own, "
        "loop, takes 0.25 of it."
    )


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

    before = timed("2", "2", "2", "", "2")
    now = timed("2.9", "3.1", "1.3", "2")
    assert peers_moved(before, now) == [
        "M, t1: 3.1 (fast), was 2 (fast)",
        "M, t2: 1.3 (fast), was 2 (fast)",
    ]
    assert peers_moved(before, now, factor=2) == []


def test_the_guide_quotes_the_committed_table():
    table = ROOT / "benchmarks" / "results" / "peers.csv"
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert peers_table(rows) in (ROOT / "docs" / "peers.md").read_text("utf-8")
    packages = {
        row["solver"].split()[0] for row in rows if row["by"] == "package" and row["seconds"]
    }
    assert len(packages) >= 6
