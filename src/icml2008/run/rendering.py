"""Pages, tables and figures from results."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from icml2008.audit.auditing import audit
from icml2008.catalogue import library
from icml2008.catalogue.coverage import coverage
from icml2008.catalogue.figures import Measured
from icml2008.harness.arithmetic import BASELINE, in_words, joined
from icml2008.harness.machine import machine
from icml2008.judge.decide import RULEBOOK
from icml2008.report.drawing import write_figures
from icml2008.report.entries import PaperResults, RunFacts
from icml2008.report.problems import NOTHING_WRONG, Outcome
from icml2008.report.site import write_audit, write_index, write_paper
from icml2008.report.tables import write_tables
from icml2008.run.announce import page_of
from icml2008.run.keys import REFERENCE
from icml2008.run.outcome import data_states
from icml2008.run.planning import arithmetic_of, scale_of
from icml2008.run.recorded import read_recorded, with_arithmetic
from icml2008.run.reference import computed_by, read_provenance, stale
from icml2008.run.verdicts import lines_for_figures, read_verdicts


def results_of(
    key: str, scale: str, *, published: bool = False, outcome: Outcome = NOTHING_WRONG
) -> PaperResults:
    """Return what is known of a paper: this run, the reference, and what is missing.

    With `published`, only the reference.
    """
    folder, recorded = Path("results") / scale, read_recorded(REFERENCE, key)
    return PaperResults(
        paper=library.load_paper(key),
        current=[] if published else read_verdicts(folder, key),
        reference=with_arithmetic(read_verdicts(REFERENCE, key), recorded),
        provenance=read_provenance(key),
        stale=bool(stale(key)),
        data={name: asdict(state) for name, state in data_states([key]).items()},
        failed_jobs=[one.what for one in outcome.problems if (one.kind, one.paper) == ("job", key)],
        cells={name: one.cells["full"] for name, one in library.load_experiments(key).items()},
        measured=measured_of(key, scale),
        figures=library.load_figures(key),
        audit=audit([key]),
        arithmetic=recorded.to_json(),
    )


def measured_of(key: str, scale: str) -> Measured:
    """Return what a paper's figures are drawn from: the reference, else the results of a scale."""
    published = (REFERENCE / key / "verdicts.json").is_file()
    results = REFERENCE if published else Path("results") / scale
    cells = {
        name: one.cells["full" if published else scale_of(scale)]
        for name, one in library.load_experiments(key).items()
    }
    return Measured(cells, partial(lines_for_figures, results, key), read_verdicts(results, key))


def run_facts(scale: str, keys: Sequence[str]) -> RunFacts:
    """Return when, by what and from which commit the results of papers were made."""
    here = machine()
    return RunFacts(
        scale=scale,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        commit=commit(),
        versions=here["versions"],
        arithmetic=in_words(joined(computed_by(Path("results") / scale, key) for key in keys)),
        cores=here["cores"],
        command=f"snakemake --cores all --config scale={scale_of(scale)}"
        + (f" arithmetic={name}" if (name := arithmetic_of(scale)) != BASELINE else ""),
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


def render_paper(scale: str, key: str, outcome: Outcome = NOTHING_WRONG) -> None:
    """Write a paper's page and tables, and the figures of one that has no published ones."""
    folder = Path("results") / scale / key
    results = results_of(key, scale, outcome=outcome)
    if results.current:
        write_tables(results, folder / "claims")
        if not results.reference:
            write_figures(results, folder / "figures")
    write_paper(page_of(scale).parent, results, run_facts(scale, [key]))


def render_index(scale: str, keys: Sequence[str], outcome: Outcome) -> None:
    """Write the scoreboard of a scale from what is there, and the audit of the whole catalogue."""
    folder = page_of(scale).parent
    results = [results_of(key, scale) for key in keys]
    write_index(folder, results, run_facts(scale, keys), outcome, coverage())
    write_audit(folder, audit(), map(library.load_paper, library.paper_keys()))


def render_all(scale: str, keys: Sequence[str], outcome: Outcome) -> None:
    """Write all pages from what is there, with what failed on top of them."""
    for key in keys:
        render_paper(scale, key, outcome)
    render_index(scale, keys, outcome)


def publish_figures(key: str, folder: Path) -> None:
    """Draw the published figures of a paper from the reference."""
    write_figures(results_of(key, "full", published=True), folder)
