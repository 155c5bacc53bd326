"""The steps of the workflow, each called as its rule, with what Snakemake gives to a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.data import ensure
from icml2008.harness.records import write_atomically
from icml2008.run.reference.check import compare_with_reference
from icml2008.run.reference.judging import judge_results
from icml2008.run.site import rendering
from icml2008.run.trials import outcome
from icml2008.run.trials.paper_runs import run_paper
from icml2008.store import Shelf, read_json, write_json


def _shelf(job: Any) -> Shelf:
    """Return where the results of a job's paper lie."""
    return Shelf.of_run(job.wildcards.scale, Entry(job.wildcards.paper))


def fetch_data(job: Any) -> None:
    """Fetch a data set, and say what became of it."""
    state = ensure(job.wildcards.dataset, mirrors=job.params.mirrors, tell=print)
    write_atomically(job.output.state, state.to_json())


def run_trials(job: Any) -> None:
    """Run a paper's trials, as far as they are not done, and write its records."""
    run_paper(
        _shelf(job),
        job.params.shards,
        job.params.universes,
        outcome.data_states(job.params.reads),
        mirrors=job.params.mirrors,
        logs=Path(job.log[0]).with_suffix(""),
        at_once=job.threads,
        reuse=job.params.reuse,
    )


def judge_paper(job: Any) -> None:
    """Judge a paper's claims, compare it with the reference and write its page."""
    run = _shelf(job)
    judge_results(run, job.params.universes, job.output.verdicts)
    write_json(job.output.check, compare_with_reference(run))
    rendering.render_paper(run)


def render_index(job: Any) -> None:
    """Join the comparisons with the reference and write the scoreboard."""
    scale = job.wildcards.scale
    papers = job.params.papers
    checks = [read_json(Path(file)) for file in job.input.checks]
    write_json(job.output.check, dict(zip(papers, checks, strict=True)))
    ended = outcome.outcome_of(scale, job.params.data, strict=job.params.strict)
    runs = [Shelf.of_run(scale, Entry(key)) for key in papers]
    rendering.render_index(scale, runs, ended)


def render_audit(job: Any) -> None:
    """Write the audit of the whole catalogue."""
    rendering.render_audit(Path(job.output.page).parent)


def conclude(job: Any) -> None:
    """Decide whether the run is good."""
    outcome.conclude(job.wildcards.scale, job.params.data, strict=job.params.strict)


def publish_figures(job: Any) -> None:
    """Draw the published figures of a paper."""
    rendering.publish_figures(Entry(job.wildcards.paper), Path(job.output.folder))


_STEPS = (
    *(fetch_data, run_trials, judge_paper, render_index, render_audit, conclude),
    publish_figures,
)


def step_of(rule: str) -> Callable[[Any], None]:
    """Return the step of a rule, which another workflow may have given a prefix."""
    return next(step for step in _STEPS if rule.endswith(step.__name__))
