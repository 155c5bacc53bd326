from pathlib import Path

from icml2008.workflow.job import job
from icml2008.workflow.verdicts import judge_results

with job(snakemake):
    judge_results(
        snakemake.wildcards.paper,
        Path("results") / snakemake.wildcards.scale,
        snakemake.params.universes,
        snakemake.output.verdicts,
    )
