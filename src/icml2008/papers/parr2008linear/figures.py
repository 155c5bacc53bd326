"""Figure 1 redrawn from records."""

from __future__ import annotations

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

ROWS = {
    "figure-1a": ({"problem": "chain"}, "chain"),
    "figure-1d": ({"problem": "two-room"}, "two rooms"),
    "figure-1g": ({"model": "ergodic"}, "blackjack"),
}
COLUMNS = ("Bellman error", "reward error", "feature error")
METHODS = {"PVF": "C0", "PVF-MP": "C1", "Eig-MP": "C2", "BEBF": "C3"}


@figure(
    "decomposition",
    caption=(
        "Figure 1 redrawn: Bellman error and its two parts against the number of features, "
        "relative to the norm of the rewards. Curves that leave a panel at the top are cut off."
    ),
)
def decomposition(results):
    import matplotlib.pyplot as plt

    paths = {
        (row, method): results.kept(row, f"path {method}", **cell)
        for row, (cell, _) in ROWS.items()
        for method in METHODS
    }
    if all(path is None for path in paths.values()):
        return None
    drawing, axes = sheet(len(ROWS), len(COLUMNS), figsize=(5.6, 4.6), sharex="row")
    for panels, (row, (_, title)) in zip(axes, ROWS.items(), strict=True):
        panels[0].set_ylabel(title)
        for column, panel in enumerate(panels):
            for method, colour in METHODS.items():
                path = paths[row, method]
                if path is not None:
                    panel.plot(range(1, len(path) + 1), path[:, column], color=colour, lw=1.2)
            panel.set_ylim(-0.1, 2.6)
    for panel, name in zip(axes[0], COLUMNS, strict=True):
        panel.set_title(name, fontsize=9)
    axes[-1, 1].set_xlabel("features")
    handles = [plt.Line2D([], [], color=colour, label=name) for name, colour in METHODS.items()]
    drawing.legend(handles=handles, loc="outside lower center", ncols=len(METHODS), frameon=False)
    return drawing
