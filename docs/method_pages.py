"""A page for each public method: what the docstring says, who runs it, its peers.

They are written beside the other pages before Sphinx looks for pages, and are not committed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from inspect import isclass
from pathlib import Path
from typing import Any

from jinja2 import Environment

from icml2008 import methods
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.report.pages import docstrings
from icml2008.report.pages.methods import Method
from icml2008.run.site.listed_methods import all_methods, benchmarks, run_by

HERE = Path(__file__).parent
FOLDER = HERE / "reference/methods"
TEMPLATE = HERE / "theme/method.md"

# What a method is for, by the package or the paper that it is in.
SUBJECTS = {
    "Classification": (
        "smo", "dredze2008confidence", "gonen2008localized", "hsieh2008dual",
        "kakade2008efficient", "long2008random", "orabona2008projectron",
    ),
    "Regression and selection of variables": (
        "bolasso", "kernel_quantiles", "palatucci2008chance",
    ),
    "Many tasks at once": ("multitask",),
    "Ranking": ("bag_ranking", "bandits", "listwise"),
    "Clustering and density estimation": ("clustering",),
    "Active learning": ("active", "dasgupta2008hierarchical"),
    "Kernels": ("graph_kernels", "kernels", "martins2008nonextensive"),
    "Graphs for few labels": ("graphs",),
    "Nets and energy models": ("nets",),
    "Models of probability and of causes": ("hyvarinen2008causal", "liang2008asymptotic"),
    "Planning and reinforcement learning": (
        "lstd", "planning", "worlds", "parr2008linear", "syed2008apprenticeship",
    ),
    "Projections and matrices of low rank": ("duchi2008projections", "foundations"),
    "Sampling until sure, and evaluation": ("dugas2008costcurves", "mnih2008empirical"),
}  # fmt: skip


def subject_of(method: Method) -> str:
    """Return what a method is for.

    Raises
    ------
    LookupError
        If `SUBJECTS` knows nothing of what it is in.
    """
    place = method.package.rpartition(".")[2]
    for subject, places in SUBJECTS.items():
        if place in places:
            return subject
    msg = f"{method.name}: docs/method_pages.py has no subject for {place}"
    raise LookupError(msg)


def by_subject() -> dict[str, list[tuple[str, str]]]:
    """Return the names and first sentences of the public methods by subject."""
    listed: dict[str, list[tuple[str, str]]] = {subject: [] for subject in SUBJECTS}
    for method in _methods():
        listed[subject_of(method)].append((method.name, _summary(method)))
    return {
        subject: sorted(rows, key=lambda row: row[0].lower()) for subject, rows in listed.items()
    }


@cache
def _methods() -> list[Method]:
    return all_methods([])


def _summary(method: Method) -> str:
    return docstrings.plain(docstrings.paragraphs(method.doc)[0])


def write() -> None:
    """Write the pages that are new or differ, and remove those of names that are gone."""
    FOLDER.mkdir(exist_ok=True)
    template = Environment(trim_blocks=True, lstrip_blocks=True).from_string(
        TEMPLATE.read_text("utf-8")
    )
    pages = {f"{page['name']}.md": template.render(page) for page in _pages()}
    for path in FOLDER.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = FOLDER / name
        if not path.is_file() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _pages() -> Iterator[dict[str, Any]]:
    papers = _papers()
    timed = [benchmark for benchmark, _ in benchmarks()]
    beside = by_subject()
    for method in _methods():
        subject = subject_of(method)
        tables = [table for table in timed if table.is_of(method)]
        yield {
            "name": method.name,
            "kind": "class" if isclass(getattr(methods, method.name)) else "function",
            "subject": subject,
            "papers": papers.get(method.full) or papers.get(method.package, {}),
            "itself": method.full in papers,
            "peers": [line for table in tables for line in table.of(method).best_peers()],
            "timed": any(table.of(method).rows for table in tables),
            "kin": [name for name, _ in beside[subject] if name != method.name],
            "root": "../../../",
        }


def _papers() -> Mapping[str, dict[str, str]]:
    """Return the papers that run a method or lie around it: their titles by key, by full name.

    A package, or the folder of a paper, stands for what is in it and run by nobody.
    """
    running: dict[str, dict[str, str]] = {}
    for key in filter(library.has_experiments, library.paper_keys()):
        entry = Entry(key)
        title = entry.head.title
        running.setdefault(f"icml2008.papers.{key}", {})[key] = title
        for experiment in entry.experiments:
            for names in run_by(entry, experiment).values():
                for full in names:
                    package = ".".join(full.split(".")[:3])
                    running.setdefault(full, {})[key] = title
                    running.setdefault(package, {})[key] = title
    return running
