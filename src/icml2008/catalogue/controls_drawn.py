"""Floors and ceilings in a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# How a floor or a ceiling is drawn.
CONTROL = {"color": "#59636e", "linestyle": "dotted", "linewidth": 1}


def draw_control(axes: Axes, places: Sequence[float], numbers: np.ndarray, side: str) -> None:
    """Draw a floor or a ceiling, named at its end; where it is far off, its name alone."""
    low, high = axes.get_ylim()
    shown = numbers[~np.isnan(numbers)]
    number = f"{shown[0]:.3g}" if np.ptp(shown) == 0 else ""
    text = {"color": CONTROL["color"], "fontsize": 7, "ha": "right", "va": "bottom"}
    above = shown.min() > high + (high - low) / 2
    if above or shown.max() < low - (high - low) / 2:
        name = f"{side} {number or 'further'} {'above' if above else 'below'}"
        text |= {"va": "top"} if above else {}
        axes.text(1, float(above), name, transform=axes.transAxes, **text)
        return
    axes.plot(places, numbers, label="_control", **CONTROL)
    end = np.flatnonzero(~np.isnan(numbers))[-1]
    axes.text(places[end], numbers[end], f"{side} {number}".rstrip(), **text)
