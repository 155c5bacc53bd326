"""Which code a result depends on, and a hash of it that comments and docstrings do not change.

Sources are read, never imported. What lies below every trial, the harness itself, is no part of a
hash: `CONTRACT` counts the changes of its behaviour, which a test of golden records notices.
"""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

PACKAGE = "icml2008"
PAPERS = f"{PACKAGE}.papers"
NUMERICAL = ("highspy", "numba", "numpy", "scikit-learn", "scipy")

CONTRACT = 2
_BELOW = (f"{PACKAGE}.errors", f"{PACKAGE}.harness")

# What these say about a result is in its key by itself.
_DECLARED = ("paper.yaml", "data.yaml", "registry.yaml")

Import = tuple[str, tuple[str, ...]]
"""Full name of a module, and the names that are taken from it; none for the module itself."""


@dataclass(frozen=True)
class Statement:
    """A statement of a module's top level.

    Attributes
    ----------
    text : str
        Its normal form.
    binds : frozenset of str
        The names it gives a value to; a statement that gives none is always run.
    uses : frozenset of str
        The names that occur in it.
    imports : tuple of Import
        The modules of the package that it imports, at whatever depth.
    """

    text: str
    binds: frozenset[str]
    uses: frozenset[str]
    imports: tuple[Import, ...]


@dataclass(frozen=True)
class Module:
    """The statements of a module's top level, in order."""

    statements: tuple[Statement, ...]

    @cached_property
    def _binding(self) -> Mapping[str, frozenset[int]]:
        found = defaultdict(set)
        for place, statement in enumerate(self.statements):
            for name in statement.binds or ("",):
                found[name].add(place)
        return {name: frozenset(places) for name, places in found.items()}

    def places(self, name: str) -> frozenset[int]:
        """Return which statements a name needs: those that bind it, and those that bind none.

        Without a name, all.
        """
        if not name:
            return frozenset(range(len(self.statements)))
        return self._binding.get(name, frozenset()) | self._binding.get("", frozenset())


def source(module: str) -> str | None:
    """Return the path of a module of the package, or None if there is no such module."""
    root = PAPERS if _inside(module, PAPERS) else PACKAGE
    return _found(module.removeprefix(root), tuple(import_module(root).__path__))


@cache
def _found(module: str, folders: tuple[str, ...]) -> str | None:
    below = module.strip(".").replace(".", "/")
    places = [
        Path(folder, part) for folder in folders for part in (f"{below}.py", f"{below}/__init__.py")
    ]
    return next((str(place) for place in places if place.is_file()), None)


def _inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


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
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))


def _imports(nodes: Iterable[ast.AST], package: str) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names if _inside(alias.name, PACKAGE))
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            if _inside(base, PACKAGE):
                yield base, tuple(alias.name for alias in node.names)


@cache
def _parsed(module: str, path: str, stamp: int) -> Module:
    package = module if Path(path).name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(Path(path).read_text("utf-8"), path)
    _drop_docstring(tree)
    return Module(
        tuple(
            _statement(node, package)
            for statement in tree.body
            for node in _one_name_each(statement)
        )
    )


def _statement(node: ast.stmt, package: str) -> Statement:
    inside = list(ast.walk(node))  # once: walking takes most of the time that planning takes
    for part in inside:
        _drop_docstring(part)
    return Statement(
        ast.unparse(node),
        frozenset(_bound(node)),
        frozenset(part.id for part in inside if isinstance(part, ast.Name)),
        tuple(_imports(inside, package)),
    )


def _one_name_each(node: ast.stmt) -> Iterator[ast.stmt]:
    """Yield an import as one statement a name, so that neighbours can share a line of imports."""
    if not isinstance(node, ast.ImportFrom):
        yield node
        return
    for alias in node.names:
        yield ast.ImportFrom(node.module, [alias], node.level)


def _read(module: str) -> Module | None:
    path = source(module)
    return _parsed(module, path, Path(path).stat().st_mtime_ns) if path else None


def closure(starts: Iterable[str], *, contract: bool = True) -> dict[str, list[Statement]]:
    """Return the code that is reached from modules, or from single names of modules.

    Of a paper's modules only the statements that a start needs are taken, so that an edit of one
    experiment leaves its neighbours alone; of all others the whole.

    Parameters
    ----------
    starts : iterable of str
        Modules, ``icml2008.methods.smo``, or names in them, ``icml2008.papers.KEY.module:name``.
    contract : bool
        Whether to leave out what `CONTRACT` stands for.

    Returns
    -------
    dict of str to list of Statement
        By full name of the module. The packages that contain a module are no part of it, unless a
        name of theirs is imported: they are lazy and do nothing by themselves, and one more public
        name must not run everything again.
    """
    taken: dict[str, set[int]] = defaultdict(set)
    read = cache(_read)
    waiting = [tuple(start.partition(":")[::2]) for start in starts]
    seen = set()
    while waiting:
        module, name = at = waiting.pop()
        if at in seen or (contract and _below(module)) or read(module) is None:
            continue
        seen.add(at)
        for place in read(module).places(name) - taken[module]:
            taken[module].add(place)
            statement = read(module).statements[place]
            if name:
                waiting += [(module, other) for other in statement.uses | statement.binds]
            for imported, names in statement.imports:
                waiting += _targets(imported, names)
    return {
        module: [read(module).statements[place] for place in sorted(places)]
        for module, places in sorted(taken.items())
        if places
    }


def _below(module: str) -> bool:
    return any(_inside(module, package) for package in _BELOW)


def _targets(module: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield what an import reaches: modules, and in papers' modules single names."""
    for name in names or ("",):
        if name and source(f"{module}.{name}"):
            yield f"{module}.{name}", ""
        elif module.startswith(f"{PAPERS}.") and name != "*":
            yield module, name
        else:
            yield module, ""


def starts_of(key: str, experiment: str) -> list[str]:
    """Return where the closure of an experiment starts: at what declares it, without importing it.

    Parameters
    ----------
    key, experiment : str
        Of the paper and of the experiment.

    Returns
    -------
    list of str
        The name that ``experiment("...")`` decorates; the paper's whole module where the name of
        the experiment is not written out.
    """
    start = f"{PAPERS}.{key}.experiments"
    return [
        f"{module}:{name}"
        for module in _own_modules(start, f"{PAPERS}.{key}")
        for statement in _read(module).statements
        if f"experiment({experiment!r}" in statement.text
        for name in sorted(statement.binds)
    ] or [start]


def _own_modules(start: str, package: str) -> list[str]:
    """Return the modules of a paper that are reached from one of them, sorted."""
    seen, waiting = set(), [start]
    while waiting:
        module = waiting.pop()
        if module in seen or not _inside(module, package) or (read := _read(module)) is None:
            continue
        seen.add(module)
        for statement in read.statements:
            for imported, names in statement.imports:
                waiting += [target for target, _ in _targets(imported, names)]
    return sorted(seen)


def code_hash(starts: Iterable[str], *, contract: bool = True) -> str:
    """Return a hash of a closure's code and of the packaged files that it names.

    Comments, docstrings and layout are no part of it.
    """
    digest = hashlib.sha256(f"{CONTRACT if contract else ''}\n".encode())
    for module, found in closure(starts, contract=contract).items():
        text = "\n".join(statement.text for statement in found)
        digest.update(f"{module}\n{text}\n".encode())
        for file in files_beside(module):
            if file.name in text:
                digest.update(f"{file.name}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def files_beside(module: str) -> list[Path]:
    """Return the packaged files in a module's folder that it may read, apart from declarations."""
    folder = Path(source(module)).parent
    return list(_files_in(folder, folder.stat().st_mtime_ns))


@cache
def _files_in(folder: Path, stamp: int) -> tuple[Path, ...]:
    return tuple(
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.name not in _DECLARED
    )


def numerical_versions() -> dict[str, str]:
    """Return the versions of the libraries that a result's last digits depend on."""
    return {name: version(name) for name in NUMERICAL}
