"""Pictures of the site: figures that follow the reader's colours, and cards for previews."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from icml2008.report.style import COLOURS, CSS_NAMES, INK, MUTED, PAPER

# Of page.css in the dark; what an image file needs to know itself.
_DARK = {
    "ink": "#e6e9ed",
    "muted": "#9ea7b1",
    "rule": "#3a424b",
    "paper": "#14181d",
    "printed": "#79b8ff",
    "band": "#1f3a57",
    "confirmed": "#56d364",
    "depends": "#c8a2f5",
    "refuted": "#ff8a80",
    "inconclusive": "#e3b341",
}
# Pixels.
_CARD = (640, 336)
_MARGIN = 36


def standing_alone(svg: str) -> str:
    """Return an SVG file whose colours follow the reader's scheme where it is shown as an image."""
    light = {name: colour for colour, name in CSS_NAMES.items() if colour in svg}
    dark = {name: _DARK[name] for name in light}
    for name, colour in light.items():
        svg = svg.replace(colour, f"var(--{name})")
    style = (
        f":root{{{_variables(light)}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(dark)}}}}}"
    )
    return re.sub(r"(<svg [^>]*>)", rf"\g<1><style>{style}</style>", svg, count=1)


def _variables(colours: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in sorted(colours.items()))


def size_of(svg: str) -> tuple[float, float]:
    """Return width and height of an SVG file, in its own units."""
    match = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    return (float(match[1]), float(match[2])) if match else (1.0, 1.0)


def card(title: str, answer: str, counts: Mapping[str, int]) -> bytes:
    """Return the picture that previews of a paper's page show, as PNG.

    Parameters
    ----------
    title, answer : str
    counts : mapping of str to int
        Claims by verdict.
    """
    from PIL import Image, ImageDraw

    image = Image.new("RGB", _CARD, PAPER)
    draw = ImageDraw.Draw(image)
    left = _MARGIN
    right = _CARD[0] - _MARGIN
    draw.text((left, 32), "ICML 2008, re-run and judged", MUTED, _font(16))
    y = _paragraph(draw, title, 68, _font(30, "-Bold"), lines=3)
    _paragraph(draw, answer, y + 11, _font(18), lines=4)
    total = sum(counts.values())
    x = float(left)
    bottom = _CARD[1] - _MARGIN
    for word, count in counts.items():
        if count:
            end = x + (right - left) * count / total
            draw.rectangle((x, bottom - 21, end - 2, bottom), COLOURS[word])
            x = end
    out = io.BytesIO()
    image.quantize(8, Image.Quantize.FASTOCTREE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _paragraph(draw: Any, text: str, y: int, font: Any, lines: int) -> int:
    """Draw words in lines that fit, the last one cut short; return where they end."""
    rows = [""]
    width = _CARD[0] - 2 * _MARGIN
    for word in text.split():
        longer = f"{rows[-1]} {word}".strip()
        if draw.textlength(longer, font) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    if len(rows) > lines:
        rows[lines - 1] += " …"
    for row in rows[:lines]:
        draw.text((_MARGIN, y), row, INK, font)
        y += round(1.25 * font.size)
    return y


@cache
def _font(size: int, weight: str = "") -> Any:
    import matplotlib
    from PIL import ImageFont

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    return ImageFont.truetype(str(folder / f"DejaVuSans{weight}.ttf"), size)


def opener(figures: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the figure that a page opens with: the first of its own that has printed values.

    Else the first of its own, and only then that of all claims; in each case one that can be read
    where it stands, if there is one: a figure that is much higher than wide cannot.
    """
    own = [figure for figure in figures if figure["name"] != "claims"] or list(figures)

    def rank(figure: Mapping[str, Any]) -> tuple[bool, bool]:
        return figure["height"] > 1.2 * figure["width"], not figure["printed"]

    return min(own, key=rank, default=None)
