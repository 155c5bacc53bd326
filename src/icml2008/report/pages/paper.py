"""A paper's page, and what lists of papers say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from icml2008.catalogue.citing import bibtex
from icml2008.catalogue.model import Paper
from icml2008.report.entries import GROUPS, VERDICTS, PaperResults
from icml2008.report.pages.answer import answer, caveat, counted
from icml2008.report.pages.lines import claim_rows, listed
from icml2008.report.pages.page import Page

# Where the proceedings as a whole are found.
_PROCEEDINGS = "https://doi.org/10.1145/1390156"

# What lists of papers say of a claim.
_OF_CLAIMS = ("name", "says", "verdict", "status", "turned_by", "same_as", "disputed")
_ABOUT = {
    "headline": "In the abstract, the conclusions or the table that carries the paper.",
    "supporting": "Elsewhere in the paper.",
    "ours": "With a size, setting, factor or threshold that the paper does not have. In no score.",
    "stand_in": "Judged on data that stand in for the paper's. In no score.",
    "listed": "With their printed numbers; no experiment decides them yet.",
}
_TITLES = {
    "headline": "Headline claims",
    "supporting": "Supporting claims",
    "ours": GROUPS["ours"],
    "stand_in": GROUPS["stand_in"],
    "listed": "Listed claims",
}


def paper_page(results: PaperResults, **more: Any) -> Page:
    """Return the page of a paper, ``<key>.html``.

    Parameters
    ----------
    results : PaperResults
    **more
        What the page is given besides: `figures`, `opener`, `health`, `run`, `state`, `whole`,
        and as `takes` what each experiment expects of methods of one's own.
    """
    paper, rows = results.paper, claim_rows(results)
    facts = overview(results, more["state"])
    content = {
        **facts,
        "paper": paper,
        "citation": citation(paper),
        "caveat": caveat(list(rows.values()), stale=results.stale),
        "sections": sections(rows),
        "elsewhere": len(results.turned()),
        "universes": len(results.universes()),
        "errata": upheld(paper),
        "audit": results.audit,
        "arithmetic": {"runs": {}, "flips": []} | dict(results.arithmetic),
        "chaotic": [one for facts in paper.experiments.values() for one in facts.chaotic],
        "provenance": facts_in_words(results.provenance or {}),
        "missing": results.missing_data,
        "failed_jobs": results.failed_jobs,
        "withdrawn": withdrawn(paper),
        "bibtex": bibtex(paper),
        "planned": planned(paper),
        "takes": {},
    }
    return Page(f"{paper.key}.html", "pages/paper.html", content | more)


def overview(results: PaperResults, state: str) -> dict[str, Any]:
    """Return what lists of papers say of one, as plain data.

    Parameters
    ----------
    results : PaperResults
    state : str
        ``re-run``, ``planned``, or what stands in the way.
    """
    paper, rows = results.paper, list(claim_rows(results).values())
    counts = Counter(row["verdict"] for row in counted(rows))
    beyond = Counter(row["verdict"] for row in rows if row["group"] != "own")
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": list(paper.authors),
        "topic": paper.topic,
        "state": state,
        "proceedings": paper.proceedings,
        "answer": answer(rows),
        "counts": {word: counts[word] for word in VERDICTS if judged(rows) or word == "untested"},
        "beyond": {word: beyond[word] for word in VERDICTS if beyond[word]},
        "stale": results.stale,
        "disputed": sum(row["disputed"] for row in rows),
        "methods": list(paper.methods),
        "data": sorted(paper.data),
        "claims": [
            {
                name: row[name]
                for name in (
                    "name",
                    "says",
                    "verdict",
                    "status",
                    "turned_by",
                    "same_as",
                    "disputed",
                )
            }
            for row in rows
        ],
    }


def judged(rows: list[Mapping[str, Any]]) -> bool:
    """Return whether anything was judged."""
    return any(row["verdict"] != "untested" for row in rows)


def citation(paper: Paper) -> dict[str, Any]:
    """Return how a paper is cited, and where it is found."""
    pages = "–".join(str(page) for page in dict.fromkeys(paper.pages or ()))
    return {
        "authors": ", ".join(paper.authors),
        "venue": paper.venue.booktitle,
        "pages": pages,
        "link": _PROCEEDINGS if paper.proceedings else None,
    }


def sections(rows: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the claims as the page groups them: whose they are and how much hangs on them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows.values():
        found.setdefault(row["status"] or "listed", []).append(row)
    return [
        {"id": status.replace("_", "-"), "title": _TITLES[status], "about": _ABOUT[status]}
        | {"claims": found[status]}
        for status in _TITLES
        if status in found
    ]


def upheld(paper: Paper) -> list[Any]:
    """Return the errata that stand."""
    return [erratum for erratum in paper.errata if erratum.status != "dismissed"]


def withdrawn(paper: Paper) -> dict[str, Any]:
    """Return the changes that took a claim out, by its name: its address says what became of it."""
    return {
        change.claim: change
        for change in paper.changes
        if change.claim and change.after is None and change.claim not in paper.claims
    }


def planned(paper: Paper) -> list[dict[str, Any]]:
    """Return the experiments that wait, each with the claims that it would judge."""
    return [
        {
            "name": name,
            "about": one,
            "claims": [
                {"says": paper.claims[claim].says, "printed": listed(paper.claims[claim].printed)}
                for claim in one.claims
            ],
        }
        for name, one in paper.planned.items()
    ]


def facts_in_words(content: Mapping[str, Any]) -> dict[str, str]:
    """Return nested facts as flat text: ``{"versions": {"numpy": "2"}}`` is ``numpy 2``."""
    return {
        str(name).replace("_", " "): ", ".join(f"{key} {item}" for key, item in value.items())
        if isinstance(value, Mapping)
        else ", ".join(map(str, value))
        if isinstance(value, list | tuple)
        else str(value)
        for name, value in content.items()
        if value not in (None, "", [], {})
    }
