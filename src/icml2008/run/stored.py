"""Verdicts as they are stored, with what their claims say of themselves today, and their origin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from icml2008 import store
from icml2008.catalogue.digest import load_digest
from icml2008.judge.standing import stated
from icml2008.store import REFERENCE


def read_verdicts(results: Path, key: str, *, more: bool = True) -> list[dict[str, Any]]:
    """Return the verdicts on a paper in a folder of results; none if it was not judged there.

    Without `more`, those of a reference are of the default universe alone, without reasons and
    inputs.
    """
    rows = store.read_verdicts(results, key, more=more)
    claims = load_digest(key).claims if rows else {}
    return [stated(row, claims) for row in rows]


def unusable_data() -> dict[str, list[str]]:
    """Return the data sets that the last run could not use, by reason, from the states it left."""
    reasons: dict[str, list[str]] = {}
    for file in sorted(store.data_state_file("*").parent.glob("*.json")):
        state = store.read_json(file)
        if state["status"] != "available":
            reason = "; ".join(sorted(set(state["reasons"].values())))
            reasons.setdefault(reason, []).append(file.stem)
    return reasons


def read_provenance(key: str) -> dict[str, Any] | None:
    """Return where the reference of a paper comes from, or None if that is not to be read."""
    try:
        content = store.read_json(store.provenance_file(REFERENCE, key))
    except (OSError, ValueError):
        return None
    known = isinstance(content, dict) and isinstance(content.get("keys"), dict)
    return content if known else None
