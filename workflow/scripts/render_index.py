from icml2008.run.job import job
from icml2008.run.outcome import outcome_of
from icml2008.run.rendering import render_index

with job(snakemake):
    scale, papers = snakemake.wildcards.scale, snakemake.params.papers
    render_index(scale, papers, outcome_of(scale, papers, strict=snakemake.params.strict))
