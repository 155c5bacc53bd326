"""How seconds and memory of promoted methods grow with their input.

Each method is called on four sizes of made-up data, small ones first, in a process of its own with
one thread, after a call on the smallest. Numbers are processor seconds, the least of up to three
calls, and what the process holds at most above what it held before, data excluded.

``python benchmarks/growth.py`` writes results/growth.csv; names of methods as arguments measure
these and leave the other rows. Memory is measured on Linux alone.
"""

from __future__ import annotations

import csv
import os
import sys
import time
import warnings
from ctypes import CDLL
from multiprocessing import get_context
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

from growth_tasks import GROWTHS

from icml2008.harness.benchmarks import write

TABLE = Path(__file__).parent / "results" / "growth.csv"
PACKAGES = ("icml2008", "numpy", "scipy", "scikit-learn", "numba", "highspy")
CALLS = 3
# seconds; who has taken as many is not called again
PATIENCE = 0.3
MEBIBYTE = 2.0**20


def resident(field: str) -> float:
    """Return what the process holds now (VmRSS) or held at most (VmHWM), in MiB."""
    status = Path("/proc/self/status").read_text("ascii")
    (line,) = (line for line in status.splitlines() if line.startswith(field))
    return int(line.split()[1]) * 1024 / MEBIBYTE


def measured(name: str, size: int) -> dict[str, str]:
    """Return the row of a method and a size."""
    growth = GROWTHS[name]
    growth.make(growth.sizes[0])()  # compiles
    call = growth.make(size)
    CDLL(None).malloc_trim(0)  # or memory that was given back would serve unseen
    Path("/proc/self/clear_refs").write_text("5", "ascii")  # forgets what was held at most
    before = resident("VmRSS")
    seconds = []
    while len(seconds) < CALLS and sum(seconds) < PATIENCE:
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return {
        "method": name,
        "size_of": growth.size_of,
        "size": str(size),
        "seconds": f"{min(seconds):.3g}",
        "mebibytes": f"{max(resident('VmHWM') - before, 0.1):.3g}",
        "theory": growth.theory,
    }


def in_processes(name: str) -> list[dict[str, str]]:
    """Return the rows of a method, each from a process of its own that need not import again."""
    rows = []
    for size in GROWTHS[name].sizes:
        with get_context("fork").Pool(1) as pool:
            row = pool.apply(measured, (name, size))
        print(*row.values(), sep=" | ", flush=True)  # noqa: T201
        rows.append(row)
    return rows


def main(names: list[str]) -> None:
    """Measure, or if names of methods are given, those alone."""
    before = []
    if names and TABLE.exists():
        with TABLE.open(encoding="utf-8") as file:
            before = list(csv.DictReader(line for line in file if not line.startswith("#")))
    rows = {row["method"]: [] for row in before}
    for row in before:
        rows[row["method"]].append(row)
    for name in names or GROWTHS:
        rows[name] = in_processes(name)
    ordered = [row for name in GROWTHS for row in rows.get(name, [])]
    write(ordered, TABLE, PACKAGES)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
