from pathlib import Path

from icml2008.run.job import job
from icml2008.run.rendering import publish_figures

with job(snakemake):
    publish_figures(snakemake.wildcards.paper, Path(snakemake.output.folder))
