"""That a reference is whole and its verdicts are those of its records.

To derive them takes seconds to minutes. It is done once: what came of it is kept where runs keep
what they planned, and a reference without faults has a proof beside it, until something changes
that it was derived from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from icml2008.harness import records
from icml2008.harness.choices import DEFAULT
from icml2008.harness.kept import kept
from icml2008.run.keys import deriving_code, hash_files
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.rejudge import derive, differences
from icml2008.store import BrokenFile, RecordSet, Shelf

KEPT = Path(".snakemake/icml2008/derived")


def faults(reference: Shelf, evidence: RecordSet, broken: Sequence[str] = ()) -> list[str]:
    """Return what the reference of a paper lacks, and where its verdicts belie its records.

    Parameters
    ----------
    reference : Shelf
    evidence : mapping
        Its records.
    broken : sequence of str
        What of them cannot be read.
    """
    if is_proven(reference):
        return []
    try:
        missing = _kept(reference, "lacking", lambda: [*broken, *_lacking(reference, evidence)])
        return missing + _kept(reference, "differences", lambda: _differences(reference, evidence))
    except BrokenFile as error:
        return [*broken, str(error)]


def lacking(reference: Shelf) -> list[str]:
    """Return what the reference of a paper lacks, and what of it cannot be read."""

    def faults_of_files() -> list[str]:
        evidence, broken = reference.readable()
        return [*broken, *_lacking(reference, evidence)]

    return [] if is_proven(reference) else _kept(reference, "lacking", faults_of_files)


def _kept(reference: Shelf, what: str, make: Callable[[], list[str]]) -> list[str]:
    try:
        made_of = [_proof(reference)]
    except OSError:  # what cannot be read now may be read the next time
        return make()
    return json.loads(
        kept(KEPT / f"{reference.key}-{what}.json", made_of, lambda: json.dumps(make()))
    )


def _lacking(reference: Shelf, evidence: RecordSet) -> list[str]:
    entry = reference.entry
    provenance = reference.provenance()
    rows = reference.verdicts()
    if not evidence and not rows and not provenance:
        return [f"there is no reference; run it at full scale, then: icml2008 adopt {entry.key}"]
    missing = []
    if provenance is None:
        missing.append("provenance.json is not there, or is none")
    else:
        experiments = entry.paper.experiments
        unknown = [name for name in experiments if name not in provenance["keys"]]
        missing += [f"provenance.json has no key of {name}" for name in unknown]
    if not rows:
        return [*missing, "verdicts.json is not there"]
    universes = dict.fromkeys([DEFAULT, *(row["universe"] for row in rows)])
    return missing + missing_records(entry, evidence, "full", universes)


def _differences(reference: Shelf, evidence: RecordSet) -> list[str]:
    rows = reference.verdicts()
    return differences(rows, derive(reference, evidence, "full")) if rows else []


def prove(reference: Shelf) -> None:
    """Note that the reference of a paper has no faults, until it or what judges it changes."""
    records.write_atomically(reference.proof_file, _proof(reference))


def is_proven(reference: Shelf) -> bool:
    """Return whether the reference of a paper is as it was when it had no faults."""
    file = reference.proof_file
    return file.is_file() and file.read_text("utf-8") == _proof(reference)


def _proof(reference: Shelf) -> str:
    """Return a line that changes with the reference and with what its verdicts are derived by."""
    files = [
        *reference.record_files,
        *reference.verdict_files,
        reference.provenance_file,
    ]
    return (
        f"{hash_files(path for path in files if path.is_file())} {deriving_code(reference.entry)}\n"
    )
