"""How many processes leave SARSA without one limit."""

from icml2008.catalogue.figures import figure


@figure("limits", caption="Processes in which SARSA's equation has several limits or none.")
def limits(results):
    drawing = results.curve("theorem-2", "several", x="temperature", methods=["SARSA"])
    drawing.axes[0].set(xscale="log", ylabel="percent of processes")
    return drawing
