"""The templates of pages and of specification curves."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from icml2008.report import wording

_PER_CENT = re.compile(r"(?<=\d) %")


@cache
def environment() -> Environment:
    """Return what knows the templates; what they are given is escaped."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_kept_together,
    )
    found.filters["verdict"] = wording.verdict_word
    found.filters["points"] = _points
    return found


def _kept_together(value: Any) -> Any:
    """Return what is shown with no line broken between a number and its per cent sign."""
    if type(value) is str and " %" in value:
        return _PER_CENT.sub("\N{NO-BREAK SPACE}%", value)
    return value


def _points(value: float) -> str:
    """Return a length or a place in a figure, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").removesuffix(".")
