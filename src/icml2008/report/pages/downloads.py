"""The page of downloads: what each file is, and what changed since the last release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.catalogue.model import Head
from icml2008.report.pages import bundle
from icml2008.report.pages.page import Page
from icml2008.report.pages.releases import Release
from icml2008.report.pages.shelves import size

JUDGES = "judges.zip"

ABOUT = {
    bundle.ALL_VERDICTS: "All verdicts: a row for each claim and part in each universe, packed by "
    "gzip. R and pandas read it as it is.",
    bundle.PAPERS: "The papers of the catalogue: title, authors, pages, topic, state.",
    bundle.PACKAGE: "What each file and column is, for programs: a Frictionless Data Package.",
    bundle.BIBTEX: "All papers of the catalogue as BibTeX.",
    JUDGES: "A benchmark for judges: sentences that two hands judged, our numbers on them, and "
    "simulated claims of known truth; icml2008 score-judge scores anybody's verdicts on them.",
    "CITATION.cff": "How to cite this project.",
}


def downloads_page(
    shared: Mapping[str, int],
    archives: Mapping[str, int],
    papers: Mapping[str, Head],
    releases: Sequence[Release] = (),
    changes: Sequence[Mapping[str, str]] = (),
    **more: Any,
) -> Page:
    """Return the page of downloads.

    Parameters
    ----------
    shared, archives : dict of str to int
        Bytes of each file about all papers, and of each paper's archive by its key.
    papers : dict of str to Head
    releases : sequence of Release
        The latest first.
    changes : sequence of dict
        What changed since then, as `changes_since` returns it.
    **more
        What every page of the site is given.
    """
    content = {
        "shared": [
            {"name": name, "about": ABOUT[name], "size": size(shared[name])} for name in ABOUT
        ],
        "archives": [
            {"key": key, "title": papers[key].title, "size": size(taken)}
            for key, taken in sorted(archives.items())
        ],
        "columns": bundle.verdict_fields(),
        "rights": bundle.RIGHTS,
        "releases": [
            {
                "version": release.version,
                "released": release.released,
                "files": [{"name": f.name, "size": size(f.stat().st_size)} for f in release.files],
            }
            for release in releases
        ],
        "changes": changes,
    }
    return Page("downloads.html", "pages/downloads.html", content | more)
