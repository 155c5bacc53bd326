import sys

with open(snakemake.log[0], "w") as log:
    sys.stdout = sys.stderr = log
    from icml2008.papers import library
    from icml2008.workflow.check import compare
    from icml2008.workflow.verdicts import write_json

    if snakemake.params.papers_path:
        library.add_papers(snakemake.params.papers_path)
    check = compare(snakemake.params.papers, snakemake.wildcards.scale)
    write_json(snakemake.output.check, check)
