import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.papers import library
    from icml2008.workflow.trials import run_shard

    if snakemake.params.papers_path:
        library.add_papers(snakemake.params.papers_path)
    run_shard(
        snakemake.wildcards.paper,
        snakemake.wildcards.experiment,
        snakemake.wildcards.universe,
        snakemake.params.trials,
        list(snakemake.input.states),
        mirrors=snakemake.params.mirrors,
        records_file=snakemake.output.records,
        cost_file=snakemake.output.cost,
    )
