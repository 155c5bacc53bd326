"""What a run takes on one core and on two, and what of it is not trials.

    python benchmarks/cores.py --folder FOLDER [--papers KEY ...] [--cores 1 2] [--scale quick]

puts into results/cores.csv beside itself, for each number of cores, the seconds on the clock and of
the processor of a run from nothing, and of one whose trials are done, which plans, joins records,
judges and renders; and the load of the machine before, since seconds on the clock say something of
a quiet machine only.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
from pathlib import Path

from planning import linked
from scaling import measure

from icml2008.harness.benchmarks import heading

TABLE = Path(__file__).with_name("results") / "cores.csv"
COLUMNS = ("papers", "cores", "what", "seconds", "processor_seconds", "load")
PAPERS = ["gordon2008convexgames", "li2008worst"]


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--papers", nargs="+", default=PAPERS)
    parser.add_argument("--cores", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--scale", default="quick")
    given = parser.parse_args()
    rows = []
    for cores in given.cores:
        folder = given.folder.absolute() / str(cores)
        shutil.rmtree(folder, ignore_errors=True)
        linked(folder)
        papers = ",".join(given.papers)
        command = (
            *(sys.executable, "-m", "snakemake", "--cores", str(cores)),
            *("--config", f"scale={given.scale}", f"papers={papers}"),
        )
        # The first run compiles kernels, which later ones find.
        for what in ("with kernels to compile", "all", "all but trials"):
            load = f"{os.getloadavg()[0]:.1f}"
            taken = measure(command, folder)
            row = {"papers": papers, "cores": cores, "what": what, "load": load, **taken}
            rows.append(row)
            _forget(folder / "results" / given.scale, trials=what != "all")
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        file.write(heading("snakemake").replace(", one used", ""))
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)


def _forget(results: Path, *, trials: bool) -> None:
    """Remove what a run made; of trials what they measured, too, if wanted."""
    if trials:
        shutil.rmtree(results)
    else:
        for file in [results / "done", *results.glob("*/*.json"), *results.glob("*/records")]:
            shutil.rmtree(file) if file.is_dir() else file.unlink()


if __name__ == "__main__":
    main()
