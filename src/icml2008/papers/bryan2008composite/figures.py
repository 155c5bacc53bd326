"""Table 1 in each reading of what the paper leaves open, and Figures 2 and 3."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet
from icml2008.papers.bryan2008composite import regions
from icml2008.papers.bryan2008composite.experiments import DEFAULTS, MODELS, PICTURED
from icml2008.papers.bryan2008composite.regions import CONCORDANCE, PLANE, REGIONS
from icml2008.papers.bryan2008composite.tasks import TASKS, make_task

# Table 1, in the order of MODELS; SimpleSin2D's first is said to be larger than 500.
TABLE_1 = {
    "Gaussian": (95.0, 89.5, 76.2, 71.7),
    "SimpleSin2D": (500, 157.9, 150.3, 127.3),
    "Sin2D": (105.0, 90.4, 87.0, 82.9),
    "4-Sin2D": (188.6, 72.5, 98.1, 54.9),
}
SHORT = ("variance", "v.-straddle", "sequential", "v.-maxvarstraddle")
COLOURS = ("C3", "C1", "C0", "C2")
READINGS = (
    "default",
    "slope=half-gradient",
    "slope=variogram",
    "slope=variogram-local",
    "slope=likelihood",
    "spread=two-units",
    "slope=variogram+spread=two-units",
    "crossing=lasting",
    "first-points=five",
    "nugget=1e-3",
    "test-points=centres-50",
    "test-points=uniform-2500",
    "gaussian-scale=chi-square",
    "gaussian-threshold=5.991",
    "domain=0..3",
    "domain=-2..2",
)


def readings(results):
    """Yield, for each reading and task that it changes, the samples and targets met by MODELS."""
    shown = {task: [] for task in TASKS}
    for reading in READINGS:
        for task in TASKS:
            outcome = outcomes(results, reading, task)
            # A universe has the records of another one where a change of its own does not matter.
            if outcome is None or any(same(outcome, other) for other in shown[task]):
                continue
            shown[task].append(outcome)
            yield reading.replace("=", " ").replace("+", ", "), task, outcome


def outcomes(results, universe, task):
    """Return (samples, whether the target was met) of each heuristic; None without records."""
    pairs = [
        tuple(
            results.values("samples", name, metric, universe=universe, task=task)
            for metric in ("samples", "reached")
        )
        for name in MODELS
    ]
    return pairs if all(len(samples) for samples, _ in pairs) else None


def same(pairs, other):
    """Return whether two outcomes are equal in all repeats."""
    return all(np.array_equal(a, b) for (a, _), (b, _) in zip(pairs, other, strict=True))


@figure(
    "readings",
    caption=(
        "Mean samples to the target in each reading of what the paper leaves open; a row changes"
        " one thing, or two. Diamonds: printed (500 stands for more than 500). Hollow circles: some"
        " runs did not meet the target within 500 samples and count with 500."
    ),
)
def table_in_each_reading(results):
    """Table 1 over and over."""
    import matplotlib.pyplot as plt

    outcomes_read = list(readings(results))
    if not outcomes_read:
        return None
    rows = {task: [reading for reading, its, _ in outcomes_read if its == task] for task in TASKS}
    heights = [len(names) + 2 for names in rows.values()]
    drawing, panels = sheet(
        len(TASKS), 1, figsize=(5.6, 1.0 + 0.19 * sum(heights)), sharex=True, height_ratios=heights
    )
    panel = dict(zip(TASKS, panels, strict=True))
    for task, axes in panel.items():
        for colour, printed in zip(COLOURS, TABLE_1[task], strict=True):
            axes.plot(printed, -1, **PRINTED | {"color": colour})
            axes.axvline(printed, color=colour, linewidth=0.6, alpha=0.5)
        axes.set_yticks(range(-1, len(rows[task])), ["printed", *rows[task]], fontsize=8)
        axes.set_ylim(len(rows[task]) - 0.5, -1.7)
        axes.set_title(task, fontsize=9, loc="left")
    panels[0].set_xscale("log")
    panels[0].set_xlim(20, 600)
    panels[0].set_xticks([20, 50, 100, 200, 500], ["20", "50", "100", "200", "500"])
    panels[0].minorticks_off()
    panels[-1].set_xlabel("samples")
    for reading, task, outcome in outcomes_read:
        for colour, (samples, reached) in zip(COLOURS, outcome, strict=True):
            filled = np.nanmin(reached) == 100
            panel[task].plot(
                np.nanmean(samples),
                rows[task].index(reading),
                "o",
                color=colour,
                markersize=5,
                markerfacecolor=colour if filled else "none",
            )
    handles = [plt.Line2D([], [], color=c, marker="o", linestyle="none") for c in COLOURS]
    drawing.legend(handles, SHORT, loc="outside lower center", ncols=4, handletextpad=0.2)
    return drawing


@figure(
    "samples-of-4-sin2d",
    caption=(
        "4-Sin2D after 100 samples, first run: the true level set (dashed), the predicted one"
        " (solid), and the samples of the four functions."
    ),
)
def where_the_samples_are(results):
    """Figure 2."""
    from icml2008.methods.active.kriging import OrdinaryKriging

    tables = [results.kept("picture", name, task="4-Sin2D") for name in PICTURED]
    if any(table is None for table in tables):
        return None
    task = make_task("4-Sin2D", DEFAULTS)
    axis = np.linspace(*task.bounds[0], 120)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1)
    drawing, panels = sheet(1, len(PICTURED), figsize=(5.6, 2.3), sharey=True)
    for axes, name, table in zip(panels, PICTURED, tables, strict=True):
        functions = [table[table[:, 2] == i] for i in range(len(task.functions))]
        predicted = sum(
            OrdinaryKriging().fit(part[:, :2], part[:, 3]).predict(grid.reshape(-1, 2))
            for part in functions
        )
        levels = [task.threshold]
        axes.contour(axis, axis, task.total(grid), levels, colors="0.4", linestyles="dashed")
        axes.contour(
            axis, axis, predicted.reshape(grid.shape[:2]), levels, colors="k", linestyles="solid"
        )
        for part, marker, colour in zip(functions, "so^x", COLOURS, strict=True):
            axes.plot(*part[:, :2].T, marker, color=colour, markersize=3.2, markerfacecolor="none")
        axes.set_title(name, fontsize=8)
        axes.set_aspect("equal")
        axes.set_xticks([0, 1, 2])
        axes.set_yticks([0, 1, 2])
    return drawing


@figure(
    "regions",
    caption=(
        "95 % regions of Omega_M and Omega_Lambda by each data set alone and by all: the darker a"
        " bin, the more trials found an accepted universe in it. Outlined: what any trial found for"
        " the intersection of the three. Dotted: flat universes; cross: (0.27, 0.73)."
    ),
)
def regions_of_the_plane(results):
    """Figure 3."""
    cells = results.cells("regions")
    if not cells:
        return None
    cell = cells[-1]  # the most parameters
    shares = {name: _share_of_trials(results, name, cell) for name in REGIONS}
    if any(share is None for share in shares.values()):
        return None
    titles = {"cmb": "WMAP", "supernovae": "supernovae", "galaxies": "galaxies", "together": "all"}
    drawing, panels = sheet(2, 2, figsize=(5.6, 5.4), sharex=True, sharey=True)
    for axes, letter, (name, title) in zip(panels.flat, "abcd", titles.items(), strict=True):
        shade = axes.imshow(
            shares[name].T,
            origin="lower",
            extent=(*PLANE[0], *PLANE[1]),
            cmap="Blues",
            vmin=0,
            vmax=1,
        )
        axes.plot([0, 1], [1, 0], ":", color="0.4", linewidth=1)
        axes.plot(*CONCORDANCE, "x", color="C3", markersize=7)
        axes.set_title(f"({letter}) {title}", fontsize=9)
    _outline(panels[1, 1], shares["intersection"] > 0)
    drawing.supxlabel("Ω_M", fontsize=10)
    drawing.supylabel("Ω_Λ", fontsize=10)
    drawing.colorbar(shade, ax=panels, label="share of trials", shrink=0.6)
    return drawing


def _share_of_trials(results, name, cell):
    """The share of trials in whose region each bin is, (n, n); None without records."""
    n = round(1 / float(regions.DEFAULTS["bins"]))
    maps = []
    while (bins := results.kept("regions", name, repeat=len(maps), **cell)) is not None:
        inside = np.zeros(n * n)
        inside[bins.astype(int)] = 1
        maps.append(inside.reshape(n, n))
    return np.mean(maps, axis=0) if maps else None


def _outline(axes, inside):
    """Draw the edges of a set of bins."""
    n = len(inside)
    padded = np.pad(inside, 1)
    for i, j in np.argwhere(padded[1:, 1:-1] != padded[:-1, 1:-1]):
        axes.plot([i / n, i / n], [j / n, (j + 1) / n], "k", linewidth=1.2)
    for i, j in np.argwhere(padded[1:-1, 1:] != padded[1:-1, :-1]):
        axes.plot([i / n, (i + 1) / n], [j / n, j / n], "k", linewidth=1.2)
