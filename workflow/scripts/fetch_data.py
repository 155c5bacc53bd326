from icml2008.data import ensure
from icml2008.harness.records import write_atomically
from icml2008.run.job import job

with job(snakemake):
    state = ensure(snakemake.wildcards.dataset, mirrors=snakemake.params.mirrors, tell=print)
    write_atomically(snakemake.output.state, state.to_json())
