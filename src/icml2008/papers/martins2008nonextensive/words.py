"""From texts to counts of words: markup and stop words taken out, the rest stemmed."""

import html
import re
from functools import cache

import numpy as np
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from icml2008.data.readers.archive import read_members
from icml2008.data.readers.reuters import parse_reuters
from icml2008.data.tables import Table

_HEADER = re.compile(r"\A.*?\r?\n\r?\n", re.S)
_MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.I | re.S)
_WORD = re.compile("[a-z]{2,}")
# Endings and what takes their place in Porter's steps 2 to 4, with the least measure of a stem.
_STEP_2 = (
    "ational-ate tional-tion enci-ence anci-ance izer-ize abli-able alli-al entli-ent eli-e "
    "ousli-ous ization-ize ation-ate ator-ate alism-al iveness-ive fulness-ful ousness-ous "
    "aliti-al iviti-ive biliti-ble"
)
_STEP_3 = "icate-ic ative alize-al iciti-ic ical-ic ful ness"
_STEP_4 = "al ance ence er ic able ible ant ement ment ent sion-s tion-t ou ism ate iti ous ive ize"
_STEPS = [
    (dict(f"{pair}-".split("-")[:2] for pair in step.split()), least)
    for step, least in ((_STEP_2, 1), (_STEP_3, 1), (_STEP_4, 2))
]


def _shape(stem):
    """Return v for each vowel, y after a consonant among them, and c for each consonant."""
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem):
    return _shape(stem).count("vc")


def _short(stem):
    """Return whether one syllable ends in consonant, vowel and consonant other than w, x and y."""
    return _measure(stem) == 1 and _shape(stem).endswith("cvc") and stem[-1] not in "wxy"


@cache
def stemmed(word):
    """Return a word of small letters without its ending, by Porter (1980)."""
    if len(word) < 3:
        return word
    word = re.sub("(ss|i)es$|([^s])s$", r"\1\2", word)
    stem = re.sub("(eed|ed|ing)$", "", word)
    if word.endswith("eed"):
        word = word[:-1] if _measure(stem) else word
    elif stem != word and "v" in _shape(stem):
        word = stem + "e" * (stem.endswith(("at", "bl", "iz")) or _short(stem))
        word = re.sub(r"([^aeiouylsz])\1$", r"\1", word)
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for endings, least in _STEPS:
        ending = max(filter(word.endswith, endings), key=len, default=None)
        if ending:
            stem = word[: -len(ending)]
            other = endings[ending]
            if _measure(stem + other * (least > 1)) >= least:
                word = stem + other
    if word.endswith("e") and _measure(word[:-1]) > _short(word[:-1]):
        word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def load_pages(archive, *, classes):
    """Return the words of web pages of two kinds, outside of HTTP headers and markup."""
    members = [(name.split("/")[1], content) for name, content in read_members(archive)]
    pages = [(kind, content.decode("latin-1")) for kind, content in members if kind in classes]
    texts = [(kind, _MARKUP.sub(" ", _HEADER.sub("", page))) for kind, page in pages]
    return bags([(kind, html.unescape(text)) for kind, text in texts])


def load_stories(archive, *, classes):
    """Return the words of stories of ModApte's two parts that have one of two topics."""
    texts = []
    for _, content in read_members(archive):
        stories = [part + "</REUTERS>" for part in content.decode("latin-1").split("</REUTERS>")]
        chosen = [
            story_text
            for story_text in stories
            if any(f"<D>{topic}</D>" in story_text for topic in classes)
        ]
        for story in parse_reuters("".join(chosen)):
            topics = set(story.topics) & set(classes)
            if len(topics) == 1 and story.mod_apte != "unused":
                texts.append((*topics, f"{story.title} {story.body}"))
    return bags(texts)


def bags(texts):
    """Return how often each word is in each text that has one, from pairs of class and text."""

    def analyse(text):
        matches = _WORD.findall(text.lower())
        return [stemmed(word) for word in matches if word not in ENGLISH_STOP_WORDS]

    words = CountVectorizer(analyzer=analyse)
    X = csr_array(words.fit_transform(text for _, text in texts), dtype=float)
    filled = X.sum(axis=1) > 0
    y = np.array([kind for kind, _ in texts])[filled]
    return Table(X=X[filled], y=y, feature_names=tuple(words.get_feature_names_out()))
