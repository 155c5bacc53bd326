"""The first page: what holds, and every paper; and what search knows."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.judge.totals import VERDICTS, counted
from icml2008.report.pages.page import Page

Overview = Mapping[str, Any]

# What is searched of a paper, besides its claims.
_SEARCHED = ("key", "title", "authors", "topic", "idea", "answer", "data", "methods")


def front_page(overviews: Sequence[Overview], **more: Any) -> Page:
    """Return the first page, ``index.html``.

    Parameters
    ----------
    overviews : sequence of mapping
        Of all papers, as `icml2008.report.pages.paper.overview` returns them.
    **more
        What the page is given besides: `health`, `whole`, `outcome`, `left_out`, `run`,
        `covered` (rows of how much of the catalogue is re-run).
    """
    papers = [paper for paper in overviews if paper["proceedings"]]
    others = [paper for paper in overviews if not paper["proceedings"]]
    totals = {
        word: sum(paper["counts"].get(word, 0) for paper in judged(papers)) for word in VERDICTS
    }
    content = {
        "papers": sorted(papers, key=_rank),
        "others": others,
        "judged": sorted(judged(papers), key=_share),
        "totals": totals,
        "misprints": sum(
            row["misprint"] is not None and row["verdict"] == "confirmed"
            for paper in judged(papers)
            for row in dots(paper)
        ),
        "beyond": sum(sum(paper["beyond"].values()) for paper in judged(papers)),
        "elsewhere": sum(
            sum(paper["counts"].values()) + sum(paper["beyond"].values())
            for paper in judged(others)
        ),
        "topics": Counter(paper["topic"] for paper in papers),
        "states": Counter(paper["state"] for paper in papers),
        "dots": {paper["key"]: dots(paper) for paper in judged(papers)},
        "example": _example(papers),
    }
    return Page("index.html", "pages/front.html", content | more)


def judged(overviews: Sequence[Overview]) -> list[Overview]:
    """Return the papers of which anything was judged."""
    return [paper for paper in overviews if set(paper["counts"]) - {"untested"}]


def dots(paper: Overview) -> list[Mapping[str, Any]]:
    """Return the claims that count for a paper, those that hold first."""
    order = ("confirmed", "depends", "inconclusive", "refuted", "untested")
    return sorted(counted(paper["claims"], "name"), key=lambda row: order.index(row["verdict"]))


def _example(papers: Sequence[Overview]) -> Mapping[str, Any] | None:
    """Return the claim that the page names to say where evidence is: a headline that hangs on a
    reading.

    By key, so that it stays; the first judged headline where none hangs on one.
    """
    claims = [
        {"key": paper["key"], **claim}
        for paper in sorted(judged(papers), key=lambda paper: paper["key"])
        for claim in dots(paper)
        if claim["status"] == "headline" and claim["verdict"] != "untested"
    ]
    hanging = (claim for claim in claims if claim["verdict"] == "depends")
    return next(hanging, claims[0] if claims else None)


def _rank(paper: Overview) -> tuple[Any, ...]:
    """Order papers: those with verdicts first, then planned ones, then the rest; by title."""
    states = ("re-run", "planned")
    state = paper["state"]
    return states.index(state) if state in states else len(states), paper["title"].casefold()


def _share(paper: Overview) -> tuple[Any, ...]:
    """Order papers by the share of claims that hold, few claims nearer to the middle."""
    counts = paper["counts"]
    total = sum(counts[word] for word in VERDICTS if word != "untested")
    return -(counts["confirmed"] + 1) / (total + 2), paper["title"].casefold()


def by_reason(missing: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """Return the data sets that could not be used by reason, each with the papers that read it.

    Parameters
    ----------
    missing : mapping
        By paper the states of its data sets that cannot be used.
    """
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key, states in missing.items():
        for name, state in sorted(states.items()):
            reason = "; ".join(sorted(set(state["reasons"].values())))
            groups[reason][name].append(key)
    return groups


def search_index(overviews: Sequence[Overview]) -> str:
    """Return what the search fields know, as a script: each paper's words, data, methods, claims.

    A script, since a page that is opened as a file may read nothing else.
    """
    known = [
        {
            **{name: paper[name] for name in _SEARCHED},
            "claims": [[claim["name"], claim["says"], claim["verdict"]] for claim in linked(paper)],
        }
        for paper in overviews
    ]
    return f"const SEARCH = {json.dumps(known, ensure_ascii=False, separators=(',', ':'))};\n"


def linked(paper: Overview) -> list[Mapping[str, Any]]:
    """Return the claims of a paper that have a page."""
    return [claim for claim in paper["claims"] if claim["status"] is not None]
