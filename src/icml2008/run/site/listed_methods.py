"""The methods that the site shows: which code is run under a name, how it is called and timed."""

from __future__ import annotations

import ast
import csv
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from icml2008 import methods
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.data.cache import cache_folder
from icml2008.harness import source
from icml2008.harness.choices import DEFAULT
from icml2008.harness.kept import kept
from icml2008.report.pages import docstrings
from icml2008.report.pages.methods import Benchmark, Method

METHODS = "icml2008.methods"
PAPERS = source.PAPERS


def named(value: Any, key: str, seen: set[int] | None = None) -> Iterator[str]:
    """Yield the full names of the methods that a value is, holds or names in its code.

    The paper's own code is followed, that of methods is not.
    """
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    seen.add(id(value))
    follow = partial(named, key=key, seen=seen)
    if isinstance(value, partial):
        for part in (value.func, *value.args, *value.keywords.values()):
            yield from follow(part)
    elif _is_method(module := getattr(value, "__module__", None) or "", key):
        kind = value if hasattr(value, "__qualname__") else type(value)
        if not (name := kind.__qualname__.partition(".")[0]).startswith(("_", "<")):
            yield f"{module}.{name}"
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from follow(getattr(value, field.name))
    elif source.inside(module, f"{PAPERS}.{key}"):
        if isinstance(value, FunctionType):
            yield from _named_by(value, follow)
        elif isinstance(value, type):
            for member in vars(value).values():
                yield from follow(getattr(member, "__func__", member))


def run_by(entry: Entry, experiment: str) -> dict[str, list[str]]:
    """Return the full names of the methods that an experiment runs.

    Parameters
    ----------
    entry : Entry
        Of the paper.
    experiment : str

    Returns
    -------
    dict of str to list of str
        By method, and under the empty name for the trials themselves.
    """
    declared = entry.experiments[experiment]
    by_method = declared.methods(entry.trial_choices(experiment, DEFAULT))
    return {
        method: sorted(set(named(value, entry.key)))
        for method, value in {"": declared.function, **by_method}.items()
    }


def public_among(full_names: Iterable[str], entry: Entry) -> dict[str, list[str]]:
    """Return the public methods that a paper runs or that are in its folder, and those beside.

    Parameters
    ----------
    full_names : iterable of str
        Of all estimators and functions that its experiments run.
    entry : Entry
        The paper.

    Returns
    -------
    dict of str to list of str
        Under ``run`` and ``beside``; the latter are in a package of methods that it runs a part of.
    """
    ran = set(full_names)
    own = f"{PAPERS}.{entry.key}"
    packages = {_package(full) for full in ran if source.inside(full, METHODS)}
    run = {name for name, full in _public().items() if full in ran or source.inside(full, own)}
    beside = {name for name, full in _public().items() if _package(full) in packages}
    return {"run": sorted(run), "beside": sorted(beside - run)}


def _named_by(function: FunctionType, follow: Callable[[Any], Iterator[str]]) -> Iterator[str]:
    for cell in function.__closure__ or ():
        yield from follow(cell.cell_contents)
    for name in sorted(_names_in(function.__code__)):
        if name in function.__globals__:
            yield from follow(function.__globals__[name])


def _names_in(code: CodeType) -> set[str]:
    """Return the names in a function and in the functions within it."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return {*code.co_names, *(name for nested in inner for name in _names_in(nested))}


def _is_method(module: str, key: str) -> bool:
    """Return whether a module defines methods: public ones, or a paper's own."""
    own = source.inside(module, f"{PAPERS}.{key}.method")
    return source.inside(module, METHODS) or module in _homes() or own


@cache
def _homes() -> frozenset[str]:
    return frozenset(full.rpartition(".")[0] for full in _public().values())


def all_methods(shelves: Sequence[Mapping[str, Any]]) -> list[Method]:
    """Return the public methods, and those of papers' own that claims name.

    Signatures and docstrings are asked of the methods themselves, which have to be imported for
    that: what they say is kept for as long as their modules stay.
    """
    public = _public()
    entries = [(name, full, "") for name, full in public.items()]
    entries += [
        (full.rpartition(".")[2], full, shelf["key"])
        for shelf in shelves
        for full in shelf["named"]
        if source.inside(full, PAPERS) and full not in public.values()
    ]
    made_of = [str(entries), *_code_of(full for _, full, _ in entries), Path(__file__).read_bytes()]
    text = kept(
        cache_folder() / "site" / "methods.json",
        made_of,
        lambda: json.dumps([asdict(_described(*entry)) for entry in entries]),
    )
    return [Method(**content) for content in json.loads(text)]


def _package(full: str) -> str:
    """Return the package of methods, or of a paper, that a full name is in."""
    return ".".join(full.split(".")[:3])


@cache
def _public() -> dict[str, str]:
    """Return the full name of each public method, as `icml2008.methods` declares it."""
    return {name: f"icml2008.{module}.{name}" for name, module in methods._MODULES.items()}


def _code_of(full_names: Iterable[str]) -> Iterator[bytes]:
    """Yield the modules that define methods, and those beside them: classes inherit from these."""
    for module in sorted({full.rpartition(".")[0] for full in full_names}):
        for file in sorted(Path(source.source(module)).parent.glob("*.py")):
            yield file.read_bytes()


def _described(name: str, full: str, key: str) -> Method:
    home = full.rpartition(".")[0]
    method = getattr(import_module(home), name)
    package = _package(home)
    group = (
        Entry(package.rpartition(".")[2]).head.title
        if source.inside(home, PAPERS)
        else _opening(Path(source.source(package))).removesuffix(".")
    )
    doc = inspect.getdoc(method) or ""
    return Method(name, home, home if key else METHODS, group, _signature(name, method), doc, key)


def _signature(name: str, method: Any) -> str:
    """Return how something is called, without its annotations: the docstring has the types."""
    signature = inspect.signature(method)
    bare = [
        parameter.replace(annotation=parameter.empty, default=_readable(parameter.default))
        for parameter in signature.parameters.values()
    ]
    return name + str(signature.replace(parameters=bare, return_annotation=signature.empty))


class _Named:
    """A default that is a function or a class, by its name instead of its address."""

    def __init__(self, default: Any) -> None:
        self._name = default.__name__

    def __repr__(self) -> str:
        return self._name


def _readable(default: Any) -> Any:
    if default is inspect.Parameter.empty or not callable(default):
        return default
    return _Named(default)


def _opening(module: Path) -> str:
    """Return the first paragraph of a module's docstring."""
    doc = ast.get_docstring(ast.parse(module.read_bytes())) or module.stem
    return docstrings.paragraphs(doc)[0]


def benchmarks() -> Iterator[tuple[Benchmark, Path]]:
    """Yield the committed benchmarks of methods, of papers and of the repository, and figures."""
    tables = {folder / "benchmark.py": folder / "benchmark.csv" for folder in library.folders()}
    tables |= {
        script: script.parent / "results" / f"{script.stem}.csv"
        for script in sorted(Path("benchmarks").glob("*.py"))
    }
    for script, table in tables.items():
        if script.is_file() and table.is_file():
            name = script.parent.name if script.stem == "benchmark" else script.stem
            benchmark = _benchmark(name, script, table)
            if benchmark.groups:
                yield benchmark, table.with_suffix(".svg")


def _benchmark(name: str, script: Path, table: Path) -> Benchmark:
    public = _public()
    taken = set()
    for node in ast.walk(ast.parse(script.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                taken.add(public.get(alias.name, full) if node.module == METHODS else full)
    timed = taken & set(public.values())
    near = timed | {
        full for full in taken if any(map(partial(source.inside, full), (METHODS, PAPERS)))
    }
    comments = []
    lines = []
    for line in table.read_text("utf-8").splitlines():
        (comments if line.startswith("#") else lines).append(line.removeprefix("# "))
    columns, *rows = csv.reader(lines)
    return Benchmark(
        name,
        _opening(script),
        comments,
        [column.replace("_", " ") for column in columns],
        rows,
        sorted(timed),
        sorted(set(map(_package, near))),
        table.with_suffix(".svg").is_file(),
    )
