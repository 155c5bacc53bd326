"""What is said of a target that no rule makes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from icml2008.catalogue import library
from icml2008.catalogue.entry import entry_of
from icml2008.run.trials.configuration import ConfigError


def refuse(target: str, rules: Iterable[str]) -> NoReturn:
    """Say that no rule has a name.

    Parameters
    ----------
    target : str
        What was asked for.
    rules : iterable of str
        The names of rules; of each paper that can be run, its key.

    Raises
    ------
    ConfigError
        Always; the message has the nearest name.
    """
    if not library.has_paper(target):
        msg = f"no paper or target {target!r}{library.nearest_key(target, rules)}"
    elif entry_of(target).is_rerun:
        msg = f"{target} is not among the papers of this run; leave out papers=..."
    else:
        msg = f"{target} is planned, it has no experiments yet"
    raise ConfigError(msg)
