"""Figures of simulated cohorts: accuracy by task size, who wins where, weights, and the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.catalogue.panels import legend_above, sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

METHODS = {
    "separate": ("separate", "C3", "s"),
    "pooled": ("pooled", "C1", "v"),
    "hierarchical kernel": ("hierarchical", "C2", "^"),
    "Gaussian process": ("GP", "C4", "x"),
    "matching": ("matching", "C0", "o"),
}
TITLES = {"virus-load": "virus load", "multi-condition": "multi-condition"}
FIRST = {"virus-load": "0-2", "multi-condition": "0-1"}
# Figure 2 prints no numbers; Table 1 does, without prior knowledge.
COLUMNS = ("separate", "pooled", "hierarchical kernel", "Gaussian process", "matching")


def half_width(values: np.ndarray) -> float:
    """Return half of the 95 % interval of the mean."""
    from scipy.stats import t

    if len(values) < 2:
        return 0.0
    return float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def log_ticks(axis: Axis, places: Sequence[float]) -> None:
    """Write the ticks of a logarithmic axis as plain numbers."""
    axis.set_ticks(places, [f"{place:g}" for place in places])
    axis.set_ticks([], minor=True)


def largest(results: Measured, labelling: str) -> dict | None:
    """Return the cell of the largest cohorts that have records."""
    cells = results.cells("cohorts", labelling=labelling)
    return min(cells, key=lambda cell: cell["shrink"], default=None)


@figure(
    "accuracy",
    caption="Table 1 on simulated cohorts: mean accuracy and its 95 % interval, without prior "
    "knowledge and with two task kernels. Diamonds: printed for the EuResist records, which are "
    "not public; the simulated ones need not agree with them.",
)
def accuracy(results: Measured) -> Figure | None:
    """Draw ours and the printed accuracies, a row for each method."""
    from icml2008.catalogue.library import load_paper

    if not results.cells("cohorts"):
        return None
    claims = load_paper("bickel2008hiv").claims
    knowledge = {"none": "", "drug": ", drugs", "mutation": ", mutations"}
    drawing, panels = sheet(1, 2, figsize=(5.6, 4.4), sharey=True)
    rows = [
        (kind, method)
        for method in COLUMNS
        for kind in knowledge
        if kind == "none" or method not in ("separate", "Gaussian process")
    ]
    for axes, labelling in zip(panels, TITLES, strict=True):
        cell = largest(results, labelling)
        printed = claims[f"accuracies-{labelling}"].printed
        for height, (kind, method) in enumerate(rows):
            name = f"{method}{knowledge[kind]}"
            if cell is not None:
                accuracies = results.values("cohorts", name, "accuracy", **cell)
                accuracies = accuracies[np.isfinite(accuracies)]
                if len(accuracies):
                    _, colour, marker = METHODS[method]
                    axes.errorbar(
                        accuracies.mean(),
                        height,
                        xerr=half_width(accuracies),
                        color=colour,
                        marker=marker,
                    )
            # the Gaussian process has no column with prior knowledge
            columns = [m for m in COLUMNS if kind == "none" or m != "Gaussian process"]
            value = float(printed[kind][columns.index(method)])
            axes.plot(value, height + 0.25, **PRINTED)
        axes.set(title=TITLES[labelling], xlabel="accuracy, percent")
    labels = [f"{METHODS[m][0]}{knowledge[kind]}" for kind, m in rows]
    panels[0].set(yticks=range(len(rows)), yticklabels=labels, ylim=(len(rows) - 0.4, -0.6))
    panels[0].plot([], [], **PRINTED, label="printed")
    panels[0].legend(loc="lower left")
    return drawing


@figure(
    "accuracy-by-task-size",
    caption="As Figure 2: accuracy on test records of combinations with few to many training "
    "records, in simulated cohorts; means and 95 % intervals.",
)
def accuracy_by_task_size(results: Measured) -> Figure | None:
    """Draw the accuracy in four groups of combinations, a panel for each labelling."""
    if not results.cells("cohorts"):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 3.2), sharey=True)
    for axes, labelling in zip(panels, TITLES, strict=True):
        cell = largest(results, labelling)
        for k, (method, (label, colour, marker)) in enumerate(METHODS.items()):
            if cell is None:
                continue
            groups = [
                results.values("cohorts", method, f"accuracy_{g}", **cell) for g in (1, 2, 3, 4)
            ]
            means = [gains.mean() if len(gains) else np.nan for gains in groups]
            widths = [half_width(gains) for gains in groups]
            axes.errorbar(
                np.arange(4) + 0.08 * (k - 2), means, yerr=widths, color=colour, marker=marker,
                label=label,
            )  # fmt: skip
        ticks = [FIRST[labelling], "2nd", "3rd", "most"]
        axes.set(title=TITLES[labelling], xticks=range(4), xticklabels=ticks)
    panels[0].set_ylabel("accuracy, percent")
    drawing.supxlabel("training records of the combination", fontsize="medium")
    legend_above(drawing, panels[0], 5)
    return drawing


@figure(
    "advantage-against-strength",
    caption="Where does distribution matching win? Its advantage in small simulated cohorts over "
    "each other method, against the share of the log-odds' variance that is each combination's "
    "own: means and 95 % intervals. Filled where it is confirmed to be ahead, crossed out where "
    "it is refuted.",
)
def advantage_against_strength(results: Measured) -> Figure | None:
    """Draw the differences to each rival, a panel each, with their verdicts."""
    cells = results.cells("sweep", shrink=5)
    if not cells:
        return None
    rivals = ["separate", "pooled", "hierarchical kernel", "Gaussian process", "covariate shift"]
    pairs = [("matching", rival, "") for rival in rivals]
    pairs.append(("matching, drugs", "pooled, drugs", "-drugs"))
    drawing, panels = sheet(2, 3, figsize=(5.6, 4.0), sharex=True, sharey=True)
    for axes, (ours, rival, suffix) in zip(panels.flat, pairs, strict=True):
        points = []
        for cell in cells:
            gap = results.values("sweep", ours, "accuracy", **cell)
            gap = gap - results.values("sweep", rival, "accuracy", **cell)
            part = f"method={rival},own={cell['own']}"
            verdict = results.verdict(f"matching-beats-others{suffix}-at-every-strength", part)
            points.append(
                (cell["own"], gap.mean(), half_width(gap), (verdict or {}).get("verdict"))
            )
        own, means, widths, verdicts = zip(*points, strict=True)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.errorbar(own, means, yerr=widths, color="C0", linewidth=1.0)
        for x, y, verdict in zip(own, means, verdicts, strict=True):
            marker = "X" if verdict == "refuted" else "o"
            colour = "C3" if verdict == "refuted" else "C0"
            filled = "none" if verdict in (None, "inconclusive") else colour
            axes.plot(x, y, marker, color=colour, markerfacecolor=filled, markersize=5.5)
        name = rival if not suffix else "pooled, both drugs"
        axes.set_title(name.replace("hierarchical kernel", "hierarchical"), fontsize="medium")
    panels[0, 0].set(xlim=(-6, 96), xticks=[0, 30, 60, 90])
    drawing.supylabel("matching is ahead by, points", fontsize="medium")
    drawing.supxlabel("variance that is the combination's own, percent", fontsize="medium")
    return drawing


@figure(
    "estimated-weights",
    caption="Estimated against true weights in discrete toys whose densities are known, from 4000 "
    "examples at most: with labels (matching), and without (covariate shift). Right: mean absolute "
    "error against the number of examples; dotted: all weights 1.",
)
def estimated_weights(results: Measured) -> Figure | None:
    """Draw pairs of weights for two methods, and their errors."""
    cells = results.cells("weights")
    if not cells:
        return None
    drawing, panels = sheet(1, 3, figsize=(5.6, 2.5))
    for axes, name, colour in zip(
        panels, ("matching", "covariate shift"), ["C0", "C1"], strict=False
    ):
        pairs = results.kept("weights", f"{name}: true and estimated", **cells[-1])
        if pairs is not None:
            axes.loglog(*np.maximum(pairs, 1e-3).T, ".", color=colour, markersize=2, alpha=0.5)
        axes.plot([1e-3, 30], [1e-3, 30], color="0.4", linewidth=0.8)
        axes.set(title=name, xlabel="true", xlim=(8e-4, 40), ylim=(8e-4, 40), aspect="equal")
        log_ticks(axes.xaxis, [0.001, 0.1, 10])
        log_ticks(axes.yaxis, [0.001, 0.1, 10])
    panels[0].set_ylabel("estimated")
    sizes = [cell["examples"] for cell in cells]
    for name, (colour, line, marker) in {
        "matching": ("C0", "-", "o"),
        "covariate shift": ("C1", "-", "v"),
        "unweighted": ("0.4", ":", ""),
    }.items():
        errors = [results.values("weights", name, "error", **cell) for cell in cells]
        means = [f.mean() for f in errors]
        widths = [half_width(f) for f in errors]
        style = {"color": colour, "linestyle": line, "marker": marker}
        panels[2].errorbar(sizes, means, yerr=widths, **style)
    panels[2].set(xscale="log", title="error", xlabel="examples", ylim=(0, None))
    log_ticks(panels[2].xaxis, sizes)
    return drawing


@figure(
    "simulator-counts",
    caption="The simulator against the printed counts (diamonds): combinations of drugs in order "
    "of their number of records. Printed are the number of combinations, of those with at least "
    "two and of those with at least five records.",
)
def simulator_counts(results: Measured) -> Figure | None:
    """Draw the sizes of all combinations, and the three printed points."""
    from icml2008.papers.bickel2008hiv.cohort import PRINTED as COUNTS

    if not results.cells("cohorts", shrink=1):
        return None
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.9), sharey=True)
    for axes, labelling in zip(panels, TITLES, strict=True):
        cell = {"labelling": labelling, "shrink": 1}
        counts = COUNTS[labelling]
        sizes = results.kept("cohorts", "records of each combination", **cell)
        share = results.kept("cohorts", "share of successes", **cell)
        ranks = [counts.tasks - counts.few, counts.tasks - counts.single, counts.tasks]
        axes.plot(ranks, [5, 2, 1], **PRINTED, label="printed")
        title = TITLES[labelling]
        if sizes is not None and share is not None:
            axes.step(
                np.arange(1, len(sizes) + 1), sizes, where="mid", color="C0", label="simulated"
            )
            title += f": {100 * share[0]:.1f} % succeed\n(printed: {100 * counts.success:.1f} %)"
        axes.set_title(title, fontsize="medium")
        axes.set(xlabel="combination", xscale="log", yscale="log", ylim=(0.7, None))
        log_ticks(axes.xaxis, [1, 10, 100])
        log_ticks(axes.yaxis, [1, 10, 100])
    panels[0].set_ylabel("records")
    panels[0].legend()
    return drawing
