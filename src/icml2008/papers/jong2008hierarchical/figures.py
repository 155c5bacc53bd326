"""Figures 2a and 3: cumulative rewards of one run of each learner."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

PLAIN = ["R-MAXQ", "R-MAX", "augmented", "MAXQ-Q"]


@figure(
    "cumulative",
    caption="Cumulative reward of one run; without abstraction, MAXQ-Q falls on to -370 thousand.",
)
def cumulative(results):
    if results.kept("curves", "R-MAXQ", episodes=2000) is None:
        return None
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.0), sharey=True)
    for axes, names, title in (
        (panels[0], PLAIN, "Figure 2a: no abstraction"),
        (panels[1], [f"{name}, abstract" for name in PLAIN if name != "augmented"], "Figure 3"),
    ):
        for name in names:
            total = results.kept("curves", name, episodes=2000)
            if total is not None:
                color = f"C{PLAIN.index(name.removesuffix(', abstract'))}"
                style = "--" if name == "augmented" else "-"
                episodes = 20 * np.arange(1, len(total) + 1)
                axes.plot(episodes, total / 1000, style, color=color, label=name.split(",")[0])
        axes.set(title=title, xlabel="episodes", ylim=(-125, 10))
    panels[0].set_ylabel("reward, thousands")
    panels[0].legend()
    return drawing
