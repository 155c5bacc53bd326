"""What a run does for a paper, kept on disk until a file that it can depend on changes.

Planning many papers anew takes a minute: all experiments are imported, and all sources are parsed.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import icml2008
from icml2008.catalogue import library
from icml2008.harness.code import numerical_versions
from icml2008.harness.records import canonical, write_atomically
from icml2008.run import keys, planning
from icml2008.run.planning import Run
from icml2008.store import REFERENCE

FOLDER = Path(".snakemake/icml2008")


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
    judging, rendering, reference : str
        Hashes of what verdicts and pages are made by, and of the committed evidence.
    """

    universes: list[str]
    data: list[str]
    reads: list[str]
    shards: dict[str, dict[str, Any]]
    judging: str
    rendering: str
    reference: str


def plan_of(run: Run, key: str, scale: str) -> Plan:
    """Return the plan of a paper, as it is kept or made anew."""
    file, stamp = FOLDER / f"{key}.json", _stamp(key)
    # Of the configuration the plan of a paper depends on nothing else.
    name = canonical(
        [scale, run.multiverse, run.papers if planning.CROSSED in run.multiverse else 0]
    )
    kept = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    if kept.get("stamp") != stamp:
        kept = {"stamp": stamp, "plans": {}}
    if name not in kept["plans"]:
        kept["plans"][name] = asdict(_made(run, key, scale))
        text = canonical(kept)
        write_atomically(file, text)
        kept = json.loads(text)  # Snakemake compares the texts of plans: kept or new, they are one
    return Plan(**kept["plans"][name])


def _made(run: Run, key: str, scale: str) -> Plan:
    universes, shards, reads = planning.universes(run, key), {}, set()
    for universe in universes:
        for shard in planning.shards_of(key, scale, universe):
            reads.update(shard.data)
            code = {name: keys.code_of(key, name, shard.data) for name in shard.experiments}
            depends = {
                "trials": shard.trials,
                "choices": {
                    name: library.trial_choices(key, name, universe) for name in shard.experiments
                },
                "code": code,
                "data": keys.data_key(shard.data),
                "versions": numerical_versions(),
            }
            digest = hashlib.sha256(canonical(depends).encode()).hexdigest()[:16]
            shards[f"{universe}/{shard.name}"] = {"stamp": digest, "code": code}
    return Plan(
        universes=universes,
        data=planning.all_data([key]),
        reads=sorted(reads),
        shards=shards,
        judging=keys.judging_code(key),
        rendering=keys.rendering_code([key]),
        reference=keys.reference_hash([key]),
    )


def _stamp(key: str) -> str:
    """Return a text that changes with the files that a paper's plan can depend on."""
    own = [library.folder(key), REFERENCE / key]
    return _hash([_shared(), *(line for folder in own for line in _listed(folder))])


@cache
def _shared() -> str:
    """Return the same for what all papers' plans depend on."""
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
    """Yield a line for each file of a folder: its path, when it was changed, its size."""
    path = str(path)
    if os.path.isdir(path):
        if not path.endswith("__pycache__"):
            with os.scandir(path) as entries:
                for entry in sorted(entries, key=lambda one: one.name):
                    yield from _listed(entry.path)
    elif os.path.exists(path):
        facts = os.stat(path)
        yield f"{path} {facts.st_mtime_ns} {facts.st_size}"
