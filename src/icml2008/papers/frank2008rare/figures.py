"""Figure 2 by steps, with what sampling at its best would reach."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

NAMES = {"REASA": "REASA", "TD": "TD, 2300 transitions a step", "TD, same samples": "TD"}


@figure("errors", caption="Error for state 0 over its value: root mean square and median of runs.")
def errors(results):
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.0), sharey=True)
    for metric, axes in zip(("log_rmse", "log_median"), panels, strict=True):
        styles = {name: {"label": label} for name, label in NAMES.items()}
        styles["optimal sampling"] = {"linestyle": "--", "label": "sampling by Equation 6"}
        results.curve("chains", metric, x="steps", methods=styles, axes=axes, band=True)
        title = "root mean square" if metric == "log_rmse" else "median"
        axes.set(xscale="log", xlabel="steps", title=title)
    panels[0].set(ylabel="error over the value, decades")
    legend_above(drawing, axes, 4)
    return drawing
