"""Reading what second hands found, with messages that say where it is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from icml2008 import strict_yaml
from icml2008.catalogue import library
from icml2008.catalogue.model import Paper
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.reading import read_paper
from icml2008.catalogue.second import (
    Decision,
    Measured,
    OtherReading,
    SecondHand,
    Sentence,
    claim_names,
)
from icml2008.errors import nearest
from icml2008.judge.claims import QUOTED_WORDS

_FILE = re.compile(r"second(-[a-z0-9]+)*\.yaml")

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def hands(key: str) -> dict[str, SecondHand]:
    """Return the second hands on a paper by the names of their files, ``second.yaml`` first.

    Raises
    ------
    PaperError
        If a file is not what `read_second` reads.
    """
    files = sorted(library.folder(key).glob("second*.yaml"), key=lambda path: path.stem)
    paper = library.folder(key) / "paper.yaml"
    stamp = paper.stat().st_mtime_ns
    return {path.stem: _read(path, path.stat().st_mtime_ns, stamp) for path in files}


@cache
def _read(path: Path, stamp: int, paper_stamp: int) -> SecondHand:
    return read_second(path)


def read_second(path: str | Path) -> SecondHand:
    """Read and check a ``second.yaml`` beside the ``paper.yaml`` of its folder.

    Raises
    ------
    PaperError
        If it is not YAML, not what `SecondHand` describes, or speaks of a claim, part or choice
        that the paper does not have; one line for each mistake.
    """
    path = Path(path)
    if not _FILE.fullmatch(path.name):
        msg = f"{path}: a second hand's file is second.yaml or second-NAME.yaml, in small letters"
        raise PaperError(msg)
    try:
        given = strict_yaml.load(strict_yaml.read_text(path), path)
        hand = SecondHand.model_validate(given)
    except strict_yaml.YamlError as error:
        raise PaperError(str(error)) from None
    except ValidationError as error:
        lines = [f"{path}: {_described(item)}" for item in error.errors()]
        raise PaperError("\n".join(lines)) from None
    paper = read_paper(path.with_name("paper.yaml"))
    if lines := [f"{path}: {line}" for line in _mistakes(hand, path, paper)]:
        raise PaperError("\n".join(lines))
    return hand


def _mistakes(hand: SecondHand, path: Path, paper: Paper) -> Iterator[str]:
    if (hand.by is None) != (path.name == "second.yaml"):
        yield "by: second-NAME.yaml says whose it is, and second.yaml does not"
    for place, reading in enumerate(hand.readings):
        where = f"readings.{place}"
        if (reading.choice is None) == (reading.answer is None):
            yield f"{where}: a reading is a `choice` of ours or has an `answer`: one of the two"
        if reading.choice is not None and reading.choice not in paper.choices:
            end = nearest(reading.choice, paper.choices)
            yield f"{where}.choice: no choice {reading.choice!r}{end}"
    known = claim_names(paper)
    for name, sentence in hand.sentences.items():
        where = f"sentences.{name}"
        if not _KEBAB.fullmatch(name):
            yield f"{where}: a sentence's key is in kebab-case, as football-hedge-twice"
        for line in _mistakes_of_sentence(sentence, known, paper):
            yield f"{where}.{line}"


def _mistakes_of_sentence(sentence: Sentence, known: list[str], paper: Paper) -> Iterator[str]:
    words = len(sentence.quote.split())
    if words >= QUOTED_WORDS:
        yield f"quote: {words} words; quote fewer than {QUOTED_WORDS}"
    first, last = paper.pages or (sentence.page, sentence.page)
    if not first <= sentence.page <= last:
        yield f"page: {sentence.page}, where the paper has pages {first} to {last}"
    if (sentence.verdict == "depends") != (sentence.depends_on is not None):
        yield "depends_on: `verdict: depends` and `depends_on` go together"
    if sentence.verdict != "open" and not sentence.measured:
        yield f"measured: missing; `{sentence.verdict}` rests on something that was measured"
    for name in sentence.claims:
        if name not in known:
            end = nearest(name, known)
            yield f"claims: no claim or part {name!r}{end} (one that is no more: `gone`)"
    for name in sentence.gone:
        if name in known:
            yield f"gone: {name!r} is a claim today; it belongs to `claims`"
    for place, number in enumerate(sentence.measured):
        if number.claim is not None and number.claim not in sentence.claims:
            end = nearest(number.claim, sentence.claims)
            yield f"measured.{place}.claim: {number.claim!r} is none of its claims{end}"
        for key in ("value", "se") if number.claim is not None else ():
            text = getattr(number, key)
            if text is not None and not _is_number(text):
                yield f"measured.{place}.{key}: {text!r} is no number to lay beside a claim's"
    if sentence.decided is not None and sentence.decided.ours == sentence.verdict:
        yield f"decided.ours: {sentence.verdict!r} is the second hand's word, too: no difference"
    if sentence.decided is not None and not sentence.claims:
        yield "decided: there is no claim of ours to differ"
    if not sentence.claims and sentence.answer is None:
        yield "answer: missing; a sentence has `claims`, or an `answer` why it is no claim of ours"
    if sentence.first not in (None, sentence.verdict):
        lacking = [key for key in ("cause", "answer") if getattr(sentence, key) is None]
        for key in lacking:
            yield (
                f"{key}: missing; the sentence {sentence.verdict} for the second hand and "
                f"{sentence.first} by our first verdicts"
            )


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


_FIELDS = {
    "readings": OtherReading,
    "sentences": Sentence,
    "measured": Measured,
    "decided": Decision,
}


def _described(error: dict[str, Any]) -> str:
    """Return a mistake of form with its place and the nearest right key or word."""
    places = [str(place) for place in error["loc"]]
    where = ".".join(places)
    given = error["input"]
    match error["type"]:
        case "extra_forbidden":
            holders = [_FIELDS[place] for place in places[:-1] if place in _FIELDS]
            model = holders[-1] if holders else SecondHand
            return f"{where}: unknown key{nearest(places[-1], model.model_fields)}"
        case "missing":
            return f"{where}: missing"
        case "string_type" if isinstance(given, bool | int | float):
            return f"{where}: {given!r} is a {type(given).__name__}; put it in quotes"
        case "literal_error":
            words = re.findall(r"'(\w+)'", error["ctx"]["expected"])
            return f"{where}: {given!r}{nearest(str(given), words)}"
    text = error["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" + ("" if isinstance(given, dict | list) else f", found {given!r}")
