"""Tables 1 and 2 in counted work."""

from icml2008.catalogue.figures import figure

METHODS = ["MWAL-VI", "MWAL-PI", "MWAL-Dual", "LPAL"]


@figure("work", caption="Work to 95 % of the expert's value, by size of the grid and by regions.")
def work(results):
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained", sharey=True)
    styles = dict.fromkeys(METHODS, {}) | {"MWAL-PI": {"linestyle": "--"}}
    fixed = {"size": {"regions": 64}, "regions": {"size": 48}}
    for axes, (x, where), title in zip(
        panels, fixed.items(), ["64 regions", "48 x 48 grid"], strict=True
    ):
        results.curve("grids", "work", x=x, methods=styles, axes=axes, **where)
        axes.set(xscale="log", yscale="log", xlabel=x, title=title)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(plt.NullLocator())
    panels[0].set(ylabel="million multiply-adds", xticks=[16, 24, 32, 48, 64])
    panels[1].set(ylabel="", xticks=[64, 144, 256, 576, 2304])
    drawing.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return drawing
