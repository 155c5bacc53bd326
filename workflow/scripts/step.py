from icml2008.workflow.job import perform

perform(snakemake)
