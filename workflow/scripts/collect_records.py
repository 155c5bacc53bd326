import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.workflow.trials import collect

    collect(
        list(snakemake.input.shards),
        records_file=snakemake.output.records,
        kept_file=snakemake.output.kept,
    )
