"""The other way round: a statistic, its parts and its comparison as the sentence that says it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from icml2008.catalogue.comparing import VERBS
from icml2008.catalogue.phrases import NUMBER, SentenceError
from icml2008.catalogue.sentences import COMPARISONS, read
from icml2008.judge.measures import PLACES, TRENDS

_MARKS = re.compile(r"[;|,=']|^$|^ | $| [-/<>~] | (?:with|over) |^all of ")
_SIGNS = {"above": ">", "below": "<", "exactly": "="}


def sentence_for(claim: Mapping[str, Any], better: Mapping[str, str]) -> str | None:
    """Return the sentence for a claim's statistic, parts and comparison; None if there is none.

    A comparison that is a table stays beside the sentence, and so do the lines of a claim and their
    reason where they are by part.

    Parameters
    ----------
    claim : mapping
        As YAML has it, with a ``statistic``; what it says of ``each`` may be names of groups.
    better : mapping of str to str
        Which way each metric is better.

    Examples
    --------
    >>> measured = {"difference": ["A", "B"], "metric": "error", "experiment": "table-1"}
    >>> sentence_for({"statistic": measured, "above": "0"}, {"error": "lower"})
    'error of A < B; in table-1'
    """
    statistic = claim["statistic"]
    compared = next(name for name in COMPARISONS if claim.get(name) is not None)
    parts = [
        _first(statistic, compared, claim[compared], better),
        f"in {statistic['experiment']}" + _at(statistic.get("where") or {}),
        *_across(statistic),
        *_each(claim.get("each") or {}),
    ]
    if isinstance(claim.get("fails"), str):
        parts.append(f"holds from {claim['holds']}, fails from {claim['fails']}")
    if claim.get("deterministic"):
        parts.append("deterministic")
    if None in parts:
        return None
    sentence = "; ".join(parts)
    try:
        back = read(sentence, better)
    except SentenceError:
        return None
    meant = {name: claim[name] for name in ("statistic", "each", *back) if name in claim}
    if not statistic.get("where", True):
        meant["statistic"] = {name: at for name, at in statistic.items() if name != "where"}
    return sentence if back == meant else None


def _first(
    statistic: Mapping[str, Any], compared: str, number: Any, better: Mapping[str, str]
) -> str | None:
    metric = statistic["metric"]
    kind = next(name for name in statistic if name not in ("metric", "experiment"))
    methods = statistic[kind]
    lower = better.get(metric) == "lower"
    order = compared == "above" and number == "0"
    verb = "<" if lower else ">"
    if kind == "lead":
        rivals = " | ".join(map(_name, statistic["over"]))
        return f"{metric} of {_name(methods)} {verb} all of {rivals}" if order else None
    if kind == "difference" and order:
        return f"{metric} of {_name(methods[0])} {verb} {_name(methods[1])}"
    if kind == "crosses" and order:
        return f"{metric} of {_name(methods[0])} overtakes {_name(methods[1])}{_axis(statistic)}"
    pair = methods[::-1] if lower and kind not in PLACES else methods
    mark = {"ratio": " / ", **dict.fromkeys(PLACES, " over ")}.get(kind, " - ")
    text = f"{metric} of " + (
        _name(methods) if isinstance(methods, str) else mark.join(map(_name, pair))
    )
    if kind == "slope" and compared in ("above", "below") and number == "0":
        return f"{text} {'rises' if compared == 'above' else 'falls'}{_axis(statistic)}"
    if kind in TRENDS:
        text = f"{kind.replace('_', ' ')} of {text}{_axis(statistic)}"
    elif kind.endswith("crossing"):
        which = "last" if kind == "last_crossing" else "first"
        text = f"{which} crossing of {text}{_axis(statistic)}"
    elif kind not in ("mean", "difference", "ratio"):
        return None
    verb = _comparison(compared, number)
    return f"{text} {verb}" if verb else text


def _comparison(compared: str, number: Any) -> str:
    """Return a verb and its number; nothing where a table or two lines stand beside it."""
    if compared == "never_violated":
        instances = "repeats" if number.get("by") == "repeat" else "instances"
        return f"never above {number['tolerance']} in {number['instances']} {instances}"
    if compared == "near":
        if isinstance(number, Mapping) and number.keys() == {"value", "margin"}:
            return f"~ {number['value']} within {number['margin']}"
        return f"~ {number}" if isinstance(number, str) else ""
    return f"{_SIGNS[compared]} {number}" if compared in _SIGNS and isinstance(number, str) else ""


def _name(text: str) -> str:
    words = {verb.split()[0] for verb in VERBS}
    plain = not (_MARKS.search(text) or NUMBER.fullmatch(text) or words & {*text.split()})
    return text if plain else "'" + text.replace("'", "''") + "'"


def _value(value: Any) -> str:
    return _name(value) if isinstance(value, str) else str(value)


def _values(values: Sequence[Any]) -> str:
    return "|".join(map(_value, values))


def _axis(statistic: Mapping[str, Any]) -> str:
    log = "log " if statistic.get("log") else ""
    points = f" over {_values(statistic['points'])}" if statistic.get("points") else ""
    return f" with {log}{statistic['along']}{points}"


def _at(where: Mapping[str, Any]) -> str:
    cells = ", ".join(f"{name}={_value(value)}" for name, value in where.items())
    return f" at {cells}" if cells else ""


def _across(statistic: Mapping[str, Any]) -> list[str]:
    across = statistic.get("across") or {}
    named = [
        name if values == "all" else f"{name}={_values(values)}" for name, values in across.items()
    ]
    return [f"{statistic.get('reduce', 'mean')} over {', '.join(named)}"] if named else []


def _each(each: Mapping[str, Any]) -> list[str]:
    named = [
        f"{name} of {_name(values)}" if isinstance(values, str) else f"{name}={_values(values)}"
        for name, values in each.items()
    ]
    return [f"each {', '.join(named)}"] if named else []
