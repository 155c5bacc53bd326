from icml2008.workflow.check import compare
from icml2008.workflow.job import job
from icml2008.workflow.verdicts import write_json

with job(snakemake):
    write_json(snakemake.output.check, compare(snakemake.params.papers, snakemake.wildcards.scale))
