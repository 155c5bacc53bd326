from icml2008.workflow.job import job
from icml2008.workflow.rendering import render_paper

with job(snakemake):
    render_paper(snakemake.wildcards.scale, snakemake.wildcards.paper)
