"""What papers give to the pages of data sets, methods and downloads, and these pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.data.registry import registry
from icml2008.harness.choices import DEFAULT
from icml2008.report.claims_figure import CAPTION, claims_figure
from icml2008.report.pages import bundle
from icml2008.report.pages.data_pages import data_pages
from icml2008.report.pages.downloads import JUDGES, downloads_page
from icml2008.report.pages.methods import method_pages
from icml2008.report.pages.page import Page
from icml2008.report.pages.releases import changes_since, read_releases, read_table, whole
from icml2008.report.pages.shelves import Shelved
from icml2008.report.results import PaperResults
from icml2008.run.site.judges import Benchmark
from icml2008.run.site.listed_methods import all_methods, benchmarks, run_by
from icml2008.store import REFERENCE, Shelf

DOWNLOADS = "downloads"
BENCHMARKS = "methods/benchmarks"
RELEASES = Path("releases")


# Of one paper.


def shelf_of(entry: Entry, results: PaperResults) -> dict[str, Any]:
    """Return what the shelves of the site need of a paper, as plain data."""
    reads = {}
    code = {}
    for name, declared in entry.experiments.items():
        cells = [
            ({at: str(value) for at, value in cell.items()}, list(declared.data(cell)))
            for cell in declared.cells["full"]
        ]
        if any(names for _, names in cells):
            reads[name] = cells
        code[name] = run_by(entry, name)
    return Shelved(results, entry.state, reads, code).shelf() | {
        "archived": bool(results.reference)
    }


def archive_of(shelf: Shelf, results: PaperResults) -> dict[str, bytes]:
    """Return the archive of a paper by its path in the site; none if it was not judged."""
    if not results.reference:
        return {}
    drawn = shelf.published_figures
    figures = {
        figure.name: (file.read_text("utf-8"), figure.caption)
        for figure in results.figures
        if (file := drawn / f"{figure.name}.svg").is_file()
    }
    if (claims := claims_figure(results)) is not None:
        figures["claims"] = claims, CAPTION
    default = [row for row in results.reference if row["universe"] == DEFAULT]
    numbers = {file.stem: file.read_text("utf-8") for file in drawn.glob("*.csv")}
    return {_archive(shelf.key): bundle.paper_archive(results.paper, default, figures, numbers)}


def _archive(key: str) -> str:
    return f"{DOWNLOADS}/{key}.zip"


# Of all papers.


def verdicts_of(shelves: Iterable[Shelf]) -> Iterator[dict[str, Any]]:
    """Yield the verdicts of papers in all universes, in the order of the table of all."""
    for shelf in shelves:
        yield from sorted(shelf.verdicts(), key=lambda row: (row["claim"], row["part"]))


def shelf_pages(
    out: Path,
    shelves: Sequence[Mapping[str, Any]],
    results: Path = REFERENCE,
    **more: Any,
) -> tuple[list[Page], dict[str, bytes]]:
    """Return the pages of data sets, methods and downloads, and by path the files beside them.

    Parameters
    ----------
    out : path
        The folder of the site, which has the papers' archives already.
    shelves : sequence of dict
        Of the whole catalogue, as `shelf_of` returns them.
    results : path
        The evidence.
    **more
        What every page of the site is given.
    """
    timed = list(benchmarks())
    pages = [
        *data_pages(registry(), shelves, **more),
        *method_pages(all_methods(shelves), [benchmark for benchmark, _ in timed], shelves, **more),
    ]
    files = {
        f"{BENCHMARKS}/{benchmark.name}.svg": drawn.read_bytes()
        for benchmark, drawn in timed
        if benchmark.drawn
    }
    archives = {
        shelf["key"]: (out / _archive(shelf["key"])).stat().st_size
        for shelf in shelves
        if shelf["archived"]
    }
    verdicts = verdicts_of(Shelf(results, Entry(key)) for key in archives)
    papers = {listed["key"]: Entry(listed["key"]).paper for listed in shelves}
    states = {shelf["key"]: shelf["state"] for shelf in shelves}
    cff = Path("CITATION.cff").read_text("utf-8")
    shared = bundle.shared_files(list(papers.values()), states, verdicts, cff)
    shared[JUDGES] = Benchmark(Shelf(results, Entry(key)) for key in papers).archive()
    releases = read_releases(RELEASES)
    changes = []
    if releases:
        today = whole(read_table(shared[bundle.ALL_VERDICTS]))
        changes = changes_since(releases[0], today, papers)
    sizes = {name: len(content) for name, content in shared.items()}
    pages.append(downloads_page(sizes, archives, papers, releases, changes, **more))
    earlier = {
        f"releases/{release.version}/{file.name}": file.read_bytes()
        for release in releases
        for file in release.files
    }
    for name, content in {**shared, **earlier}.items():
        files[f"{DOWNLOADS}/{name}"] = content
    return pages, files
