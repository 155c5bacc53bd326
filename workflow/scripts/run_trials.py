from icml2008.harness import arithmetic

arithmetic.use(snakemake.params.arithmetic)  # before NumPy is loaded

from icml2008.run.execution import run_shard  # noqa: E402
from icml2008.run.job import job  # noqa: E402

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
