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

_MARKUP = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.I | re.S)
_HEADER = re.compile(r"\A.*?\r?\n\r?\n", re.S)
_WORD = re.compile("[a-z]{2,}")
_STEP_2 = (
    "ational-ate tional-tion enci-ence anci-ance izer-ize abli-able alli-al entli-ent eli-e "
    "ousli-ous ization-ize ation-ate ator-ate alism-al iveness-ive fulness-ful ousness-ous "
    "aliti-al iviti-ive biliti-ble"
)
_STEP_3 = "icate-ic ative- alize-al iciti-ic ical-ic ful- ness-"
_STEP_4 = (
    "al- ance- ence- er- ic- able- ible- ant- ement- ment- ent- sion-s tion-t ou- ism- ate- iti- "
    "ous- ive- ize-"
)
_STEPS = [
    (sorted((pair.split("-") for pair in step.split()), key=lambda pair: -len(pair[0])), least)
    for step, least in ((_STEP_2, 1), (_STEP_3, 1), (_STEP_4, 2))
]


def _shape(stem):
    """Return v for each vowel, y after a consonant among them, and c for each consonant."""
    shape = ""
    for letter in stem:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _short(stem):
    """Return whether a stem ends in consonant, vowel and a consonant other than w, x and y."""
    return _shape(stem)[-3:] == "cvc" and stem[-1] not in "wxy"


@cache
def stemmed(word):
    """Return a word of small letters without its ending, by Porter (1980)."""
    if len(word) < 3:
        return word
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if "vc" in _shape(word[:-3]) else word
    else:
        stem = re.sub("(ed|ing)$", "", word)
        if stem != word and "v" in _shape(stem):
            word = stem
            if stem.endswith(("at", "bl", "iz")) or (
                _short(stem) and _shape(stem).count("vc") == 1
            ):
                word += "e"
            elif re.search(r"([^aeiouylsz])\1$", stem):
                word = stem[:-1]
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    for endings, least in _STEPS:
        ending, other = next((pair for pair in endings if word.endswith(pair[0])), ("", ""))
        kept = word[: len(word) - len(ending)] + other
        if ending and _shape(kept if least > 1 else word[: -len(ending)]).count("vc") >= least:
            word = kept
    if word.endswith("e"):
        count = _shape(word[:-1]).count("vc")
        if count > 1 or (count == 1 and not _short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _shape(word).count("vc") > 1 else word


def load_pages(archive, *, classes):
    """Return the words of web pages of two kinds, outside of HTTP headers and markup."""
    found = [(name.split("/")[1], content) for name, content in read_members(archive)]
    pages = [(kind, content.decode("latin-1")) for kind, content in found if kind in classes]
    texts = [(kind, _MARKUP.sub(" ", _HEADER.sub("", page))) for kind, page in pages]
    return bags([(kind, html.unescape(text)) for kind, text in texts])


def load_stories(archive, *, classes):
    """Return the words of titles and bodies of the stories that have one of two topics.

    They are those of ModApte, for training or testing.
    """
    found = []
    for _, content in read_members(archive):
        stories = [one + "</REUTERS>" for one in content.decode("latin-1").split("</REUTERS>")]
        wanted = [one for one in stories if any(f"<D>{topic}</D>" in one for topic in classes)]
        for story in parse_reuters("".join(wanted)):
            topics = set(story.topics) & set(classes)
            if len(topics) == 1 and story.mod_apte != "unused":
                found.append((*topics, f"{story.title} {story.body}"))
    return bags(found)


def bags(texts):
    """Return how often each word is in each text that has one, from pairs of class and text."""

    def analyse(text):
        return [stemmed(word) for word in _WORD.findall(text) if word not in ENGLISH_STOP_WORDS]

    words = CountVectorizer(analyzer=analyse)
    X = csr_array(words.fit_transform(text.lower() for _, text in texts), dtype=float)
    some = X.sum(axis=1) > 0
    y = np.array([kind for kind, _ in texts])[some]
    return Table(X=X[some], y=y, feature_names=tuple(words.get_feature_names_out()))
