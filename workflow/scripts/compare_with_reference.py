import json
from pathlib import Path

from icml2008.run.job import job
from icml2008.run.verdicts import write_json

with job(snakemake):
    found = [json.loads(Path(file).read_text("utf-8")) for file in snakemake.input.checks]
    write_json(snakemake.output.check, dict(zip(snakemake.params.papers, found, strict=True)))
