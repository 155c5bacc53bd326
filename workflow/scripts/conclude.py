from icml2008.run.job import job
from icml2008.run.outcome import conclude

with job(snakemake):
    conclude(snakemake.wildcards.scale, snakemake.params.papers, strict=snakemake.params.strict)
