import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.workflow.check import conclude

    conclude(
        snakemake.input.check,
        list(snakemake.input.states),
        strict=snakemake.params.data_mode == "strict",
    )
