"""What is wrong or weak in a folder of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import DEFAULT, around_the_default
from icml2008.harness.experiment import SCALES
from icml2008.harness.records import header
from icml2008.judge.outside import Outside, outside
from icml2008.judge.recorded import Records
from icml2008.report.quality import Flaw, flaws_of
from icml2008.run.reference import adopting, proof
from icml2008.run.reference.completeness import missing_records
from icml2008.run.trials.configuration import scale_of
from icml2008.store import Shelf


def quality_of(shelf: Shelf, rows: Sequence[Mapping[str, Any]] | None = None) -> list[Flaw]:
    """Return what is wrong with the results of a paper on a shelf, the gravest first.

    `rows` are its verdicts in all universes; they are read where they are not given.
    """
    if rows is None:
        rows = shelf.verdicts()
    return flaws_of(
        shelf.key,
        rows,
        outside=_outside(shelf),
        stale=adopting.stale(shelf) if shelf.packed else (),
        missing=_missing(shelf),
        untried=_untried(shelf.entry, rows) if shelf.packed else (),
    )


def _untried(entry: Entry, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the declared universes, but the default, in which nothing is judged."""
    paper = entry.paper
    judged = {row["universe"] for row in rows}
    return [u for u in [*around_the_default(paper.choices), *paper.together] if u not in judged]


def _outside(shelf: Shelf) -> list[Outside]:
    paper = shelf.entry.paper
    beyond = []
    for name, facts in paper.experiments.items():
        lines = []
        with suppress(OSError, ValueError):  # what cannot be read is listed as missing
            lines = shelf.lines(name, DEFAULT)
        if lines:
            records = Records([header(shelf.key, name, DEFAULT), *lines])
            beyond += outside(records, facts.controls, paper.metrics)
    return beyond


def _missing(shelf: Shelf) -> list[str]:
    if shelf.packed:
        return proof.lacking(shelf)
    scale = scale_of(shelf.label)
    if scale not in SCALES:
        return []
    records, broken = shelf.readable()
    return broken + missing_records(shelf.entry, records, scale, [DEFAULT])
