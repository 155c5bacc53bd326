from icml2008.workflow.job import job
from icml2008.workflow.rendering import render_index

with job(snakemake):
    render_index(snakemake.wildcards.scale, snakemake.params.papers)
