from icml2008.run.execution import collect
from icml2008.run.job import job

with job(snakemake):
    collect(
        snakemake.wildcards.paper,
        list(snakemake.input.shards),
        snakemake.params.universes,
        snakemake.output.records,
    )
