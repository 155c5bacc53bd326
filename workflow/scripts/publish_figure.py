from pathlib import Path

from icml2008.workflow.job import job
from icml2008.workflow.rendering import publish_figure

with job(snakemake):
    publish_figure(snakemake.wildcards.paper, Path(snakemake.output.svg).with_suffix(""))
