"""The papers that there are: found by looking at the folders, registered nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any

from icml2008.catalogue.fit import misfits
from icml2008.catalogue.paper_error import PaperError
from icml2008.data import registry
from icml2008.errors import Icml2008Error, nearest
from icml2008.harness.choices import choices_of
from icml2008.harness.experiment import Experiment, experiments_in

if TYPE_CHECKING:
    from icml2008.catalogue.figures import OwnFigure
    from icml2008.catalogue.model import Head, Paper

# Papers are found and loaded by name; nothing of the catalogue knows one of them.
_PAPERS = "icml2008.papers"

STATES = ("re-run", "planned", "private data", "hardware or people", "theory")


def add_papers(folder: str | Path) -> None:
    """Look for papers in a further folder, too.

    Raises
    ------
    PaperError
        If there is no such folder.
    """
    folder = Path(folder).resolve()
    if not folder.is_dir():
        msg = f"papers_path: there is no folder {folder}"
        raise PaperError(msg)
    if str(folder) not in _roots():
        _roots().append(str(folder))
        registry.look_in(folder)
    invalidate_caches()
    _folders.cache_clear()


def _roots() -> list[str]:
    """Return the folders with papers: the package's own, and further ones."""
    return import_module(_PAPERS).__path__


@cache
def _folders() -> Mapping[str, Path]:
    homes: dict[str, Path] = {}
    for root in _roots():
        for file in sorted(Path(root).glob("*/paper.yaml")):
            known = homes.get(file.parent.name)
            # A planned paper may be begun elsewhere.
            if known is None or not _begun(known):
                homes[file.parent.name] = file.parent
    return dict(sorted(homes.items()))


def _begun(folder: Path) -> bool:
    return (folder / "experiments.py").is_file()


def paper_keys() -> list[str]:
    """Return the keys of all papers, sorted."""
    return list(_folders())


def has_paper(key: str) -> bool:
    """Return whether there is a paper of this key."""
    return key in _folders()


def folders() -> list[Path]:
    """Return the folders of all papers, in the order of their keys."""
    return list(_folders().values())


def folder(key: str) -> Path:
    """Return the folder of a paper."""
    if key not in _folders():
        msg = f"no paper {key!r}{nearest_key(key, _folders())}"
        raise PaperError(msg)
    return _folders()[key]


def nearest_key(name: str, keys: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the key that it is a part of, or nearest.

    Examples
    --------
    >>> nearest_key("mirank", ["bergeron2008mirank", "meka2008rank"])
    "; did you mean 'bergeron2008mirank'?"
    """
    keys = sorted(keys)
    holding = [key for key in keys if name.lower() in key] if len(name) > 2 else []
    if len(holding) == 1:
        return f"; did you mean {holding[0]!r}?"
    return nearest(name, holding or keys)


@cache
def _read(path: Path, stamp: int) -> Paper:
    from icml2008.catalogue.reading import read_paper

    return read_paper(path)


def load_paper(key: str) -> Paper:
    """Return a paper's facts, claims and choices."""
    path = folder(key) / "paper.yaml"
    return _read(path, path.stat().st_mtime_ns)


@cache
def _read_head(path: Path, stamp: int) -> Head:
    from icml2008.catalogue.reading import read_head

    return read_head(path)


def load_head(key: str) -> Head:
    """Return a paper's title, authors, pages and topic, without the rest of its file."""
    path = folder(key) / "paper.yaml"
    return _read_head(path, path.stat().st_mtime_ns)


def state(key: str, rerunnable: str | None = None) -> str:
    """Return ``re-run`` for a paper with experiments, else ``planned`` or what stands in the way.

    `rerunnable` is what its file says of that, where it is known already.
    """
    if has_experiments(key):
        return "re-run"
    reach = rerunnable or load_head(key).rerunnable
    return "planned" if reach in ("all", "part", "stand-in") else reach


def has_experiments(key: str) -> bool:
    """Return whether a paper has experiments, without importing them."""
    return _begun(folder(key))


def module_of(key: str) -> str:
    """Return the full name of the module with a paper's experiments."""
    return f"{_PAPERS}.{key}.experiments"


class Experiments(dict[str, Experiment]):
    """A paper's experiments by name; asked for another one, they say which is the nearest."""

    def __init__(self, key: str, declared: Mapping[str, Experiment]) -> None:
        super().__init__(declared)
        self._key = key

    def __missing__(self, name: str) -> Experiment:
        what = f"no experiment {name!r}" if name else "which experiment?"
        msg = f"{self._key}: {what}{nearest(name, self)}"
        raise PaperError(msg)


def load_experiments(key: str) -> Experiments:
    """Return the experiments of a paper by name; none if it is only planned.

    Raises
    ------
    PaperError
        If ``experiments.py`` cannot be imported; if it and ``paper.yaml`` do not name the same
        experiments, or a claim speaks of a cell or a method that its experiment does not have.
    """
    if not has_experiments(key):
        return Experiments(key, {})
    experiments = experiments_in(paper_module(key, "experiments"))
    facts = load_paper(key).experiments
    for name in sorted(experiments.keys() ^ facts.keys()):
        here, there = (
            ("experiments.py", "paper.yaml")
            if name in experiments
            else ("paper.yaml", "experiments.py")
        )
        options = facts if name in experiments else experiments
        msg = f"{key}: the experiment {name!r} is in {here}, not in {there}{nearest(name, options)}"
        raise PaperError(msg)
    _fit(key, (folder(key) / "paper.yaml").stat().st_mtime_ns)
    return Experiments(key, experiments)


def paper_module(key: str, name: str) -> ModuleType:
    """Return a module of a paper; what its author did wrong is named by file and line.

    Raises
    ------
    PaperError
        If the module cannot be imported because of what stands in the paper's folder.
    """
    try:
        return import_module(f"{_PAPERS}.{key}.{name}")
    except Exception as error:
        slip = slip_of(error)
        if slip is None:
            raise
        raise PaperError(slip) from error


def slip_of(error: Exception) -> str | None:
    """Return where in a paper's folder an error came about, and what it is; None if in none.

    What a paper of the package needs and is not installed is no slip of its author.
    """
    own = Path(__file__).parents[1]
    roots = [Path(root) for root in _roots()]
    places = [(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
    written = [
        (file, line) for file, line in places if any(root in Path(file).parents for root in roots)
    ]
    if not written:
        return None
    file, line = written[-1]
    if isinstance(error, ModuleNotFoundError) and own in Path(file).parents:
        return None
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = "" if isinstance(error, Icml2008Error) else f"{type(error).__name__}: "
    return f"{file}, line {line}: {kind}{what}"


@cache
def _fit(key: str, stamp: int) -> None:
    experiments = experiments_in(paper_module(key, "experiments"))
    if lines := misfits(load_paper(key), experiments):
        path = folder(key) / "paper.yaml"
        raise PaperError("\n".join(f"{path}: {line}" for line in lines))


def load_figures(key: str) -> list[OwnFigure]:
    """Return the figures of a paper's own, in the order of its ``figures.py``.

    Raises
    ------
    PaperError
        If two figures have one name.
    """
    if not (folder(key) / "figures.py").is_file():
        return []
    from icml2008.catalogue.figures import OwnFigure

    module = paper_module(key, "figures")
    figures = [value for value in vars(module).values() if isinstance(value, OwnFigure)]
    names = [figure.name for figure in figures]
    for name in names:
        if names.count(name) > 1:
            msg = f"{module.__name__}: two figures are called {name!r}"
            raise PaperError(msg)
    return figures


def load_experiment(key: str, name: str) -> Experiment:
    """Return one experiment of a paper."""
    return load_experiments(key)[name]


def trial_choices(key: str, experiment: str, universe: str) -> dict[str, str]:
    """Return the value in a universe of each choice that touches an experiment."""
    return choices_of(universe, load_paper(key).choices, experiment)


def measured(
    key: str, experiment: str, /, *, repeat: int = 0, universe: str = "default", **cell: Any
) -> dict[Any, Any]:
    """Run one trial, for a test, and return what it measures and keeps.

    Returns
    -------
    dict
        Values by method and metric, arrays by the name that they are kept under.
    """
    from icml2008.data import load
    from icml2008.harness.trial import Trial, run_trial

    declaration = load_experiment(key, experiment)
    choices = trial_choices(key, experiment, universe)
    lines = run_trial(Trial(key, declaration, cell, repeat, choices=choices, load=load))
    values = {(line["method"], line["metric"]): line["value"] for line in lines if "metric" in line}
    return values | {line["keep"]: line["array"] for line in lines if "keep" in line}
