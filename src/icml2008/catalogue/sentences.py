"""Claims as sentences: ``that: fit of PCD > CD-1; in mrf at side=5; each updates=100|200``.

A sentence stands for a claim's ``statistic``, ``each`` and comparison, and is made into these
before anything else reads the claim. Its parts are joined by ``;``:

- what is compared, first: ``METRIC of METHOD`` and a verb (`VERBS`). Orders, differences and ratios
  are of the metric's values, so that a lower error is ``error of A < B`` or ``error of B - A > 3``;
- ``in EXPERIMENT at a=1, b=x``: where it is measured;
- ``each method of GROUP, size=10|20``: one part per value;
- ``mean over n, k=1|2``: what is averaged; or the ``min``, the ``max`` or the ``count`` above 0;
- ``holds from 2, fails from 1.1``: the two lines of a sentence without a number;
- ``deterministic``.

A name with a mark of these in it, or that looks like a number, is put between ``'``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from icml2008.catalogue.comparing import compared, no_verb
from icml2008.catalogue.phrases import SentenceError, as_name, as_value, as_values, split
from icml2008.errors import nearest
from icml2008.judge.standing import LABELS

PARTS = ("in", "each", "mean over", "min over", "max over", "count over", "holds from")
COMPARISONS = ("above", "below", "near", "exactly", "never_violated", "holds")

_MEASURED = ("experiment", "where", "across", "reduce")
HEAD = re.compile(rf"({'|'.join(LABELS)})(?: +(\d+))?")


def written_out(claim: Mapping[str, Any], better: Mapping[str, str]) -> dict[str, Any]:
    """Return a claim with its sentence and its head made into the keys that they stand for.

    Parameters
    ----------
    claim : mapping
        As YAML has it: ``headline 1067: quote`` stands for status, page and quote, ``that`` for
        statistic, parts and comparison. What has neither comes back as it is.
    better : mapping of str to str
        Which way each metric is better: ``higher``, ``lower`` or ``neither``.

    Raises
    ------
    SentenceError
        If it cannot be read, or says what another key says, too.

    Examples
    --------
    >>> written_out({"ours 7": None, "that": "error of A < B; in table-1"}, {"error": "lower"})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'status': 'ours', 'page': 7,
     'statistic': {'difference': ['A', 'B'], 'metric': 'error', 'experiment': 'table-1'},
     'above': '0'}
    """
    full = {}
    for key, value in claim.items():
        head = HEAD.fullmatch(key) if isinstance(key, str) and key != "status" else None
        given = {key: value}
        if head:
            given = _head(head, value)
        elif key == "that":
            given = read(value, better)
            if not given.keys() & {*COMPARISONS} and not claim.keys() & {*COMPARISONS}:
                raise SentenceError(no_verb(split(value, ";")[0]))
        if twice := [name for name in given if name in full or (name != key and name in claim)]:
            msg = f"`{twice[0]}` is said by `{key}`, too; leave out one of them"
            raise SentenceError(msg)
        full |= given
    return full


def _head(head: re.Match[str], quote: Any) -> dict[str, Any]:
    page = {"page": int(head[2])} if head[2] else {}
    return {"status": head[1], **page} | ({"quote": quote} if quote is not None else {})


def read(sentence: Any, better: Mapping[str, str]) -> dict[str, Any]:
    """Return the keys of a claim that a sentence stands for.

    Raises
    ------
    SentenceError
        If it cannot be read.
    """
    if not isinstance(sentence, str):
        msg = f"{sentence!r} is no sentence; where it begins with a mark, put it in quotes"
        raise SentenceError(msg)
    if sentence.count("'") % 2:
        msg = f"a `'` is not closed in `{sentence}`"
        raise SentenceError(msg)
    first, *others = split(sentence, ";")
    statistic, comparison = compared(first, better)
    claim: dict[str, Any] = {"statistic": statistic, **comparison}
    for part in others:
        for name, value in _part(part).items():
            home = statistic if name in _MEASURED else claim
            second_comparison = name == "holds" and comparison
            if name in home or second_comparison:
                msg = f"`{part}` comes after another part or comparison of the kind"
                raise SentenceError(msg)
            home[name] = value
    if "experiment" not in statistic:
        msg = f"no part says where it is measured: `{first}; in EXPERIMENT`"
        raise SentenceError(msg)
    return claim


# The parts that follow.


def _part(text: str) -> dict[str, Any]:
    word, _, rest = text.partition(" ")
    if text == "deterministic":
        return {"deterministic": True}
    if word == "in" and rest:
        experiment, at, cells = rest.partition(" at ")
        return {"experiment": experiment} | ({"where": _cells(cells)} if at else {})
    if word == "each" and rest:
        return {"each": dict(_listed(item) for item in split(rest, ","))}
    if word in ("mean", "min", "max", "count") and rest.startswith("over "):
        named = dict(_across(item) for item in split(rest.removeprefix("over "), ","))
        return {"across": named} | ({} if word == "mean" else {"reduce": word})
    if lines := re.fullmatch(r"holds from (\S+), fails from (\S+)", text):
        return {"holds": lines[1], "fails": lines[2]}
    known = [part.split()[0] for part in PARTS]
    msg = f"`{text}`: a part begins with {', '.join(PARTS)} (a number, fails from another), "
    msg += f"or is `deterministic`{nearest(word, known)}"
    raise SentenceError(msg)


def _cells(text: str) -> dict[str, Any]:
    pairs = [item.partition("=") for item in split(text, ",")]
    if broken := [name for name, equals, value in pairs if not (equals and value)]:
        msg = f"`{broken[0]}`: give its value, `{broken[0]}=...`"
        raise SentenceError(msg)
    return {name: as_value(value) for name, _, value in pairs}


def _listed(text: str) -> tuple[str, Any]:
    name, equals, values = text.partition("=")
    if equals and values:
        return name, as_values(values)
    name, of, group = text.partition(" of ")
    if not of:
        msg = f"`each {text}`: it is `each {text}=A|B`, or `{text} of GROUP`"
        raise SentenceError(msg)
    return name, as_name(group)


def _across(text: str) -> tuple[str, Any]:
    name, equals, values = text.partition("=")
    return name, as_values(values) if equals else "all"
