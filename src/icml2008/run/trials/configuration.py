"""Which papers, jobs and data a configuration means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry, entry_of, rerun_entries
from icml2008.errors import Icml2008Error, nearest
from icml2008.harness import arithmetic
from icml2008.harness.choices import DEFAULT, around_the_default, crossed, projected
from icml2008.harness.experiment import SCALES, Cell
from icml2008.harness.sharding import Shard, shards

DATA_MODES = ("lenient", "strict")
AROUND = "true"
CROSSED = "full"
MOST_UNIVERSES = 256
RETRY = ("", "failed")


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
    multiverse: tuple[str, ...] = ()
    arithmetic: tuple[str, ...] = (arithmetic.BASELINE,)
    retry: str = ""
    reuse: bool = False

    @property
    def labels(self) -> list[str]:
        """The names of the folders of results: one for each arithmetic that can be run here."""
        return [
            label(self.scale, name)
            for name in self.arithmetic
            if name == arithmetic.BASELINE or not arithmetic.lacking(name)
        ]


def label(scale: str, name: str = arithmetic.BASELINE) -> str:
    """Return the name of a folder of results.

    Examples
    --------
    >>> label("quick"), label("quick", "nehalem")
    ('quick', 'quick@nehalem')
    """
    return scale if name == arithmetic.BASELINE else f"{scale}@{name}"


def scale_of(label: str) -> str:
    """Return the scale of a folder of results: ``quick@nehalem`` is ``quick``."""
    return label.partition("@")[0]


def arithmetic_of(label: str) -> str:
    """Return the arithmetic of a folder of results: ``quick@nehalem`` is ``nehalem``."""
    return label.partition("@")[2] or arithmetic.BASELINE


def _split(value: Any) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else str(value or "").split(",")
    return tuple(str(part).strip() for part in parts if str(part).strip())


def _yes(key: str, value: Any) -> bool:
    text = str(value or False).lower()
    if text not in ("true", "false"):
        msg = f"config: {key} cannot be {value!r}{nearest(text, ('true', 'false'))}"
        raise ConfigError(msg)
    return text == "true"


def _multiverse(value: Any) -> tuple[str, ...]:
    names = _split(str(value).lower() if isinstance(value, bool) else value)
    if names == ("false",):
        return ()
    for name in names if names not in ((AROUND,), (CROSSED,)) else ():
        entry_of(name)
    return names


def read_config(config: Mapping[str, Any]) -> Run:
    """Check a configuration and add the further folder of papers, if it names one.

    Raises
    ------
    ConfigError
        If a key or a value is unknown; the message has the nearest known one.
    """
    known = (
        *("scale", "papers", "papers_path", "data_mirrors", "data_mode", "multiverse"),
        *("arithmetic", "retry", "reuse"),
    )
    for key in config:
        if key not in known:
            msg = f"config: no key {key!r}{nearest(key, known)}"
            raise ConfigError(msg)
    papers_path = str(config.get("papers_path") or "")
    if papers_path:
        library.add_papers(papers_path)
    run = Run(
        scale=str(config.get("scale", Run.scale)),
        papers=tuple(dict.fromkeys(_split(config.get("papers")))),
        papers_path=papers_path,
        mirrors=_split(config.get("data_mirrors")),
        data_mode=str(config.get("data_mode", Run.data_mode)),
        multiverse=_multiverse(config.get("multiverse")),
        arithmetic=tuple(dict.fromkeys(_split(config.get("arithmetic")))) or Run.arithmetic,
        retry=str(config.get("retry") or ""),
        reuse=_yes("reuse", config.get("reuse")),
    )
    for name in run.arithmetic:
        arithmetic.find(name)
    for key, value, allowed in (
        ("scale", run.scale, SCALES),
        ("data_mode", run.data_mode, DATA_MODES),
        ("retry", run.retry, RETRY),
    ):
        if value not in allowed:
            msg = f"config: {key} cannot be {value!r}{nearest(value, allowed)}"
            raise ConfigError(msg)
    return run


def papers(run: Run) -> list[Entry]:
    """Return the papers to run: the chosen ones, or all that have experiments.

    Raises
    ------
    ConfigError
        If a chosen one has no experiments, or all choices of more than one paper are to be crossed.
    """
    chosen = [entry_of(key) for key in run.papers]
    for entry in chosen:
        if not entry.is_rerun:
            msg = f"papers: {entry.key} is planned, it has no experiments yet"
            raise ConfigError(msg)
    entries = chosen or rerun_entries()
    if run.multiverse == (CROSSED,) and len(entries) > 1:
        msg = "config: multiverse=full crosses the choices of one paper; add papers=KEY"
        raise ConfigError(msg)
    return entries


def universes(run: Run, entry: Entry) -> list[str]:
    """Return the universes of a paper to run, the default first."""
    paper = entry.paper
    if run.multiverse == (CROSSED,):
        return [DEFAULT, *crossed(paper.choices, MOST_UNIVERSES)]
    if entry.key in run.multiverse or run.multiverse == (AROUND,):
        return [DEFAULT, *around_the_default(paper.choices), *paper.together]
    return [DEFAULT]


def shards_of(
    entry: Entry, scale: str, universe: str = DEFAULT, only: str | None = None
) -> Iterator[tuple[str, Shard]]:
    """Yield the jobs of a paper in a universe by name: of the cells that all its changes touch.

    With `only`, those of one experiment, whose names begin with it.
    """
    declared = entry.choices
    experiments = {only: entry.experiments[only]} if only else entry.experiments

    def is_touched(experiment: str, cell: Cell) -> bool:
        return projected(universe, declared, experiment, cell) == universe

    for shard in shards(experiments, scale, is_run=is_touched):
        yield f"{universe}/{f'{only}-' if only else ''}{shard.name}", shard
