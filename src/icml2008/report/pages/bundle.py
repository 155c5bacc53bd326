"""Downloads: verdicts as tables, and figures, described as a Frictionless Data Package.

A paper's are one archive, and the verdicts in all universes one table; what each column means is
told by the docstring of `Verdict` alone. See https://datapackage.org.
"""

from __future__ import annotations

import ast
import csv
import dataclasses
import hashlib
import inspect
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from icml2008.catalogue.citing import bibtex
from icml2008.catalogue.model import Head, Paper
from icml2008.harness.choices import DEFAULT
from icml2008.judge.verdict import Verdict
from icml2008.report.figure_data import COLUMNS
from icml2008.report.pages import docstrings

VERDICTS = "verdicts.csv"
PAPERS = "papers.csv"
BIBTEX = "papers.bib"
PACKAGE = "datapackage.json"
ALL_VERDICTS = f"{VERDICTS}.gz"
EVERYTHING = "All verdicts in all universes; reasons in the default one"

LICENCE = {
    "name": "BSD-3-Clause",
    "title": "BSD 3-Clause License",
    "path": "https://opensource.org/licenses/BSD-3-Clause",
}
RIGHTS = (
    "Numbers, verdicts, texts and figures are made by this project. What is quoted from a paper, "
    "and its printed numbers, are the paper's."
)

# What is nested follows from the records; how an interval comes about stands in the reason.
_LEFT_OUT = ("inputs", "values", "parts", "how", "confirm_how")
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_TYPES |= dict.fromkeys(("list", "dict"), "string")
_BETWEEN = "; "

# Of zlib: deflated within gzip's header, which then has no time in it.
_GZIP = 31

# Of the table of papers: type and meaning.
_PAPER_COLUMNS = {
    "key": ("string", "Key of the paper, as in the other tables."),
    "title": ("string", "Title."),
    "authors": ("string", "Authors, separated by semicolons."),
    "venue": ("string", "Where it was published."),
    "first_page": ("integer", "First page."),
    "last_page": ("integer", "Last page."),
    "topic": ("string", "What it is about, in a word."),
    "state": ("string", "Whether it is re-run or planned, or what stands in the way."),
}

Fields = list[dict[str, Any]]


def verdict_fields() -> Fields:
    """Return the columns of the table of verdicts: name, type and meaning of each."""
    attributes = docstrings.fields(docstrings.sections(inspect.getdoc(Verdict))["Attributes"])
    columns = []
    for field in dataclasses.fields(Verdict):
        if field.name in _LEFT_OUT:
            continue
        kind, meaning = attributes[field.name]
        listed = field.type.startswith(("list", "dict"))
        column = {
            "name": field.name,
            "type": _TYPES[re.split(r"[\[ ]", field.type)[0]],
            "description": docstrings.plain(meaning) + (" Separated by semicolons." * listed),
        }
        if values := re.match(r"\{.*\}", kind):
            column["constraints"] = {"enum": sorted(ast.literal_eval(values[0]))}
        columns.append(column)
    return columns


def verdicts_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return verdicts as CSV, nothing for what there is not, numbers at full precision."""
    return "".join(_verdict_lines(rows))


def _verdict_lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    names = [field["name"] for field in verdict_fields()]
    return _csv_lines(([row[name] for name in names] for row in rows), names)


def packed_verdicts(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return verdicts in all universes as packed CSV, the same bytes each time."""
    # Of other universes the columns say all that a reason does, in a quarter of the space.
    short = (row if row["universe"] == DEFAULT else {**row, "reason": None} for row in rows)
    # A line at a time: the text of thousands of papers would fill the memory.
    packer = zlib.compressobj(9, wbits=_GZIP)
    lines = [packer.compress(line.encode()) for line in _verdict_lines(short)]
    return b"".join([*lines, packer.flush()])


def papers_csv(papers: Iterable[Head], states: Mapping[str, str]) -> str:
    """Return the papers of the catalogue as CSV."""
    rows = (
        [
            paper.key,
            paper.title,
            paper.authors,
            paper.venue.booktitle,
            *(paper.pages or (None, None)),
            paper.topic,
            states[paper.key],
        ]
        for paper in papers
    )
    return as_csv(rows, list(_PAPER_COLUMNS))


def as_csv(rows: Iterable[Sequence[Any]], header: Sequence[str]) -> str:
    """Return a table as CSV; lists are separated by semicolons."""
    return "".join(_csv_lines(rows, header))


class _Line:
    """What hands a line of CSV on as it is written."""

    def write(self, text: str) -> str:
        return text


def _csv_lines(rows: Iterable[Sequence[Any]], header: Sequence[str]) -> Iterator[str]:
    writer = csv.writer(_Line(), lineterminator="\n")
    yield writer.writerow(header)
    for row in rows:
        yield writer.writerow(map(_cell, row))


def _cell(value: Any) -> Any:
    """Return a value as a cell holds it: lists joined, of a mapping each key with its list."""
    if isinstance(value, Mapping):
        value = [f"{name}: {', '.join(names)}" for name, names in value.items()]
    return _BETWEEN.join(map(str, value)) if isinstance(value, list) else value


def paper_archive(
    paper: Paper,
    verdicts: Iterable[Mapping[str, Any]],
    figures: Mapping[str, tuple[str, str]],
    numbers: Mapping[str, str],
) -> bytes:
    """Return what can be had of a paper as a ZIP archive, the same bytes each time.

    Parameters
    ----------
    paper : Paper
    verdicts : iterable of dict
        In the default universe.
    figures : dict of str to (str, str)
        By name, the figure as SVG and its caption.
    numbers : dict of str to str
        By name, the numbers of a figure as CSV.
    """
    files = {VERDICTS: verdicts_csv(verdicts).encode()}
    resources = [table("verdicts", VERDICTS, f"Verdicts on {paper.title}", verdict_fields())]
    for name, (svg, caption) in sorted(figures.items()):
        files[f"figures/{name}.svg"] = svg.encode()
        resources.append(
            {"name": f"figure-{_slug(name)}", "path": f"figures/{name}.svg", "title": name}
            | {"description": caption, "format": "svg", "mediatype": "image/svg+xml"}
        )
    columns = [
        {"name": column, "type": kind, "description": meaning}
        for column, (kind, meaning) in COLUMNS.items()
    ]
    for name, text in sorted(numbers.items()):
        files[path := f"figures/{name}.csv"] = text.encode()
        resources.append(table(f"numbers-{_slug(name)}", path, f"Numbers of {name}", columns))
    files[BIBTEX] = f"{bibtex(paper)}\n".encode()
    resources.append(_bibtex("The paper itself"))
    title = f"{paper.title}: verdicts and figures"
    files[PACKAGE] = packaged(paper.key, title, resources, files)
    return zipped(files)


def shared_files(
    papers: Sequence[Head],
    states: Mapping[str, str],
    verdicts: Iterable[Mapping[str, Any]],
    cff: str,
) -> dict[str, bytes]:
    """Return the downloads that are about all papers, by name.

    Parameters
    ----------
    papers : sequence of Head
        The catalogue.
    states : dict of str to str
        Of each paper.
    verdicts : iterable of dict
        On all papers, in all universes.
    cff : str
        How to cite the project.
    """
    files = {
        ALL_VERDICTS: packed_verdicts(verdicts),
        PAPERS: papers_csv(papers, states).encode(),
        BIBTEX: "".join(f"{bibtex(paper)}\n\n" for paper in papers).encode(),
        "CITATION.cff": cff.encode(),
    }
    columns = [
        {"name": name, "type": kind, "description": meaning}
        for name, (kind, meaning) in _PAPER_COLUMNS.items()
    ]
    resources = [
        table(
            "verdicts",
            ALL_VERDICTS,
            EVERYTHING,
            verdict_fields(),
        )
        | {"compression": "gz"},
        table("papers", PAPERS, "The papers of the catalogue", columns),
        _bibtex("All papers of the catalogue"),
    ]
    resources[0]["schema"]["foreignKeys"] = [
        {"fields": ["paper"], "reference": {"resource": "papers", "fields": ["key"]}}
    ]
    resources[1]["schema"]["primaryKey"] = ["key"]
    title = "The experiments of ICML 2008, re-run and judged"
    return files | {PACKAGE: packaged("icml2008", title, resources, files)}


def table(name: str, path: str, title: str, columns: Fields) -> dict[str, Any]:
    """Return the description of a table, a resource of a data package."""
    return {
        "name": name,
        "path": path,
        "profile": "tabular-data-resource",
        "title": title,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "schema": {"fields": columns},
    }


def _bibtex(title: str) -> dict[str, Any]:
    named = {"name": "bibtex", "path": BIBTEX, "title": f"{title}, as BibTeX"}
    return named | {"format": "bib", "mediatype": "application/x-bibtex"}


def packaged(
    name: str, title: str, resources: Iterable[Mapping[str, Any]], files: Mapping[str, bytes]
) -> bytes:
    """Return the description of files; each with its size and hash."""
    described = [
        {
            **resource,
            "bytes": len(files[resource["path"]]),
            "hash": f"sha256:{hashlib.sha256(files[resource['path']]).hexdigest()}",
        }
        for resource in resources
    ]
    package = {
        "name": name,
        "profile": "data-package",
        "title": title,
        "description": RIGHTS,
        "licenses": [LICENCE],
        "resources": described,
    }
    return (json.dumps(package, indent=1, ensure_ascii=False) + "\n").encode()


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower())


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a ZIP archive, the same bytes each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in sorted(files.items()):
            # No time and a fixed system: the bytes depend on the content alone.
            entry = zipfile.ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return out.getvalue()
