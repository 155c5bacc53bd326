"""Addresses of the site that others may have noted: none of them is lost."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from icml2008.catalogue.model import Paper
from icml2008.report.pages.paper import withdrawn

FROZEN = Path("docs/addresses.txt")
"""The addresses that were given out, by release; a line each."""

_SHARED = (
    "audit",
    "data",
    "downloads",
    "findings",
    "hands",
    "index",
    "methods",
    "quality",
    "rules",
)


def addresses(papers: Iterable[Paper]) -> list[str]:
    """Return the addresses of all papers, claims and lists below the site's own, sorted.

    A claim that was taken out or renamed keeps its address: the page there says what became of it.
    """
    names = list(_SHARED)
    for paper in papers:
        claims = [name for name, claim in paper.claims.items() if claim.status]
        names += [paper.key, *(f"{paper.key}/{name}" for name in [*claims, *withdrawn(paper)])]
    return sorted(f"{name}.html" for name in names)


def frozen(root: Path = Path()) -> list[str]:
    """Return the addresses that were given out."""
    file = root / FROZEN
    return file.read_text("utf-8").split() if file.is_file() else []


def lost(given: Iterable[str], papers: Iterable[Paper]) -> list[str]:
    """Return which of the given addresses lead nowhere today."""
    return sorted(set(given).difference(addresses(papers)))
