"""What to run: planned by the package (`icml2008.run.products`), executed by the rules."""

import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

# The package beside the workflow, else the one that is installed. Reading the rules takes no more
# than Snakemake brings.
BESIDE = Path(str(workflow.current_basedir.join("../../src"))).resolve()
if BESIDE.is_dir():
    sys.path.insert(0, str(BESIDE))

try:
    from icml2008.run import keys, phases, worker
    from icml2008.run.products import Products, as_snakemake_says, states_of
    from icml2008.run.trials import announce, configuration, demands
    from icml2008.run.workflow import Workflow
except ModuleNotFoundError as error:
    raise WorkflowError(f"{error.name} is not installed: pip install 'icml2008[run]'")

with as_snakemake_says():
    RUN = configuration.read_config(config)
    PRODUCTS = Products(RUN, Workflow(workflow))
validate(config, "../schemas/config.schema.yaml")

PAPERS = [entry.key for entry in PRODUCTS.papers]
LABELS = RUN.labels
if not LABELS:  # nothing will start, so that nothing would be said
    announce.announce_arithmetic(RUN)
STRICT = RUN.data_mode == "strict"
MOST_AT_ONCE = 16  # processes of one paper's trials
WORKERS = worker.Workers()
if PRODUCTS.snakemake.is_a_job:
    worker.forget()


wildcard_constraints:
    scale=r"(?:smoke|quick|full)(?:@[a-z0-9-]+)?",
    paper=r"(?!(?:index|audit|quality)\.)[^/]+",
    dataset="[^/]+",
    unknown_target="[A-Za-z0-9_-]+",


def plan_of(wildcards, label=None):
    return PRODUCTS.plan(wildcards.paper, label or wildcards.scale)


onstart:
    phases.begin(PRODUCTS, WORKERS)


onsuccess:
    WORKERS.stop()
    phases.end_well(PRODUCTS)


onerror:
    WORKERS.stop()
    phases.end_badly(PRODUCTS)
