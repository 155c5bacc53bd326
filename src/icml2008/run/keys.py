"""What a result depends on, and what machine it was made on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.data.registry import dataset_entry, file_entry
from icml2008.harness.choices import DEFAULT
from icml2008.harness.code import PACKAGE, PAPERS, code_hash, numerical_versions, source, starts_of
from icml2008.store import Shelf


@cache
def code_of(entry: Entry, experiment: str, data: tuple[str, ...] = ()) -> str:
    """Return the hash of the code behind an experiment's trials that read the given data sets."""
    loaders = [dataset_entry(name).loader.partition(":")[0] for name in data]
    return code_hash([*starts_of(entry.key, experiment), *loaders])


@cache
def judging_code(entry: Entry) -> str:
    """Return the hash of the code and of the facts behind a paper's verdicts."""
    paper = entry.paper.model_dump_json(include={"claims", "metrics", "experiments", "choices"})
    code = _code("icml2008.run.reference.judging", "icml2008.run.reference.check")
    return hashlib.sha256(f"{code}{paper}".encode()).hexdigest()[:16]


@cache
def deriving_code(entry: Entry) -> str:
    """Return the hash of what derives a paper's verdicts from its records, and of nothing else.

    That is less than `judging_code`, which stands for all that a step of the workflow writes. What
    the catalogue says of a paper is in it by itself; how files are read is no part of it.
    """
    facts = entry.paper.model_dump_json(
        include={"claims", "metrics", "experiments", "choices"},
        exclude={
            "experiments": {"__all__": {"feeds", "protocol"}},
            "choices": {"__all__": {"question", "why"}},
        },
    )
    # A statistic of the paper's own sees records alone, and its grids say what is missing.
    own = code_hash([entry.module], without=_IN_PARTS)
    return hashlib.sha256(f"{_deriving()}{own}{facts}".encode()).hexdigest()[:16]


# What is hashed by itself, or can change no verdict.
_NOT_DERIVING = ("catalogue", "errors", "forms", "store")
_IN_PARTS = [f"{PACKAGE}.{name}" for name in ("data", "methods", "report", *_NOT_DERIVING)]


@cache
def _deriving() -> str:
    starts = (
        *("completeness:missing_records", "rejudge:derive", "rejudge:differences"),
        "judging:judge_paper",
    )
    return _narrow([f"{PACKAGE}.run.reference.{name}" for name in starts], _NOT_DERIVING)


@cache
def _code(*modules: str) -> str:
    """Return the hash of code that serves all papers, down to the last module."""
    return code_hash(modules, contract=False)


def data_key(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what is read of data sets: the content of their files and the loaders' options."""
    entries = {name: dataset_entry(name) for name in names}
    return {
        name: {
            "files": {file: file_entry(file).sha256 for file in entry.files},
            "options": entry.options,
        }
        for name, entry in entries.items()
    }


def result_key(
    entry: Entry, experiment: str, universe: str = DEFAULT, data: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return what the records of an experiment depend on: code, data, choices and versions.

    `data` are the data sets that it reads; they are asked of the experiment where they are not
    given.
    """
    names = entry.experiments[experiment].reads if data is None else data
    return {
        "code": code_of(entry, experiment, tuple(names)),
        "data": data_key(names),
        "choices": entry.trial_choices(experiment, universe),
        "versions": numerical_versions(),
    }


def hash_files(paths: Iterable[Path]) -> str:
    """Return a hash of files, wherever their folders lie."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def reference_hash(entry: Entry) -> str:
    """Return a hash of a paper's committed reference."""
    return hash_files(Shelf.of_reference(entry).files)


def facts_of_all() -> str:
    """Return a hash of what is said of all papers of the catalogue."""
    return hash_files(folder / "paper.yaml" for folder in library.folders())


def site_code() -> str:
    """Return a hash of what makes the pages of the site: code and templates."""
    return _code("icml2008.run.site.building") + hash_files(_templates())


def drawn_by(entry: Entry) -> str:
    """Return hashes of how the published figures of a paper are drawn, and from what."""
    reference = Shelf.of_reference(entry)
    files = [*reference.record_files, *reference.verdict_files]
    return f"{_drawing_code(entry)} {hash_files(files)}"


@cache
def _drawing_code(entry: Entry) -> str:
    facts = entry.paper.model_dump_json(
        include={"experiments": {"__all__": {"controls"}}, "metrics": True}
    )
    own = _narrow([f"{PAPERS}.{entry.key}.figures"], _FACTS)
    return hashlib.sha256(f"{_drawing()}{own}{facts}".encode()).hexdigest()[:16]


# What a figure is of a paper, and what the catalogue says of it, is hashed by itself.
_FACTS = (
    *(f"catalogue.{name}" for name in ("digest", "library", "model", "parts", "reading")),
    "report.results",
)


@cache
def _drawing() -> str:
    starts = ("report.drawing:write_figures", "report.figure_data:write_data")
    return _narrow([f"{PACKAGE}.{name}" for name in starts], _FACTS)


def _narrow(starts: Iterable[str], without: Iterable[str]) -> str:
    """Return the hash of what is needed of modules, statement by statement, less some of them."""
    there = [start for start in starts if source(start.partition(":")[0])]
    outside = [f"{PACKAGE}.{name}" for name in without]
    return code_hash(there, contract=False, by_name=PACKAGE, without=outside)


def rendering_code(entry: Entry) -> str:
    """Return a hash of what is drawn and how: code, templates, facts of the paper."""
    facts = entry.folder / "paper.yaml"
    own = filter(source, [f"{PAPERS}.{entry.key}.figures"])
    code = _code("icml2008.run.site.rendering") + code_hash(own, contract=False)
    return code + hash_files([*_templates(), facts])


def _templates() -> list[Path]:
    report = Path(find_spec("icml2008.report").origin).parent
    return [path for path in (report / "templates").rglob("*") if path.is_file()]
