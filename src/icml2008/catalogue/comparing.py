"""The first part of a claim's sentence: what is compared, and with what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from icml2008.catalogue.phrases import NUMBER, SentenceError, as_name, as_names, as_values, split
from icml2008.judge.measures import TRENDS

VERBS = {
    ">": "`A > B`, `A > all of B | C`, `A > 3`",
    "<": "`A < B`, `A < all of B | C`, `A < 3`",
    "~": "`A ~ 3.1`, `A ~ 3.1 within 0.5`",
    "=": "`A = 3`",
    "never above": "`A never above 1e-9 in 299 instances` (or `repeats`)",
    "rises with": "`A rises with log n over 10|20`",
    "falls with": "`A falls with n`",
    "overtakes": "`A overtakes B with n over 10|20`",
}

_FIRST_WORDS = {verb.split()[0]: verb for verb in VERBS}
_TREND_NAMES = {kind.replace("_", " "): kind for kind in TRENDS}
_PLACES = {"first crossing": "crossing", "last crossing": "last_crossing"}


def compared(text: str, better: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the statistic and the comparison of a sentence's first part."""
    words = re.findall(r"(?:'[^']*'|[^\s'])+", text)
    places = [at for at, word in enumerate(words) if word in _FIRST_WORDS]
    trend, subject = _prefix(text, {**_TREND_NAMES, **_PLACES})
    if trend:
        return _along(trend, subject, better)
    if not places:
        return _mean(text, better), {}
    before = " ".join(words[: places[0]])
    verb = _FIRST_WORDS[words[places[0]]]
    length = len(verb.split())
    written = " ".join(words[places[0] : places[0] + length])
    if written != verb:
        raise SentenceError(no_verb(written))
    after = " ".join(words[places[0] + length :])
    if not after:
        msg = f"nothing follows `{verb}`; it is {VERBS[verb]}"
        raise SentenceError(msg)
    if verb in ("rises with", "falls with"):
        side = "above" if verb == "rises with" else "below"
        metric, methods = _subject(before, better)
        return _statistic("slope", methods, metric, _axis(after)), {side: "0"}
    if verb == "overtakes":
        metric, name = _metric(before)
        rival, _, axis = after.partition(" with ")
        pair = [as_name(name), as_name(rival)]
        return _statistic("crosses", pair, metric, _axis(axis)), {"above": "0"}
    if verb in (">", "<") and not NUMBER.fullmatch(after):
        return _order(before, verb, after, better), {"above": "0"}
    return _mean(before, better), _comparison(verb, after)


def no_verb(text: str) -> str:
    """Return the message about a part without a verb, with the nearest one that there is."""
    words = text.split()
    pieces = [*map(" ".join, zip(words, words[1:], strict=False)), *words]
    alike = [verb for piece in pieces for verb in get_close_matches(piece, VERBS, 1, 0.7)]
    hint = f"; did you mean {alike[0]!r}?" if alike else "; or a table beside the sentence"
    return f"`{text}`: no verb in it; known verbs are {', '.join(VERBS)}{hint}"


def _prefix(text: str, names: Mapping[str, str]) -> tuple[str, str]:
    for words, kind in names.items():
        if text.startswith(f"{words} of "):
            return kind, text.removeprefix(f"{words} of ")
    return "", text


def _metric(text: str) -> tuple[str, str]:
    metric, of, subject = text.partition(" of ")
    if not of or " " in metric:
        msg = f"`{text}` is not `METRIC of METHOD`"
        raise SentenceError(msg)
    return metric, subject


def _subject(text: str, better: Mapping[str, str]) -> tuple[str, str | list[str]]:
    """Return the metric, and the method or the two that are subtracted, the favoured first."""
    metric, subject = _metric(text)
    first, *second = split(subject, " - ")
    if not second:
        return metric, as_name(first)
    if len(second) > 1:
        msg = f"`{subject}` subtracts more than one; quote a name with ` - ` in it"
        raise SentenceError(msg)
    return metric, _favoured(metric, better, as_name(first), as_name(second[0]))


def _favoured(metric: str, better: Mapping[str, str], high: str, low: str) -> list[str]:
    """Return two methods, first the one that is ahead if `high` has the higher value."""
    return [low, high] if better.get(metric) == "lower" else [high, low]


def _mean(text: str, better: Mapping[str, str]) -> dict[str, Any]:
    """Return the statistic of ``METRIC of A``, ``A - B`` or ``A / B``."""
    metric, subject = _metric(text)
    above, *below = split(subject, " / ")
    if len(below) == 1:
        pair = _favoured(metric, better, as_name(above), as_name(below[0]))
        return _statistic("ratio", pair, metric)
    metric, methods = _subject(text, better)
    return _statistic("mean" if isinstance(methods, str) else "difference", methods, metric)


def _order(before: str, verb: str, after: str, better: Mapping[str, str]) -> dict[str, Any]:
    metric, name = _metric(before)
    if split(name, " - ")[1:] or split(name, " / ")[1:]:
        msg = f"`{after}` is no number, with which `{before}` could be compared"
        raise SentenceError(msg)
    if after.startswith("all of "):
        best = "<" if better.get(metric) == "lower" else ">"
        if verb != best:
            msg = f"{metric} is better {better.get(metric)}: write `{name} {best} {after}`"
            raise SentenceError(msg)
        rivals = as_names(after.removeprefix("all of "))
        return _statistic("lead", as_name(name), metric) | {"over": rivals}
    if split(after, "|")[1:]:
        msg = f"`{after}`: more than one rival is `all of {after}`"
        raise SentenceError(msg)
    pair = [as_name(name), as_name(after)]
    high, low = pair if verb == ">" else pair[::-1]
    return _statistic("difference", _favoured(metric, better, high, low), metric)


def _along(
    kind: str, text: str, better: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return statistic and comparison of a trend, or of the place of a crossing."""
    marks = re.split(r" (>|<|~|=) ", text, maxsplit=1)
    subject, with_, axis = marks[0].partition(" with ")
    if not with_:
        msg = f"`{marks[0]}`: say along which coordinate: `with n`, `with log n`"
        raise SentenceError(msg)
    if kind in _PLACES.values():
        metric, pair = _metric(subject)
        methods: str | list[str] = [as_name(piece) for piece in pair.split(" over ")]
    else:
        metric, methods = _subject(subject, better)
    comparison = _comparison(marks[1], marks[2]) if len(marks) > 1 else {}
    return _statistic(kind, methods, metric, _axis(axis)), comparison


def _axis(text: str) -> dict[str, Any]:
    along, over, points = text.partition(" over ")
    log = along.startswith("log ")
    axis: dict[str, Any] = {"along": as_name(along.removeprefix("log "))}
    axis |= {"log": True} if log else {}
    return axis | ({"points": as_values(points)} if over else {})


def _statistic(
    kind: str, methods: str | list[str], metric: str, axis: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {kind: methods, "metric": metric, **(axis or {})}


def _comparison(verb: str, number: str) -> dict[str, Any]:
    if verb == "never above":
        form = re.fullmatch(r"(\S+) in (\d+) (instances|repeats)", number)
        if not form:
            msg = f"`{verb} {number}`; it is {VERBS[verb]}"
            raise SentenceError(msg)
        by = {"by": "repeat"} if form[3] == "repeats" else {}
        return {"never_violated": {"instances": int(form[2]), "tolerance": form[1], **by}}
    if verb != "~":
        return {{">": "above", "<": "below", "=": "exactly"}[verb]: number}
    value, within, margin = number.partition(" within ")
    return {"near": {"value": value, "margin": margin} if within else value}
