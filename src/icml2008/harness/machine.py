"""What computes: arithmetic, processor, cores and versions."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from icml2008.harness import arithmetic
from icml2008.harness.code import numerical_versions


def machine() -> dict[str, Any]:
    """Return what this process computes with: arithmetic, processor, cores and versions."""
    versions = {"python": platform.python_version(), **numerical_versions()}
    return {
        "arithmetic": arithmetic.active(),
        "cpu": processor(),
        "cores": os.cpu_count(),
        "versions": versions,
    }


def processor() -> str:
    """Return what the processor calls itself; for times only, it says little about arithmetic."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def commit() -> str:
    """Return the commit of the working tree, or "unknown" outside of a repository."""
    return _git("describe", "--always", "--dirty").strip() or "unknown"


def last_commits(folder: Path) -> dict[str, str]:
    """Return the last commit that changed each folder within one, as far as history is at hand."""
    if _git("rev-parse", "--is-shallow-repository").strip() != "false":
        return {}
    commits: dict[str, str] = {}
    log = _git("log", "--format=:%h", "--name-only", "--relative", "--", ".", cwd=folder)
    for block in log.split(":")[1:]:
        commit, *files = block.split()
        for file in files:
            commits.setdefault(file.partition("/")[0], commit)
    return commits


def _git(*command: str, cwd: Path | None = None) -> str:
    try:
        done = subprocess.run(
            ["git", *command], cwd=cwd, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout
