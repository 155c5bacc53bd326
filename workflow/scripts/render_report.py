import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.papers import library
    from icml2008.workflow.rendering import render

    if snakemake.params.papers_path:
        library.add_papers(snakemake.params.papers_path)
    render(snakemake.wildcards.scale, snakemake.params.papers)
