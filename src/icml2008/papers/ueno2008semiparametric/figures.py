"""Figure 2, and what becomes of it with more steps."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

THREE = ["LSTD", "LSTDc", "gLSTD"]


@figure("errors", caption="Squared errors of values in 100 episodes of 100 steps, as in Figure 2.")
def errors(results):
    import matplotlib.pyplot as plt

    drawing, axes = sheet(figsize=(3.6, 2.6))
    errors_of = [results.kept("episodes", name, steps=100) for name in THREE]
    lines = {"color": plt.rcParams["text.color"]}
    kinds = ("boxprops", "whiskerprops", "capprops", "medianprops")
    axes.boxplot(
        errors_of, tick_labels=THREE, showfliers=False, whis=(5, 95), **dict.fromkeys(kinds, lines)
    )
    axes.set(yscale="log", ylabel="squared error")
    axes.yaxis.set_minor_locator(plt.NullLocator())
    return drawing


@figure("error-over-steps", caption="Mean squared error of values, over the steps of an episode.")
def error_over_steps(results):
    import matplotlib.pyplot as plt

    drawing, axes = sheet(figsize=(4.2, 2.8))
    styles = dict.fromkeys([*THREE, "LSTD, sample mean"], {}) | {"gLSTD": {"linestyle": "--"}}
    results.curve("episodes", "error", x="steps", methods=styles, axes=axes)
    axes.set(xscale="log", yscale="log", xlabel="steps", ylabel="mean squared error")
    axes.yaxis.set_minor_locator(plt.NullLocator())
    axes.legend()
    return drawing
