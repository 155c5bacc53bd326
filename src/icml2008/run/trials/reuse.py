"""What the committed reference already has of trials: their records, where nothing behind differs.

A trial is a pure function of its experiment's code, data and choices, of the versions of libraries
and of the arithmetic. Where all of them are those of the reference, its records would be the same
bytes again. A run says how many it took: numbers that were read were not made here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.harness import arithmetic
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import Line, canonical
from icml2008.run.keys import result_key
from icml2008.store import Shelf

At = tuple[str, int]
"""A cell, as a text, and a repeat."""


def at(cell: Mapping[str, Any], repeat: int) -> At:
    """Return what names a trial of an experiment."""
    return canonical(dict(cell)), repeat


def known_records(entry: Entry, experiment: str, universe: str) -> dict[At, list[Line]]:
    """Return the reference's lines of each trial of an experiment, if they would be made again.

    There are none if the reference has another key or came by another arithmetic than this
    process's, or if it left out what the trials keep for figures, as it does of alternatives.
    """
    reference = Shelf.of_reference(entry)
    provenance = reference.provenance()
    if provenance is None or not _same_arithmetic(provenance.get("arithmetic", {})):
        return {}
    if provenance["keys"].get(experiment) != result_key(entry, experiment):
        return {}
    if universe != DEFAULT and any(
        line["kind"] == "array" for line in reference.lines(experiment, DEFAULT)
    ):
        return {}
    lines = defaultdict(list)
    for line in reference.lines(experiment, universe):
        lines[at(line["cell"], line["repeat"])].append(line)
    return dict(lines)


def _same_arithmetic(computed: Mapping[str, list[str]]) -> bool:
    """Return whether this process computes as the reference did, as far as it is known of both."""
    here = arithmetic.active()
    return bool(computed) and all(
        set(names) <= set(computed.get(part, names)) for part, names in here.items()
    )
