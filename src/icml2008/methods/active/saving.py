"""Campaigns on disk: JSON that is whole or not there, and says what it is."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

FORMAT = "composite level set"
VERSION = 1


def save_state(state, path):
    """Write the state of a campaign; a file that is there is replaced at once or left as it is.

    Parameters
    ----------
    state : dict
        From `CompositeLevelSet.get_state`.
    path : str or Path
        In a folder that exists.
    """
    path = Path(path)
    text = json.dumps({"format": FORMAT, "version": VERSION, **state})
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load_state(path):
    """Return the state of a campaign that `save_state` wrote.

    Raises
    ------
    ValueError
        If the file holds something else, or was written by a later version.
    """
    try:
        state = json.loads(Path(path).read_text("utf-8"))
    except ValueError:
        state = None
    if not isinstance(state, dict) or state.pop("format", None) != FORMAT:
        msg = f"{path} holds no saved campaign; CompositeLevelSet.save writes one"
        raise ValueError(msg)
    if (version := state.pop("version")) > VERSION:
        msg = f"{path} has version {version}, known is {VERSION}: update icml2008"
        raise ValueError(msg)
    return state
