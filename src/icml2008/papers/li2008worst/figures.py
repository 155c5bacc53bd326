"""Figure 1, with the polynomial features that it leaves out."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import DOMAINS, LOSSES, RULES


@figure("losses", caption="Squared prediction errors and temporal differences, over the discount.")
def losses(results):
    import matplotlib.pyplot as plt

    drawing, panels = sheet(2, 3, figsize=(7.2, 4.4), sharex=True)
    for metric, row in zip(LOSSES, panels, strict=True):
        for domain, axes in zip(DOMAINS, row, strict=True):
            how = {"methods": [*RULES, "best fixed"], "axes": axes, "domain": domain}
            results.curve("figure-1", metric, x="gamma", band=True, **how)
            axes.set(yscale="log", title=f"{domain}\n{metric}", xlabel="discount")
            axes.yaxis.set_major_locator(plt.LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_locator(plt.NullLocator())
    legend_above(drawing, axes, 4)
    return drawing
