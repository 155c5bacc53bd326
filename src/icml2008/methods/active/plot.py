"""A campaign's level set, drawn."""

from __future__ import annotations

import numpy as np


def plot_level_set(level_set, ax=None, *, axes=(0, 1), at=None, resolution=100, names=None):
    """Draw the predicted level set over two of the dimensions, and where functions were sampled.

    Shades are predicted sums in units of their standard deviation from the threshold, cut off at
    2: where they are pale, the side is open. In one dimension the predicted sum is a line in a
    band of 1.96 standard deviations.

    Parameters
    ----------
    level_set : CompositeLevelSet
    ax : matplotlib Axes, optional
        By default those of a new figure.
    axes : pair of int, default=(0, 1)
        The dimensions to draw.
    at : array-like of shape (d,), optional
        Where to cut in the dimensions that are not drawn; by default in the middle of the box.
        Samples are shown wherever they lie.
    resolution : int, default=100
        Predictions along each axis.
    names : sequence of str, optional
        Of the functions, for the legend.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    ValueError
        If a function has too few samples for predictions, or `axes` are none of the box.
    """
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        msg = "plot needs matplotlib; install: pip install matplotlib"
        raise ImportError(msg) from error
    bounds = level_set.bounds
    d = len(bounds)
    drawn = [0] if d == 1 else list(axes)
    if len(drawn) != min(d, 2) or len(set(drawn)) < len(drawn) or not set(drawn) <= set(range(d)):
        msg = f"axes={axes!r} must be two of the dimensions 0 to {d - 1}"
        raise ValueError(msg)
    middle = bounds.mean(axis=1) if at is None else np.asarray(at, dtype=float)
    lines = [np.linspace(*bounds[k], resolution) for k in drawn]
    grid = np.meshgrid(*lines)
    points = np.tile(middle, (grid[0].size, 1))
    points[:, drawn] = np.stack([axis_values.ravel() for axis_values in grid], axis=1)
    prediction = level_set.predict(points)
    if ax is None:
        ax = plt.figure(layout="constrained").add_subplot()
    if d == 1:
        ax.plot(lines[0], prediction.mean, color="0.2")
        low = prediction.mean - 1.96 * prediction.std
        high = prediction.mean + 1.96 * prediction.std
        ax.fill_between(lines[0], low, high, color="0.85")
        ax.axhline(level_set.threshold, color="black", linewidth=1)
    else:
        sure = (prediction.mean - level_set.threshold) / np.maximum(prediction.std, 1e-300)
        shades = np.clip(sure, -2, 2).reshape(grid[0].shape)
        ax.pcolormesh(*lines, shades, cmap="RdBu_r", vmin=-3, vmax=3, shading="nearest")
        mean = prediction.mean.reshape(grid[0].shape)
        ax.contour(*lines, mean, levels=[level_set.threshold], colors="black")
    for i in range(level_set.n_functions):
        sampled = [(x, y) for x, j, y in level_set.samples if j == i]
        places = np.array([x for x, _ in sampled])[:, drawn].T
        height = [] if d > 1 else [[y for _, y in sampled]]
        name = f"function {i}" if names is None else names[i]
        ax.plot(*places, *height, "osv^D"[i % 5], color=f"C{i}", markersize=4, label=name)
    ax.set_xlabel(f"x[{drawn[0]}]")
    ax.set_ylabel("value" if d == 1 else f"x[{drawn[1]}]")
    ax.legend(frameon=False, fontsize="small")
    return ax
