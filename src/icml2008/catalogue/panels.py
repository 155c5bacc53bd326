"""Panels that figures of a paper's own are drawn on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def sheet(rows: int = 1, columns: int = 1, **how: Any) -> tuple[Figure, Axes | np.ndarray]:
    """Return a new figure and its panels, laid out so that no label is cut off.

    Parameters
    ----------
    rows, columns : int
        Of panels.
    **how
        What ``matplotlib.pyplot.subplots`` takes: ``figsize``, ``sharey`` and so on.

    Returns
    -------
    figure : Figure
    panels : Axes, or ndarray of Axes
        One alone, a row or a column of them, or all by row and column.

    Examples
    --------
    >>> drawing, (left, right) = sheet(1, 2, figsize=(7.2, 3.0), sharey=True)
    >>> left.get_shared_y_axes().joined(left, right)
    True
    """
    from matplotlib.figure import Figure

    of_figure = {name: how.pop(name) for name in ("figsize", "dpi") if name in how}
    figure = Figure(layout="constrained", **of_figure)
    return figure, figure.subplots(rows, columns, **how)


def legend_above(figure: Figure, axes: Axes, columns: int) -> None:
    """Put what the lines of a panel stand for above all panels."""
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=columns)
