"""Figure 8 with both of its limits, and what the algorithms reach on digits and outlines."""

from icml2008.catalogue.figures import figure


@figure("fields", caption="Test log-likelihood of fields of 5x5 patches, over the updates.")
def fields(results):
    styles = {"exact": {"linestyle": "--", "label": "exact gradient"}, "PCD": {}, "PL": {}}
    axes = results.curve("mrf", "fit", x="updates", methods=styles, side=5)
    axes.set(xscale="log", ylabel="nats")
    return axes.figure
