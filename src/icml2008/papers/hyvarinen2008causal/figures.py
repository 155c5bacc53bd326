"""Figure 1: scatterplots of five data sets, and distances from their diagonals."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

COLUMNS = (("B0", 0, "estimated B0", 1), ("B1", 2, "estimated B1", 3), ("B1", 2, "estimated M1", 4))


@figure(
    "scatterplots",
    caption=(
        "Figure 1, full networks: estimates against generating values, five data sets of 300 times"
        " (above) and of 1000. Left: B0. Middle: B1. Right: M1, which neglects B0, against B1."
    ),
)
def scatterplots(results):
    kept = {n: results.kept("figure-1", "dots", density="full", length=n) for n in (300, 1000)}
    if any(dots is None for dots in kept.values()):
        return None
    drawing, panels = sheet(2, 3, sharex="col", sharey="col", figsize=(6.2, 4.2), dpi=110)
    for row, (length, dots) in zip(panels, kept.items(), strict=True):
        for axes, (true, x, estimated, y) in zip(row, COLUMNS, strict=True):
            end = 2.0 if true == "B0" else 0.75
            axes.plot([-end, end], [-end, end], color="0.6", linewidth=0.8)
            style = {"color": "#0b5cad", "marker": ".", "markersize": 3, "linestyle": "none"}
            axes.plot(dots[x], dots[y], rasterized=True, **style)
            axes.set(xlim=(-end, end), ylim=(-end, end), ylabel=f"{estimated}, {length}")
            if length == 1000:
                axes.set_xlabel(f"generating {true}")
    return drawing


@figure(
    "distances",
    caption=(
        "Mean distance of entries from B0 (left) and from B1, full networks. VAR has no B0, takes"
        " M1 for B1 and tends to the exact M1. True order: least squares with the order known."
    ),
)
def distances(results):
    drawing, both = sheet(1, 2, figsize=(6.2, 3.2))
    for axes, metric in zip(both, ("b0", "b1"), strict=True):
        names = ["VAR-LiNGAM", "VAR", "true order", "Gaussian", "exact M1"][: 5 - (metric == "b0")]
        how = {"x": "length", "methods": names, "axes": axes, "density": "full"}
        if results.curve("figure-1", metric, **how) is None:
            return None
        axes.set(
            xscale="log", yscale="log", xlabel="times", ylabel=f"distance from {metric.upper()}"
        )
    legend_above(drawing, both[1], 3)
    return drawing
