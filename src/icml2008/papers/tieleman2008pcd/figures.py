"""Figure 8 with its limit, and what the algorithms reach on digits."""

import numpy as np

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

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
    drawing, (fields, digits) = sheet(1, 2, figsize=(7.2, 3.0))
    results.curve("mrf", "fit", x="updates", methods=FIELDS, axes=fields, side=5)
    fields.set(xscale="log", xlabel="updates", ylabel="nats", title="fully visible fields")
    if fields.get_lines():
        fields.legend()
    for hidden, updates, mark, colour in ((500, 1000, "s", "C3"), (25, 2000, "o", "C4")):
        for place, name in enumerate(ALGORITHMS):
            fits = results.values(f"hidden-{hidden}", name, "fit", hidden=hidden, updates=updates)
            label = None if place else f"{hidden} hidden units"
            digits.plot([place] * len(fits), fits, mark, color=colour, ms=4, alpha=0.6, label=label)
    digits.margins(y=0.2)
    digits.legend(loc="lower left")
    digits.set(xticks=range(4), xticklabels=ALGORITHMS, title="digits")
    return drawing


@figure(
    "labels-and-outlines",
    caption=(
        "Errors of machines of 500 hidden units that learn digits with their labels, and "
        "log-likelihood of outlines of ours under 100 hidden units, over charged updates."
    ),
)
def labels_and_outlines(results):
    drawing, (labels, outlines) = sheet(1, 2, figsize=(7.2, 3.0))
    results.curve("classify", "error", x="updates", methods=ALGORITHMS, axes=labels, hidden=500)
    results.curve("shapes", "fit", x="updates", methods=ALGORITHMS, axes=outlines, hidden=100)
    labels.set(xscale="log", xlabel="updates", ylabel="errors, %", title="digits with labels")
    outlines.set(xscale="log", xlabel="updates", ylabel="nats", title="outlines")
    for axes, ends in ((labels, (500, 2000, 10_000)), (outlines, (500, 8000))):
        axes.set_xticks(ends, labels=[f"{end:,}" for end in ends])
        axes.minorticks_off()
    if outlines.get_lines():
        outlines.legend(loc="lower right")
    return drawing


@figure(
    "samples",
    caption=(
        "Last states of chains that began with coin flips, after 1,000 Gibbs steps of the machines "
        "of 500 hidden units that PCD and CD-1 learnt by 2,000 updates."
    ),
)
def samples(results):
    cell = {"hidden": 500, "updates": 2000}
    rows = {name: results.kept("samples", name, **cell) for name in ("PCD", "CD-1")}
    if any(row is None for row in rows.values()):
        return None
    drawing, panels = sheet(2, 1, figsize=(7.2, 1.7))
    for axes, (name, row) in zip(panels, rows.items(), strict=True):
        axes.imshow(np.hstack(row.reshape(-1, 28, 28)), cmap="gray_r", interpolation="none")
        axes.set(xticks=[], yticks=[], ylabel=name)
    return drawing
