"""Which code a result depends on, and a hash of it that comments and docstrings do not change."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "icml2008"
NUMERICAL = ("highspy", "numba", "numpy", "scikit-learn", "scipy")


@cache
def _source(module: str) -> str | None:
    """Return the path of a module's source, or None if there is no such module."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        return None
    return spec.origin if spec and spec.origin and spec.origin.endswith(".py") else None


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        holder = isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        )
        if holder and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


@cache
def _parsed(path: str, stamp: int) -> tuple[str, tuple[tuple[str, tuple[str, ...], int], ...]]:
    """Return the normal form of a source file, and its imports as (module, names, level)."""
    tree = _without_docstrings(ast.parse(Path(path).read_text("utf-8"), path))
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [(alias.name, (), 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            imports.append((node.module or "", names, node.level))
    return ast.unparse(tree), tuple(imports)


def _read(path: str) -> tuple[str, tuple[tuple[str, tuple[str, ...], int], ...]]:
    return _parsed(path, Path(path).stat().st_mtime_ns)


def _imported(module: str, path: str) -> set[str]:
    found = set()
    package = module if Path(path).name == "__init__.py" else module.rpartition(".")[0]
    for name, names, level in _read(path)[1]:
        base = name
        if level:
            above = package.split(".")[: len(package.split(".")) - level + 1]
            base = ".".join([*above, name] if name else above)
        if base != PACKAGE and not base.startswith(PACKAGE + "."):
            continue
        modules = {f"{base}.{part}" for part in names if _source(f"{base}.{part}")}
        found |= modules
        if len(modules) < len(names) or not names:
            found.add(base)
    return found


def closure(modules: Iterable[str]) -> dict[str, str]:
    """Return all modules of the package that the given ones import, themselves included.

    Parameters
    ----------
    modules : iterable of str
        Full names of modules.

    Returns
    -------
    dict of str to str
        Full name to path of the source. The packages that contain a module are no part of it,
        unless a name of theirs is imported: they are lazy and do nothing by themselves, and one
        more public name must not run everything again.
    """
    found: dict[str, str] = {}
    waiting = set(modules)
    while waiting:
        module = waiting.pop()
        path = _source(module)
        if module in found or path is None:
            continue
        found[module] = path
        waiting |= _imported(module, path)
    return dict(sorted(found.items()))


def code_hash(modules: Iterable[str]) -> str:
    """Return a hash of the closure's code; comments, docstrings and layout are no part of it."""
    digest = hashlib.sha256()
    for module, path in closure(modules).items():
        digest.update(f"{module}\n{_read(path)[0]}\n".encode())
    return digest.hexdigest()[:16]


def numerical_versions() -> dict[str, str]:
    """Return the versions of the libraries that a result's last digits depend on."""
    return {name: version(name) for name in NUMERICAL}
