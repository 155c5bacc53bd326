"""The package's modules as they are written, statement by statement; they are never imported."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from icml2008.harness import normal
from icml2008.harness.kept import kept

PACKAGE = "icml2008"
PAPERS = f"{PACKAGE}.papers"

# Parsing takes most of the time that planning takes. Where runs keep what they planned, what
# parsing gives is kept, too.
KEPT = Path(".snakemake/icml2008/source")

# What lies beside a module is named with its suffix.
_FILE = re.compile(r"\w\.\w")

Import = tuple[str, tuple[str, ...]]
"""Full name of a module, and the names that are taken from it; none for the module itself."""


@dataclass(frozen=True)
class Statement:
    """A statement of a module's top level.

    Attributes
    ----------
    digest : str
        Hash of its normal form, which comments, docstrings and layout do not change.
    binds : frozenset of str
        The names it gives a value to; a statement that gives none is always run.
    uses : frozenset of str
        The names that occur in it.
    imports : tuple of Import
        The modules of the package that it imports, at whatever depth.
    declares : frozenset of str
        The names of the experiments that it declares, as far as they are written out.
    files : frozenset of str
        The strings in it that can name a file.
    """

    digest: str
    binds: frozenset[str]
    uses: frozenset[str]
    imports: tuple[Import, ...]
    declares: frozenset[str]
    files: frozenset[str]


@dataclass(frozen=True)
class Module:
    """The statements of a module's top level, in order."""

    statements: tuple[Statement, ...]

    @cached_property
    def binding(self) -> Mapping[str, frozenset[int]]:
        """Where each name is bound; under the empty name, which statements bind none."""
        bindings = defaultdict(set)
        for place, statement in enumerate(self.statements):
            for name in statement.binds or ("",):
                bindings[name].add(place)
        return {name: frozenset(places) for name, places in bindings.items()}

    def places(self, name: str) -> frozenset[int]:
        """Return which statements a name needs: those that bind it, and those that bind none.

        Without a name, all.
        """
        if not name:
            return frozenset(range(len(self.statements)))
        return self.binding.get(name, frozenset()) | self.binding.get("", frozenset())


def source(module: str) -> str | None:
    """Return the path of a module of the package, or None if there is no such module."""
    root = PAPERS if inside(module, PAPERS) else PACKAGE
    folders = (sys.modules.get(root) or import_module(root)).__path__
    return _found(module.removeprefix(root), tuple(folders))


@cache
def _found(module: str, folders: tuple[str, ...]) -> str | None:
    below = module.strip(".").replace(".", "/")
    places = [
        Path(folder, part) for folder in folders for part in (f"{below}.py", f"{below}/__init__.py")
    ]
    return next((str(place) for place in places if place.is_file()), None)


def inside(module: str, package: str) -> bool:
    """Return whether a module is a package or in it."""
    return module == package or module.startswith(f"{package}.")


def read(module: str) -> Module | None:
    """Return a module of the package, or None if there is no such module."""
    path = source(module)
    return _read(module, path, os.stat(path).st_mtime_ns) if path else None


@cache
def _read(module: str, path: str, stamp: int) -> Module:
    text = Path(path).read_bytes()
    package = module if path.endswith("__init__.py") else module.rpartition(".")[0]

    def parsed() -> str:
        return json.dumps(list(_parsed(text, package)))

    if KEPT.parent.is_dir():
        rules = sys.version, *(Path(rule).read_bytes() for rule in (__file__, normal.__file__))
        statements = kept(KEPT / f"{module}.json", (*rules, package, text), parsed)
    else:
        statements = parsed()
    return Module(tuple(map(_statement, json.loads(statements))))


def _statement(fields: dict[str, Any]) -> Statement:
    return Statement(
        digest=fields["digest"],
        imports=tuple((base, tuple(names)) for base, names in fields["imports"]),
        **{name: frozenset(fields[name]) for name in ("binds", "uses", "declares", "files")},
    )


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _parsed(text: bytes, package: str) -> Iterator[dict[str, Any]]:
    """Yield the fields of each statement, as JSON knows them."""
    tree = ast.parse(text)
    _drop_docstring(tree)
    for statement in tree.body:
        for node in _one_name_each(statement):
            parts = []
            for part in _walk(node):
                _drop_docstring(part)  # before what is in it is walked
                parts.append(part)
            strings = {part.value for part in parts if _is_string(part)}
            yield {
                "digest": hashlib.sha256(normal.normal_form(node).encode()).hexdigest()[:32],
                "binds": sorted(set(_bound(node))),
                "uses": sorted({part.id for part in parts if isinstance(part, ast.Name)}),
                "imports": list(_imports(parts, package)),
                "declares": sorted(set(_declared(parts))),
                "files": sorted(text for text in strings if _FILE.search(text)),
            }


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _declared(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that experiments are declared by: ``experiment("name", ...)``."""
    for node in nodes:
        if isinstance(node, ast.Call) and node.args and _is_string(node.args[0]):
            called = node.func
            if "experiment" in (getattr(called, "id", ""), getattr(called, "attr", "")):
                yield node.args[0].value


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes in it, as `ast.walk` does in thrice the time."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        for value in part.__dict__.values():
            if isinstance(value, list):
                waiting += [child for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST):
                waiting.append(value)


def _drop_docstring(node: ast.AST) -> None:
    if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or [ast.Pass()]


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            # What is stored in an attribute or an item changes the name it belongs to.
            yield from (part.id for part in _walk(target) if isinstance(part, ast.Name))


def _imports(nodes: Iterable[ast.AST], package: str) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names if inside(alias.name, PACKAGE))
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            if inside(base, PACKAGE):
                yield base, tuple(alias.name for alias in node.names)


def _one_name_each(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield an import as one statement a name, so that neighbours can share a line of imports."""
    if not isinstance(node, ast.ImportFrom):
        yield node
        return
    for alias in node.names:
        yield ast.ImportFrom(node.module, [alias], node.level)
