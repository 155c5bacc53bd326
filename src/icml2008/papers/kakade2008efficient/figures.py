"""Figure 1: errors along the streams, and final errors over the rate of exploration."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet
from icml2008.papers.kakade2008efficient.curves import checkpoints
from icml2008.papers.kakade2008efficient.experiments import GAMMAS, MILLION

STREAMS = {"synsep": "SYNSEP", "synnonsep": "SYNNONSEP"}


def _curves(results, experiment, method, **cell):
    """Return the error curves of all repeats, in percent, (n_repeats, n_points)."""
    repeats = len(results.values(experiment, method, "error", **cell))
    kept = [
        results.kept(experiment, f"curve of {method}", repeat=repeat, **cell)
        for repeat in range(repeats)
    ]
    return 100 * np.array([curve for curve in kept if curve is not None])


def _label_percent(axes, steps=(1, 2, 5)):
    """Label a logarithmic axis of percentages at these steps within a decade."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.yaxis.set_major_locator(LogLocator(subs=steps))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())


@figure(
    "error-curves",
    caption=(
        "Error rate so far against the examples seen, mean (line) and median (dots) over streams:"
        " the Perceptron (dashed) and ten runs of the Banditron at their best gamma (solid);"
        " printed: the slopes -1 and -0.55, and the final errors of 10 and 13 % (diamonds)."
    ),
)
def error_curves(results):
    """Figure 1, top left and top middle."""
    cells = [
        {"dataset": name, "examples": MILLION}
        for name in STREAMS
        if results.cells("streams", dataset=name, examples=MILLION)
    ]
    if not cells:
        return None
    drawing, panels = sheet(1, len(cells), figsize=(5.6, 3.0), squeeze=False)
    points = checkpoints(MILLION)
    for axes, cell in zip(panels[0], cells, strict=True):
        for method, style, colour in (("Perceptron", "--", "C1"), ("Banditron", "-", "C0")):
            curves = _curves(results, "streams", method, **cell)
            if not len(curves):
                continue
            axes.plot(points, curves.mean(axis=0), style, color=colour, label=method)
            axes.plot(points, np.median(curves, axis=0), ".", color=colour, markersize=3)
            if cell["dataset"] == "synsep":
                slope = -1.0 if method == "Perceptron" else -0.55
                end = curves.mean(axis=0)[-1] * 1.8
                x = np.array([1e4, 1e6])
                axes.plot(x, end * (x / x[-1]) ** slope, ":", color=PRINTED["color"])
                axes.annotate(
                    f"{slope:g}",
                    (1e5, end * 10**-slope),
                    xytext=(3, 4),
                    textcoords="offset points",
                    color=PRINTED["color"],
                )
            else:
                axes.plot(MILLION, {"Perceptron": 10, "Banditron": 13}[method], **PRINTED)
        axes.set(xscale="log", yscale="log", xlabel="examples", title=STREAMS[cell["dataset"]])
        _label_percent(axes, (1,) if cell["dataset"] == "synsep" else (1, 2, 5))
    panels[0, 0].set_ylabel("errors, percent")
    panels[0, 0].legend(frameon=False, loc="lower left", fontsize="small")
    return drawing


@figure(
    "errors-over-gamma",
    caption=(
        "Final error of ten runs over the rate of exploration, mean (line) and median (dots) over"
        " streams."
    ),
)
def errors_over_gamma(results):
    """Figure 1, bottom left and bottom middle."""
    drawing, axes = sheet(figsize=(5.6, 3.0))
    drawn = False
    for colour, (dataset, title) in zip(("C0", "C3"), STREAMS.items(), strict=True):
        cell = {"dataset": dataset, "examples": MILLION}
        repeats = len(results.values("streams", "Banditron", "error", **cell))
        name = "final errors of Banditron"
        finals = [results.kept("streams", name, repeat=r, **cell) for r in range(repeats)]
        finals = np.array([final for final in finals if final is not None])
        if not len(finals):
            continue
        gammas = np.array(GAMMAS[-finals.shape[1] :])
        axes.plot(gammas, finals.mean(axis=0), color=colour, label=title)
        axes.plot(gammas, np.median(finals, axis=0), "o", color=colour, markersize=3)
        drawn = True
    if not drawn:
        return None
    axes.set(xscale="log", yscale="log", xlabel="gamma", ylabel="final error, percent")
    _label_percent(axes)
    axes.legend(frameon=False)
    return drawing


@figure(
    "newswire",
    caption=(
        "A stand-in for REUTERS4: errors along the stories of Reuters-21578 with one of four"
        " topics; the Banditron with gamma 0.05, each run thin. Printed for REUTERS4: final errors"
        " of 5.3 and 16.3 % after 673,768 documents (diamonds at the right edge)."
    ),
)
def newswire(results):
    """Figure 1, top right, on other data."""
    cell = {"dataset": "reuters-21578"}
    banditron = _curves(results, "newswire", "Banditron", **cell)
    perceptron = _curves(results, "newswire", "Perceptron", **cell)
    if not len(banditron) or not len(perceptron):
        return None
    drawing, axes = sheet(figsize=(5.6, 3.0))
    # the last point is the number of stories, which the arrays do not hold: leave it out
    points = checkpoints(10**6)[: banditron.shape[1] - 1]
    inner = slice(None, len(points))
    for curve in banditron:
        axes.plot(points, curve[inner], color="C0", alpha=0.15, linewidth=0.7)
    axes.plot(points, banditron.mean(axis=0)[inner], color="C0", label="Banditron")
    axes.plot(points, perceptron.mean(axis=0)[inner], "--", color="C1", label="Perceptron")
    edge = points[-1] * 1.25
    axes.plot([edge, edge], [5.3, 16.3], **PRINTED)
    axes.set(xscale="log", yscale="log", xlabel="stories", ylabel="errors, percent")
    _label_percent(axes)
    axes.legend(frameon=False)
    return drawing
