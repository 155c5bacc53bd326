"""Work of the projections; Figures 4, 5 and 7."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet


def panels_of(results, experiment, kept, names, cells):
    """Return a figure with two panels, and of each the axes, the cell and what was kept by name.

    Nothing, twice, where the first repeat kept nothing.
    """
    arrays = [
        {name: results.kept(experiment, f"{name} {kept}", **cell) for name in names}
        for cell in cells
    ]
    if any(array is None for by_method in arrays for array in by_method.values()):
        return None, ()
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.2))
    return drawing, list(zip(panels, cells, arrays, strict=True))


@figure(
    "work",
    caption="Mean work of a step of 16 components over the dimension; elements compared by the "
    "pivot search, comparisons of a sort, nodes visited in the tree.",
)
def work(results):
    """Draw work over n, from dense points and from sparse ones."""
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.2))
    for axes, start in zip(panels, ("dense", "sparse"), strict=True):
        how = {"methods": ["sort", "Figure 2", "pivot", "tree"], "axes": axes}
        if results.curve("work", "log_work", x="n", start=start, k=16, **how) is None:
            return None
        ticks = (1024, 8192, 65536, 524288) if start == "dense" else (256, 1024, 4096)
        axes.set(xscale="log", xlabel="n", title=f"from a {start} point")
        axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
        axes.minorticks_off()
        axes.set_yticks(np.log(10.0) * np.arange(2, 8), [f"{10**at:,}" for at in range(2, 8)])
    panels[0].set_ylabel("work of a step")
    legend_above(drawing, axes, 4)
    return drawing


@figure(
    "flops",
    caption="Figures 4 and 5 anew: gap over flops at n = 4000, one draw. Interior point and "
    "coordinate descent minimise the penalised loss.",
)
def flops(results):
    """Draw the gaps over flops, both as decimal logarithms in the records."""
    names = ("gradient", "stochastic", "line search", "interior point", "coordinate descent")
    cells = [{"loss": loss, "n": 4000} for loss in ("squares", "logistic")]
    drawing, panels = panels_of(results, "batch", "gaps", names, cells)
    for axes, cell, gaps_of in panels:
        for name, gaps in gaps_of.items():
            axes.plot(*np.power(10.0, gaps), label=name, lw=1.3)
        axes.axhline(0.01, color="grey", lw=0.8, ls=":")
        axes.set(xscale="log", yscale="log", title=cell["loss"], xlabel="flops", ylabel="gap")
    if drawing:
        legend_above(drawing, axes, 5)
    return drawing


@figure("mnist", caption="Figure 7 anew: the loss of Equation 12 over gradients, one support set.")
def mnist(results):
    """Draw the losses over gradients."""
    cells = [{"examples": 60000, "gradient": gradient} for gradient in ("true", "stochastic")]
    drawing, panels = panels_of(results, "mnist", "losses", ("projection", "EG"), cells)
    for axes, cell, losses_of in panels:
        last = 20 if cell["gradient"] == "true" else 400
        for name, losses in losses_of.items():
            axes.plot(np.linspace(0, last, len(losses)), losses, label=name)
        axes.set(title=cell["gradient"], xlabel="gradients", ylabel="loss, nats", ylim=(0, 2.4))
        axes.locator_params(axis="x", nbins=5, integer=True)
        axes.legend()
    return drawing
