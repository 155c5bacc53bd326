"""Which code a result depends on, and a hash of it that comments and docstrings do not change.

Sources are read, never imported. What lies below every trial, the harness itself, is no part of a
hash: `CONTRACT` counts the changes of its behaviour, which a test of golden records notices.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from icml2008.harness.source import PACKAGE, PAPERS, Statement, inside, read, source

NUMERICAL = ("highspy", "numba", "numpy", "scikit-learn", "scipy")

CONTRACT = 2
_BELOW = (f"{PACKAGE}.errors", f"{PACKAGE}.harness")

# What these say about a result is in its key by itself.
_DECLARED = ("paper.yaml", "data.yaml", "registry.yaml")


def closure(
    starts: Iterable[str],
    *,
    contract: bool = True,
    by_name: str = PAPERS,
    without: Sequence[str] = (),
) -> dict[str, list[Statement]]:
    """Return the code that is reached from modules, or from single names of modules.

    Of a paper's modules only the statements that a start needs are taken, so that an edit of one
    experiment leaves its neighbours alone; of all others the whole.

    Parameters
    ----------
    starts : iterable of str
        Modules, ``icml2008.methods.smo``, or names in them, ``icml2008.papers.KEY.module:name``.
    contract : bool
        Whether to leave out what `CONTRACT` stands for.
    by_name : str
        The package of whose modules only what is needed is taken.
    without : sequence of str
        Packages and modules that are left out, with what only they reach.

    Returns
    -------
    dict of str to list of Statement
        By full name of the module. The packages that contain a module are no part of it, unless a
        name of theirs is imported: they are lazy and do nothing by themselves, and one more public
        name must not run everything again.
    """
    taken: dict[str, set[int]] = defaultdict(set)
    module_of = cache(read)
    outside = (*without, *(_BELOW if contract else ()))
    waiting = [tuple(start.partition(":")[::2]) for start in starts]
    seen = set()
    while waiting:
        module, name = at = waiting.pop()
        if at in seen or _in_any(module, outside) or (reached := module_of(module)) is None:
            continue
        seen.add(at)
        for place in reached.places(name) - taken[module]:
            taken[module].add(place)
            statement = reached.statements[place]
            if name:
                names = statement.uses | statement.binds
                waiting += [(module, other) for other in names & reached.binding.keys()]
            for imported, names in statement.imports:
                waiting += _targets(imported, names, by_name)
    return {
        module: [module_of(module).statements[place] for place in sorted(places)]
        for module, places in sorted(taken.items())
        if places
    }


def _in_any(module: str, packages: Iterable[str]) -> bool:
    return any(inside(module, package) for package in packages)


def _targets(
    module: str, names: tuple[str, ...], by_name: str = PAPERS
) -> Iterator[tuple[str, str]]:
    """Yield what an import reaches: modules, and of those in a package single names."""
    for name in names or ("",):
        if name and source(f"{module}.{name}"):
            yield f"{module}.{name}", ""
        elif module.startswith(f"{by_name}.") and name not in ("", "*"):
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
        for statement in read(module).statements
        if experiment in statement.declares
        for name in sorted(statement.binds)
    ] or [start]


def _own_modules(start: str, package: str) -> list[str]:
    """Return the modules of a paper that are reached from one of them, sorted."""
    seen = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module in seen or not inside(module, package) or (code := read(module)) is None:
            continue
        seen.add(module)
        for statement in code.statements:
            for imported, names in statement.imports:
                waiting += [target for target, _ in _targets(imported, names)]
    return sorted(seen)


def code_hash(
    starts: Iterable[str],
    *,
    contract: bool = True,
    by_name: str = PAPERS,
    without: Sequence[str] = (),
) -> str:
    """Return a hash of a closure's code and of the packaged files that it names.

    Comments, docstrings and layout are no part of it. The arguments are those of `closure`.
    """
    digest = hashlib.sha256(f"{CONTRACT if contract else ''}\n".encode())
    reached = closure(starts, contract=contract, by_name=by_name, without=without)
    for module, statements in reached.items():
        lines = [module, *(statement.digest for statement in statements)]
        digest.update("".join(f"{line}\n" for line in lines).encode())
        named = [text for statement in statements for text in statement.files]
        for file in files_beside(module):
            if any(file.name in text for text in named):
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
    return {name: _version(name) for name in NUMERICAL}


_version = cache(version)
