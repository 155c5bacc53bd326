from icml2008.run.job import job
from icml2008.run.rendering import render_paper

with job(snakemake):
    render_paper(snakemake.wildcards.scale, snakemake.wildcards.paper)
