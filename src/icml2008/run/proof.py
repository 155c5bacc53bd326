"""That a reference is whole and its verdicts are those of its records.

To derive them takes seconds to minutes. It is done once: what came of it is kept where runs keep
what they planned, and a reference without faults has a proof beside it, until something changes
that it was derived from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from icml2008 import store
from icml2008.catalogue import library
from icml2008.harness import records
from icml2008.harness.choices import DEFAULT
from icml2008.harness.kept import kept
from icml2008.run.completeness import missing_records, readable
from icml2008.run.keys import deriving_code, hash_files
from icml2008.run.rejudge import derive, differences
from icml2008.run.stored import read_provenance, read_verdicts
from icml2008.store import REFERENCE, Evidence

KEPT = Path(".snakemake/icml2008/derived")


def faults(key: str, evidence: Evidence, broken: Sequence[str] = ()) -> list[str]:
    """Return what the reference of a paper lacks, and where its verdicts belie its records.

    Parameters
    ----------
    key : str
    evidence : mapping
        The records of the reference.
    broken : sequence of str
        What of them cannot be read.
    """
    if is_proven(key):
        return []
    try:
        missing = _kept(key, "lacking", lambda: [*broken, *_lacking(key, evidence)])
        return missing + _kept(key, "differences", lambda: _differences(key, evidence))
    except store.BrokenFile as error:
        return [*broken, str(error)]


def lacking(key: str) -> list[str]:
    """Return what the reference of a paper lacks, and what of it cannot be read."""

    def found() -> list[str]:
        evidence, broken = readable(REFERENCE, key)
        return [*broken, *_lacking(key, evidence)]

    return [] if is_proven(key) else _kept(key, "lacking", found)


def _kept(key: str, what: str, make: Callable[[], list[str]]) -> list[str]:
    try:
        made_of = [_proof(key)]
    except OSError:  # what cannot be read now may be read the next time
        return make()
    return json.loads(kept(KEPT / f"{key}-{what}.json", made_of, lambda: json.dumps(make())))


def _lacking(key: str, evidence: Evidence) -> list[str]:
    provenance = read_provenance(key)
    stored = read_verdicts(REFERENCE, key)
    if not evidence and not stored and not provenance:
        return [f"there is no reference; run it at full scale, then: icml2008 adopt {key}"]
    missing = []
    if provenance is None:
        missing.append("provenance.json is not there, or is none")
    else:
        experiments = library.load_paper(key).experiments
        unknown = [name for name in experiments if name not in provenance["keys"]]
        missing += [f"provenance.json has no key of {name}" for name in unknown]
    if not stored:
        return [*missing, "verdicts.json is not there"]
    universes = dict.fromkeys([DEFAULT, *(row["universe"] for row in stored)])
    return missing + missing_records(key, evidence, "full", universes)


def _differences(key: str, evidence: Evidence) -> list[str]:
    stored = read_verdicts(REFERENCE, key)
    return differences(stored, derive(key, REFERENCE, evidence, "full")) if stored else []


def prove(key: str) -> None:
    """Note that the reference of a paper has no faults, until it or what judges it changes."""
    records.write_atomically(store.proof_file(REFERENCE, key), _proof(key))


def is_proven(key: str) -> bool:
    """Return whether the reference of a paper is as it was when it had no faults."""
    file = store.proof_file(REFERENCE, key)
    return file.is_file() and file.read_text("utf-8") == _proof(key)


def _proof(key: str) -> str:
    """Return a line that changes with the reference and with what its verdicts are derived by."""
    files = [
        *store.record_files(REFERENCE, key),
        *store.verdict_files(REFERENCE, key),
        store.provenance_file(REFERENCE, key),
    ]
    return f"{hash_files(path for path in files if path.is_file())} {deriving_code(key)}\n"
