"""The page that lists what is wrong or weak in the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.report.pages.front import linked
from icml2008.report.pages.page import Page
from icml2008.report.quality import SEVERITIES, Flaw, count, grouped


def quality_page(
    flaws: Sequence[Flaw], overviews: Sequence[Mapping[str, Any]], **more: Any
) -> Page:
    """Return what is wrong or weak in the results of all papers, ``quality.html``.

    Parameters
    ----------
    flaws : sequence of Flaw
        Of all papers and of the run.
    overviews : sequence of mapping
        As `icml2008.report.pages.paper.overview` returns them.
    **more
        What the page is given besides: `health`.
    """
    content = {
        "severities": SEVERITIES,
        "counts": count(flaws),
        "groups": grouped(flaws),
        "titles": {paper["key"]: paper["title"] for paper in overviews},
        "alike": _alike,
        "pages": {(paper["key"], claim["name"]) for paper in overviews for claim in linked(paper)},
    }
    return Page("quality.html", "pages/quality.html", content | more)


def _alike(flaws: Sequence[Flaw]) -> list[tuple[tuple[str, str], list[Flaw]]]:
    """Return flaws by their kind and what would settle them, which is then said once."""
    groups: dict[tuple[str, str], list[Flaw]] = {}
    for flaw in flaws:
        groups.setdefault((flaw.label, flaw.settles), []).append(flaw)
    return list(groups.items())
