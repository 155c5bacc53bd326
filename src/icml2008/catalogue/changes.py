"""Claims that are judged in another way than at first, and the entries that say why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from icml2008.catalogue.paper_error import PaperError
from icml2008.judge.standing import judged_hash

if TYPE_CHECKING:
    from icml2008.catalogue.model import Paper

Recorded = Mapping[str, Sequence[str | None]]
"""By claim, for each entry of ``changes`` in turn, the hash of the claim as judged since then."""


def judged_hashes(paper: Paper) -> dict[str, str]:
    """Return the hash of each claim that has a statistic, by name."""
    return {name: judged_hash(claim) for name, claim in paper.claims.items() if claim.statistic}


def unexplained(
    paper: Paper, first: Mapping[str, str], recorded: Recorded | None = None
) -> dict[str, str]:
    """Return the claims that are not judged as at first and are not among ``changes``.

    Parameters
    ----------
    paper : Paper
    first : mapping of str to str
        The hash of each claim when the first evidence was made.
    recorded : mapping, optional
        The hashes that belong to the entries of ``changes``.

    Returns
    -------
    dict of str to str
        By claim, its hash of today; empty for a claim that is gone.
    """
    today = judged_hashes(paper)
    known = dict(first)
    for name, entries in _entries(paper, recorded or {}).items():
        for gone, judged in entries:
            if gone:
                known.pop(name, None)
            elif judged:
                known[name] = judged
    return {
        name: today.get(name, "")
        for name in sorted(today.keys() | known.keys())
        if today.get(name) != known.get(name)
    }


def _entries(paper: Paper, recorded: Recorded) -> dict[str, list[tuple[bool, str | None]]]:
    """Return, for each entry of a claim, whether the claim went with it, and its hash."""
    by_claim: dict[str, list[tuple[bool, str | None]]] = {}
    for change in paper.changes:
        if change.claim:
            entries = by_claim.setdefault(change.claim, [])
            hashes = recorded.get(change.claim, ())
            kept = hashes[len(entries)] if len(entries) < len(hashes) else None
            entries.append((change.after is None, change.judged or kept))
    return by_claim


def explained(
    paper: Paper, first: Mapping[str, str], recorded: Recorded
) -> dict[str, list[str | None]]:
    """Return the hashes that belong to the entries of ``changes``, today's of new ones among them.

    Raises
    ------
    PaperError
        If a claim is judged in another way and no entry was added that says so.
    """
    entries = _entries(paper, recorded)
    hashes = {name: [judged for _, judged in each] for name, each in entries.items()}
    lacking = []
    for name, today in unexplained(paper, first, recorded).items():
        if today and len(hashes.get(name, ())) > len(recorded.get(name, ())):
            hashes[name][-1] = today
        else:
            lacking.append(name)
    if lacking:
        msg = (
            f"{paper.key}: changes: no new entry about {', '.join(lacking)}, "
            "judged in another way than at first or since the last entry"
        )
        raise PaperError(msg)
    return hashes
