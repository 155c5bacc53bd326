"""The large machines' log-probabilities beside the printed ones."""

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet

from .experiments import COMPONENTS, GIBBS

ROWS = (*GIBBS, *(f"DBN-{name}" for name in GIBBS), *(f"mixture-{n}" for n in COMPONENTS))
# Tables 1 and 2 and Section 5.1, in the order of the rows
NUMBERS = (-125.53, -105.50, -86.34, -100.64, -98.29, -86.22, -168.95, -142.63, -137.64)


@figure(
    "log-probabilities",
    caption=(
        "Mean log-probability of test digits, of two layers a bound: mean (dot) and range of six"
        " (line), after eight passes and with second layers of 784 units. Diamonds are printed,"
        " after learning that is not told and with second layers of 2,000 units."
    ),
)
def log_probabilities(results):
    """Draw a row for each method."""
    if not results.cells("large", size="whole"):
        return None
    drawing, axes = sheet(figsize=(6.4, 3.2))
    for row, (name, printed) in enumerate(zip(ROWS, NUMBERS, strict=True)):
        values = results.values("large", name, "test", size="whole")
        if len(values):
            axes.plot([values.min(), values.max()], [row, row], color="C0")
            axes.plot([values.mean()], [row], "o", color="C0", ms=5)
        axes.plot([printed], [row], **PRINTED)
    axes.set(yticks=range(len(ROWS)), yticklabels=ROWS, xlabel="test log-probability, nats")
    axes.invert_yaxis()
    return drawing
