import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from pathlib import Path

    from icml2008.papers import library
    from icml2008.workflow.rendering import publish_figure

    if snakemake.params.papers_path:
        library.add_papers(snakemake.params.papers_path)
    publish_figure(snakemake.wildcards.paper, Path(snakemake.output.svg).with_suffix(""))
