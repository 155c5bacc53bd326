"""Figure 1, with the polynomial features that it leaves out."""

from icml2008.catalogue.figures import figure

from .experiments import DOMAINS, RULES


@figure("losses", caption="Squared prediction errors and temporal differences, over the discount.")
def losses(results):
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(2, 3, figsize=(7.2, 4.2), layout="constrained", sharex=True)
    for place, axes in enumerate(panels.flat):
        metric, domain = ("prediction", "consistency")[place // 3], DOMAINS[place % 3]
        how = {"x": "gamma", "methods": [*RULES, "best fixed"], "axes": axes, "domain": domain}
        results.curve("figure-1", metric, band=True, **how)
        axes.set(yscale="log", title=f"{domain}: {metric}", xlabel="discount")
    panels[0, 0].legend()
    return drawing
