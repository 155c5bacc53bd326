"""The templates of pages and of specification curves."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from icml2008.report import wording

TERMS = {
    "stale": "made by other code than today's",
    "underpowered": "with too few repeats to tell a difference of the size that matters",
    "moved by another arithmetic": "claims or means that another processor's rounding changes",
    "preliminary": "from fewer repeats than the printed protocol has",
    "turns on a reading": "another answer to what the text leaves open changes what comes out",
    "with a misprint": "once a misprint of the paper that was checked is corrected",
}
"""Words of ours, with what they mean to a reader who sees them for the first time."""

_PER_CENT = re.compile(r"(?<=\d) %")


@cache
def environment() -> Environment:
    """Return what knows the templates; what they are given is escaped."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_kept_together,
    )
    jinja.filters["verdict"] = wording.verdict_word
    jinja.filters["points"] = _points
    jinja.filters["explained"] = explained
    return jinja


def explained(text: str) -> Markup:
    """Return a text, escaped, in which each term of ours says what it means where it stands.

    Examples
    --------
    >>> explained("0 stale")
    Markup('0 <abbr title="made by other code than today&#39;s">stale</abbr>')
    """
    # One pass: what a title says is not looked through for terms.
    return Markup(
        re.sub(
            "|".join(map(re.escape, TERMS)),
            lambda term: Markup('<abbr title="{}">{}</abbr>').format(TERMS[term[0]], term[0]),
            str(escape(text)),
        )
    )


def _kept_together(value: Any) -> Any:
    """Return what is shown with no line broken between a number and its per cent sign."""
    if type(value) is str and " %" in value:
        return _PER_CENT.sub("\N{NO-BREAK SPACE}%", value)
    return value


def _points(value: float) -> str:
    """Return a length or a place in a figure, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").removesuffix(".")
