"""The templates of pages and of specification curves."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from icml2008.report import wording


@cache
def environment() -> Environment:
    """Return what knows the templates; what they are given is escaped."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["verdict"] = wording.verdict_word
    found.filters["points"] = _points
    return found


def _points(value: float) -> str:
    """Return a length or a place in a figure, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").removesuffix(".")
