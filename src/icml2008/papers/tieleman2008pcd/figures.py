"""Figure 8 with its limit, and what the algorithms reach on digits."""

from icml2008.catalogue.figures import figure

FIELDS = {"exact": {"linestyle": "--", "label": "exact gradient"}, "PCD": {}, "PL": {}}
ALGORITHMS = ["PCD", "CD-1", "CD-10", "MF CD"]


@figure(
    "learning",
    caption=(
        "Log-likelihood of test data in nats: fields of 5x5 patches over updates, and digits with "
        "25 hidden units after 2,000 updates (dots) and 500 after 1,000 (squares, annealed), those "
        "of CD-10 charged four, for each of six starts."
    ),
)
def learning(results):
    import matplotlib.pyplot as plt

    drawing, (fields, digits) = plt.subplots(1, 2, figsize=(7.2, 3.0), layout="constrained")
    results.curve("mrf", "fit", x="updates", methods=FIELDS, axes=fields, side=5)
    fields.set(xscale="log", xlabel="updates", ylabel="nats", title="fully visible fields")
    if fields.get_lines():
        fields.legend()
    for hidden, updates, mark, colour in ((500, 1000, "s", "C3"), (25, 2000, "o", "C4")):
        for place, name in enumerate(ALGORITHMS):
            found = results.values(f"hidden-{hidden}", name, "fit", hidden=hidden, updates=updates)
            label = None if place else f"{hidden} hidden units"
            digits.plot(
                [place] * len(found), found, mark, color=colour, ms=4, alpha=0.6, label=label
            )
    digits.margins(y=0.2)
    digits.legend(loc="lower left")
    digits.set(xticks=range(4), xticklabels=ALGORITHMS, title="digits")
    return drawing
