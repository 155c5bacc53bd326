"""Growth of seconds and memory, as the table of the benchmark has it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from icml2008.report.growth import exponent, growth_table

ROOT = Path(__file__).parents[2]


def test_a_power_has_its_exponent_whatever_its_factor_and_unit():
    sizes = [10, 30, 100, 500]
    assert exponent(sizes, [7 * n**1.5 for n in sizes]) == pytest.approx(1.5)
    assert exponent([1000 * n for n in sizes], [n**2 for n in sizes]) == pytest.approx(2)
    assert exponent(sizes, [3.0] * 4) == pytest.approx(0)


def test_an_exponent_is_the_slope_of_least_squares():
    slope = exponent([1, 10, 100], [1, 10, 1000])
    assert slope == pytest.approx(1.5)  # logarithms 0, 1, 3 over 0, 1, 2


def test_a_line_a_method_has_first_and_last_size():
    rows = [
        {
            "method": method,
            "size_of": "rows",
            "size": str(size),
            "seconds": f"{size**power / 1e6}",
            "mebibytes": str(size / 100),
            "theory": "as said",
        }
        for method, power in (("A", 1), ("B", 2))
        for size in (100, 200, 400)
    ]
    assert growth_table(rows).splitlines()[2:] == [
        "| `A` | rows | 100 | 400 | 0.1 to 0.4 | 1.0 | 1.0 | as said | 1 to 4 |",
        "| `B` | rows | 100 | 400 | 10 to 1.6e+02 | 2.0 | 2.0 | as said | 1 to 4 |",
    ]


def test_the_guide_quotes_the_committed_table():
    table = ROOT / "benchmarks" / "results" / "growth.csv"
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert growth_table(rows) in (ROOT / "docs" / "peers.md").read_text("utf-8")
    assert {row["method"]: 0 for row in rows}.keys() >= {"Bolasso", "MIRank", "ward_tree"}
