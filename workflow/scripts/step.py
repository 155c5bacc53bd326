from icml2008.run.job import perform

perform(snakemake)
