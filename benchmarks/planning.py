"""Seconds from the command to the first job, against the number of jobs.

A paper with one trial a job is written to a temporary folder and run until its first job starts;
then the run is stopped. Processor time is the planning process's own. Run as

    python benchmarks/planning.py

it writes results/planning.csv beside itself.
"""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from icml2008.harness.benchmarks import heading

ROOT = Path(__file__).parents[1]
JOBS = (300, 1000, 3000)
ROUNDS = 3

PAPER = """\
key: many2008jobs
title: Many Jobs
authors: [Jane Doe]
pages: [1, 8]
topic: evaluation
idea: Many trials, each a job of its own.
metrics:
  value: {unit: units, bounds: [0, null], better: lower}
experiments:
  many: {feeds: [Table 1], protocol: Nothing is measured., resampling: {kind: fresh}}
claims:
  small:
    says: The value is small.
    page: 1
    statistic: {mean: nothing, metric: value, experiment: many}
    below: "2"
choices: {}
"""
EXPERIMENTS = """\
from icml2008.harness.experiment import experiment, grid


@experiment(
    "many",
    cells=grid(size=list(range(%d))),
    repeats={"smoke": 10, "quick": 10, "full": 10},
    cost=60.0,
    methods=lambda choices: {"nothing": None},
)
def many(trial):
    for name in trial.methods:
        trial.measure(name, value=1.0)
"""


def until_first_job(folder: Path) -> tuple[float, float]:
    """Return the seconds on the clock and of the processor until the first job starts."""
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"),
        *("--directory", folder, "--configfile", ROOT / "config/config.yaml"),
        *("--workflow-profile", ROOT / "profiles/default", "--cores", "1", "many2008jobs"),
        *("--config", f"papers_path={folder}", "papers=many2008jobs", "scale=full"),
    ]
    start = time.perf_counter()
    run = subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    for line in run.stdout:
        if "rule run_trials:" in line:
            break
    else:
        msg = f"no job started: {' '.join(map(str, command))}"
        raise RuntimeError(msg)
    seconds = time.perf_counter() - start
    processor = psutil.Process(run.pid).cpu_times()
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    return seconds, processor.user + processor.system


def measure(jobs: int) -> tuple[float, float]:
    """Return the same for a new folder with a paper of so many jobs."""
    with tempfile.TemporaryDirectory() as name:
        paper = Path(name, "many2008jobs")
        paper.mkdir()
        (paper / "__init__.py").touch()
        (paper / "paper.yaml").write_text(PAPER)
        (paper / "experiments.py").write_text(EXPERIMENTS % (jobs // 10))
        return until_first_job(Path(name))


def main() -> None:
    """Measure and write the table."""
    with Path(__file__).with_name("results").joinpath("planning.csv").open("w") as file:
        file.write(heading("snakemake"))
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["jobs", "seconds", "processor_seconds"])
        for jobs in JOBS:
            seconds, processor = map(min, zip(*(measure(jobs) for _ in range(ROUNDS)), strict=True))
            table.writerow([jobs, f"{seconds:.1f}", f"{processor:.1f}"])


if __name__ == "__main__":
    main()
