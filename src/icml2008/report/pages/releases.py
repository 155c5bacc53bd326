"""What became of verdicts since an earlier release."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

from icml2008.catalogue.model import Paper
from icml2008.harness.choices import DEFAULT
from icml2008.report.pages.bundle import ALL_VERDICTS

Words = Mapping[tuple[str, str], str]
"""The verdict on each whole claim, by paper and claim, in the default universe."""


@dataclass(frozen=True)
class Release:
    """An earlier release: what it archived and said.

    Attributes
    ----------
    version : str
    released : date
    verdicts : mapping
        On each whole claim.
    files : list of Path
        Its table of verdicts, and how it is cited.
    """

    version: str
    released: date
    verdicts: Words
    files: Sequence[Path] = ()


def read_releases(folder: Path) -> list[Release]:
    """Return the releases below a folder, the latest first.

    Each is a folder with its table of verdicts and its ``CITATION.cff``, which has the version and
    the day as ``date-released``.
    """
    releases = []
    for path in folder.glob("*/CITATION.cff"):
        cited = yaml.safe_load(path.read_text("utf-8"))
        table = path.with_name(ALL_VERDICTS)
        day = date.fromisoformat(str(cited["date-released"]))
        words = whole(read_table(table.read_bytes()))
        releases.append(Release(str(cited["version"]), day, words, (table, path)))
    return sorted(releases, key=lambda release: (release.released, release.version), reverse=True)


def read_table(packed: bytes) -> Iterator[Mapping[str, str]]:
    """Yield the rows of a packed table of verdicts."""
    yield from csv.DictReader(io.StringIO(gzip.decompress(packed).decode()))


def whole(rows: Iterable[Mapping[str, str]]) -> Words:
    """Return the verdict on each whole claim in the default universe."""
    return {
        (row["paper"], row["claim"]): row["verdict"]
        for row in rows
        if not row["part"] and row["universe"] == DEFAULT
    }


def changes_since(
    release: Release, verdicts: Words, papers: Mapping[str, Paper]
) -> list[dict[str, str]]:
    """Return what differs from an earlier release: old and new verdict, and why.

    Parameters
    ----------
    release : Release
    verdicts : mapping
        Today's.
    papers : dict of str to Paper
        Those whose declared changes may say why.

    Returns
    -------
    list of dict
        ``paper``, ``claim``, ``before`` and ``after`` (empty where the claim was not yet or is no
        longer there) and ``why``, sorted.
    """
    changes = []
    for paper, claim in sorted(release.verdicts.keys() | verdicts.keys()):
        before, after = (table.get((paper, claim), "") for table in (release.verdicts, verdicts))
        if before != after:
            why = _why(papers.get(paper), claim, release.released)
            changes.append(
                {"paper": paper, "claim": claim, "before": before, "after": after, "why": why}
            )
    return changes


def _why(paper: Paper | None, name: str, since: date) -> str:
    """Return the reasons of the declared changes that bear on a claim, from a day on."""
    if paper is None:
        return ""
    claim = paper.claims.get(name)
    experiment = claim.statistic.experiment if claim and claim.statistic else None
    bearing = {("claim", name), ("experiment", experiment)} | {
        ("choice", choice) for choice, entry in paper.choices.items() if experiment in entry.touches
    }
    reasons = [
        change.reason
        for change in paper.changes
        if change.date >= since and (change.kind, change.what) in bearing
    ]
    return " ".join(dict.fromkeys(reasons))
