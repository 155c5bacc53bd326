"""What counts in totals: each sentence of a paper once, and each cause once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .standing import OWN
from .verdict import CONFIRMED, DEPENDS, INCONCLUSIVE, REFUTED, UNTESTED

Row = Mapping[str, Any]

VERDICTS = (CONFIRMED, DEPENDS, REFUTED, INCONCLUSIVE, UNTESTED)


def counted(rows: Iterable[Row], name: str = "claim") -> list[dict[str, Any]]:
    """Return the whole claims of one paper that totals count.

    They are the paper's own. A claim whose verdict equals another one's by construction
    (``same_as``) is left out, and so is one that an author disputes; those that judge one sentence
    together (``part_of``) are one row, with the verdict of all; of those that do not hold for one
    and the same ``cause``, the first counts.

    Parameters
    ----------
    rows : iterable of mapping
        Of whole claims in the default universe, in the order of the paper's file.
    name : str
        Under which key a row has the claim's name.

    Examples
    --------
    >>> row = {"status": "headline", "same_as": None, "part_of": None, "cause": None}
    >>> rows = [row | {"claim": "faster", "verdict": "confirmed"},
    ...         row | {"claim": "faster-on-text", "verdict": "refuted", "part_of": "faster"}]
    >>> [(row["claim"], row["verdict"]) for row in counted(rows)]
    [('faster', 'refuted')]
    """
    rows = [row for row in rows if row.get("status") in OWN and not row.get("disputed")]
    parts: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.get("part_of"):
            parts[row["part_of"]].append(row)
    leading = {row[name] for row in rows}
    sentences = []
    causes = set()
    for row in rows:
        if row.get("same_as") or row.get("part_of") in leading:
            continue
        sentence = dict(row) | {"verdict": together([row, *parts[row[name]]])}
        cause = row.get("cause")
        if cause and sentence["verdict"] not in (CONFIRMED, UNTESTED):
            if cause in causes:
                continue
            causes.add(cause)
        sentences.append(sentence)
    return sentences


def together(rows: Sequence[Row]) -> str:
    """Return the verdict on a sentence that several claims judge: all have to hold.

    An untested one stands in the way of a confirmation.
    """
    words = {row["verdict"] for row in rows}
    for word in (REFUTED, DEPENDS, INCONCLUSIVE):
        if word in words:
            return word
    if words == {CONFIRMED, UNTESTED}:
        return INCONCLUSIVE
    return words.pop()
