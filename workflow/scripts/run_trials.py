from icml2008.workflow.job import job
from icml2008.workflow.trials import run_shard

with job(snakemake):
    run_shard(
        snakemake.wildcards.paper,
        snakemake.wildcards.universe,
        snakemake.params.work["trials"],
        list(snakemake.input.states),
        mirrors=snakemake.params.mirrors,
        code=snakemake.params.work["code"],
        kernels=snakemake.params.work["kernels"],
        records_file=snakemake.output.records,
        cost_file=snakemake.output.cost,
    )
