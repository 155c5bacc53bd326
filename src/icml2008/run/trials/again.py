"""What of a paper's results is forgotten, so that it is made again: lost or failed trials.

Snakemake makes again what it sees to be missing. It looks at folders of records, not into them, and
a trial in which a method failed has left a record like others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import rmtree

from icml2008.store import Shelf, record_file

FAILED = "failed"


def has_lost(run: Shelf, shards: Iterable[tuple[str, Iterable[str]]]) -> bool:
    """Return whether the folder of a paper's records is there and lacks files.

    Parameters
    ----------
    run : Shelf
    shards : iterable of (str, iterable of str)
        Name of each shard, ``universe/number``, and its experiments.
    """
    records = run.records_folder
    expected = {(name.partition("/")[0], part) for name, parts in shards for part in parts}
    return records.is_dir() and not all(
        record_file(records, experiment, universe).is_file() for universe, experiment in expected
    )


def forget_records(run: Shelf) -> None:
    """Remove a paper's records; what is done of its shards stays done."""
    rmtree(run.records_folder, ignore_errors=True)


def forget_failed(run: Shelf) -> None:
    """Remove the shards of a paper with trials that failed."""
    for file in list(failed_shards(run)):
        file.unlink()  # first: it says what is done
        file.with_suffix(".cost.json").unlink(missing_ok=True)


def failed_shards(run: Shelf) -> Iterator[Path]:
    """Yield the files of a paper's shards in which a method failed."""
    for file in sorted(run.shards_folder.glob("*/*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            if any('"failure"' in line and _is_failure(line) for line in lines):
                yield file


def _is_failure(line: str) -> bool:
    try:
        return json.loads(line).get("kind") == "failure"
    except (ValueError, AttributeError):
        return True  # what is no record was not written by a trial that went well
