"""The pages of a paper with their figures, badges and preview: of the site and of a run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.harness.records import write_atomically
from icml2008.report.citable import citables
from icml2008.report.claims_figure import CAPTION, claims_figure
from icml2008.report.interfaces import in_full, in_short
from icml2008.report.pages import assets
from icml2008.report.pages.claim import badge, claim_pages
from icml2008.report.pages.docstrings import marked
from icml2008.report.pages.front import search_index
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.page import write_pages, write_text
from icml2008.report.pages.paper import overview, paper_page
from icml2008.report.pages.pictures import card, opener, size_of, standing_alone
from icml2008.report.quality import Flaw
from icml2008.report.results import PaperResults
from icml2008.report.style import PRINTED
from icml2008.report.templating import explained
from icml2008.store import Shelf

# Pixels of a page for a point of a figure.
_PIXELS = 4 / 3


@dataclass(frozen=True)
class Written:
    """What was written of a paper: what lists say of it, and files below the site's folder."""

    overview: Mapping[str, Any]
    files: Sequence[str] = field(default_factory=list)


def write_paper(
    out: Path,
    entry: Entry,
    results: PaperResults,
    drawn: Path,
    *,
    health: Mapping[str, Any],
    records: Mapping[str, str],
    run: Mapping[str, str] | None = None,
    reads: Sequence[str] = (),
    public: Mapping[str, Sequence[str]] | None = None,
    whole: bool = False,
    docs: bool = False,
) -> Written:
    """Write the page of a paper and of each of its claims, with figures, badges and preview.

    Parameters
    ----------
    out : path
        Folder of the site.
    entry : Entry
        The paper.
    results : PaperResults
        What is known of it.
    drawn : path
        Where its figures lie as SVG.
    health : mapping
        ``line`` is that of the footer.
    records : dict of str to str
        The SHA-256 of the committed measurements of each experiment.
    run : mapping, optional
        Facts of a run, in words.
    reads : sequence of str
        Data sets that have a page of their own.
    public : mapping, optional
        The public methods that it runs, and those beside them, as `public_among` gives them.
    whole : bool
        Whether the pages are of the whole site, or of a run.
    docs : bool
        Whether the documentation lies beside them.
    """
    key = entry.key
    state = entry.state
    rows = claim_rows(results)
    shared = {"health": health, "whole": whole, "documented": docs}
    figures = list(_write_figures(out, results, drawn))
    takes = {
        name: (
            in_short(declared.expects),
            [(part, marked(text)) for part, text in in_full(declared.expects)],
        )
        for name, declared in entry.experiments.items()
    }
    about = {
        "takes": takes,
        "figures": figures,
        "opener": opener(figures),
        "run": run,
        "state": state,
        "reads": reads,
        "public": public or {"run": [], "beside": []},
    }
    pages = [
        paper_page(results, rows, **about, **shared),
        *claim_pages(results, rows, records, **shared),
    ]
    files = [*write_pages(out, pages), *(figure["path"] for figure in figures)]
    for name, citable in citables(results, records).items():
        if citable.judged:
            files.append(f"{key}/{name}.trig")
            write_text(out / files[-1], citable.nanopublication())
    shown = overview(results, rows, state)
    for row in rows.values():
        if row["status"] is not None:
            files.append(f"{key}/{row['name']}.svg")
            write_text(out / files[-1], badge(row))
    files.append(f"{key}/card.png")
    write_atomically(out / files[-1], card(results.paper.title, shown["answer"], shown["counts"]))
    return Written(shown, files)


def record_hashes(reference: Shelf) -> dict[str, str]:
    """Return the SHA-256 of the committed measurements of each experiment of a paper."""
    files = {name: reference.packed_file(name) for name in reference.entry.paper.experiments}
    return {
        name: hashlib.sha256(file.read_bytes()).hexdigest()
        for name, file in files.items()
        if file.is_file()
    }


def _write_figures(out: Path, results: PaperResults, drawn: Path) -> Iterator[dict[str, Any]]:
    """Write the figures of a paper, its own first; yield what its page says of each."""
    texts = [
        (figure.name, figure.caption, (drawn / f"{figure.name}.svg").read_text("utf-8"))
        for figure in results.figures
        if (drawn / f"{figure.name}.svg").is_file()
    ]
    if (claims := claims_figure(results)) is not None:
        texts.append(("claims", CAPTION, claims))
    for name, caption, svg in texts:
        path = f"{results.paper.key}/figures/{name}.svg"
        write_text(out / path, standing_alone(svg))
        width, height = size_of(svg)
        yield {
            "name": name,
            "caption": caption,
            "lead": caption.partition(". ")[0].rstrip(".") + ".",
            "path": path,
            "printed": PRINTED in svg,
            "width": round(width * _PIXELS),
            "height": round(height * _PIXELS),
        }


def write_texts(out: Path, overviews: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write what all pages need, style sheet, script and what search knows; return their names."""
    files = {**assets.texts(), "search.js": search_index(overviews)}
    for name, text in files.items():
        write_text(out / name, text)
    return list(files)


def health_of(results: PaperResults, flaws: Sequence[Flaw]) -> dict[str, Any]:
    """Return the footer's line: from when the evidence is, what computed it, what is weak in it."""
    if not results.reference:
        return {"line": "No evidence is committed yet."}
    provenance = results.provenance or {}
    kinds = Counter(flaw.kind for flaw in flaws)
    made = evidence_of([provenance], provenance.get("commit"))
    return {"line": explained(f"{made} {weak(kinds, moved(results))}")}


def evidence_of(provenances: Sequence[Mapping[str, Any]], commit: str | None) -> str:
    """Return in a sentence from when evidence is, of which commit, and which kernels computed it.

    Examples
    --------
    >>> blas = ["openblas 0.3.30 Haswell"]
    >>> evidence_of([{"date": "2026-11-23", "arithmetic": {"blas": blas}}], "1f2e3d4")
    'Evidence of 2026-11-23, commit 1f2e3d4, openblas 0.3.30 Haswell.'
    """
    dates = sorted(provenance["date"] for provenance in provenances if "date" in provenance)
    kernels = [
        k for provenance in provenances for k in provenance.get("arithmetic", {}).get("blas", ())
    ]
    facts = [
        " to ".join(dict.fromkeys([*dates[:1], *dates[-1:]])) or "an unknown date",
        f"commit {commit}" if commit else "",
        ", ".join(dict.fromkeys(kernels)) or "unknown kernel",
    ]
    return f"Evidence of {', '.join(filter(None, facts))}."


def moved(results: PaperResults) -> int:
    """Return how many means some other arithmetic shifts beyond their resolution."""
    where = ("experiment", "cell", "method", "metric")
    means = results.arithmetic.get("means", ())
    return len({tuple(shift[name] for name in where) for shift in means})


def weak(kinds: Mapping[str, int], shifted: int) -> str:
    """Return in words how many results are out of date, turn on arithmetic or say too little."""
    return (
        f"Results: {kinds['stale']} stale, {shifted} moved by another arithmetic, "
        f"{kinds['underpowered']} underpowered."
    )
