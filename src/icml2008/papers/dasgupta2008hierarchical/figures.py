"""Figures 2 and 3, and the example of Section 3.4."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

from .experiments import BUDGETS, METHODS, NEWS_BUDGETS, PAIRS

STYLES = {name: {"marker": "o", "markersize": 3} for name in METHODS}
STYLES["all labels"] = {"marker": "", "linestyle": "dashed", "color": "0.4"}


def curves(results, axes, experiment, budgets, **cell):
    """Draw mean test errors over budgets, with their standard errors."""
    for name, style in STYLES.items():
        errors = [results.values(experiment, name, f"error_{b}", **cell) for b in budgets]
        if not all(map(len, errors)):
            return False
        means = np.mean(errors, axis=1)
        sd = np.std(errors, axis=1, ddof=1)
        (line,) = axes.plot(budgets, means, label=name, **style)
        ends = means + np.outer([-1, 1], sd) / np.sqrt(len(errors[0]))
        axes.fill_between(budgets, *ends, alpha=0.2, linewidth=0, color=line.get_color())
    return True


@figure(
    "digits",
    caption=(
        "Test errors on MNIST over the number of labels, six runs with their standard errors. Own"
        " labels: as cluster-adaptive, but queried points keep the labels that they were given."
    ),
)
def digits(results):
    """Figure 2, right."""
    drawing, axes = sheet(figsize=(5.4, 3.4))
    if not curves(results, axes, "digits", BUDGETS, images=10000):
        return None
    axes.set(xscale="log", xlabel="labels", ylabel="test error in percent", xticks=BUDGETS)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.legend()
    return drawing


@figure("newsgroups", caption="Test errors on four pairs of newsgroups over the number of labels.")
def newsgroups(results):
    """Figure 3, bottom."""
    drawing, panels = sheet(2, 2, sharex=True, figsize=(6.4, 4.6))
    for pair, axes in zip(PAIRS, panels.flat, strict=True):
        if not curves(results, axes, "newsgroups", NEWS_BUDGETS, pair=pair, most=2000):
            return None
        axes.set(title=pair, ylim=(0, None))
    drawing.supxlabel("labels")
    drawing.supylabel("test error in percent")
    handles = axes.get_legend_handles_labels()
    drawing.legend(*handles, loc="outside upper center", ncols=3)
    return drawing


@figure("prunings", caption="Errors of the best prunings, over their size, in one draw of each.")
def prunings(results):
    """Figure 2, left, and Figure 3, top."""
    errors_of = {"MNIST, pixels": (results.kept("clusters", "errors", images=10000), 5)}
    for name in ("counts", "unit-length", "tf-idf", "lda"):
        at = {"pair": "religion", "most": 2000}
        errors_of[f"religion, {name}"] = (
            results.kept("representations", f"errors of {name}", **at),
            4,
        )
    if any(errors is None for errors, _ in errors_of.values()):
        return None
    drawing, axes = sheet(figsize=(5.4, 3.4))
    for name, (errors, step) in errors_of.items():
        axes.plot(1 + step * np.arange(len(errors)), errors, label=name)
    axes.set(xlabel="nodes", ylabel="error in percent", ylim=(0, 60), xlim=(0, 200))
    axes.legend()
    return drawing
