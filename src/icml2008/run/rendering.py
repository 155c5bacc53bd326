"""Pages, tables and figures from results."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from icml2008 import store
from icml2008.audit.auditing import audit
from icml2008.catalogue import library
from icml2008.catalogue.coverage import coverage
from icml2008.catalogue.figures import Measured
from icml2008.catalogue.second import hands
from icml2008.harness.arithmetic import BASELINE, in_words, joined
from icml2008.harness.experiment import SCALES
from icml2008.harness.machine import commit, machine
from icml2008.harness.records import write_atomically
from icml2008.judge.decide import RULEBOOK
from icml2008.report.drawing import write_figures
from icml2008.report.entries import PaperResults, RunFacts
from icml2008.report.figure_data import write_data
from icml2008.report.pages.audit import audit_page
from icml2008.report.pages.front import by_reason, front_page
from icml2008.report.pages.page import write_pages
from icml2008.report.pages.paper import facts_in_words
from icml2008.report.pages.quality import quality_page
from icml2008.report.problems import NOTHING_WRONG, Outcome
from icml2008.report.quality import Flaw, of_problem
from icml2008.report.tables import write_tables
from icml2008.run.configuration import all_data, arithmetic_of, scale_of
from icml2008.run.keys import drawn_by
from icml2008.run.outcome import data_states
from icml2008.run.pages import health_of, write_paper, write_texts
from icml2008.run.quality import quality_of
from icml2008.run.recorded import read_recorded, with_arithmetic
from icml2008.run.reference import computed_by, stale
from icml2008.run.stored import read_provenance, read_verdicts
from icml2008.run.verdicts import lines_for_figures
from icml2008.store import REFERENCE, page_of, run_folder


def published(key: str, results: Path = REFERENCE) -> PaperResults:
    """Return what the committed evidence, or a copy of it, says of a paper."""
    recorded = read_recorded(results, key)
    return PaperResults(
        paper=library.load_paper(key),
        current=[],
        reference=with_arithmetic(read_verdicts(results, key), recorded),
        provenance=read_provenance(key),
        stale=bool(stale(key)),
        cells={name: one.cells["full"] for name, one in library.load_experiments(key).items()},
        figures=library.load_figures(key),
        audit=audit([key]),
        arithmetic=recorded.to_json(),
        hands=hands(key),
    )


def results_of(key: str, scale: str, outcome: Outcome = NOTHING_WRONG) -> PaperResults:
    """Return what is known of a paper: this run, the reference, and what is missing."""
    return replace(
        published(key),
        current=read_verdicts(run_folder(scale), key),
        data={name: asdict(state) for name, state in data_states(all_data([key])).items()},
        failed_jobs=[one.what for one in outcome.problems if (one.kind, one.paper) == ("job", key)],
        measured=measured_of(key, scale),
    )


def measured_of(key: str, scale: str) -> Measured:
    """Return what a paper's figures are drawn from: the reference, else the results of a scale."""
    published = store.verdicts_file(REFERENCE, key).is_file()
    results = REFERENCE if published else run_folder(scale)
    cells = {
        name: one.cells["full" if published else scale_of(scale)]
        for name, one in library.load_experiments(key).items()
    }
    return Measured(
        cells,
        partial(lines_for_figures, results, key),
        read_verdicts(results, key),
        library.load_paper(key).controls,
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


def render_paper(scale: str, key: str, outcome: Outcome = NOTHING_WRONG) -> None:
    """Write a paper's pages, tables and overview, and its figures where none are published."""
    results = results_of(key, scale, outcome)
    if results.current:
        write_tables(results, store.tables_stem(scale, key))
    computed = computed_by(run_folder(scale), key)
    evidence = REFERENCE if results.reference else run_folder(scale)
    flaws = quality_of(key, evidence)
    written = write_paper(
        page_of(scale).parent,
        results,
        _drawn(results, scale),
        health=health_of(results, flaws),
        run=facts_in_words(asdict(run_facts(scale, computed))),
    )
    shown = {
        "overview": written.overview,
        "computed": computed,
        "flaws": [asdict(flaw) for flaw in flaws],
        "missing_data": results.missing_data,
    }
    store.write_json(store.overview_file(scale, key), shown)


def render_index(scale: str, keys: Sequence[str], outcome: Outcome) -> None:
    """Write the first page of a run and its quality page from the overviews of papers."""
    found = [store.read_json(store.overview_file(scale, key)) for key in keys]
    flaws = [Flaw(**flaw) for one in found for flaw in one["flaws"]]
    flaws = [*map(of_problem, outcome.problems), *flaws]
    overviews = [one["overview"] for one in found]
    run = run_facts(scale, joined(one["computed"] for one in found))
    more = {"health": {"line": f"Scale {scale}, {run.date}, commit {run.commit}."}, "whole": False}
    left_out = by_reason({key: one["missing_data"] for key, one in zip(keys, found, strict=True)})
    about = {
        "outcome": outcome,
        "left_out": left_out,
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
    papers = map(library.load_paper, library.paper_keys())
    line = {"line": "Exact arithmetic on printed numbers; nothing is run."}
    write_pages(folder, [audit_page(audit(), papers, health=line, whole=False)])


def render_failed(scale: str, keys: Sequence[str], outcome: Outcome) -> None:
    """Write the pages of papers that failed or have none, and with what failed the scoreboard."""
    failed = {problem.paper for problem in outcome.problems}
    for key in keys:
        if key in failed or not store.overview_file(scale, key).is_file():
            render_paper(scale, key, outcome)
    render_index(scale, keys, outcome)


def publish_figures(key: str, folder: Path) -> None:
    """Draw the published figures of a paper from the reference, each with its numbers as CSV."""
    results = replace(published(key), measured=measured_of(key, "full"))
    write_figures(results, folder, png=True)
    write_data(results, folder)
    stamp_figures(key)


def stamp_figures(key: str) -> None:
    """Note beside the published figures of a paper what they are drawn by and from."""
    write_atomically(store.drawn_by_file(key), f"{drawn_by(key)}\n")


def _drawn(results: PaperResults, scale: str) -> Path:
    """Return where the figures of a paper lie.

    They are the published ones, if these are today's. Else a run draws them, as SVG alone below
    the scale that is published, and once only where they show the reference.
    """
    key = results.paper.key
    folder = store.figures_folder(scale, results.paper.key)
    today = drawn_by(key)
    stamp = folder / store.drawn_by_file(key).name
    for file in (store.drawn_by_file(key), stamp):
        if file.is_file() and file.read_text("utf-8").strip() == today:
            return file.parent
    if results.shown():
        write_figures(results, folder, png=scale_of(scale) == SCALES[-1])
        if results.reference:
            write_atomically(stamp, f"{today}\n")
    return folder
