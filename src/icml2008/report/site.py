"""The site: a scoreboard and a page for each paper; each file needs nothing else to be read."""

from __future__ import annotations

import base64
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from markupsafe import Markup

from icml2008.audit.findings import CERTAINTIES, Finding
from icml2008.catalogue.model import Erratum, Paper
from icml2008.harness.records import canonical, write_atomically
from icml2008.judge.claims import AuthorResponse
from icml2008.judge.measures import METHOD
from icml2008.judge.reasons import of_choices, of_skewness, outlook
from icml2008.report import wording
from icml2008.report.choices_figure import CAPTION, choices_figure
from icml2008.report.drawing import drawings
from icml2008.report.entries import GROUPS, VERDICTS, Entry, PaperResults, RunFacts, Verdict
from icml2008.report.problems import NOTHING_WRONG, Outcome
from icml2008.report.quality import SEVERITIES, Flaw, count, grouped, in_words
from icml2008.report.style import CSS_NAMES
from icml2008.report.tables import claims_table, to_csv
from icml2008.report.templating import environment


def write_paper(folder: str | Path, results: PaperResults, run: RunFacts) -> Path:
    """Write a paper's page, ``<key>.html``, and beside it its verdicts as JSON; return the page."""
    content = {
        "paper": _paper(results, run),
        "left_out": _left_out({results.paper.key: results.missing_data}),
        "failed_jobs": results.failed_jobs,
        "run_facts": _facts(asdict(run)),
    }
    data = {"run": asdict(run), "reference": results.reference, "current": results.current}
    write_atomically(Path(folder) / f"{results.paper.key}.json", canonical(data))
    return _write(folder, f"{results.paper.key}.html", "paper.html", content)


def write_index(
    folder: str | Path,
    overviews: Sequence[Mapping[str, Any]],
    run: RunFacts,
    outcome: Outcome = NOTHING_WRONG,
    covered: Sequence[Mapping[str, Any]] = (),
    flaws: Mapping[str, int] | None = None,
) -> Path:
    """Write the scoreboard of all papers, ``index.html``, and return its path.

    Parameters
    ----------
    folder : path
        Where the pages of the papers are, too; created if it is not there.
    overviews : sequence of dict
        As `overview` returns them, in the order of the page.
    run : RunFacts
    outcome : Outcome
        What is wrong stands at the top of the page.
    covered : sequence of mapping
        Rows of how much of the catalogue is re-run.
    flaws : mapping of str to int, optional
        How many of each severity the quality page lists.
    """
    proceedings = [paper for paper in overviews if paper["proceedings"]]
    content = {
        "run": asdict(run),
        "verdicts": VERDICTS,
        "papers": overviews,
        "proceedings": proceedings,
        "others": [paper for paper in overviews if not paper["proceedings"]],
        "totals": {word: sum(one["counts"][word] for one in proceedings) for word in VERDICTS},
        "left_out": _left_out({one["key"]: one["missing_data"] for one in overviews}),
        "outcome": outcome,
        "arithmetic": _joined([one["arithmetic"] for one in overviews if one["arithmetic"]]),
        "covered": covered,
        "flaws": flaws and in_words(flaws),
    }
    return _write(folder, "index.html", "index.html", content)


def write_quality(
    folder: str | Path, flaws: Sequence[Flaw], overviews: Sequence[Mapping[str, Any]]
) -> Path:
    """Write what is wrong or weak in the results, ``quality.html``, and return its path.

    Parameters
    ----------
    folder : path
    flaws : sequence of Flaw
        Of all papers and of the run.
    overviews : sequence of dict
        As `overview` returns them.
    """
    content = {
        "severities": SEVERITIES,
        "counts": count(flaws),
        "groups": grouped(flaws),
        "titles": {one["key"]: one["title"] for one in overviews},
    }
    return _write(folder, "quality.html", "quality.html", content)


def write_audit(folder: str | Path, findings: Sequence[Finding], papers: Iterable[Paper]) -> Path:
    """Write the audit of printed numbers and the errata, ``audit.html``, and return its path.

    Parameters
    ----------
    folder : path
    findings : sequence of Finding
        In the order of the page.
    papers : iterable of Paper
        The catalogue.
    """
    titles, errata = {}, {}
    for paper in papers:
        titles[paper.key] = paper.title
        if upheld := _upheld(paper):
            errata[paper.key] = upheld
    by_certainty = {
        certainty: [finding for finding in findings if finding.certainty == certainty]
        for certainty in CERTAINTIES
    }
    content = {"found": by_certainty, "titles": titles, "errata": errata}
    return _write(folder, "audit.html", "audit.html", content)


def _upheld(paper: Paper) -> list[Erratum]:
    return [erratum for erratum in paper.errata if erratum.status != "dismissed"]


def _write(folder: str | Path, name: str, template: str, content: Mapping[str, Any]) -> Path:
    path = Path(folder) / name
    write_atomically(path, environment().get_template(template).render(content))
    return path


def overview(results: PaperResults, run: RunFacts) -> dict[str, Any]:
    """Return what the scoreboard says of a paper, as plain data."""
    claims = [entry for entry in results.entries() if not entry.part]
    shown = ("verdict", "name", "says", "standing", "choices", "disputed")
    return {
        "key": results.paper.key,
        "title": results.paper.title,
        "proceedings": results.paper.proceedings,
        "counts": {word: results.counts()[word] for word in VERDICTS},
        "beyond": [
            {"label": label, "counts": {word: counts[word] for word in VERDICTS if counts[word]}}
            for label, counts in _beyond(results)
            if counts
        ],
        "evidence": _evidence(results, run),
        "stale": results.stale,
        "claims": [
            {part: told[part] for part in shown} for told in (_claim(one) for one in claims)
        ],
        "missing_data": results.missing_data,
        "arithmetic": _arithmetic(results.arithmetic),
    }


def _arithmetic(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return what other arithmetics did to a paper; nothing where none was tried."""
    if not (runs := found.get("runs")):
        return {}
    means, flips = (
        {tuple(item[name] for name in where) for item in found[kind]}
        for kind, where in (
            ("means", ("experiment", "cell", "method", "metric")),
            ("flips", ("claim", "part")),
        )
    )
    return {
        "names": sorted(runs),
        "scales": sorted({run["scale"] for run in runs.values()}),
        "judged": max(run["judged"] for run in runs.values()),
        "means": max(_means(run) for run in runs.values()),
        "flipped": len(flips),
        "beyond": len(means),
    }


def _joined(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what other arithmetics did to all papers together."""
    return {
        **{part: sorted({x for one in found for x in one[part]}) for part in ("names", "scales")},
        **{
            part: sum(one[part] for one in found)
            for part in ("judged", "means", "flipped", "beyond")
        },
    }


def _means(run: Mapping[str, Any]) -> int:
    return run["equal"] + run["within"] + run["beyond"]


def _beyond(results: PaperResults) -> Iterator[tuple[str, Counter[str]]]:
    """Yield what is in no score: its label, and whole claims by verdict."""
    for group in GROUPS:
        if group != "own":
            yield GROUPS[group], results.counts(group)
    yield "Disputed", results.disputed()


_ABOUT_GROUPS = {
    "ours": "With a size, setting, factor or threshold that the paper does not have. In no score.",
    "stand_in": "Judged on data that stand in for the paper's. In no score.",
}


def _paper(results: PaperResults, run: RunFacts) -> dict[str, Any]:
    paper = results.paper
    claims: dict[str, dict[str, Any]] = {}
    for entry in results.entries():
        if entry.part:
            claims[entry.claim]["parts"].append(_line(entry))
        else:
            declared = paper.claims.get(entry.claim)
            response = declared and declared.author_response
            claims[entry.claim] = _claim(entry, _beside_label(results, entry.claim), response)
    figures = []
    for drawing in drawings(results):
        svg = results.drawn.get(drawing.name) if results.drawn else drawing.svg()
        if svg is None:
            continue
        figures.append(_figure(drawing.name, drawing.caption, svg))
    for name in paper.claims:
        if (svg := choices_figure(results, name)) is not None:
            claims[name]["figure"] = _figure(f"choices-{name}", CAPTION, svg)
    pages = "–".join(str(page) for page in dict.fromkeys(paper.pages or ()))
    table = base64.b64encode(to_csv(claims_table(results)).encode()).decode()
    return overview(results, run) | {
        "authors": ", ".join(paper.authors),
        "venue": paper.venue.booktitle,
        "pages": pages,
        "idea": paper.idea,
        "experiments": paper.experiments,
        "claims": list(claims.values()),
        "groups": [
            {
                "label": GROUPS[group],
                "about": _ABOUT_GROUPS.get(group),
                "claims": [claims[entry.claim] for entry in found if not entry.part],
            }
            for group, found in results.grouped().items()
        ],
        "changes": paper.changes,
        "universes": len(results.universes()),
        "elsewhere": [_elsewhere(verdict) for verdict in results.turned()],
        "figures": figures,
        "csv": f"data:text/csv;base64,{table}",
        "arithmetic": {"runs": {}, "flips": []} | dict(results.arithmetic),
        "chaotic": [one for facts in paper.experiments.values() for one in facts.chaotic],
        "notes": paper.notes,
        "choices": paper.choices,
        "errata": _upheld(paper),
        "gaps": paper.gaps,
        "audit": results.audit,
        "response": paper.author_response,
        "provenance": _facts(results.provenance or {}),
    }


def _evidence(results: PaperResults, run: RunFacts) -> str:
    if results.reference:
        return "reference, full scale"
    if not any(entry.shown["verdict"] != "untested" for entry in results.entries()):
        return "none yet"
    return "this run, full scale" if run.scale == "full" else f"this run, {run.scale}, preliminary"


def _beside_label(results: PaperResults, claim: str) -> str:
    """Return how much this run did for a claim: ``quick, 8 repeats``; empty if that is shown."""
    beside = [entry.beside for entry in results.entries() if entry.claim == claim and entry.beside]
    if not beside:
        return ""
    repeats = sorted({verdict["n"] for verdict in beside if verdict.get("n")})
    counts = "–".join(str(n) for n in dict.fromkeys((*repeats[:1], *repeats[-1:])))
    return ", ".join(filter(None, [beside[0].get("scale"), counts and f"{counts} repeats"]))


def _claim(
    entry: Entry, beside_label: str = "", response: AuthorResponse | None = None
) -> dict[str, Any]:
    return _line(entry) | {
        "name": entry.claim,
        "says": entry.shown.get("says") or entry.claim,
        "page": entry.shown.get("page"),
        "standing": wording.standing(entry.shown),
        "quote": entry.shown.get("quote"),
        "response": response,
        "note": entry.shown.get("note"),
        "arithmetic": entry.shown.get("arithmetic"),
        "statistic": _statistic(entry.shown),
        "beside_label": beside_label,
        "parts": [],
        "figure": None,
    }


def _statistic(verdict: Verdict) -> str:
    texts = [(verdict.get("statistic") or "").replace(METHOD, "the method"), verdict.get("metric")]
    unit = f" ({verdict['unit']})" if verdict.get("unit") else ""
    return ", ".join(text for text in texts if text) + unit


def _line(entry: Entry) -> dict[str, Any]:
    """Return a verdict as the page shows it."""
    verdict = entry.shown
    return {
        "part": wording.part_label(entry.part),
        "verdict": verdict["verdict"],
        "preliminary": verdict.get("preliminary", False),
        "disputed": verdict.get("disputed", False),
        "reason": verdict["reason"],
        "choices": of_choices(verdict),
        "outlook": "; ".join(filter(None, [outlook(verdict), of_skewness(verdict)])),
        "measured": verdict.get("effect") is not None,
        "printed": wording.printed(verdict),
        "ours": wording.ours(verdict),
        "interval": wording.interval(verdict),
        "level": f"{100 * verdict['level']:.0f} %" if verdict.get("level") else "range",
        "repeats": wording.repeats(verdict),
        "generalises": verdict.get("generalises"),
        "generalises_interval": wording.interval(verdict, "generalises_"),
        "generalises_method": verdict.get("generalises_method"),
        "beside": entry.beside
        and {
            "verdict": entry.beside["verdict"],
            "ours": wording.ours(entry.beside),
            "reason": entry.beside["reason"],
        },
    }


def _elsewhere(verdict: Verdict) -> dict[str, Any]:
    universe = verdict["universe"].replace("+", ", ")
    return _line(Entry(verdict)) | {"universe": universe, "claim": verdict["claim"]}


def _left_out(missing: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, list[str]]]:
    """Return the data sets that could not be used by reason, each with the papers that read it."""
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for key, states in missing.items():
        for name, state in sorted(states.items()):
            reason = "; ".join(sorted(set(state["reasons"].values())))
            groups[reason][name].append(key)
    return groups


def _facts(content: Mapping[str, Any]) -> dict[str, str]:
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


def _figure(name: str, caption: str, svg: str) -> dict[str, Any]:
    return {"name": name, "caption": caption, "svg": _inline(svg, name)}


def _inline(svg: str, prefix: str) -> Markup:
    """Return an SVG file as an element of a page: names of its own, colours of the style sheet."""
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{prefix}-", svg)
    for colour, name in CSS_NAMES.items():
        svg = svg.replace(colour, f"var(--{name})")
    svg = re.sub(r'<svg ([^>]*?)width="([\d.]+)pt" height="[\d.]+pt"', r"<svg \1", svg, count=1)
    svg = svg.replace("<svg ", f'<svg role="img" aria-labelledby="{prefix}-caption" ', 1)
    return Markup(re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><"))
