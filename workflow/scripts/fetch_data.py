import sys

with open(snakemake.log[0], "w") as log:
    sys.stderr = sys.stdout = log
    from icml2008.data import ensure
    from icml2008.harness.records import write_atomically

    state = ensure(snakemake.wildcards.dataset, mirrors=snakemake.params.mirrors, tell=print)
    write_atomically(snakemake.output.state, state.to_json())
