from icml2008.workflow.job import job
from icml2008.workflow.trials import collect

with job(snakemake):
    collect(
        snakemake.wildcards.paper,
        snakemake.wildcards.experiment,
        snakemake.wildcards.universe,
        list(snakemake.input.shards),
        records_file=snakemake.output.records,
        kept_file=snakemake.output.kept,
    )
