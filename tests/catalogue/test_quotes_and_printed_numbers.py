"""Quotes and printed numbers of claims, looked up in the papers' texts.

The texts are not distributed. ``ICML2008_TEXTS`` names a folder of them, ``p0048.txt`` for the
paper that begins on page 48; a paper that has no pages there lies beside it, as
``seeds/*<first author>*.txt``.
"""

import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.reading_hands import hands
from icml2008.judge.standing import HEDGES, OWN

BESIDE = Path(__file__).parents[3] / "shared" / "papers"
FOLDER = Path(os.environ.get("ICML2008_TEXTS", BESIDE))
KEYS = [key for key in library.paper_keys() if library.load_head(key).venue.kind != "lectures"]
RERUN = [key for key in KEYS if library.state(key) == "re-run"]
SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "–": "-", "—": "-"})
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@cache
def text_of(key):
    """Return a paper's text, None where there is none."""
    head = library.load_head(key)
    if head.pages:
        files = [FOLDER / f"p{head.pages[0]:04d}.txt"]
    else:
        author = re.match("[a-z]+", key)[0]
        files = sorted(FOLDER.parent.glob(f"seeds/*{author}*.txt"))
    return files[0].read_text("utf-8") if files and files[0].is_file() else None


def texts_of(keys):
    """Return the texts of those papers that have one."""
    return {key: text for key in keys if (text := text_of(key)) is not None}


def say_what_was_not_checked(keys):
    """Skip a test that has passed if it could not look into every paper: that is no pass."""
    lacking = [key for key in keys if text_of(key) is None]
    if lacking:
        where = f"in {FOLDER} (ICML2008_TEXTS names their folder)"
        pytest.skip(f"not checked: {len(lacking)} of {len(keys)} papers, no texts {where}")


@cache
def squeezed(text):
    """Return a text without what printing adds: hyphens, spaces, capitals, ligatures, markup."""
    plain = unicodedata.normalize("NFKD", text.translate(SIGNS)).casefold()
    return re.sub(r"[\s*$\u00ad-]|\\text\w*", "", plain)


def is_quoted(quote, text):
    at = 0
    squeezed_text = squeezed(text)
    for piece in quote.split("..."):
        at = squeezed_text.find(squeezed(piece), at)
        if at < 0:
            return False
        at += len(squeezed(piece))
    return True


def figures_of(text):
    """Return the figures of a text without their signs, exponents and zeros before the point."""
    joined = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    words = {
        str(n) for n, word in enumerate(WORDS, start=1) if re.search(rf"\b{word}", text.lower())
    }
    numbers = re.findall(r"\d+\.\d+|\d+|\.\d+", f"{text} {joined}")
    return words | {number.lstrip("0") or "0" for number in numbers}


def is_printed(number, figures):
    mantissa = re.sub(r"(?<=\d)e[+-]?\d+", "", number.replace(",", ""))
    numbers = re.findall(r"\d+\.\d+|\d+|\.\d+", mantissa)
    return all((number.lstrip("0") or "0") in figures for number in numbers)


def test_every_quote_is_in_the_papers_text():
    missing = {
        f"{key}/{name}": quote
        for key, text in texts_of(RERUN).items()
        for name, claim in library.load_paper(key).claims.items()
        for quote in (claim.quote, claim.best_obtained)
        if quote and not is_quoted(quote, text)
    }
    assert missing == {}
    say_what_was_not_checked(RERUN)


def test_every_quote_of_a_second_hand_is_in_the_papers_text():
    keys = [key for key in KEYS if hands(key)]
    missing = {
        f"{key}/{hand}/{name}": sentence.quote
        for key, text in texts_of(keys).items()
        for hand, read in hands(key).items()
        for name, sentence in read.sentences.items()
        if not is_quoted(sentence.quote, text)
    }
    assert missing == {}
    say_what_was_not_checked(keys)


def test_every_number_that_counts_as_printed_is_in_the_papers_text():
    missing = [
        f"{key}/{name}: {number}"
        for key, text in texts_of(KEYS).items()
        for figures in [figures_of(text)]
        for name, claim in library.load_paper(key).claims.items()
        if claim.status in (None, *OWN)
        for number in claim.numbers
        if not is_printed(number, figures)
    ]
    assert missing == [], "mark them as `derived`, with how they follow from printed ones"
    say_what_was_not_checked(KEYS)


def test_the_papers_own_claims_have_no_margin_beyond_rounding():
    """A margin decides as a threshold does, and one that the paper does not have is ours."""
    wide = [
        f"{key}/{name}"
        for key in RERUN
        for name, claim in library.load_paper(key).claims.items()
        if claim.status in OWN and claim.near
        for printed in map(claim.printed_side, claim.parts())
        if (printed.margin or 0) > max(printed.half_unit, 1e-6)
    ]
    assert wide == [], "their status is `ours`"


def test_what_a_note_calls_ours_is_not_counted_as_the_papers():
    ours = r"(?i)not said by the paper|not a claim of the paper|\b(is|are) our(s\b| line)"
    counted = [
        f"{key}/{name}"
        for key in RERUN
        for name, claim in library.load_paper(key).claims.items()
        if re.search(ours, claim.note or "") and claim.status in OWN
    ]
    assert counted == [], "their notes say that they are ours"


def test_a_quote_is_found_across_lines_hyphens_and_markup():
    text = "We show that the *classi-\nfication* error of $w$ ﬁnally\nfalls to 3.1 %."
    assert is_quoted("the classification error of w finally ... falls", text)
    assert not is_quoted("falls ... the classification error", text)
    assert not is_quoted("the error of w", text)


@pytest.mark.parametrize(
    ("number", "there"),
    [
        *(("0.95", True), ("-0.95", True), ("1.62e-6", True), ("12.4 +- 0.5", True)),
        *((">500", True), ("1500000", True), ("3", True)),
        *(("0.9", False), ("12", False), ("50", False), ("12.4 +- 0.6", False)),
    ],
)
def test_a_printed_number_is_found_as_a_whole(number, there):
    text = r"three of .95 and $1.62 \cdot 10^{-6}$, 12.4 $\pm$ 0.5 (> 500 of 1,500,000)"
    assert is_printed(number, figures_of(text)) == there


def sentence_around(quote, text):
    """Return the sentence in which a quote stands; the quote itself if it is not found."""
    letters = [(c, at) for at, char in enumerate(text) if char.strip() for c in squeezed(char)]
    squeezed_text = "".join(c for c, _ in letters)
    places = []
    for piece in quote.split("..."):
        place = squeezed_text.find(squeezed(piece), places[-1] if places else 0)
        if place < 0:
            return quote
        places += [place, place + len(squeezed(piece)) - 1]
    first = letters[places[0]][1]
    last = letters[places[-1]][1]
    starts = [match.end() for match in re.finditer(r"[.?!:]\s|\n\s*\n", text[:first])]
    end = re.search(r"[.?!]\s|\n\s*\n", text[last:])
    return text[starts[-1] if starts else 0 : last + end.start() if end else None]


def hedge_left_out(claim, text):
    """Return the word that softens the sentence around a claim's quote, and that it leaves out."""
    judged = claim.status in OWN and claim.quote and claim.statistic
    if not judged or claim.comparison == "holds" or claim.hedge or HEDGES.search(claim.quote):
        return None
    sentence = " ".join(sentence_around(claim.quote, text).split())
    word = HEDGES.search(sentence)
    return word and f"{word.group()!r} in: {sentence}"


def test_a_quote_holds_the_hedge_of_its_sentence():
    """Or the claim has two lines, or says why the word does not soften it."""
    dropped = {
        f"{key}/{name}": word
        for key, text in texts_of(RERUN).items()
        for name, claim in library.load_paper(key).claims.items()
        if (word := hedge_left_out(claim, text))
    }
    assert dropped == {}, "quote the hedge, give two lines, or say `hedge: 'none: ...'`"
    say_what_was_not_checked(RERUN)
