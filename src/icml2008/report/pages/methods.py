"""The pages of methods: how each is called, the claims about it, its speed beside peers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from icml2008.report.pages import docstrings
from icml2008.report.pages.page import Page
from icml2008.report.pages.shelves import Row, tally
from icml2008.report.peers import best_peers


@dataclass(frozen=True)
class Method:
    """An estimator or function that can be used on its own.

    Attributes
    ----------
    name : str
    home : str
        Full name of the module that defines it.
    source : str
        Full name of what it is imported from.
    group : str
        What it stands under in the list.
    signature : str
    doc : str
        Its docstring.
    paper : str
        The paper in whose folder it is and that alone knows it; else empty.
    """

    name: str
    home: str
    source: str
    group: str
    signature: str
    doc: str
    paper: str = ""

    @property
    def full(self) -> str:
        """Its full name."""
        return f"{self.home}.{self.name}"

    @property
    def package(self) -> str:
        """The package of methods, or of the paper, that it is in."""
        return ".".join(self.home.split(".")[:3])

    @property
    def page(self) -> str:
        """The name of its page."""
        return f"{self.paper}-{self.name}" if self.paper else self.name


@dataclass(frozen=True)
class Benchmark:
    """A committed table of timings, and what was timed.

    Attributes
    ----------
    name : str
        Of its files.
    about : str
        What was compared and how.
    machine : list of str
        What it ran on.
    columns : list of str
    rows : list of list of str
    methods : list of str
        Full names of the methods that its script imports.
    groups : list of str
        Packages of methods that it imports anything from.
    drawn : bool
        Whether there is a figure.
    """

    name: str
    about: str
    machine: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    methods: Sequence[str]
    groups: Sequence[str]
    drawn: bool

    def is_of(self, method: Method) -> bool:
        """Return whether it times a method, or where it names none, the package of it."""
        if self.is_of_peers:
            return bool(self.of(method).rows)
        if self.methods:
            return method.full in self.methods
        return method.package in self.groups

    @property
    def is_of_peers(self) -> bool:
        """Whether it puts methods, which a column names, beside their peers."""
        return {"method", "task", "by"} <= set(self.columns)

    def of(self, method: Method) -> Benchmark:
        """Return what the table has of one method, if it is one of many methods' peers."""
        if not self.is_of_peers:
            return self
        place = self.columns.index("method")
        return replace(self, rows=[row for row in self.rows if row[place] == method.name])

    def best_peers(self) -> list[str]:
        """Return what the best peer of each task comes to, if the table tells who wrote what.

        Tasks at which a peer is ahead come first.
        """
        if not self.is_of_peers:
            return []
        peers = best_peers(dict(zip(self.columns, row, strict=True)) for row in self.rows)
        return list(map(str, sorted(peers, key=lambda peer: not peer.ahead)))


def method_pages(
    methods: Sequence[Method],
    benchmarks: Sequence[Benchmark],
    shelves: Sequence[Row],
    **more: Any,
) -> Iterator[Page]:
    """Yield the list of methods and a page for each.

    Parameters
    ----------
    methods : sequence of Method
    benchmarks : sequence of Benchmark
    shelves : sequence of dict
        Of all papers, as `Shelved.shelf` gives them.
    **more
        What every page of the site is given.
    """
    rows = [_method(method, benchmarks, shelves) for method in methods]
    rows.sort(key=lambda row: (row["group"].lower(), row["name"].lower()))
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    yield Page("methods.html", "pages/methods.html", {"groups": groups} | more)
    for row in rows:
        yield Page(f"methods/{row['page']}.html", "pages/method.html", {"method": row} | more)


def _method(method: Method, benchmarks: Sequence[Benchmark], shelves: Sequence[Row]) -> Row:
    sections = docstrings.sections(method.doc)
    summary, *more = docstrings.paragraphs(sections[""]) or [""]
    if more and more[0].startswith(".. "):  # a displayed formula, which the rest speaks of
        more = []
    users = [
        {**shelf, **shelf["runs"][method.full]} for shelf in shelves if method.full in shelf["runs"]
    ]
    using = {user["key"] for user in users}
    return {
        "name": method.name,
        "page": method.page,
        "group": method.group,
        "source": method.source,
        "signature": method.signature,
        "summary": docstrings.plain(summary),
        "more": [docstrings.marked(text) for text in more[:1]],
        "references": [
            docstrings.marked(text)
            for text in docstrings.paragraphs(sections.get("References", ""))
        ],
        "example": sections.get("Examples", ""),
        "users": users,
        "kin": [
            shelf for shelf in shelves if shelf["key"] not in using and _runs_kin(method, shelf)
        ],
        "counts": tally(row for user in users for row in user["claims"]),
        "benchmarks": [
            excerpt
            for benchmark in sorted(benchmarks, key=lambda table: not table.is_of_peers)
            if benchmark.is_of(method) and (excerpt := benchmark.of(method)).rows
        ],
    }


def _runs_kin(method: Method, shelf: Row) -> bool:
    """Return whether a paper has a method in its folder, or runs another one of its package."""
    return method.package.endswith(f".{shelf['key']}") or any(
        full.startswith(f"{method.package}.") for full in shelf["runs"]
    )
