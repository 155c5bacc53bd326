"""Table 3 anew: errors of the three methods on each set, beside the printed ones."""

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import legend_above, sheet

from .tasks import SETS

METHODS = {"MM": "errors", "KDE": "kde-errors", "DS": "ds-errors"}


@figure(
    "table-3",
    caption="Errors on 22 sets, the mean of six passes (circles; MM: Mean Map, KDE: kernel density "
    "estimation, DS: discriminative sorting), the paper's printed ones that are judged (diamonds), "
    "and the larger class (bars). Sets are in the order of ours.",
)
def table_3(results):
    """Draw a row for each set, sorted by the method's error."""
    errors = {
        name: {
            method: results.values("binary", method, "error", dataset=name)
            for method in (*METHODS, "majority")
        }
        for name in SETS
    }
    if any(len(values) < 2 for row in errors.values() for values in row.values()):
        return None
    order = sorted(SETS, key=lambda name: errors[name]["MM"].mean())
    drawing, axes = sheet(figsize=(6.4, 5.6))
    for place, name in enumerate(order):
        for shift, (method, claim) in enumerate(METHODS.items()):
            row = place + 0.22 * (shift - 1)
            label = method if place == 0 else None
            mean = errors[name][method].mean()
            axes.plot(mean, row, "o", color=f"C{shift}", markersize=4, label=label)
            printed = results.printed(claim, dataset=name)
            if printed is not None:
                axes.plot(printed, row, **PRINTED | {"color": f"C{shift}", "label": None})
        majority = errors[name]["majority"].mean()
        axes.vlines(majority, place - 0.35, place + 0.35, color="0.5", linewidth=1)
    axes.set(yticks=np.arange(len(order)), yticklabels=order, xlabel="error, %", xlim=(0, None))
    axes.invert_yaxis()
    legend_above(drawing, axes, 3)
    return drawing
