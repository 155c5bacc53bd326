"""Which papers, jobs and data a configuration means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from icml2008.errors import Icml2008Error, nearest
from icml2008.harness.experiment import SCALES
from icml2008.harness.plan import Shard, shards
from icml2008.papers import library
from icml2008.workflow.keys import data_needs

DATA_MODES = ("lenient", "strict")


class ConfigError(Icml2008Error):
    """The configuration has an unknown key or value."""


@dataclass(frozen=True)
class Run:
    """A checked configuration; the keys are explained in ``config/config.yaml``."""

    scale: str = "quick"
    papers: tuple[str, ...] = ()
    papers_path: str = ""
    mirrors: tuple[str, ...] = ()
    data_mode: str = "lenient"


def _split(value: Any) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else str(value or "").split(",")
    return tuple(str(part).strip() for part in parts if str(part).strip())


def read_config(config: Mapping[str, Any]) -> Run:
    """Check a configuration and add the further folder of papers, if it names one.

    Raises
    ------
    ConfigError
        If a key or a value is unknown; the message has the nearest known one.
    """
    known = ("scale", "papers", "papers_path", "data_mirrors", "data_mode")
    for key in config:
        if key not in known:
            msg = f"config: no key {key!r}{nearest(key, known)}"
            raise ConfigError(msg)
    run = Run(
        scale=str(config.get("scale", Run.scale)),
        papers=_split(config.get("papers")),
        papers_path=str(config.get("papers_path") or ""),
        mirrors=_split(config.get("data_mirrors")),
        data_mode=str(config.get("data_mode", Run.data_mode)),
    )
    for key, value, allowed in (
        ("scale", run.scale, SCALES),
        ("data_mode", run.data_mode, DATA_MODES),
    ):
        if value not in allowed:
            msg = f"config: {key} cannot be {value!r}{nearest(value, allowed)}"
            raise ConfigError(msg)
    if run.papers_path:
        library.add_papers(run.papers_path)
    return run


def papers(run: Run) -> list[str]:
    """Return the keys of the papers to run: the chosen ones, or all that have experiments."""
    for key in run.papers:
        if not library.load_experiments(key):
            msg = f"papers: {key} is planned, it has no experiments yet"
            raise ConfigError(msg)
    every = [key for key in library.paper_keys() if library.load_experiments(key)]
    return list(run.papers) or every


def shards_of(key: str, experiment: str, scale: str) -> list[Shard]:
    """Return the jobs of an experiment."""
    return list(shards(library.load_experiment(key, experiment), scale))


def all_data(keys: Iterable[str]) -> list[str]:
    """Return the data sets that the papers read, sorted."""
    pairs = [(key, name) for key in keys for name in library.load_experiments(key)]
    return sorted({data for key, name in pairs for data in data_needs(key, name)})
