from icml2008.workflow.job import job
from icml2008.workflow.verdicts import judge_files

with job(snakemake):
    judge_files(
        snakemake.wildcards.paper,
        list(snakemake.input.records),
        scale=snakemake.wildcards.scale,
        universes=snakemake.params.universes,
        verdicts_file=snakemake.output.verdicts,
    )
