"""What a run does for a paper, kept on disk until a file that it can depend on changes.

Planning many papers anew takes long: all experiments are imported, and all sources are parsed.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import icml2008
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.code import numerical_versions
from icml2008.harness.kept import kept
from icml2008.harness.records import canonical
from icml2008.harness.sharding import Shard
from icml2008.run import keys
from icml2008.run.trials import configuration
from icml2008.run.trials.configuration import Run
from icml2008.run.trials.processes import mapped
from icml2008.store import Shelf

FOLDER = Path(".snakemake/icml2008")

# Imports take a process about as long as the plans of so many papers.
_WORTH_A_PROCESS = 20


@dataclass(frozen=True)
class Plan:
    """What is run of a paper at a scale, and what the results depend on.

    Attributes
    ----------
    universes : list of str
        The default first.
    data, reads : list of str
        The data sets that the paper reads at full scale, and at this one.
    shards : dict
        By universe and number, ``default/0000``: the ``code`` behind each experiment,
        and ``stamp``, which stands for all that the shard's records depend on.
    seconds, longest : float
        What all shards, and the longest one, are declared to take of a processor.
    mebibytes : int
        What one process of them may take.
    judging, rendering, drawing, reference : str
        Hashes of what verdicts, pages and published figures are made by, and of the committed
        evidence.
    """

    universes: list[str]
    data: list[str]
    reads: list[str]
    shards: dict[str, dict[str, Any]]
    seconds: float
    longest: float
    mebibytes: int
    judging: str
    rendering: str
    drawing: str
    reference: str


def plan_of(run: Run, entry: Entry, scale: str) -> Plan:
    """Return the plan of a paper, as it is kept or made anew."""
    # Of the configuration the plan of a paper depends on nothing else.
    crossed = run.papers if configuration.CROSSED in run.multiverse else ()
    asked = canonical([entry.key, scale, run.multiverse, crossed])
    file = FOLDER / f"{entry.key}-{_hash([asked])}.json"
    # Snakemake compares the texts of plans: kept or new, they are one.
    with _no_search_for_garbage():
        text = kept(file, [asked, _stamp(entry)], lambda: _made(run, entry, scale))
        return Plan(**json.loads(text))


def plans_of(run: Run, papers: Sequence[Entry], scale: str) -> dict[str, Plan]:
    """Return the plans of papers by key, those of many made by all processors."""
    made = mapped(partial(plan_of, run, scale=scale), papers, worth=_WORTH_A_PROCESS)
    return {entry.key: plan for entry, plan in zip(papers, made, strict=True)}


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """Run the body without what took a third of its time: it makes millions of objects to stay."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def planned(
    entry: Entry, scale: str, universes: Iterable[str], only: str | None = None
) -> Iterator[tuple[str, Shard, dict[str, Any]]]:
    """Yield the shards of a paper, or of one experiment, with what `Plan.shards` has of each."""
    for universe in universes:
        for number, shard in configuration.shards_of(entry, scale, universe, only):
            code = {name: keys.code_of(entry, name, shard.data) for name in shard.experiments}
            depends = {
                "trials": shard.trials,
                "choices": {
                    name: entry.trial_choices(name, universe) for name in shard.experiments
                },
                "code": code,
                "data": keys.data_key(shard.data),
                "versions": numerical_versions(),
            }
            digest = hashlib.sha256(canonical(depends).encode()).hexdigest()[:16]
            yield number, shard, {"stamp": digest, "code": code}


def _made(run: Run, entry: Entry, scale: str) -> str:
    universes = configuration.universes(run, entry)
    shards = {}
    reads = set()
    experiments = entry.experiments
    seconds = [0.0]
    mebibytes = [0]
    for number, shard, about in planned(entry, scale, universes):
        reads.update(shard.data)
        seconds.append(sum(experiments[name].seconds(cell) for name, cell, _ in shard.trials))
        mebibytes += [experiments[name].mebibytes for name in shard.experiments]
        shards[number] = about
    plan = Plan(
        universes=universes,
        data=entry.reads,
        reads=sorted(reads),
        shards=shards,
        seconds=sum(seconds),
        longest=max(seconds),
        mebibytes=max(mebibytes),
        judging=keys.judging_code(entry),
        rendering=keys.rendering_code(entry),
        drawing=keys.drawn_by(entry),
        reference=keys.reference_hash(entry),
    )
    return canonical(asdict(plan))


def _stamp(entry: Entry) -> str:
    """Return a text that changes with the files that a paper's plan can depend on."""
    own = [entry.folder, Shelf.of_reference(entry).folder]
    return _hash([_shared(), *(line for folder in own for line in _listed(folder))])


@cache
def _shared() -> str:
    """Return a text that changes with the files that every paper's plan can depend on."""
    package = Path(icml2008.__file__).parent
    papers = package / "papers"
    # A registry may be in the folder of another paper than the one that reads it.
    registries = [file for folder in library.folders() for file in folder.glob("data.yaml")]
    listed = [
        *(line for part in package.iterdir() if part != papers for line in _listed(part)),
        *(line for part in papers.glob("*.py") for line in _listed(part)),
        *(line for file in registries for line in _listed(file)),
    ]
    return _hash([sys.version, canonical(numerical_versions()), *sorted(listed)])


def _hash(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _listed(path: str | Path) -> Iterator[str]:
    """Yield a line for each file of a folder: its path, and a hash of what it holds."""
    path = str(path)
    if os.path.isdir(path):
        if not path.endswith("__pycache__"):
            with os.scandir(path) as entries:
                for inner in sorted(entries, key=lambda inner: inner.name):
                    yield from _listed(inner.path)
    elif os.path.exists(path):
        yield f"{path} {hashlib.sha256(Path(path).read_bytes()).hexdigest()}"
