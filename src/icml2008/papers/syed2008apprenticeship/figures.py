"""Tables 1 and 2 in counted work."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import GRIDS, VARIANTS

METHODS = [*VARIANTS, "LPAL"]


@figure("work", caption="Work to 95 % of the expert's value, by size of the grid and by regions.")
def work(results):
    import matplotlib.pyplot as plt

    drawing, panels = sheet(2, figsize=(4.4, 5.2))
    styles = dict.fromkeys(METHODS, {}) | {"MWAL-PI": {"linestyle": "--"}}
    fixed = {"size": {"regions": 64}, "regions": {"size": 48}}
    for axes, (x, where), title in zip(
        panels, fixed.items(), ["64 regions", "48 x 48 grid"], strict=True
    ):
        results.curve("grids", "work", x=x, methods=styles, axes=axes, **where)
        axes.set(xscale="log", yscale="log", xlabel=x, ylabel="million multiply-adds", title=title)
        axes.set_xticks(list(GRIDS) if x == "size" else GRIDS[48])
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:,.0f}")
            axis.set_minor_locator(plt.NullLocator())
    legend_above(drawing, axes, 2)
    return drawing
