"""Figures 1 to 3 anew: samples until a mean is known within a tenth."""

from __future__ import annotations

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

STYLES = {
    "NAS": {"color": "0.35", "marker": "s"},
    "NAS-geometric": {"color": "0.65", "marker": "s"},
    "AA": {"color": "C2", "marker": "^"},
    "EBStop": {"color": "#9a8700", "marker": "o"},
    "EBGStop": {"color": "C0", "marker": "o"},
    "EBGStop*": {"color": "#0b5cad", "marker": "o"},
    "plug-in": {"color": "C3", "marker": "v"},
    "known": {"color": "black", "ls": ":", "marker": ""},
}
PANELS = {
    "averages": "averages of n uniforms, over n",
    "means": "width 0.2, over the mean",
    "bernoulli": "Bernoulli, over the mean",
}


@figure(
    "samples",
    caption="Samples until a mean is known within 10 % with probability 0.9, means of 100 runs:"
    " Figures 1 to 3 anew, with today's confidence sequence (plug-in) and what suffices where mean"
    " and variance are known.",
)
def samples(results):
    """Draw the samples of each rule in the three settings."""
    from matplotlib.ticker import EngFormatter

    if not results.cells("stops"):
        return None
    drawing, grid = sheet(1, 3, figsize=(7.4, 3.6))
    for axes, (family, title) in zip(grid, PANELS.items(), strict=True):
        results.curve("stops", "samples", x="at", methods=STYLES, axes=axes, family=family)
        axes.set(xscale="log", yscale="log", title=title, xlabel="", ylabel="")
        axes.title.set_fontsize("medium")
        axes.yaxis.set_major_formatter(EngFormatter(sep=""))
        if axes.get_legend():
            axes.get_legend().remove()
    grid[0].set_ylabel("samples")
    drawing.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return drawing
