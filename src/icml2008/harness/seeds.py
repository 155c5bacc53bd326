"""Named random streams: the same coordinates give the same draws, wherever and whenever."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from icml2008.errors import Icml2008Error, nearest


def stream(
    paper: str,
    experiment: str,
    cell: Mapping[str, str | int | float],
    repeat: int,
    name: str,
    across: Sequence[str] = (),
) -> np.random.Generator:
    """Return the generator of a named stream.

    Universe, method, shard, scale and machine are no part of the seed, so that all of them meet
    the same draws.

    Parameters
    ----------
    paper, experiment : str
    cell : dict
    repeat : int
    name : str
        Name of the stream.
    across : sequence of str
        Coordinates (of the cell, or ``"repeat"``) that the stream is shared across.

    Raises
    ------
    Icml2008Error
        If `across` names a coordinate that there is not.
    """
    coordinates = {**cell, "repeat": repeat}
    for shared in across:
        if shared not in coordinates:
            msg = f"stream {name!r}: no coordinate {shared!r}{nearest(shared, coordinates)}"
            raise Icml2008Error(msg)
    kept = {key: value for key, value in sorted(coordinates.items()) if key not in across}
    text = json.dumps([paper, experiment, kept, name], separators=(",", ":"), sort_keys=True)
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype=">u4")
    return np.random.default_rng(np.random.SeedSequence([int(word) for word in words]))
