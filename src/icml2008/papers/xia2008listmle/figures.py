"""The figure of the listwise approach: Table 2 beside exact minimisers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icml2008.catalogue.figures import PRINTED, Measured, figure
from icml2008.catalogue.panels import sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Table 2: mean accuracy over 20 starts and its spread
PRINTED_ACCURACIES = {
    "ListMLE": (0.92, 0.011),
    "ListNet-log": (0.905, 0.010),
    "ListNet-sqrt": (0.917, 0.009),
    "ListNet-l": (0.767, 0.021),
    "ListNet-q": (0.868, 0.028),
    "ListNet-exp": (0.832, 0.074),
    "RankCosine-log": (0.180, 0.217),
    "RankCosine-sqrt": (0.080, 0.159),
    "RankCosine-l": (0.917, 0.112),
    "RankCosine-q": (0.102, 0.161),
    "RankCosine-exp": (0.047, 0.163),
}


@figure(
    "table-2",
    caption="Table 2 anew. Grey dots: mean accuracy over 20 starts of descent on each draw of the "
    "lists; circles: mean over draws; triangles: the exact minimisers; crosses: those with a bias; "
    "diamonds: printed, with the spread over starts.",
)
def table_2(results: Measured) -> Figure | None:
    """Draw accuracies of all rows by descent, at the minimum, and as printed."""
    if not results.cells("table-2"):
        return None
    drawing, axes = sheet(figsize=(5.6, 4.2))
    for place, (name, (value, spread)) in enumerate(PRINTED_ACCURACIES.items()):
        first = place == 0
        values = results.values("table-2", name, "accuracy")
        axes.plot(values, np.full(len(values), place), ".", color="0.7", markersize=3.5)
        labels = ("descent", "minimum", "minimum, bias", "printed") if first else (None,) * 4
        axes.plot(values.mean(), place, "o", color="C1", markersize=5, label=labels[0])
        for universe, marker, label in (("default", "^", labels[1]), ("bias=yes", "x", labels[2])):
            exact = results.values("minimisers", name, "accuracy", universe=universe)
            if len(exact):
                axes.plot(exact.mean(), place + 0.22, marker, color="C0", markersize=5, label=label)
        axes.errorbar(value, place - 0.22, xerr=spread, **PRINTED, capsize=2, label=labels[3])
    axes.set(yticks=range(len(PRINTED_ACCURACIES)), yticklabels=PRINTED_ACCURACIES)
    axes.set(xlabel="accuracy: share of lists in the true order", xlim=(-0.03, 1.03))
    axes.invert_yaxis()
    drawing.legend(loc="outside upper center", ncols=4)
    return drawing
