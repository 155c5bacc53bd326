"""The SGML of Reuters-21578."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_STORY = re.compile(r"<REUTERS ([^>]*)>(.*?)</REUTERS>", re.S)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_LIST_ITEM = re.compile(r"<D>(.*?)</D>", re.S)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_CONTROL_REFERENCE = re.compile(r"&#(?:[0-9]|[12][0-9]|3[01]|127);")


@dataclass(frozen=True)
class Story:
    """One news story.

    Attributes
    ----------
    number : int
        NEWID, from 1 in the order of time.
    topics, places, people, orgs, exchanges : tuple of str
        The categories given by Reuters.
    has_topics : bool
        Whether indexers looked at the story's topics, which may still be none.
    lewis : str
        LEWISSPLIT: TRAIN, TEST or NOT-USED.
    cgi : str
        CGISPLIT: TRAINING-SET or PUBLISHED-TESTSET.
    date : str
        Date and time as printed.
    title, body : str
        Texts, empty where the story has none; stories that are not divided into title and body
        have all their text in the body.
    """

    number: int
    topics: tuple[str, ...]
    places: tuple[str, ...]
    people: tuple[str, ...]
    orgs: tuple[str, ...]
    exchanges: tuple[str, ...]
    has_topics: bool
    lewis: str
    cgi: str
    date: str
    title: str
    body: str

    @property
    def mod_apte(self) -> str:
        """Part in the "ModApte" split: train, test or unused."""
        if not self.has_topics or self.lewis == "NOT-USED":
            return "unused"
        return self.lewis.lower()


def parse_reuters(text: str) -> list[Story]:
    """Return the stories of one file of Reuters-21578.

    The files are SGML with control characters and not XML, so that they are read by patterns;
    entities such as ``&lt;`` are resolved, references to control characters are dropped.

    Parameters
    ----------
    text : str
        The file's text (Latin-1).
    """
    return [_story(dict(_ATTRIBUTE.findall(head)), body) for head, body in _STORY.findall(text)]


def _story(head: dict[str, str], text: str) -> Story:
    start = text.index(">", text.index("<TEXT")) + 1
    block = text[start : text.index("</TEXT>", start)]
    divided = "<TITLE>" in block or "<BODY>" in block
    return Story(
        number=int(head["NEWID"]),
        topics=_items("TOPICS", text),
        places=_items("PLACES", text),
        people=_items("PEOPLE", text),
        orgs=_items("ORGS", text),
        exchanges=_items("EXCHANGES", text),
        has_topics=head["TOPICS"] == "YES",
        lewis=head["LEWISSPLIT"],
        cgi=head["CGISPLIT"],
        date=_clean(_inside("DATE", text)),
        title=_clean(_inside("TITLE", block)),
        body=_clean(_inside("BODY", block) if divided else block),
    )


def _inside(tag: str, text: str) -> str:
    """Return what stands between a tag and its end, or nothing."""
    start = text.find(f"<{tag}>")
    if start < 0:
        return ""
    return text[start + len(tag) + 2 : text.index(f"</{tag}>", start)]


def _items(tag: str, text: str) -> tuple[str, ...]:
    return tuple(map(_clean, _LIST_ITEM.findall(_inside(tag, text))))


def _clean(text: str) -> str:
    if "&" in text:
        text = html.unescape(_CONTROL_REFERENCE.sub("", text))
    return _CONTROL.sub("", text).strip()
