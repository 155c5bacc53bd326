from icml2008.workflow.job import job
from icml2008.workflow.rendering import render

with job(snakemake):
    render(snakemake.wildcards.scale, snakemake.params.papers)
