"""Tables 1 and 2 row by row, and what is left of a lead without two rows."""

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import legend_above, sheet

from .tasks import ROWS

COLOURS = {"parallel": "#1a7f37", "LF": "#bc4c00"}
CLAIMS = {"parallel": "values-parallel", "LF": "values-lf"}
LOW = -30


@figure(
    "tables",
    caption="Improvement by row, smallest classes first, beside the printed one where it is judged "
    "(diamonds); LF's weights in one pass (dots) and against the classes before (crosses).",
)
def tables(results):
    rows = [row for row in ROWS if results.cells("rows", row=row)]
    if len(rows) < 2:
        return None
    drawing, panels = sheet(1, 2, figsize=(7.2, 5.2), sharey=True)
    places = np.arange(len(rows))
    for axes, kind in zip(panels, ("rarity", "random"), strict=True):
        for shift, (method, colour) in zip((-0.17, 0.17), COLOURS.items(), strict=True):
            values = [results.values("rows", method, kind, row=row).mean() for row in rows]
            axes.plot(values, places + shift, "o", color=colour, markersize=4, label=method)
            printed = [results.printed(f"{kind}-{CLAIMS[method]}", row=row) for row in rows]
            axes.plot(printed, places + shift, **PRINTED | {"color": colour})
        other = [results.values("rows", "LF", kind, universe="lf=before", row=row) for row in rows]
        crosses = [
            (value.mean(), place) for value, place in zip(other, places, strict=True) if len(value)
        ]
        if crosses:
            values, at = np.transpose(crosses)
            axes.plot(np.maximum(values, LOW), at + 0.17, "x", color=COLOURS["LF"], markersize=5)
        axes.axvline(0, color="#8c959f", linewidth=0.8)
        axes.set(xlabel="cost saved, %", title=f"{kind} costs", xlim=(LOW - 5, 85))
    panels[0].set_yticks(places, rows, fontsize=7)
    panels[0].invert_yaxis()
    legend_above(drawing, panels[0], 2)
    return drawing
