"""The page of one claim, and of one that was withdrawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from icml2008.report import wording
from icml2008.report.citable import Citable, citables
from icml2008.report.pages.curve import curve
from icml2008.report.pages.open_choices import reading
from icml2008.report.pages.page import Page
from icml2008.report.pages.paper import citation, withdrawn
from icml2008.report.pages.two_hands import beside, of_claim
from icml2008.report.results import PaperResults
from icml2008.report.style import COLOURS
from icml2008.report.templating import environment


def claim_pages(
    results: PaperResults,
    rows: Mapping[str, Mapping[str, Any]],
    records: Mapping[str, str] | None = None,
    **more: Any,
) -> Iterator[Page]:
    """Yield a page for each claim that was judged or is untested for a reason.

    Each has the address ``<key>/<claim>.html``; that of a claim that was withdrawn says what became
    of it.

    Parameters
    ----------
    results : PaperResults
    rows : mapping of str to mapping
        What `claim_rows` says of them.
    records : dict of str to str, optional
        The SHA-256 of the measurements of each experiment.
    **more
        What the pages are given besides: `health`, `whole`.
    """
    paper = results.paper
    shared = {"paper": paper, "citation": citation(paper), "stale": results.stale} | more
    hands = beside(results)
    committed = citables(results, records or {})
    for name, row in rows.items():
        if row["status"] is not None:
            content = {"claim": row, **_curve(results, name), **_cited(committed.get(name))}
            content["second"] = of_claim(hands, name)
            yield Page(f"{paper.key}/{name}.html", "pages/claim.html", shared | content)
    for name, change in withdrawn(paper).items():
        content = {"name": name, "change": change}
        yield Page(f"{paper.key}/{name}.html", "pages/withdrawn.html", shared | content)


def _cited(citable: Citable | None) -> dict[str, Any]:
    """Return how the verdict is cited; a run's alone is not, as nobody else can have it."""
    judged = citable is not None and citable.judged
    return {
        "cited": citable and {"bibtex": citable.bibtex(), "hash": citable.hash},
        "review": Markup(citable.claim_review()) if judged else None,
    }


def _curve(results: PaperResults, name: str) -> dict[str, Any]:
    """Return the specification curve of a claim, and how many universes it has."""
    panels = curve(results, name)
    for panel in panels:
        for row in panel["rows"]:
            row["universes"] = [
                reading(universe, results.paper.choices) for universe in row["universes"]
            ]
    rows = panels[0]["rows"] if panels else []
    return {"panels": panels, "universes": sum(len(row["universes"]) for row in rows)}


def badge(row: Mapping[str, Any]) -> str:
    """Return a verdict as a small picture; one that turns on choices says so beside the word."""
    word = row["verdict"] + (", disputed" if row["disputed"] else "")
    if row["turned_by"]:
        word += ", turns on a reading"
    template = environment().get_template("pages/badge.svg")
    symbol = wording.SYMBOLS[row["verdict"]]
    return template.render(
        label=row["name"], word=word, symbol=symbol, colour=COLOURS[row["verdict"]]
    )
