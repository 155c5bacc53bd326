"""Figure 1 anew, the learned powers, and the accuracies of Table 1."""

import numpy as np

from icml2008.catalogue.figures import PRINTED as PRINTED_STYLE
from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import DATA, PRINTED, SETS
from .method import powers_up_to

# Student's t at 97.5 % for 5 degrees of freedom, by 6 repeats
WIDE = 2.57
METHODS = {
    "PPMM": ("accuracy", "o"),
    "citation-kNN": ("accuracy", "s"),
    "set-kernel": ("today", "^"),
}


@figure(
    "powers",
    caption="Left, Figure 1 anew: alignment over the power, in parts of its maximum, one draw. "
    "Right: the learned power in each repeat, and the printed one (diamonds; of elephant 2.1).",
)
def powers(results):
    """Draw curves of the three drawn sets, and all learned powers."""
    drawing, (curves, learned) = sheet(1, 2, figsize=(7.2, 3.2))
    for row, name in enumerate((*SETS, *DATA)):
        experiment = "mechanisms" if name in SETS else "adapted"
        cell = PRINTED if name in SETS else {"dataset": "all"}
        values = results.values(experiment, name, "power", **cell)
        if not len(values):
            return None
        learned.plot(values, np.full(len(values), row), "o", markersize=4, alpha=0.6, color="C0")
        printed = results.printed("learned-powers", method=name)
        if printed is not None:
            learned.plot(printed, row, **PRINTED_STYLE | {"color": "C1"})
        if name in SETS:
            curve = results.kept("mechanisms", name, **PRINTED)
            curves.plot(powers_up_to(3.0), curve, label=name)
    curves.set(xlabel="power", ylabel="alignment", ylim=(None, 1.02))
    curves.legend()
    learned.set(yticks=range(8), yticklabels=(*SETS, *DATA), xlabel="learned power", xlim=(0, 3.1))
    learned.invert_yaxis()
    return drawing


@figure(
    "accuracies",
    caption="Accuracies over ten folds with 95 % intervals, the paper's printed ones (diamonds), "
    "and the larger class (bars).",
)
def accuracies(results):
    """Draw the kernel beside Citation-kNN and the mean over all pairs of instances."""
    drawing, axes = sheet(figsize=(6.0, 3.2))
    for shift, (name, (experiment, marker)) in enumerate(METHODS.items()):
        for place, dataset in enumerate(DATA):
            values = results.values(experiment, name, "accuracy", dataset=dataset)
            if len(values) < 2:
                return None
            half = WIDE * values.std(ddof=1) / np.sqrt(len(values))
            axes.errorbar(
                place + 0.16 * (shift - 1),
                values.mean(),
                yerr=half,
                fmt=marker,
                color=f"C{shift}",
                markersize=4,
                capsize=2,
                label=name if place == 0 else None,
            )
            if name == "PPMM":
                printed = results.printed("accuracies", dataset=dataset)
                axes.plot(place - 0.3, printed, **PRINTED_STYLE | {"color": "C0"})
                majority = results.values("accuracy", "majority", "accuracy", dataset=dataset)
                axes.hlines(majority[0], place - 0.35, place + 0.3, color="0.5", linewidth=1)
    axes.set(xticks=range(5), xticklabels=DATA, ylabel="accuracy, %")
    legend_above(drawing, axes, 3)
    return drawing
