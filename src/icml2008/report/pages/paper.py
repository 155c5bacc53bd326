"""A paper's page, and what lists of papers say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.catalogue.citing import bibtex
from icml2008.catalogue.model import Paper
from icml2008.harness.choices import DEFAULT
from icml2008.judge.totals import VERDICTS, counted
from icml2008.report.pages.answer import answer, caveat, headlines, written
from icml2008.report.pages.hinges import hanging, hinges
from icml2008.report.pages.lines import listed
from icml2008.report.pages.open_choices import matrix
from icml2008.report.pages.page import Page
from icml2008.report.pages.two_hands import beside
from icml2008.report.results import GROUPS, PaperResults

# Where the proceedings as a whole are found.
_PROCEEDINGS = "https://doi.org/10.1145/1390156"

# What lists of papers say of a claim.
_OF_CLAIMS = (
    *("name", "says", "verdict", "status", "turned_by", "readings", "misprint"),
    *("same_as", "part_of", "cause", "disputed"),
)
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


def paper_page(results: PaperResults, rows: Mapping[str, dict[str, Any]], **more: Any) -> Page:
    """Return the page of a paper, ``<key>.html``.

    Parameters
    ----------
    results : PaperResults
    rows : mapping of str to dict
        What `claim_rows` says of its claims.
    **more
        What the page is given besides: `figures`, `opener`, `health`, `run`, `state`, `whole`,
        and as `takes` what each experiment expects of methods of one's own.
    """
    paper = results.paper
    facts = overview(results, rows, more["state"])
    content = {
        **facts,
        "paper": paper,
        "citation": citation(paper),
        "hinges": hinges(paper, rows.values()),
        "hanging": hanging(rows.values()),
        "caveat": caveat(list(rows.values()), stale=results.stale),
        "headlines": headlines(list(rows.values())),
        "matrix": matrix(results, list(rows.values())),
        "sections": sections(rows),
        "elsewhere": len(results.turned()),
        "universes": len(results.universes()),
        "errata": upheld(paper),
        "audit": results.audit,
        "arithmetic": {"runs": {}, "flips": []} | dict(results.arithmetic),
        "chaotic": [
            declaration for facts in paper.experiments.values() for declaration in facts.chaotic
        ],
        "provenance": provenance_in_words(results.provenance or {}),
        "missing": results.missing_data,
        "failed_jobs": results.failed_jobs,
        "withdrawn": withdrawn(paper),
        "bibtex": bibtex(paper),
        "planned": planned(paper),
        "takes": {},
        "public": {"run": [], "beside": []},
        "hands": beside(results),
    }
    return Page(f"{paper.key}.html", "pages/paper.html", content | more)


def overview(
    results: PaperResults, claims: Mapping[str, dict[str, Any]], state: str
) -> dict[str, Any]:
    """Return what lists of papers say of one, as plain data.

    Parameters
    ----------
    results : PaperResults
    claims : mapping of str to dict
        What `claim_rows` says of its claims.
    state : str
        ``re-run``, ``planned``, or what stands in the way.
    """
    paper = results.paper
    rows = list(claims.values())
    counts = Counter(row["verdict"] for row in counted(rows, "name"))
    beyond = Counter(row["verdict"] for row in rows if row["group"] != "own")
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": list(paper.authors),
        "topic": paper.topic,
        "idea": paper.idea,
        "state": state,
        "proceedings": paper.proceedings,
        "answer": written(paper.answer, rows) or answer(rows),
        "tally": answer(rows),
        "counts": {word: counts[word] for word in VERDICTS if judged(rows) or word == "untested"},
        "beyond": {word: beyond[word] for word in VERDICTS if beyond[word]},
        "stale": results.stale,
        "disputed": sum(row["disputed"] for row in rows),
        "methods": list(paper.methods),
        "data": sorted(paper.data),
        "claims": [{name: row[name] for name in _OF_CLAIMS} for row in rows],
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
    by_status: dict[str, list[dict[str, Any]]] = {}
    for row in rows.values():
        by_status.setdefault(row["status"] or "listed", []).append(row)
    return [
        {"id": status.replace("_", "-"), "title": _TITLES[status], "about": _ABOUT[status]}
        | {"claims": by_status[status]}
        for status in _TITLES
        if status in by_status
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
            "about": plan,
            "claims": [
                {"says": paper.claims[claim].says, "printed": listed(paper.claims[claim].printed)}
                for claim in plan.claims
            ],
        }
        for name, plan in paper.planned.items()
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


def provenance_in_words(content: Mapping[str, Any]) -> dict[str, str]:
    """Return when, where and in what time the evidence was made, as text.

    Examples
    --------
    >>> cost = {"trials": 1466, "trial_seconds": 865.8, "peak_mebibytes": 242}
    >>> more = {"trials": 440, "trial_seconds": 30.0, "peak_mebibytes": 238}
    >>> provenance_in_words({"date": "2026-11-23", "cost": {"default": cost, "stop=late": more}})
    {'Date': '2026-11-23', 'Run time': '14 min 26 s for 1,466 trials, then 30 s for 440 trials in
    other universes', 'Memory': 'at most 242 MiB in a process'}
    """
    if not content:
        return {}
    date = str(content.get("date", ""))
    costs = content.get("cost") or {}
    by_default = [cost for name, cost in costs.items() if name.rpartition("/")[2] == DEFAULT]
    others = [cost for name, cost in costs.items() if name.rpartition("/")[2] != DEFAULT]
    times = [_took(by_default), _took(others) + " in other universes" if others else ""]
    arithmetic = content.get("arithmetic") or {}
    kept = {name: day for name, day in (content.get("kept") or {}).items() if day != date}
    renewed = {
        name: f"{renewal['date']} at scale {renewal['scale']}"
        for name, renewal in (content.get("renewed") or {}).items()
    }
    facts = {
        "Date": date,
        "Commit": content.get("commit", ""),
        "Run time": ", then ".join(filter(None, times)),
        "Memory": f"at most {max(run['peak_mebibytes'] for run in costs.values())} MiB in a process"
        if costs
        else "",
        "Processor": content.get("cpu", ""),
        "Cores": str(content.get("cores", "")),
        "Arithmetic": "; ".join(
            f"{'' if name in ('blas', 'libm') else f'{name} for '}{', '.join(kernels)}"
            for name, kernels in arithmetic.items()
        ),
        "Versions": facts_in_words({"versions": content.get("versions")}).get("versions", ""),
        "Records of another day": _by_value(kept),
        "Same records by later code": _by_value(renewed),
    }
    return {name: text for name, text in facts.items() if text}


def _by_value(values: Mapping[str, str]) -> str:
    """Return what is said of names, each thing once: ``2026-11-22: race, selection``."""
    groups: dict[str, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value, []).append(name)
    return "; ".join(f"{value}: {', '.join(names)}" for value, names in groups.items())


def _took(costs: Sequence[Mapping[str, Any]]) -> str:
    """Return how long the trials of some universes took, and how many there were."""
    if not costs:
        return ""
    seconds = round(sum(cost["trial_seconds"] for cost in costs))
    minutes, rest = divmod(seconds, 60)
    text = f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{text} for {sum(cost['trials'] for cost in costs):,} trials"
