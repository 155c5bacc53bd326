"""What noise gains on each draw (Table 1), and filters at rising noise (Figure 3)."""

import numpy as np

from icml2008.catalogue.figures import figure

PROBLEMS = ["basic", "rot", "bg-rand", "rect", "convex"]


@figure(
    "gain",
    caption=(
        "Test error without noise less that with noise, in points, each at its best setting of the "
        "same 20: six draws of each problem and their mean. Above 0 noise helps."
    ),
)
def gain(results):
    import matplotlib.pyplot as plt

    drawing, axes = plt.subplots(figsize=(5.2, 3.0), layout="constrained")
    for place, problem in enumerate(PROBLEMS):
        noisy, plain = (
            np.array(results.values("table-1", name, "error", problem=problem))
            for name in ("SdA-3", "SAA-3")
        )
        if len(noisy) == 0:
            return None
        gains = plain - noisy
        axes.plot([place] * len(gains), gains, "o", color="C0", ms=4, alpha=0.6)
        axes.plot([place - 0.2, place + 0.2], [gains.mean()] * 2, color="C1", lw=2)
    axes.axhline(0, color="0.5", lw=0.8)
    axes.set_xticks(range(len(PROBLEMS)), PROBLEMS)
    axes.set(ylabel="SAA-3 less SdA-3, points")
    return drawing


@figure(
    "filters",
    caption=(
        "Twelve filters of 1,000 after six passes over 3,000 digits, without noise, with 25 and "
        "with 50 %, from one start; each scaled to its largest weight."
    ),
)
def filters(results):
    import matplotlib.pyplot as plt

    drawing, rows = plt.subplots(3, 1, figsize=(5.2, 1.8), layout="constrained")
    for axes, noise in zip(rows, ("none", "25 %", "50 %"), strict=True):
        W = results.kept("filters", noise, problem="digits")
        if W is None:
            return None
        tiles = np.pad(W[:, :12].T.reshape(12, 28, 28), ((0, 0), (1, 1), (1, 1)))
        shown = 20 * np.rint(np.hstack(list(tiles)) / 20)
        axes.imshow(shown, cmap="gray", vmin=-100, vmax=100, interpolation="none")
        axes.set_ylabel(noise)
        axes.grid(visible=False)
        axes.set(xticks=[], yticks=[])
    return drawing
