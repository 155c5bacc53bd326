"""The commands that are printed: they work in the folder where they are read."""

from __future__ import annotations

import shlex
from pathlib import Path

import icml2008

_PACKAGE = Path(icml2008.__file__).parent
# Of the installed package, and of a clone.
_SNAKEFILES = (_PACKAGE / "workflow" / "Snakefile", _PACKAGE.parents[1] / "Snakefile")


def workflow_command(folder: Path) -> str:
    """Return what runs a paper by the workflow, from the current folder.

    Parameters
    ----------
    folder : Path
        Of the paper; what is outside of the package is named.
    """
    words = ["snakemake", "--cores", "all"]
    if not any(Path(place).is_file() for place in ("Snakefile", "workflow/Snakefile")):
        there = next((file for file in _SNAKEFILES if file.is_file()), None)
        words += ["--snakefile", str(there)] if there else []
    words.append(folder.name)
    if folder.parent != _PACKAGE / "papers":
        words += ["--config", f"papers_path={folder.parent}"]
    return shlex.join(words)
