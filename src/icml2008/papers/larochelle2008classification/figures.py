"""Validation errors over passes (Table 1), and similarities of newsgroups (Figure 3)."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

COLOURS = {"DRBM": "C1", "HDRBM": "C0", "NNet": "C2"}
SHORT = [
    *("atheism", "graphics", "ms-windows", "pc.hardware", "mac.hardware", "windows.x", "forsale"),
    *("autos", "motorcycles", "baseball", "hockey", "crypt", "electronics", "med", "space"),
    *("christian", "guns", "mideast", "politics", "religion"),
]


@figure(
    "passes",
    caption=(
        "Validation error on MNIST by the number of passes, one seed, to the end of the look-ahead "
        "of 15 passes, or 60 passes."
    ),
)
def passes(results):
    drawing, axes = sheet(figsize=(5.2, 3.0))
    for method, colour in COLOURS.items():
        errors = results.kept("digits", method, dataset="mnist")
        if errors is None:
            return None
        axes.plot(range(1, len(errors) + 1), errors, "o-", color=colour, ms=3, label=method)
    axes.set(xlabel="passes over 50,000 digits", ylabel="validation error in percent")
    axes.set_ylim(bottom=0)
    axes.legend()
    return drawing


@figure(
    "similarity",
    caption="Similarity sigm(U'U) of the class weights of newsgroups in HDRBM, one seed.",
)
def similarities(results):
    M = results.kept("newsgroups", "similarity", dataset="newsgroups")
    if M is None:
        return None
    drawing, axes = sheet(figsize=(5.2, 4.6))
    drawn = axes.imshow(M, cmap="Blues", vmin=0, vmax=1)
    axes.grid(visible=False)
    axes.set_xticks(range(len(SHORT)), SHORT, rotation=90, fontsize=7)
    axes.set_yticks(range(len(SHORT)), SHORT, fontsize=7)
    drawing.colorbar(drawn, ax=axes, shrink=0.8, label="similarity")
    return drawing
