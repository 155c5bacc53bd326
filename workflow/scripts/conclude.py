from icml2008.workflow.check import conclude
from icml2008.workflow.job import job

with job(snakemake):
    conclude(
        snakemake.input.check,
        list(snakemake.input.states),
        strict=snakemake.params.data_mode == "strict",
    )
