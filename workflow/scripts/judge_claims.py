import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.papers import library
    from icml2008.workflow.verdicts import judge_files

    if snakemake.params.papers_path:
        library.add_papers(snakemake.params.papers_path)
    judge_files(
        snakemake.wildcards.paper,
        list(snakemake.input.records),
        scale=snakemake.wildcards.scale,
        verdicts_file=snakemake.output.verdicts,
    )
