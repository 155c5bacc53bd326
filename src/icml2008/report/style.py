"""The house style of figures: few colours, each with a meaning, on white."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

INK = "#1f2328"
MUTED = "#59636e"
RULE = "#d0d7de"
PAPER = "#ffffff"
PRINTED = "#0b5cad"
BAND = "#dbe7f3"
CONFIRMED = "#1a7f37"
REFUTED = "#b42318"
INCONCLUSIVE = "#8a6100"
DEPENDS = "#7a3fb5"

COLOURS = {
    "confirmed": CONFIRMED,
    "depends": DEPENDS,
    "refuted": REFUTED,
    "inconclusive": INCONCLUSIVE,
    "untested": MUTED,
}
MARKERS = {"confirmed": "o", "depends": "D", "refuted": "X", "inconclusive": "o", "untested": "_"}

# The names under which a page's style sheet knows the colours, so that it can darken them.
CSS_NAMES = {
    INK: "ink",
    MUTED: "muted",
    RULE: "rule",
    PAPER: "paper",
    PRINTED: "printed",
    BAND: "band",
    CONFIRMED: "confirmed",
    DEPENDS: "depends",
    REFUTED: "refuted",
    INCONCLUSIVE: "inconclusive",
}

# Of series that no verdict colours: told apart on white and on dark, and by most eyes.
SERIES = ("#c05f00", "#7a63c7", "#00857c", "#b03a78", "#7d7a1f", "#66788a")

_PARAMETERS = {
    "axes.axisbelow": True,
    "axes.edgecolor": RULE,
    "axes.facecolor": "none",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": PAPER,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "font.size": 8.5,
    "legend.borderpad": 0.2,
    "legend.columnspacing": 1.2,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 1.6,
    "lines.solid_capstyle": "butt",
    "savefig.dpi": 200,
    "svg.fonttype": "none",  # half the size of outlines, and a page can set font and colours
    "svg.hashsalt": "icml2008",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": RULE,
    "xtick.labelcolor": MUTED,
    "xtick.labelsize": 8,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 8.5,
    "ytick.major.size": 0,
}


# What plots of numbers against numbers want besides.
GRID = {"axes.grid": True, "grid.color": RULE, "grid.linewidth": 0.5, "lines.markersize": 4}


@contextmanager
def house_style(more: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Draw in the house style, whatever a user's own settings of matplotlib say."""
    import matplotlib
    from cycler import cycler

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        cycle = {"axes.prop_cycle": cycler(color=SERIES)}
        matplotlib.rcParams.update(_PARAMETERS | cycle | dict(more or {}))
        yield
