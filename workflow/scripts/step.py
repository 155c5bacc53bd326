import sys
from pathlib import Path

# As in rules/common.smk: an environment of the job's own need not have the package.
beside = Path(snakemake.scriptdir, "../../src").resolve()
if beside.is_dir():
    sys.path.insert(0, str(beside))

from icml2008.run.job import perform  # noqa: E402

perform(snakemake)
