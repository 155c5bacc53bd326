"""Work of the projections; Figures 4, 5, 7 and, on other texts, 8."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import figure

PROJECTED = ("gradient", "stochastic", "line search")


@figure(
    "work",
    caption="Mean work of a step of 16 components over the dimension; elements compared by the "
    "pivot search, comparisons of a sort, nodes visited in the tree.",
)
def work(results):
    """Draw work over n, from dense points and from sparse ones."""
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained")
    for axes, start in zip(panels, ("dense", "sparse"), strict=True):
        how = {"methods": ["sort", "Figure 2", "pivot", "tree"], "axes": axes}
        results.curve("work", "log_work", x="n", start=start, k=16, **how)
        axes.set(xscale="log", xlabel="n", title=f"from a {start} point")
        ticks = (1024, 8192, 65536, 524288) if start == "dense" else (256, 1024, 4096)
        axes.set_xticks(ticks, [f"{n:,}" for n in ticks])
        axes.minorticks_off()
        axes.set_yticks(np.log(10.0) * np.arange(2, 8), [f"{10**at:,}" for at in range(2, 8)])
    panels[0].set_ylabel("work of a step")
    drawing.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return drawing


@figure(
    "flops",
    caption="Figures 4 and 5 anew: gap over flops at n = 4000, one draw. Interior point and "
    "coordinate descent minimise the penalised loss.",
)
def flops(results):
    """Draw the gaps that the first repeat kept."""
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.4), layout="constrained")
    for axes, loss in zip(panels, ("squares", "logistic"), strict=True):
        for name in (*PROJECTED, "interior point", "coordinate descent"):
            kept = results.kept("batch", f"{name} gaps", loss=loss, n=4000)
            if kept is None:
                plt.close(drawing)
                return None
            axes.plot(*np.power(10.0, kept), label=name, lw=1.3)
        axes.axhline(0.01, color="grey", lw=0.8, ls=":")
        axes.set(xscale="log", yscale="log", title=loss, xlabel="flops")
    panels[0].set_ylabel("gap")
    drawing.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=5)
    return drawing


@figure("mnist", caption="Figure 7 anew: the loss of Equation 12 over gradients, one support set.")
def mnist(results):
    """Draw the losses that the first repeat kept."""
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.2), layout="constrained")
    for axes, gradient, n in zip(panels, ("true", "stochastic"), (60000, 6000), strict=True):
        for name in ("projection", "EG"):
            kept = results.kept("mnist", f"{name} losses", examples=n, gradient=gradient)
            if kept is None:
                plt.close(drawing)
                return None
            axes.plot(
                np.linspace(0, 20 if gradient == "true" else 400, len(kept)), kept, label=name
            )
        axes.set(title=f"{gradient}, {n:,} digits", xlabel="gradients", ylim=(0, 2.4))
        axes.locator_params(axis="x", nbins=5, integer=True)
    panels[0].set_ylabel("loss, nats")
    panels[1].legend()
    return drawing


@figure(
    "online",
    caption="Figure 8 on other texts: mean log-loss so far in a pass over bigrams of 20 "
    "newsgroups, one order.",
)
def online(results):
    """Draw the losses that the first repeat kept."""
    import matplotlib.pyplot as plt

    drawing, panels = plt.subplots(1, 2, figsize=(7.2, 3.0), layout="constrained", sharey=True)
    for axes, task in zip(panels, ("comp", "talk"), strict=True):
        for name in ("projection", "EG"):
            kept = results.kept("online", f"{name} loss", task=task, postings=4000)
            if kept is None:
                plt.close(drawing)
                return None
            axes.plot(np.arange(1, 41) * 100, kept, label=name)
        axes.set(title=f"{task}.* or not", xlabel="postings seen")
    panels[0].set_ylabel("mean log-loss, nats")
    panels[1].legend()
    return drawing
