"""Figure 8 with its limit, and what the algorithms reach on digits and outlines."""

from icml2008.catalogue.figures import figure

FIELDS = {"exact": {"linestyle": "--", "label": "exact gradient"}, "PCD": {}, "PL": {}}
ALGORITHMS = ["PCD", "CD-1", "CD-10", "MF CD"]


@figure(
    "learning",
    caption=(
        "Fields of patches, and test digits with 25 hidden units (each start), in nats; "
        "errors on test digits in percent; over updates, those of CD-10 charged four."
    ),
)
def learning(results):
    import matplotlib.pyplot as plt

    drawing, (fields, digits, errors) = plt.subplots(1, 3, figsize=(7.2, 2.9), layout="constrained")
    results.curve("mrf", "fit", x="updates", methods=FIELDS, axes=fields, side=5)
    fields.set(xscale="log", xlabel="updates", title="fields, nats")
    for place, name in enumerate(ALGORITHMS):
        found = results.values("hidden-25", name, "fit", hidden=25, updates=2000)
        digits.plot([place] * len(found), found, "o", markersize=3, alpha=0.6)
    digits.set(xticks=range(4), xticklabels=ALGORITHMS, title="25 hidden units, nats")
    digits.tick_params(axis="x", rotation=45)
    results.curve("classify", "error", x="updates", methods=ALGORITHMS, axes=errors, hidden=500)
    errors.set(xlabel="charged updates", title="errors, %")
    for axes in (fields, errors):
        if axes.get_lines():
            axes.legend(fontsize="small")
    return drawing
