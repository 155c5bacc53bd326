"""Pages, tables and figures from results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from icml2008.audit.auditing import audit
from icml2008.catalogue.coverage import coverage
from icml2008.catalogue.entry import Entry, all_entries
from icml2008.catalogue.figures import Measured
from icml2008.harness.arithmetic import BASELINE, in_words, joined
from icml2008.harness.experiment import SCALES
from icml2008.harness.machine import commit, machine
from icml2008.harness.records import write_atomically
from icml2008.judge.decide import RULEBOOK
from icml2008.report.claim_tables import write_tables
from icml2008.report.drawing import write_figures
from icml2008.report.figure_data import write_data
from icml2008.report.pages.audit import audit_page
from icml2008.report.pages.front import by_reason, front_page
from icml2008.report.pages.page import write_pages
from icml2008.report.pages.paper import facts_in_words
from icml2008.report.pages.quality_page import quality_page
from icml2008.report.problems import NOTHING_WRONG, Outcome
from icml2008.report.quality import Flaw, of_problem
from icml2008.report.results import PaperResults, RunFacts
from icml2008.run.keys import drawn_by
from icml2008.run.reference.adopting import computed_by, stale
from icml2008.run.reference.flaws import quality_of
from icml2008.run.reference.judging import lines_for_figures
from icml2008.run.reference.shifts import read_recorded, with_arithmetic
from icml2008.run.site.pages import health_of, record_hashes, write_paper, write_texts
from icml2008.run.trials.configuration import arithmetic_of, scale_of
from icml2008.run.trials.outcome import data_states
from icml2008.store import Shelf, page_of, read_json, write_json


def published(reference: Shelf) -> PaperResults:
    """Return what the committed evidence, or a copy of it, says of a paper."""
    entry = reference.entry
    recorded = read_recorded(reference)
    return PaperResults(
        paper=entry.paper,
        current=[],
        reference=with_arithmetic(reference.verdicts(), recorded),
        provenance=reference.provenance(),
        stale=bool(stale(reference)),
        cells={name: declared.cells["full"] for name, declared in entry.experiments.items()},
        figures=entry.figures,
        audit=audit([entry]),
        arithmetic=recorded.to_json(),
        hands=entry.hands,
    )


def results_of(run: Shelf, outcome: Outcome = NOTHING_WRONG) -> PaperResults:
    """Return what is known of a paper: this run, the reference, and what is missing."""
    states = data_states(run.entry.reads)
    failed = [
        problem.what
        for problem in outcome.problems
        if (problem.kind, problem.paper) == ("job", run.key)
    ]
    return replace(
        published(run.reference),
        current=run.verdicts(),
        data={name: asdict(state) for name, state in states.items()},
        failed_jobs=failed,
        measured=measured_of(run),
    )


def measured_of(run: Shelf) -> Measured:
    """Return what a paper's figures are drawn from: the reference, else the results of a run."""
    published = run.reference.verdicts_file.is_file()
    shelf = run.reference if published else run
    scale = "full" if published else scale_of(run.label)
    return Measured(
        {name: declared.cells[scale] for name, declared in run.entry.experiments.items()},
        partial(lines_for_figures, shelf),
        shelf.verdicts(),
        run.entry.paper.controls,
    )


def run_facts(scale: str, computed: Mapping[str, Sequence[str]]) -> RunFacts:
    """Return when, from which commit and by which of the found arithmetics results were made."""
    here = machine()
    return RunFacts(
        scale=scale,
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        commit=commit(),
        versions=here["versions"],
        arithmetic=in_words(computed),
        cores=here["cores"],
        command=f"snakemake --cores all --config scale={scale_of(scale)}"
        + (f" arithmetic={name}" if (name := arithmetic_of(scale)) != BASELINE else ""),
        rulebook=RULEBOOK,
    )


def render_paper(run: Shelf, outcome: Outcome = NOTHING_WRONG) -> None:
    """Write a paper's pages, tables and overview, and its figures where none are published."""
    results = results_of(run, outcome)
    if results.current:
        write_tables(results, run.tables_stem)
    computed = computed_by(run)
    judged = (run.reference, results.reference) if results.reference else (run, results.current)
    flaws = quality_of(*judged)
    written = write_paper(
        run.page.parent,
        run.entry,
        results,
        _drawn(results, run),
        health=health_of(results, flaws),
        records=record_hashes(run.reference),
        run=facts_in_words(asdict(run_facts(run.label, computed))),
    )
    shown = {
        "overview": written.overview,
        "computed": computed,
        "flaws": [asdict(flaw) for flaw in flaws],
        "missing_data": results.missing_data,
    }
    write_json(run.overview_file, shown)


def render_index(scale: str, runs: Sequence[Shelf], outcome: Outcome) -> None:
    """Write the first page of a run and its quality page from the overviews of papers."""
    shown = [read_json(run.overview_file) for run in runs]
    flaws = [Flaw(**flaw) for paper in shown for flaw in paper["flaws"]]
    flaws = [*map(of_problem, outcome.problems), *flaws]
    overviews = [paper["overview"] for paper in shown]
    run = run_facts(scale, joined(paper["computed"] for paper in shown))
    more = {"health": {"line": f"Scale {scale}, {run.date}, commit {run.commit}."}, "whole": False}
    missing = {run.key: paper["missing_data"] for run, paper in zip(runs, shown, strict=True)}
    about = {
        "outcome": outcome,
        "left_out": by_reason(missing),
        "covered": coverage(),
        "run": facts_in_words(asdict(run)),
    }
    folder = page_of(scale).parent
    write_pages(
        folder,
        [front_page(overviews, **about, **more), quality_page(flaws, overviews, **more)],
    )
    write_texts(folder, overviews)


def render_audit(folder: Path) -> None:
    """Write the audit of the whole catalogue."""
    papers = [entry.paper for entry in all_entries()]
    line = {"line": "Exact arithmetic on printed numbers; nothing is run."}
    write_pages(folder, [audit_page(audit(), papers, health=line, whole=False)])


def render_failed(scale: str, runs: Sequence[Shelf], outcome: Outcome) -> None:
    """Write the pages of papers that failed or have none, and with what failed the scoreboard."""
    failed = {problem.paper for problem in outcome.problems}
    for run in runs:
        if run.key in failed or not run.overview_file.is_file():
            render_paper(run, outcome)
    render_index(scale, runs, outcome)


def publish_figures(entry: Entry, folder: Path) -> None:
    """Draw the published figures of a paper from the reference, each with its numbers as CSV."""
    measured = measured_of(Shelf.of_run("full", entry))
    results = replace(published(Shelf.of_reference(entry)), measured=measured)
    write_figures(results, folder, png=True)
    write_data(results, folder)
    stamp_figures(entry)


def stamp_figures(entry: Entry) -> None:
    """Note beside the published figures of a paper what they are drawn by and from."""
    write_atomically(Shelf.of_reference(entry).drawn_by_file, f"{drawn_by(entry)}\n")


def _drawn(results: PaperResults, run: Shelf) -> Path:
    """Return where the figures of a paper lie.

    They are the published ones, if these are today's. Else a run draws them, as SVG alone below
    the scale that is published, and once only where they show the reference.
    """
    folder = run.figures_folder
    today = drawn_by(run.entry)
    published = run.drawn_by_file
    stamp = folder / published.name
    for file in (published, stamp):
        if file.is_file() and file.read_text("utf-8").strip() == today:
            return file.parent
    if results.shown():
        write_figures(results, folder, png=scale_of(run.label) == SCALES[-1])
        if results.reference:
            write_atomically(stamp, f"{today}\n")
    return folder
