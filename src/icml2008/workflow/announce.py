"""What a run says before it starts and after it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from icml2008.data import outlook
from icml2008.data.availability import Probe
from icml2008.workflow.planning import Run, all_data


def announce(run: Run, keys: Sequence[str]) -> None:
    """Say before the start what will be left out and why."""
    probe = Probe()
    for name in all_data(keys):
        look = outlook(name, mirrors=run.mirrors, probe=probe)
        if not look.available:
            say(f"Left out is what needs {name}:\n{look}")


def say(text: str) -> None:
    """Tell the user of a run."""
    sys.stderr.write(text + "\n")


def say_where(scale: str) -> None:
    """Say where the page is."""
    page = page_of(scale)
    if page.is_file():
        say(f"The page: {page}")


def page_of(scale: str) -> Path:
    """Return where the page of a scale stands."""
    return Path("results") / scale / "report" / "index.html"
