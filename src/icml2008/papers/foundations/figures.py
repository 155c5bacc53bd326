"""Figures of the foundations: where recovery begins, the unrolled roll, estimates of risk."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet


def _share(results, experiment, method, **cell):
    values = results.values(experiment, method, "recovered", **cell)
    return values.mean() if len(values) else np.nan


def _transition(results, panels):
    """Draw the percent of recovered matrices over two coordinates, one panel for each entry."""
    drawing, frames = sheet(1, len(panels), figsize=(5.6, 2.7), squeeze=False)
    picture = None
    for axes, (experiment, method, x, y, x_label, y_label) in zip(frames[0], panels, strict=True):
        cells = results.cells(experiment)
        if not cells:
            return None
        across = sorted({cell[x] for cell in cells})
        up = sorted({cell[y] for cell in cells})
        shares = [[_share(results, experiment, method, **{x: a, y: b}) for a in across] for b in up]
        picture = axes.imshow(
            shares, origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=100
        )
        axes.set_xticks(range(len(across)), [f"{a:g}" for a in across], fontsize=7)
        axes.set_yticks(range(len(up)), [f"{b:g}" for b in up], fontsize=7)
        axes.set(xlabel=x_label, ylabel=y_label)
        axes.grid(visible=False)
    drawing.colorbar(picture, ax=frames[0].tolist(), label="% recovered")
    return drawing


@figure(
    "phase-transitions",
    caption=(
        "Share of 8 matrices recovered exactly. Left: completion of 30 x 30 matrices over "
        "the percent of entries observed and rank; line: as many entries as degrees of freedom. "
        "Right: robust PCA of 40 x 40 matrices over the percent of entries corrupted and rank."
    ),
)
def phase_transitions(results):
    """Draw both phase transitions, and where completion has as many entries as unknowns."""
    drawing = _transition(
        results,
        [
            ("completion", "nuclear norm", "observed", "rank", "% observed", "rank"),
            ("robust-pca", "pursuit", "corrupted", "rank", "% corrupted", ""),
        ],
    )
    if drawing is not None:
        axes = drawing.axes[0]
        cells = results.cells("completion")
        ranks, shares = (sorted({cell[x] for cell in cells}) for x in ("rank", "observed"))
        needed = [100 * rank * (60 - rank) / 900 for rank in ranks]
        places = np.interp(needed, shares, range(len(shares)))
        axes.plot(places, range(len(ranks)), color="white", linewidth=1.2)
    return drawing


@figure(
    "lasso-transition",
    caption=(
        "Share of problems in which the lasso finds exactly the right five features, over the "
        "samples as a multiple of k log d: one curve for each number of features d."
    ),
)
def lasso_transition(results):
    """Draw recovery over scaled samples."""
    cells = results.cells("lasso-recovery")
    if not cells:
        return None
    drawing, axes = sheet(figsize=(5.0, 2.8))
    for d in sorted({cell["d"] for cell in cells}):
        labels = {"lasso": {"label": f"d = {d}"}}
        results.curve("lasso-recovery", "recovered", x="ratio", methods=labels, axes=axes, d=d)
    axes.set(xlabel="samples / (k log d)", ylabel="% recovered", ylim=(-4, 104))
    axes.legend()
    return drawing


@figure(
    "swiss-roll",
    caption="A Swiss roll of 1000 samples in the plane of each method; colour: the roll's turn.",
)
def swiss_roll(results):
    """Draw the three embeddings."""
    cells = results.cells("swiss-roll")
    if not cells:
        return None
    names = ("PCA", "Isomap", "LLE")
    drawing, frames = sheet(1, 3, figsize=(5.6, 2.1))
    for axes, name in zip(frames, names, strict=True):
        kept = results.kept("swiss-roll", name, repeat=0, **cells[-1])
        if kept is None:
            return None
        axes.scatter(kept[:, 0], kept[:, 1], c=kept[:, 2], s=4, cmap="viridis", linewidths=0)
        axes.set(title=name, xticks=[], yticks=[])
        axes.grid(visible=False)
    return drawing


@figure(
    "estimates-of-risk",
    caption=(
        "Estimate of the risk minus the risk, from 40 samples: mean and 95 % of its uncertainty, "
        "for three classifiers. Left of 0 is optimistic."
    ),
)
def estimates_of_risk(results):
    """Draw the bias of each estimate."""
    cells = results.cells("estimates")
    if not cells:
        return None
    methods = ("training", "leave one out", "six partitions", "bootstrap", "0.632")
    drawing, axes = sheet(figsize=(5.2, 3.0))
    for row, cell in enumerate(cells):
        values = [results.values("estimates", method, "bias", **cell) for method in methods]
        means = [v.mean() for v in values]
        halves = [1.96 * v.std(ddof=1) / np.sqrt(len(v)) if len(v) > 1 else 0 for v in values]
        places = np.arange(len(methods)) + 0.2 * (row - (len(cells) - 1) / 2)
        axes.errorbar(means, places, xerr=halves, fmt="o", markersize=4, label=cell["classifier"])
    axes.axvline(0, color="0.5", linewidth=0.8)
    axes.set_yticks(range(len(methods)), methods)
    axes.invert_yaxis()
    axes.set(xlabel="estimate - risk, points")
    axes.legend(fontsize=7)
    return drawing


@figure(
    "neighbours",
    caption=(
        "Error of one neighbour (circles), of a growing number (triangles) and of a support vector "
        "machine (squares) over samples; lines: the Bayes risk R, and 2 R (1 - R)."
    ),
)
def neighbours(results):
    """Draw errors over sample size, a panel for each separation."""
    from scipy.stats import norm

    cells = results.cells("nearest")
    if not cells:
        return None
    gaps = sorted({cell["separation"] for cell in cells})
    drawing, frames = sheet(1, len(gaps), figsize=(5.6, 2.4), sharey=True, squeeze=False)
    for axes, gap in zip(frames[0], gaps, strict=True):
        markers = {"1 neighbour": "o", "growing neighbours": "^", "SVM": "s"}
        styles = {method: {"marker": marker} for method, marker in markers.items()}
        results.curve("nearest", "error", x="n", methods=styles, axes=axes, separation=gap)
        bayes = norm.cdf(-gap / 2)
        for level in (bayes, 2 * bayes * (1 - bayes)):
            axes.axhline(100 * level, color="0.5", linewidth=0.8, linestyle="--")
        axes.set(xscale="log", xlabel="samples", title=f"{gap:g} apart")
    frames[0][0].set_ylabel("error, %")
    return drawing


@figure(
    "seeds-of-k-means",
    caption=(
        "Excess of the objective over the best of 60 ends, in percent: mean of 20 starts of each "
        "seeding; one mark for each draw, on a logarithmic scale from 0.1 %."
    ),
)
def seeds_of_k_means(results):
    """Draw the excess of each seeding, a panel for each data set."""
    cells = results.cells("k-means")
    if not cells:
        return None
    methods = ("random", "furthest-first", "k-means++")
    drawing, frames = sheet(
        1, len(cells), figsize=(5.6, 2.0), sharex=True, sharey=True, squeeze=False
    )
    for axes, cell in zip(frames[0], cells, strict=True):
        for row, method in enumerate(methods):
            values = results.values("k-means", method, "ssd", **cell)
            axes.plot(np.maximum(values, 0.1), np.full(len(values), row), "o", markersize=4)
        axes.set(xscale="log", title=cell["dataset"], xlabel="excess, %")
        axes.set_yticks(range(len(methods)), methods)
    frames[0][0].invert_yaxis()
    return drawing


@figure(
    "bandwidths",
    caption=(
        "A density of four peaks (grey) and estimates from 300 samples: the rule of thumb smooths "
        "the peaks away, an eighth of it does not, held-out samples find a bandwidth."
    ),
)
def bandwidths(results):
    """Draw three estimates of the comb."""
    names = ("rule of thumb", "an eighth", "held-out likelihood")
    drawing, frames = sheet(1, len(names), figsize=(5.6, 1.9), sharey=True)
    for axes, name in zip(frames, names, strict=True):
        kept = results.kept("kde", name, repeat=0, density="comb", n=300)
        if kept is None:
            return None
        places, true, estimate = kept.T
        axes.fill_between(places, true, color="0.8", linewidth=0)
        axes.plot(places, estimate, linewidth=1.2)
        axes.set(title=name, xlim=(-5, 5), yticks=[])
        axes.title.set_fontsize(8)
        axes.grid(visible=False)
    return drawing


@figure(
    "to-k-means",
    caption=(
        "Samples that EM, with one fixed variance, labels otherwise than k-means from the same "
        "start: mean of all draws (line) and each draw (points)."
    ),
)
def to_k_means(results):
    """Draw the disagreement over the variance."""
    cells = results.cells("em-limit")
    if not cells:
        return None
    drawing, axes = sheet(figsize=(4.6, 2.6))
    variances = [cell["variance"] for cell in cells]
    disagreements = [results.values("em-limit", "EM", "disagreement", **cell) for cell in cells]
    axes.plot(variances, [values.mean() for values in disagreements])
    for variance, values in zip(variances, disagreements, strict=True):
        axes.plot(np.full(len(values), variance), values, "o", color="C0", markersize=3, alpha=0.5)
    axes.set(xscale="log", xlabel="variance of the components", ylabel="% labelled otherwise")
    return drawing
