"""Verdicts and numbers as people read them, the same in tables, figures, page and terminal."""

from __future__ import annotations

import math

from icml2008.judge.printed import parse
from icml2008.judge.standing import LABELS
from icml2008.report.results import Verdict

SYMBOLS = {"confirmed": "✓", "depends": "◐", "refuted": "✗", "inconclusive": "~", "untested": "–"}
MINUS = "\N{MINUS SIGN}"
PLUS_MINUS = "\N{PLUS-MINUS SIGN}"
# Beyond so many decimals a small number is written with an exponent.
_MOST_DECIMALS = 6
_SMALL = 0.001


def verdict_word(word: str | None) -> str:
    """Return a verdict as symbol and word; empty for none.

    Examples
    --------
    >>> verdict_word("refuted")
    '✗ refuted'
    """
    return f"{SYMBOLS[word]} {word}" if word else ""


def verdict_text(verdict: Verdict) -> str:
    """Return a verdict as symbol and word, with a misprint or an author's dispute if there is one.

    Examples
    --------
    >>> verdict_text({"verdict": "refuted", "disputed": True})
    '✗ refuted, disputed'
    """
    word = verdict_word(verdict["verdict"])
    if verdict["verdict"] == "confirmed" and verdict.get("misprint"):
        word += ", with a misprint"
    return f"{word}, disputed" if verdict.get("disputed") else word


def standing(verdict: Verdict) -> str:
    """Return whose claim it is, and which claim says the same before it.

    Examples
    --------
    >>> standing({"status": "ours"}), standing({"status": "headline", "same_as": "a-beats-b"})
    ('ours', 'headline claim, repeats a-beats-b')
    """
    label = LABELS.get(verdict.get("status"), "")
    if verdict.get("same_as"):
        return f"{label}, repeats {verdict['same_as']}"
    return f"{label}, a part of {verdict['part_of']}" if verdict.get("part_of") else label


def number(value: float | None, decimals: int) -> str:
    """Return a number with a proper minus; with an exponent where decimals would be too many.

    Examples
    --------
    >>> number(-1.25, 1), number(0.00000012, 8), number(0.15, 17), number(None, 1)
    ('−1.2', '1.2e−07', '0.15', '')
    """
    if value is None:
        return ""
    if math.isinf(value):
        return ("" if value > 0 else MINUS) + "∞"
    if decimals <= _MOST_DECIMALS:
        text = f"{value:.{decimals}f}"
    elif value == 0 or abs(value) >= _SMALL:
        text = f"{value:.{_MOST_DECIMALS}f}".rstrip("0").removesuffix(".")
    else:
        text = f"{value:.1e}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def decimals(verdict: Verdict) -> int:
    """Return how many decimals our numbers have: the printed one's plus one.

    As many as a stated margin if that is finer, and none if a whole number is exactly that. Where
    nothing is printed that could say it, the standard error gets two digits, or the number itself
    three.
    """
    if half_unit := verdict.get("half_unit"):
        effect = verdict.get("effect")
        exact = verdict.get("comparison") == "exactly"
        if exact and half_unit >= 0.5 and effect is not None and effect % 1 == 0:
            return 0
        finest = min(half_unit, verdict.get("tolerance") or half_unit)
        return max(0, round(-math.log10(2 * half_unit)) + 1, -math.floor(math.log10(finest)))
    if se := verdict.get("se"):
        return max(0, 1 - math.floor(math.log10(se)))
    if effect := verdict.get("effect"):
        return max(0, 2 - math.floor(math.log10(abs(effect))))
    return 1


def spread(verdict: Verdict) -> float | None:
    """Return the standard deviation of our repeats; None where there is no single number a repeat.

    Nor does the largest violation of an invariant have one.
    """
    if verdict.get("comparison") == "never_violated":
        return None
    values = [value for value in verdict.get("values") or () if value is not None]
    if len(values) < 2:
        return None
    # As `statistics.stdev`, which is exact to the last digit and takes twenty times as long.
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def printed_value(verdict: Verdict) -> float | None:
    """Return the printed number; None where none is printed."""
    if verdict.get("printed") is None:
        return None
    amount = parse(verdict["printed"])
    return amount.fraction if amount.value is None else amount.value


def printed(verdict: Verdict) -> str:
    """Return what the paper prints, as printed: a value with its spread, or the bound.

    Examples
    --------
    >>> printed({"comparison": "near", "printed": "60.3", "printed_sd": 15.1})
    '60.3 ± 15.1'
    >>> printed({"comparison": "above", "printed": "0"})
    'above 0'
    """
    comparison = verdict.get("comparison")
    text = verdict.get("printed")
    if comparison == "never_violated":
        tolerance = verdict.get("tolerance")
        return "" if tolerance is None else f"at most {tolerance:g}".replace("-", MINUS)
    if text is None:
        return ""
    text = text.replace("+-", PLUS_MINUS).replace("-", MINUS)
    if comparison in ("above", "below"):
        return f"{comparison} {text.lstrip('<>= ')}"
    if comparison == "holds":
        return f"holds from {text}, fails from {verdict['fails']:g}".replace("-", MINUS)
    sd = verdict.get("printed_sd")
    return text if sd is None or PLUS_MINUS in text else f"{text} {PLUS_MINUS} {sd:.4g}"


def ours(verdict: Verdict) -> str:
    """Return our number with the standard deviation of a repeat."""
    places = decimals(verdict)
    sd = spread(verdict)
    value = number(verdict.get("effect"), places)
    return value if sd is None else f"{value} {PLUS_MINUS} {number(sd, places)}"


def interval(verdict: Verdict, prefix: str = "") -> str:
    """Return the interval ``[low, high]``; `prefix` may be ``generalises_``."""
    low = verdict.get(prefix + "low")
    high = verdict.get(prefix + "high")
    if low is None and high is None:
        return ""
    places = decimals(verdict)
    ends = (
        number(-math.inf if low is None else low, places),
        number(math.inf if high is None else high, places),
    )
    return f"[{ends[0]}, {ends[1]}]"


def repeats(verdict: Verdict) -> str:
    """Return the number of repeats, and how many of them failed if any did."""
    n = verdict.get("n")
    failed = verdict.get("failed")
    if n is None:
        return ""
    return f"{n} ({failed} failed)" if failed else str(n)
