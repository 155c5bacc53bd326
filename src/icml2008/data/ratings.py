"""Data sets of ratings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from icml2008.data.readers.rdata import read_rdata


@dataclass(frozen=True)
class Ratings:
    """Ratings of items by users, one entry for each.

    Attributes
    ----------
    user, item : ndarray of int, shape (n_ratings,)
        Indices into the names.
    value : ndarray of float64, shape (n_ratings,)
        The rating, from -10 (worst) to 10.
    user_names, item_names : tuple of str
        Names of users and items.
    texts : tuple of str
        The items themselves.
    """

    user: np.ndarray
    item: np.ndarray
    value: np.ndarray
    user_names: tuple[str, ...]
    item_names: tuple[str, ...]
    texts: tuple[str, ...]


def load_jester(path: Path) -> Ratings:
    """Return the sample of 5,000 users of Jester, sorted by joke and then by user."""
    workspace = read_rdata(path)
    matrix = workspace["Jester5k"].attributes["data"].attributes
    users, items = matrix["Dimnames"].value
    return Ratings(
        user=matrix["i"].value.astype(np.intp),
        item=np.repeat(np.arange(len(items.value)), np.diff(matrix["p"].value)),
        value=matrix["x"].value,
        user_names=tuple(users.value),
        item_names=tuple(items.value),
        texts=tuple(workspace["JesterJokes"].value),
    )
