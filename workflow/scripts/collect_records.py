from icml2008.workflow.job import job
from icml2008.workflow.trials import collect

with job(snakemake):
    collect(
        snakemake.wildcards.paper,
        list(snakemake.input.shards),
        snakemake.params.universes,
        snakemake.output.records,
    )
