"""Reward over the setting of each agent's one parameter."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

from .experiments import AGENTS, TASKS

SOLID = ("OIM", "R-max", "MBIE-EB")


@figure(
    "settings", caption="Reward in percent of the optimum, from the least exploring setting on."
)
def settings(results):
    drawing, panels = sheet(2, 3, figsize=(7.2, 4.2), sharey=True)
    for name, axes in zip(TASKS, panels.flat, strict=False):
        for agent in AGENTS:
            means = results.kept("tuned", agent, world=name, search="long")
            if means is not None:
                style = "-" if agent in SOLID else "--"
                axes.plot(range(6), means, style, marker=".", label=agent)
        axes.set(title=name.title().replace("_", ""), xticks=range(6), ylim=(0, 105))
    for axes in panels[:, 0]:
        axes.set(ylabel="% of the optimum")
    panels[1, 1].set(xlabel="setting (8 or 3 times apart)")
    panels[1, 2].set_axis_off()
    panels[1, 2].legend(*panels[0, 0].get_legend_handles_labels(), loc="center")
    return drawing
