"""Short forms of a ``paper.yaml``: what they stand for is put in their place before it is checked.

- A claim's sentence and head (`icml2008.catalogue.sentences`).
- In a claim's ``each``, the name of a group for its values.
- A change of several things: ``claims: [a, b]``, or ``claims: {a: {before: ..., after: ...}}``, in
  place of ``claim``; likewise ``choices`` and ``experiments``.
- An erratum's own entry of the audit, ``audit: {name: {formula: ..., printed: ...}}``: its rule is
  ``FORMULA`` unless it says another, its place the erratum's, and the erratum is checked by it.
"""

from __future__ import annotations

from typing import Any

from icml2008.catalogue.phrases import SentenceError
from icml2008.catalogue.sentences import written_out
from icml2008.errors import nearest

_KINDS = {"claims": "claim", "choices": "choice", "experiments": "experiment"}


def in_full(given: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file with what its short forms stand for.

    Raises
    ------
    ValueError
        If one cannot be read; a line for each, which names its place.
    """
    for written in (_with_sentences, _with_groups, _with_changes, _with_audits):
        given = written(given)
    return given


def _mapping(given: dict[str, Any], name: str) -> dict[str, Any]:
    content = given.get(name)
    return content if isinstance(content, dict) else {}


def _with_sentences(given: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file with what each claim's sentence stands for in its place."""
    claims = _mapping(given, "claims")
    better = {
        name: str(facts.get("better", "neither"))
        for name, facts in _mapping(given, "metrics").items()
        if isinstance(facts, dict)
    }
    filled = {}
    wrong = []
    for name, claim in claims.items():
        try:
            filled[name] = written_out(claim, better) if isinstance(claim, dict) else claim
        except SentenceError as error:
            wrong.append(f"claims.{name}.that: {error}")
    if wrong:
        raise ValueError("\n".join(wrong))
    return given | ({"claims": filled} if claims else {})


def _with_groups(given: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file with each group's values in place of its name."""
    claims = given.get("claims")
    groups = given.get("groups") or {}
    if not isinstance(claims, dict) or not isinstance(groups, dict):
        return given
    filled = dict(claims)
    used = set()
    lacking = []
    for name, claim in claims.items():
        each = claim.get("each") if isinstance(claim, dict) else None
        each = each if isinstance(each, dict) else {}
        named = {at: group for at, group in each.items() if isinstance(group, str)}
        lacking += [
            f"claims.{name}.each.{coordinate}: no group {group!r}{nearest(group, groups)}"
            for coordinate, group in named.items()
            if group not in groups
        ]
        known = {at: groups[group] for at, group in named.items() if group in groups}
        if known:
            filled[name] = claim | {"each": each | known}
        used.update(named.values())
    lacking += [f"groups.{group}: no claim is about it" for group in groups if group not in used]
    if lacking:
        raise ValueError("\n".join(lacking))
    return given | {"claims": filled}


def _with_changes(given: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file with an entry of ``changes`` for each thing."""
    changes = given.get("changes")
    if not isinstance(changes, list):
        return given
    single = []
    for place, change in enumerate(changes):
        kinds = [kind for kind in _KINDS if isinstance(change, dict) and kind in change]
        if not kinds:
            single.append(change)
            continue
        if len(kinds) > 1:
            msg = f"changes.{place}: {' and '.join(kinds)}; make an entry of each"
            raise ValueError(msg)
        shared = {name: value for name, value in change.items() if name != kinds[0]}
        several = change[kinds[0]]
        if isinstance(several, list):
            several = dict.fromkeys(several, {})
        if not isinstance(several, dict) or not several:
            msg = f"changes.{place}.{kinds[0]}: a list of names, or a mapping from them"
            raise ValueError(msg)
        for name, own in several.items():
            if not isinstance(own, dict) or own.keys() & shared.keys():
                msg = f"changes.{place}.{kinds[0]}.{name}: what is not among the shared keys"
                raise ValueError(msg)
            single.append({_KINDS[kinds[0]]: name, **shared, **own})
    return given | {"changes": single}


def _with_audits(given: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a file with the errata's own entries of the audit among the others."""
    errata = given.get("errata")
    if not isinstance(errata, list):
        return given
    entries = dict(_mapping(given, "audit"))
    plain = []
    for place, erratum in enumerate(errata):
        own = erratum.get("audit") if isinstance(erratum, dict) else None
        if own is None:
            plain.append(erratum)
            continue
        if not isinstance(own, dict) or len(own) != 1 or not isinstance([*own.values()][0], dict):
            msg = f"errata.{place}.audit: one entry by its name, {{name: {{formula: ...}}}}"
            raise ValueError(msg)
        ((name, entry),) = own.items()
        if name in entries:
            msg = f"errata.{place}.audit.{name}: the audit has an entry of that name already"
            raise ValueError(msg)
        entries[name] = {"rule": "FORMULA", "where": erratum.get("where"), **entry}
        rest = {key: value for key, value in erratum.items() if key != "audit"}
        plain.append({**rest, "status": "checked", "checked_by": f"audit.{name}"})
    return given | {"errata": plain} | ({"audit": entries} if entries else {})
