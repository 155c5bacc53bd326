"""What Snakemake takes to plan so many jobs, and this workflow to plan what they would do.

    python benchmarks/planning.py --folder FOLDER [--ours]

puts into results/planning.csv beside itself the seconds of the processor and the memory of
``snakemake --dry-run``: of synthetic workflows with a job for each trial, of which one judges
twenty, and of this one, whose job is a paper with all its shards, at full scale with all universes
(a second time, too, when its plans are kept). With ``--ours`` the synthetic ones are not planned
again, and their rows stay.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import sys
from datetime import date
from pathlib import Path

from scaling import measure

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.benchmarks import heading
from icml2008.harness.machine import machine
from icml2008.run.trials import plans
from icml2008.run.trials.configuration import Run

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_name("results") / "planning.csv"
COLUMNS = ("workflow", "jobs", "processor_seconds", "mebibytes", "measured")
SNAKEMAKE = (sys.executable, "-m", "snakemake", "--cores", "2", "--dry-run", "--quiet", "all")
OURS = "this one"
TWENTY = 20
ALL = 562 * TWENTY * 3  # the proceedings' experiments, repeats, universes

SYNTHETIC = """
rule all:
    input: expand("judged/{{number}}", number=range({judged}))

rule trial:
    output: "trials/{{number}}/{{repeat}}"
    params: code="0123456789abcdef"
    shell: "touch {{output}}"

rule judge:
    input: expand("trials/{{{{number}}}}/{{repeat}}", repeat=range({twenty}))
    output: "judged/{{number}}"
    shell: "touch {{output}}"
"""


def synthetic(folder: Path, trials: int) -> dict[str, str]:
    """Return what planning takes with a job for each trial."""
    folder.mkdir()
    text = SYNTHETIC.format(judged=trials // TWENTY, twenty=TWENTY)
    (folder / "Snakefile").write_text(text)
    return {"workflow": "a job for each trial", **measured(SNAKEMAKE, folder)}


def measured(command: tuple[str, ...], folder: Path) -> dict[str, str]:
    """Return what a dry run took, and the number of jobs that it counted."""
    taken = measure(command, folder)
    counts = re.findall(r"^total +(\d+)$", (folder / "output.txt").read_text(), re.MULTILINE)
    when = f"{date.today().isoformat()}, {machine()['cpu']}"
    return {"jobs": counts[-1], **taken, "measured": when}


def linked(folder: Path) -> None:
    """Let this workflow run in a folder of its own."""
    for name in ("workflow", "config", "profiles", "src", "results/reference", "figures"):
        if not (folder / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "Snakefile", folder)


def ours(folder: Path, what: str) -> dict[str, str]:
    """Return what planning this workflow takes, as `what` says."""
    linked(folder)
    command = (*SNAKEMAKE, "--config", "scale=full", "multiverse=true")
    keys = [key for key in library.paper_keys() if library.has_experiments(key)]
    made = measured(command, folder)
    run = Run(scale="full", multiverse=("true",))
    shards = sum(len(plans.plan_of(run, Entry(key), "full").shards) for key in keys)
    name = f"{OURS}: {len(keys)} papers, {shards} shards, {what}"
    return {"workflow": name, **made}


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--ours", action="store_true", help="this workflow alone")
    given = parser.parse_args()
    folder = given.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if given.ours:
        lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[:1] != "#"]
        rows = [row for row in csv.DictReader(lines) if not row["workflow"].startswith(OURS)]
    else:
        rows = [synthetic(folder / str(trials), trials) for trials in (1_000, 5_000, ALL)]
    rows += [ours(folder / "ours", what) for what in ("planned anew", "plans kept")]
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        file.write(heading("snakemake"))
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)


if __name__ == "__main__":
    main()
