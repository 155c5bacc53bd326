"""What a result depends on, and what machine it was made on."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from icml2008.data.registry import dataset_entry, file_entry
from icml2008.harness.choices import DEFAULT
from icml2008.harness.code import code_hash, numerical_versions
from icml2008.papers import library

REFERENCE = Path("results/reference")


def data_needs(key: str, experiment: str) -> list[str]:
    """Return the data sets that any cell of an experiment reads."""
    found = library.load_experiment(key, experiment)
    return sorted({name for cell in found.cells["full"] for name in found.data(cell)})


@cache
def code_of(key: str, data: tuple[str, ...] = ()) -> str:
    """Return the hash of the code behind a paper's trials that read the given data sets."""
    loaders = [dataset_entry(name).loader.split(":")[0] for name in data]
    return code_hash([library.module_of(key), "icml2008.harness.trial", *loaders])


@cache
def judging_code(key: str) -> str:
    """Return the hash of the code and of the facts behind a paper's verdicts."""
    paper = library.load_paper(key).model_dump_json(
        include={"claims", "metrics", "experiments", "choices"}
    )
    code = code_hash(["icml2008.workflow.verdicts"])
    return hashlib.sha256(f"{code}{paper}".encode()).hexdigest()[:16]


def result_key(key: str, experiment: str, universe: str = DEFAULT) -> dict[str, Any]:
    """Return what the records of an experiment depend on: code, data, choices and versions."""
    data = data_needs(key, experiment)
    files = {name: file_entry(name).sha256 for item in data for name in dataset_entry(item).files}
    return {
        "code": code_of(key, tuple(data)),
        "data": files,
        "choices": library.trial_choices(key, experiment, universe),
        "versions": numerical_versions(),
    }


def machine() -> dict[str, Any]:
    """Return the processor, the number of cores and the versions of this run."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    versions = {"python": platform.python_version(), **numerical_versions()}
    return {"cpu": model, "cores": os.cpu_count(), "versions": versions}


def _hash_files(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def reference_hash(keys: Sequence[str]) -> str:
    """Return a hash of the papers' committed reference."""
    files = [path for key in keys for path in (REFERENCE / key).glob("*") if path.is_file()]
    return _hash_files(files)


def rendering_code(keys: Sequence[str]) -> str:
    """Return a hash of what is drawn and how: code, templates, facts of the papers."""
    report = Path(find_spec("icml2008.report").origin).parent
    templates = [path for path in (report / "templates").rglob("*") if path.is_file()]
    facts = [library.folder(key) / "paper.yaml" for key in keys]
    return code_hash(["icml2008.workflow.rendering"]) + _hash_files([*templates, *facts])
