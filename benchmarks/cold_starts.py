"""What the first call of a method costs: before its kernels are compiled, and in later processes.

Each method is imported and called once on small data (`icml2008.methods.first_calls`), in a process
of its own with an empty cache of kernels, and then in another that finds them. Seconds are a
processor's; "import" is that of the method with NumPy, SciPy, scikit-learn and numba.

Run with ``python benchmarks/cold_starts.py``; writes results/cold_starts.csv. Names of methods as
arguments measure these alone and leave the other rows, if the table is of this processor and these
versions.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from icml2008.harness.benchmarks import read, write

NAMES = (
    "Bolasso", "ListMLE", "RankedBandits", "CompositeLevelSet", "PointCloudKernel",
    "ConvexHullValueIteration", "upper_envelope", "DualCoordinateDescentSVC",
    "ConfidenceWeighted", "ward_tree", "project_simplex", "RestrictedBoltzmannMachine",
)  # fmt: skip
CALL = """
from time import process_time
from icml2008 import methods
from icml2008.methods.first_calls import FIRST_CALLS
start = process_time()
getattr(methods, {name!r})
imported = process_time()
FIRST_CALLS[{name!r}]()
print(imported - start, process_time() - imported)
"""


def seconds(name, cache):
    """Return the seconds of the import and of the first call in a process of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CALL.format(name=name)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [float(word) for word in done.stdout.split()]


def rows(names):
    """Yield the rows of the table."""
    for name in names:
        with tempfile.TemporaryDirectory() as cache:
            _, cold = seconds(name, cache)
            imports, calls = zip(*(seconds(name, cache) for _ in range(2)), strict=True)
        row = {
            "method": name,
            "import": f"{min(imports):.2f}",
            "first_call": f"{cold:.1f}",
            "first_call_when_compiled": f"{min(calls):.2f}",
        }
        print(*row.values(), sep=" | ", flush=True)  # noqa: T201
        yield row


def merged(old, names):
    """Yield the rows of old with those of the names measured anew, each in its place."""
    places = {row["method"]: row for row in old}
    for name in dict.fromkeys([*places, *names]):
        if name in names:
            yield from rows([name])
        else:
            yield places[name]


if __name__ == "__main__":
    table = Path(__file__).parent / "results" / "cold_starts.csv"
    packages = ("numpy", "scipy", "scikit-learn", "numba")
    names = sys.argv[1:]
    if unknown := sorted(set(names).difference(NAMES)):
        sys.exit(f"{', '.join(unknown)}: no such method; there are {', '.join(NAMES)}")
    write(merged(read(table, packages), names) if names else rows(NAMES), table, packages)
