"""What to run: planned here by the package, executed by the rules."""

import time
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from icml2008.data.availability import State
from icml2008.errors import Icml2008Error
from icml2008.harness.code import code_hash, numerical_versions
from icml2008.catalogue import library
from icml2008.run import execution as trials
from icml2008.run import announce, keys, outcome, planning

try:
    RUN = planning.read_config(config)
    PAPERS = planning.papers(RUN)
except Icml2008Error as error:
    raise WorkflowError(str(error)) from None

SCALE = RUN.scale
LABELS = RUN.labels
if not LABELS:  # nothing will start, so that nothing would be said
    announce.announce_arithmetic(RUN)
STRICT = RUN.data_mode == "strict"
STARTED = time.time()


wildcard_constraints:
    scale=r"(?:smoke|quick|full)(?:@[a-z0-9-]+)?",
    paper="[^/]+",
    universe="[^/]+",
    shard=r"\d{4}",
    dataset="[^/]+",


@cache
def shards_of(paper, label, universe):
    scale = planning.scale_of(label)
    return {shard.name: shard for shard in planning.shards_of(paper, scale, universe)}


def shard_of(wildcards):
    at = (wildcards.paper, wildcards.scale, wildcards.universe)
    return shards_of(*at)[wildcards.shard]


def shard_states(wildcards):
    return [f"results/data/{name}.json" for name in shard_of(wildcards).data]


@cache
def choices_in(paper, experiment, universe):
    return library.trial_choices(paper, experiment, universe)


def shard_work(wildcards):
    """Return what a job runs and what its result depends on, in one: planning asks for it often."""
    shard = shard_of(wildcards)
    paper, universe = wildcards.paper, wildcards.universe
    return {
        "trials": [[name, dict(cell), repeat] for name, cell, repeat in shard.trials],
        "choices": {
            name: choices_in(paper, name, universe) for name in shard.experiments
        },
        "code": {
            name: keys.code_of(paper, name, shard.data) for name in shard.experiments
        },
        "data": keys.data_key(shard.data),
        "kernels": keys.kernels_of(paper),
    }


@cache
def universes_of(paper):
    return planning.universes(RUN, paper)


def shard_files(wildcards):
    return [
        f"results/{wildcards.scale}/{wildcards.paper}/shards/{universe}/{name}.jsonl"
        for universe in universes_of(wildcards.paper)
        for name in shards_of(wildcards.paper, wildcards.scale, universe)
    ]


def files_of(name):
    """Return a function of a folder of results to this file of every paper."""
    return lambda wildcards: [
        f"results/{wildcards.scale}/{paper}/{name}" for paper in PAPERS
    ]


def states_of(papers):
    return [f"results/data/{name}.json" for name in planning.all_data(papers)]


def pages_of(label):
    names = ["index", *PAPERS]
    return [f"results/{label}/report/{name}.html" for name in names]


def fetch_again(wildcards):
    """Return another text each time, as long as a data set is not there: it is tried again."""
    file = Path(f"results/data/{wildcards.dataset}.json")
    if file.is_file() and not trials.usable(State.from_json(file.read_text())):
        return str(STARTED)
    return ""


def published_figures():
    return [
        f"figures/{paper}"
        for paper in PAPERS
        if Path(f"results/reference/{paper}/verdicts.json").is_file()
    ]


def scales():
    """Return the scales of this run: ``snakemake full`` has another one than the configuration."""
    named = {job.wildcards.get("scale") for job in workflow.dag.jobs} - {None}
    return sorted(named) or [SCALE]


def failed_steps(scale):
    found = []
    for one in workflow.scheduler.failed:
        for job in one.jobs if one.is_group() else [one]:
            at = job.wildcards
            if at.get("scale", scale) != scale:
                continue
            name = at.get("dataset", "")
            if "shard" in at.keys():
                name = f"{at.shard} ({', '.join(shard_of(at).experiments)})"
            log = "".join(job.log[:1])
            found.append(outcome.Step(job.rule.name, at.get("paper", ""), name, log))
    return sorted(found, key=lambda step: step.log)


onstart:
    for scale in scales():
        outcome.reason_of(scale).unlink(missing_ok=True)
    announce.announce(RUN, PAPERS)


onsuccess:
    for scale in scales():
        announce.say_cost(scale, PAPERS, STARTED, workflow.cores)
        announce.say_where(scale)


onerror:
    from icml2008.run.rendering import render_all

    if not workflow.scheduler.failed:
        outcome.say_last("Interrupted: the same command goes on from here", SCALE)
    for scale in scales():
        if failed := failed_steps(scale):
            ended = outcome.outcome_of(scale, PAPERS, strict=STRICT, failed=failed)
            try:
                if outcome.lacks_pages(failed):
                    render_all(scale, PAPERS, ended)
            finally:
                outcome.say_last(outcome.reason(ended, scale), scale)
