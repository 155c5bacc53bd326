"""What is wrong or weak in a folder of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from icml2008 import store
from icml2008.catalogue import library
from icml2008.harness.choices import DEFAULT, around_the_default
from icml2008.harness.experiment import SCALES
from icml2008.harness.records import header
from icml2008.judge.outside import Outside, outside
from icml2008.judge.series import Records
from icml2008.report.quality import Flaw, flaws_of
from icml2008.run import proof, reference
from icml2008.run.completeness import missing_records, readable
from icml2008.run.configuration import scale_of
from icml2008.run.stored import read_verdicts
from icml2008.store import is_reference


def quality_of(key: str, results: Path) -> list[Flaw]:
    """Return what is wrong with the results of a paper in a folder, the gravest first."""
    rows = read_verdicts(results, key)
    return flaws_of(
        key,
        rows,
        outside=_outside(key, results),
        stale=reference.stale(key) if is_reference(results) else (),
        missing=_missing(key, results),
        untried=_untried(key, rows) if is_reference(results) else (),
    )


def _untried(key: str, rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the declared universes, but the default, in which nothing is judged."""
    paper = library.load_paper(key)
    judged = {row["universe"] for row in rows}
    return [u for u in [*around_the_default(paper.choices), *paper.together] if u not in judged]


def _outside(key: str, results: Path) -> list[Outside]:
    paper = library.load_paper(key)
    found = []
    for name, facts in paper.experiments.items():
        lines = []
        with suppress(OSError, ValueError):  # what cannot be read is listed as missing
            lines = store.read_all_lines(results, key, name, DEFAULT)
        if lines:
            records = Records([header(key, name, DEFAULT), *lines])
            found += outside(records, facts.controls, paper.metrics)
    return found


def _missing(key: str, results: Path) -> list[str]:
    if is_reference(results):
        return proof.lacking(key)
    if scale_of(results.name) not in SCALES:
        return []
    evidence, broken = readable(results, key)
    return broken + missing_records(key, evidence, scale_of(results.name), [DEFAULT])
