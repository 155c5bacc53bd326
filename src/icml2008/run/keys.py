"""What a result depends on, and what machine it was made on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from icml2008 import store
from icml2008.catalogue import library
from icml2008.data.registry import dataset_entry, file_entry
from icml2008.harness.choices import DEFAULT
from icml2008.harness.code import PACKAGE, PAPERS, code_hash, numerical_versions, source, starts_of


def data_needs(key: str, experiment: str) -> list[str]:
    """Return the data sets that any cell of an experiment reads."""
    found = library.load_experiment(key, experiment)
    return sorted({name for cell in found.cells["full"] for name in found.data(cell)})


@cache
def code_of(key: str, experiment: str, data: tuple[str, ...] = ()) -> str:
    """Return the hash of the code behind an experiment's trials that read the given data sets."""
    loaders = [dataset_entry(name).loader.partition(":")[0] for name in data]
    return code_hash([*starts_of(key, experiment), *loaders])


@cache
def judging_code(key: str) -> str:
    """Return the hash of the code and of the facts behind a paper's verdicts."""
    paper = library.load_paper(key).model_dump_json(
        include={"claims", "metrics", "experiments", "choices"}
    )
    code = _code("icml2008.run.verdicts", "icml2008.run.check")
    return hashlib.sha256(f"{code}{paper}".encode()).hexdigest()[:16]


@cache
def deriving_code(key: str) -> str:
    """Return the hash of what derives a paper's verdicts from its records, and of nothing else.

    That is less than `judging_code`, which stands for all that a step of the workflow writes. What
    the catalogue says of a paper is in it by itself; how files are read is no part of it.
    """
    facts = library.load_paper(key).model_dump_json(
        include={"claims", "metrics", "experiments", "choices"},
        exclude={
            "experiments": {"__all__": {"feeds", "protocol"}},
            "choices": {"__all__": {"question", "why"}},
        },
    )
    # A statistic of the paper's own sees records alone, and its grids say what is missing.
    own = code_hash([library.module_of(key)], without=_IN_PARTS)
    return hashlib.sha256(f"{_deriving()}{own}{facts}".encode()).hexdigest()[:16]


# What is hashed by itself, or can change no verdict.
_NOT_DERIVING = ("catalogue", "errors", "forms", "store")
_IN_PARTS = [f"{PACKAGE}.{name}" for name in ("data", "methods", "report", *_NOT_DERIVING)]


@cache
def _deriving() -> str:
    starts = (
        *("completeness:missing_records", "rejudge:derive", "rejudge:differences"),
        "verdicts:judge_paper",
    )
    return _narrow([f"{PACKAGE}.run.{name}" for name in starts], _NOT_DERIVING)


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
    key: str, experiment: str, universe: str = DEFAULT, data: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return what the records of an experiment depend on: code, data, choices and versions.

    `data` are the data sets that it reads; they are asked of the experiment where they are not
    given.
    """
    names = data_needs(key, experiment) if data is None else data
    return {
        "code": code_of(key, experiment, tuple(names)),
        "data": data_key(names),
        "choices": library.trial_choices(key, experiment, universe),
        "versions": numerical_versions(),
    }


def hash_files(paths: Iterable[Path]) -> str:
    """Return a hash of files, wherever their folders lie."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def reference_hash(keys: Sequence[str]) -> str:
    """Return a hash of the papers' committed reference."""
    return hash_files(file for key in keys for file in store.reference_files(key))


def facts_of_all() -> str:
    """Return a hash of what is said of all papers of the catalogue."""
    return hash_files(folder / "paper.yaml" for folder in library.folders())


def site_code() -> str:
    """Return a hash of what makes the pages of the site: code and templates."""
    return _code("icml2008.run.site") + hash_files(_templates())


def drawn_by(key: str) -> str:
    """Return hashes of how the published figures of a paper are drawn, and from what."""
    folder = store.REFERENCE
    files = [*store.record_files(folder, key), *store.verdict_files(folder, key)]
    return f"{_drawing_code(key)} {hash_files(files)}"


@cache
def _drawing_code(key: str) -> str:
    facts = library.load_paper(key).model_dump_json(
        include={"experiments": {"__all__": {"controls"}}, "metrics": True}
    )
    own = _narrow([f"{PAPERS}.{key}.figures"], _FACTS)
    return hashlib.sha256(f"{_drawing()}{own}{facts}".encode()).hexdigest()[:16]


# What a figure is of a paper, and what the catalogue says of it, is hashed by itself.
_FACTS = ("catalogue.digest", "catalogue.library", "catalogue.model", "report.entries")


@cache
def _drawing() -> str:
    starts = ("report.drawing:write_figures", "report.figure_data:write_data")
    return _narrow([f"{PACKAGE}.{name}" for name in starts], _FACTS)


def _narrow(starts: Iterable[str], without: Iterable[str]) -> str:
    """Return the hash of what is needed of modules, statement by statement, less some of them."""
    there = [start for start in starts if source(start.partition(":")[0])]
    outside = [f"{PACKAGE}.{name}" for name in without]
    return code_hash(there, contract=False, by_name=PACKAGE, without=outside)


def rendering_code(keys: Sequence[str]) -> str:
    """Return a hash of what is drawn and how: code, templates, facts of the papers."""
    facts = [library.folder(key) / "paper.yaml" for key in keys]
    own = filter(source, [f"icml2008.papers.{key}.figures" for key in keys])
    code = _code("icml2008.run.rendering") + code_hash(own, contract=False)
    return code + hash_files([*_templates(), *facts])


def _templates() -> list[Path]:
    report = Path(find_spec("icml2008.report").origin).parent
    return [path for path in (report / "templates").rglob("*") if path.is_file()]
