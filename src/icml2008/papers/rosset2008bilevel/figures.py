"""The knots of Theorem 1, Table 1 by counts, and Figures 3 and 4."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

from .experiments import PLACES, true_quantile

GREY = "#8c959f"


@figure("knots", caption="Knots over tau for 20 rows, and the lambda that is best for validation.")
def knots(results):
    cell = {"errors": "normal", "n": 20}
    lines = results.kept("theorems", "knots", **cell)
    if lines is None:
        return None
    drawing, axes = sheet(figsize=(5.2, 3.2))
    (levels, best) = results.kept("theorems", "best", **cell)
    shown = np.array([line for line in np.asarray(lines) if min(line[0], line[2]) < 1.5])
    gap = np.full(len(shown), np.nan)
    across = np.column_stack([shown[:, 1], shown[:, 3], gap]).ravel()
    up = np.column_stack([shown[:, 0], shown[:, 2], gap]).ravel()
    axes.plot(across, up, color=GREY, linewidth=0.6, label="knots")
    axes.plot(levels, best, ".", color="#cf222e", markersize=4, label="best for validation")
    axes.set(xlabel="tau", ylabel="lambda", xlim=(0.1, 0.9), ylim=(0, 1.5))
    axes.legend(loc="upper left")
    return drawing


@figure("table-1", caption="Steps with the printed ones (diamonds), and work, over the rows.")
def table_1(results):
    drawing, (left, right) = sheet(1, 2, figsize=(7.2, 3.0))
    how = {"x": "n", "band": True}
    results.curve("table-1", "steps", methods=["bi-level"], axes=left, printed="steps", **how)
    results.curve("table-1", "log_work", methods=["bi-level", "Li et al."], axes=right, **how)
    left.set(xscale="log", yscale="log", ylabel="steps", xlabel="rows")
    right.set(xscale="log", ylabel="work, log of operations", xlabel="rows")
    left.set_yticks([2000, 5000, 10000, 20000, 40000], ["2000", "5000", "10000", "20000", "40000"])
    for axes in (left, right):
        axes.set_xticks([50, 100, 200], ["50", "100", "200"])
        axes.minorticks_off()
    right.legend()
    return drawing


@figure(
    "curves",
    caption="Figures 3 and 4: true quantiles (grey) and validated estimates, named by tau.",
)
def curves(results):
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.2))
    for axes, errors in zip(panels, ("normal", "exponential"), strict=True):
        lowest = -np.inf  # labels of neighbours stand apart
        for cell in sorted(results.cells("curves", errors=errors), key=lambda cell: cell["tau"]):
            tau = cell["tau"]
            fit = results.kept("curves", "curve", **cell)
            if fit is None:
                return None
            axes.plot(PLACES, true_quantile(PLACES, tau, errors), color=GREY, linewidth=1)
            (line,) = axes.plot(PLACES, fit)
            lowest = max(fit[-1], lowest)
            axes.text(1.01, lowest, f"{tau:g}", color=line.get_color(), fontsize=7, va="center")
            lowest += 0.25
        x, y = results.kept("curves", "sample", errors=errors, tau=0.5)
        axes.plot(x, y, ".", color=GREY, markersize=1.5, zorder=0)
        axes.set(title=f"{errors} errors, {len(x)} rows", xlabel="x", xlim=(0, 1.1))
        axes.set_ylim(np.quantile(y, (0, 0.99)))
    return drawing
