"""What somebody asks Snakemake for, before it says that no rule makes it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from icml2008.catalogue import library
from icml2008.catalogue.entry import entry_of
from icml2008.run.trials.configuration import ConfigError


def check_targets(targets: Iterable[str], rules: Iterable[str]) -> None:
    """Check names on the command line; files, which lie in folders, are Snakemake's to find.

    Parameters
    ----------
    targets : iterable of str
        What was asked for.
    rules : iterable of str
        The names of rules; of each paper that can be run, its key.

    Raises
    ------
    ConfigError
        If there is no rule of a name; the message has the nearest.
    """
    known = set(rules)
    for target in targets:
        if target in known or "/" in target or Path(target).exists():
            continue
        if not library.has_paper(target):
            msg = f"no paper or target {target!r}{library.nearest_key(target, known)}"
        elif entry_of(target).is_rerun:
            msg = f"{target} is not among the papers of this run; leave out papers=..."
        else:
            msg = f"{target} is planned, it has no experiments yet"
        raise ConfigError(msg)
