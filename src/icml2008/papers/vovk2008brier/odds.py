"""Bookmakers' odds of matches, and the forecasts that they quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from icml2008.data.readers.sheets import Entry, read_sheet


@dataclass(frozen=True)
class Matches:
    """Matches in the order of their files, with the odds of some bookmakers.

    Attributes
    ----------
    X : ndarray of float, shape (n_matches, n_bookmakers, n_outcomes)
        What is paid for a unit staked on an outcome that happens; NaN where none is quoted.
    y : ndarray of str, shape (n_matches,)
        The outcome; the first one throughout where files name the winner first.
    outcomes : tuple of str
        Names along the last axis of X.
    day : ndarray of int, shape (n_matches,)
        Days since the end of the year 0.
    group : ndarray of str, shape (n_matches,)
        League, or number of the tournament in its year; as text they sort as in the files.
    """

    X: np.ndarray
    y: np.ndarray
    outcomes: tuple[str, ...]
    day: np.ndarray
    group: np.ndarray


def load_matches(
    *paths: Path,
    bookmakers: Sequence[str],
    outcomes: Sequence[str],
    group: str,
    result: str | None = None,
) -> Matches:
    """Return the matches of several tables; odds stand in columns named bookmaker and outcome."""
    quoted = [[b + o for o in outcomes] for b in bookmakers]
    names = ["Date", group, *([result] if result else []), *chain(*quoted)]
    sheets = [read_sheet(path, names) for path in paths]

    def column(name: str) -> list[Entry]:
        return [entry for sheet in sheets for entry in sheet[name]]

    days = [_day(entry).toordinal() for entry in column("Date")]
    odds = [[np.array(column(name), dtype=float) for name in row] for row in quoted]
    groups = [f"{g:03.0f}" if isinstance(g, float) else g for g in column(group)]
    labels = column(result) if result else [outcomes[0]] * len(days)
    return Matches(
        np.moveaxis(np.array(odds), -1, 0),
        np.array(labels),
        tuple(outcomes),
        np.array(days),
        np.array(groups),
    )


@cache
def _day(entry: Entry) -> date:
    return entry if isinstance(entry, date) else datetime.strptime(entry, "%d/%m/%y").date()


def odds_to_forecast(odds: np.ndarray) -> np.ndarray:
    """Return the forecasts that odds quote: their inverses, divided by their sum (Eq. 3).

    Computed from products of the other odds, (..., n_outcomes), so that where one is 0 the forecast
    is the limit: that outcome is certain.
    """
    others = [np.prod(np.delete(odds, i, axis=-1), axis=-1) for i in range(odds.shape[-1])]
    return np.stack(others, axis=-1) / np.sum(others, axis=0)[..., None]
