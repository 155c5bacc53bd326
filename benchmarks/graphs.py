"""Graphs of nearest neighbours: seconds and memory, beside scikit-learn's `kneighbors_graph`.

Ten neighbours of 1,000 to 50,000 normal rows, and of rows on a curved surface of two dimensions
that 20 columns bend. scikit-learn chooses the way itself ("auto") or compares all rows ("brute").
Each call has a process of its own with one thread, after a call on few rows; seconds are the
processor's, memory is what it holds at most above what it held before, data excluded.
"same" is the share of neighbours that are ours.

``python benchmarks/graphs.py`` writes results/graphs.csv.
"""

from __future__ import annotations

import os
import time
from ctypes import CDLL
from multiprocessing import get_context
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import numpy as np
from growth import resident
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from icml2008.harness.benchmarks import write
from icml2008.methods import NeighborGraph

TABLE = Path(__file__).parent / "results" / "graphs.csv"
PACKAGES = ("icml2008", "numpy", "scipy", "scikit-learn", "numba")
SIZES = (1_000, 5_000, 20_000, 50_000)
COLUMNS = (3, 10, 50, 256)
MOST = 4e11  # products of a size that is still asked for: pairs times columns
K = 10


def ours(X):
    """Return neighbours, (n_rows, K)."""
    return NeighborGraph(K).fit(X).indices_


def theirs(algorithm):
    """Return a function that has scikit-learn's neighbours and their symmetric graph."""

    def neighbours(X):
        search = NearestNeighbors(n_neighbors=K, algorithm=algorithm).fit(X)
        graph = kneighbors_graph(search, K)
        graph.maximum(graph.T)
        return graph.indices.reshape(-1, K)

    return neighbours


WAYS = {
    "NeighborGraph": ours,
    "scikit-learn, auto": theirs("auto"),
    "scikit-learn, brute": theirs("brute"),
}


def rows_of(kind, n, columns):
    """Return the data, (n, columns)."""
    rng = np.random.default_rng(columns)
    if kind == "normal":
        return rng.normal(size=(n, columns))
    places = rng.random((n, 2))
    waves = places @ rng.normal(size=(2, columns)) * 3
    return np.sin(waves + rng.random(columns)) + 0.01 * rng.normal(size=(n, columns))


def measured(way, kind, n, columns):
    """Return processor seconds, MiB, and the neighbours, sorted."""
    call = WAYS[way]
    call(rows_of(kind, 400, columns))
    X = rows_of(kind, n, columns)
    CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", "ascii")
    before = resident("VmRSS")
    start = time.process_time()
    neighbours = call(X)
    seconds = time.process_time() - start
    return seconds, max(resident("VmHWM") - before, 0.1), np.sort(neighbours, axis=1)


def rows():
    """Yield a row for each data set, size and way."""
    data = [("normal", columns) for columns in COLUMNS] + [("surface", 20)]
    for kind, columns in data:
        for n in SIZES:
            if n * n * columns > MOST:
                continue
            answers = {}
            for way in WAYS:
                with get_context("fork").Pool(1) as pool:
                    answers[way] = pool.apply(measured, (way, kind, n, columns))
            first = answers["NeighborGraph"]
            for way, (seconds, memory, neighbours) in answers.items():
                yield {
                    "data": kind,
                    "columns": columns,
                    "rows": n,
                    "by": way,
                    "seconds": f"{seconds:.3g}",
                    "times": f"{seconds / first[0]:.2g}",
                    "mebibytes": f"{memory:.3g}",
                    "same": f"{(neighbours == first[2]).mean():.6f}",
                }


if __name__ == "__main__":
    write(rows(), TABLE, PACKAGES)
