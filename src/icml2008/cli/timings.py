"""The command that measures a paper's method beside its peers: ``icml2008 benchmark``."""

from __future__ import annotations

import os
import sys

from icml2008.cli.common import app
from icml2008.errors import Icml2008Error


@app.command()
def benchmark(key: str) -> None:
    """Time a paper's method beside its peers, and write the table beside its benchmark.py."""
    # Before NumPy and others are loaded, which read it once.
    os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
    from icml2008.catalogue.entry import entry_of
    from icml2008.catalogue.library import paper_module
    from icml2008.harness.benchmarks import run

    if not (entry_of(key).folder / "benchmark.py").is_file():
        msg = f"{key} has no benchmark.py"
        raise Icml2008Error(msg)
    for path in run(paper_module(key, "benchmark")):
        sys.stdout.write(f"{path}\n")
