"""Figures 2 to 7: accuracy over the eigenvectors that f admits."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

PANELS = (
    ("dense", {"dataset": "heart", "p": 0.75}, "Heart, dense, p = 0.75"),
    ("dense", {"dataset": "spambase", "p": 0.75}, "Spambase, dense, p = 0.75"),
    ("dense", {"dataset": "spambase", "p": 0.65}, "Spambase, dense, p = 0.65"),
    ("dense", {"dataset": "hepatitis", "p": 0.6}, "Hepatitis, dense, p = 0.6"),
    ("complete", {"dataset": "heart"}, "Heart, complete, p = 0.53"),
    ("complete", {"dataset": "spambase"}, "Spambase, complete, p = 0.53"),
)
LINES = (("spectral", "no advice", "C0", "-"), ("method-one", "METHOD ONE", "C1", "--"))


@figure(
    "curves",
    caption="Figures 2 to 7: mean accuracy over the share of eigenvectors that f admits, of six "
    "draws of advice; METHOD ONE and no advice, and METHOD TWO at the left, of twelve others, on "
    "Spambase of other e-mails, too.",
)
def curves(results):
    """Draw the searched curves, with the extremes beside them."""
    cells = [
        (experiment, cell, title)
        for experiment, cell, title in PANELS
        if results.cells(experiment, **cell)
    ]
    if len(cells) < len(PANELS):
        return None
    drawing, panels = sheet(2, 3, figsize=(7.2, 4.4))
    for axes, (experiment, cell, title) in zip(np.ravel(panels), cells, strict=True):
        shares = np.arange(1, 40) / 40
        curve = results.kept(experiment, "curve", **cell)
        axes.plot(shares, curve, color="C2", label="METHOD THREE")
        for method, label, colour, style in LINES:
            height = np.mean(results.values(experiment, method, "accuracy", **cell))
            axes.axhline(height, color=colour, ls=style, label=label)
        strict = np.mean(results.values(experiment, "method-two", "accuracy", **cell))
        axes.plot(0, strict, "o", color="C2", ms=4)
        axes.set_title(title, fontsize=8)
    for axes in panels[:, 0]:
        axes.set_ylabel("accuracy, %")
    for axes in panels[1]:
        axes.set_xlabel("share of eigenvectors")
    panels[1, 1].legend(fontsize=6, loc="center right")
    return drawing
