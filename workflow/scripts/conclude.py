from icml2008.workflow.job import job
from icml2008.workflow.outcome import conclude

with job(snakemake):
    conclude(snakemake.wildcards.scale, snakemake.params.papers, strict=snakemake.params.strict)
