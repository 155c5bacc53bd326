"""What to run: planned here by the package, executed by the rules."""

import atexit
import logging
import sys
import time
from pathlib import Path
from shutil import rmtree

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

# The package beside the workflow, else the one that is installed. Reading the rules takes no more
# than Snakemake brings.
BESIDE = Path(str(workflow.current_basedir.join("../../src"))).resolve()
if BESIDE.is_dir():
    sys.path.insert(0, str(BESIDE))

try:
    from icml2008 import store
    from icml2008.catalogue.entry import Entry
    from icml2008.data.availability import State
    from icml2008.errors import CannotWrite, Icml2008Error
    from icml2008.harness import arithmetic
    from icml2008.run import keys, worker
    from icml2008.run.workflow import Workflow
    from icml2008.run.trials import (
        again,
        announce,
        configuration,
        demands,
        lock,
        outcome,
        plans,
        targets,
    )
except ModuleNotFoundError as error:
    raise WorkflowError(f"{error.name} is not installed: pip install 'icml2008[run]'")

try:
    RUN = configuration.read_config(config)
    PAPERS = [entry.key for entry in configuration.papers(RUN)]
except Icml2008Error as error:
    raise WorkflowError(str(error)) from None
validate(config, "../schemas/config.schema.yaml")

SCALE = RUN.scale
LABELS = RUN.labels
if not LABELS:  # nothing will start, so that nothing would be said
    announce.announce_arithmetic(RUN)
STRICT = RUN.data_mode == "strict"
STARTED = time.time()
MOST_AT_ONCE = 16  # processes of one paper's trials
WORKERS = worker.Workers()
SNAKEMAKE = Workflow(workflow)
if SNAKEMAKE.is_a_job:
    worker.forget()


wildcard_constraints:
    scale=r"(?:smoke|quick|full)(?:@[a-z0-9-]+)?",
    paper=r"(?!(?:index|audit|quality)\.)[^/]+",
    dataset="[^/]+",
    unknown_target="[A-Za-z0-9_-]+",


PLANS = {}


def plan_for(paper, scale):
    if (paper, scale) not in PLANS:
        PLANS[paper, scale] = said(plans.plan_of, RUN, Entry(paper), scale)
    return PLANS[paper, scale]


def plan_all(scale):
    """Plan all papers together, which takes less time than one after the other."""
    missing = [Entry(paper) for paper in PAPERS if (paper, scale) not in PLANS]
    PLANS.update(
        ((paper, scale), plan)
        for paper, plan in said(plans.plans_of, RUN, missing, scale).items()
    )
    return [PLANS[paper, scale] for paper in PAPERS]


def said(plan, *what):
    """Plan or check; what a user can mend is said as Snakemake says it."""
    try:
        return plan(*what)
    except ModuleNotFoundError as error:
        raise WorkflowError(
            f"{error.name} is not installed: pip install 'icml2008[run]'"
        )
    except Icml2008Error as error:
        raise WorkflowError(str(error)) from None


def plan_of(wildcards, label=None):
    return plan_for(wildcards.paper, configuration.scale_of(label or wildcards.scale))


def all_data(label):
    """Return the data sets that any of the papers reads at full scale."""
    found = plan_all(configuration.scale_of(label))
    return sorted({name for plan in found for name in plan.data})


def rendering_of(label):
    return [plan.rendering for plan in plan_all(configuration.scale_of(label))]


def states_of(datasets):
    return [f"results/data/{name}.json" for name in datasets]


def files_of(name):
    """Return a function of a folder of results to this file of every paper."""

    def files(wildcards):
        plan_all(
            configuration.scale_of(wildcards.scale)
        )  # each of these files will ask
        return [f"results/{wildcards.scale}/{paper}/{name}" for paper in PAPERS]

    return files


def fetch_again(wildcards):
    """Return another text each time, as long as a data set is not there: it is tried again."""
    file = Path(f"results/data/{wildcards.dataset}.json")
    if file.is_file() and not outcome.usable(State.from_json(file.read_text())):
        return str(STARTED)
    return ""


def states_for_trials(wildcards):
    """Return what trials read; those that were lost, or shall be retried, are forgotten first.

    An input is asked for before Snakemake looks for what is missing.
    """
    plan = plan_of(wildcards)
    run = shelf_of(wildcards.scale, wildcards.paper)
    parts = [(name, about["code"]) for name, about in plan.shards.items()]
    failed = RUN.retry and any(again.failed_shards(run))
    if failed or again.has_lost(run, parts):
        if SNAKEMAKE.only_plans:
            announce.say(f"Trials would be run again: {wildcards.paper}")
        elif SNAKEMAKE.changes_files:
            said(lock.hold)
            again.forget_records(run)
            if failed:
                again.forget_failed(run)
    return states_of(plan.reads)


def shelf_of(label, paper):
    return store.Shelf.of_run(label, Entry(paper))


def shelves_of(label):
    return [shelf_of(label, paper) for paper in PAPERS]


def files_of_paper(label, paper):
    """Return what is made of a paper: what of it is lost is made again."""
    folder = f"results/{label}/{paper}"
    names = "records", "verdicts.json", "check.json", "overview.json"
    page = f"results/{label}/report/{paper}.html"
    return [*(f"{folder}/{name}" for name in names), page]


def files_of_run(label):
    """Return what a run makes."""
    pages = [
        f"results/{label}/report/{name}.html" for name in ("index", "quality", "audit")
    ]
    papers = [file for paper in PAPERS for file in files_of_paper(label, paper)]
    return [f"results/{label}/done", f"results/{label}/check.json", *pages, *papers]


def published_figures():
    return [
        f"figures/{paper}"
        for paper in PAPERS
        if Path(f"results/reference/{paper}/verdicts.json").is_file()
    ]


def scales():
    """Return the scales of this run: ``snakemake full`` has another one than the configuration."""
    return SNAKEMAKE.values("scale") or [SCALE]


def begin_afresh():
    """Remove what forced jobs would else take up again."""
    for records in SNAKEMAKE.forced_outputs("run_trials"):
        rmtree(records.with_name("shards"), ignore_errors=True)


onstart:
    try:
        outcome.check_room(Path.cwd())
        killed = lock.hold()
    except Icml2008Error as error:
        raise WorkflowError(str(error)) from None
    atexit.register(outcome.say_no_room, Path.cwd())
    logging.raiseExceptions = (
        False  # a full disk is said once, not for each line of a log
    )
    if killed:
        announce.say(
            f"The run before ({killed}) was killed; this one goes on from it."
        )
        store.remove_unfinished()
    for scale in scales():
        outcome.reason_of(scale).unlink(missing_ok=True)
    announce.announce(RUN, all_data(SCALE))
    begin_afresh()
    WORKERS.start({arithmetic.BASELINE, *map(configuration.arithmetic_of, LABELS)})


onsuccess:
    WORKERS.stop()
    for scale in scales():
        announce.say_cost(shelves_of(scale), STARTED, SNAKEMAKE.cores)
        papers = SNAKEMAKE.values("paper", scale=scale)
        judged = [shelf_of(scale, paper) for paper in papers]
        announce.say_where(scale, judged)


onerror:
    from icml2008.run.site.rendering import render_failed

    WORKERS.stop()
    if not SNAKEMAKE.has_failed:
        outcome.say_last("Interrupted: the same command goes on from here", SCALE)
    for scale in scales():
        if failed := SNAKEMAKE.failed_steps(scale):
            ended = outcome.outcome_of(
                scale, all_data(scale), strict=STRICT, failed=failed
            )
            text = outcome.reason(ended, scale)
            try:
                if outcome.lacks_pages(failed):
                    render_failed(scale, shelves_of(scale), ended)
                    text = outcome.reason(ended, scale)  # which names the page
            except CannotWrite:
                pass  # said at the very end
            except (
                Icml2008Error
            ) as error:  # what an earlier run left cannot be read
                text = f"{error}\n{text}"
            finally:
                outcome.say_last(text, scale)
