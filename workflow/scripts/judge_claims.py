from pathlib import Path

from icml2008.harness import arithmetic

arithmetic.use()  # before NumPy is loaded

from icml2008.run.check import compare_with_reference  # noqa: E402
from icml2008.run.job import job  # noqa: E402
from icml2008.run.verdicts import judge_results, write_json  # noqa: E402

with job(snakemake):
    key = snakemake.wildcards.paper
    results = Path("results") / snakemake.wildcards.scale
    judge_results(key, results, snakemake.params.universes, snakemake.output.verdicts)
    write_json(snakemake.output.check, compare_with_reference(key, results))
