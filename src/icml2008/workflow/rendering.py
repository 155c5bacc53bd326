"""Pages, tables and figures from results."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from icml2008.harness.choices import DEFAULT
from icml2008.judge.decide import RULEBOOK
from icml2008.papers import library
from icml2008.report.figures import draw
from icml2008.report.model import PaperResults, RunFacts
from icml2008.report.site import write_report
from icml2008.report.tables import write_tables
from icml2008.workflow.announce import page_of
from icml2008.workflow.keys import REFERENCE, machine
from icml2008.workflow.planning import all_data, shards_of
from icml2008.workflow.reference import read_provenance, stale
from icml2008.workflow.verdicts import read_verdicts


def data_states(keys: Sequence[str]) -> dict[str, dict]:
    """Return the state of each data set that the papers read, as far as it was written."""
    files = {name: Path("results/data") / f"{name}.json" for name in all_data(keys)}
    return {
        name: json.loads(file.read_text("utf-8")) for name, file in files.items() if file.is_file()
    }


def results_of(key: str, scale: str) -> PaperResults:
    """Return what is known of a paper: this run, the reference, and what is missing."""
    folder = Path("results") / scale
    return PaperResults(
        paper=library.load_paper(key),
        current=read_verdicts(folder, key),
        reference=read_verdicts(REFERENCE, key),
        provenance=read_provenance(key),
        stale=bool(stale(key)),
        data=data_states([key]),
        failed_jobs=failed_jobs(key, scale),
    )


def failed_jobs(key: str, scale: str) -> list[str]:
    """Return the jobs of a paper whose records are missing."""
    folder = Path("results") / scale / key
    return [
        f"{key}/{name}, job {shard.name}"
        for name in library.load_experiments(key)
        for shard in shards_of(key, name, scale)
        if not (folder / name / DEFAULT / "shards" / f"{shard.name}.jsonl").is_file()
    ]


def run_facts(scale: str) -> RunFacts:
    """Return when, on what and from which commit a page is made."""
    here = machine()
    return RunFacts(
        scale=scale,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        commit=commit(),
        versions=here["versions"],
        cpu=here["cpu"],
        cores=here["cores"],
        command=f"snakemake --cores all --config scale={scale}",
        rulebook=RULEBOOK,
    )


def commit() -> str:
    """Return the commit of the working tree, or "unknown" outside of a repository."""
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def render(scale: str, keys: Sequence[str]) -> None:
    """Write page, tables and figures of a scale from what is there."""
    folder = Path("results") / scale
    results = [results_of(key, scale) for key in keys]
    for entry in results:
        if entry.current:
            write_tables(entry, folder / entry.paper.key / "claims")
    write_report(page_of(scale).parent, results, run_facts(scale))


def publish_figure(key: str, stem: Path) -> None:
    """Draw the published figure of a paper from the reference."""
    draw(PaperResults(library.load_paper(key), [], read_verdicts(REFERENCE, key)), stem)
