"""Figures 1 and 2, drawn together."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet

from .experiments import Q


@figure(
    "error-over-q",
    caption="Percent of test texts in the wrong class over q, with C tuned for each, means and "
    "standard deviations of 30 draws. Dashed: the linear kernel; dotted: the heat kernel.",
)
def error_over_q(results):
    """Draw a panel for each task."""
    drawing, panels = sheet(1, 2, figsize=(7.2, 3.2))
    for axes, task in zip(panels, ("earn-acq", "stud-fac"), strict=True):
        for idf, colour in ((0, "C0"), (1, "C1")):
            cell = {"task": task, "idf": idf}
            if not results.cells("text", **cell):
                continue
            errors = [results.values("text", f"q={q:g}", "error", **cell) for q in Q]
            spread = [values.std(ddof=min(1, len(values) - 1)) for values in errors]
            means = [values.mean() for values in errors]
            style = {"color": colour, "label": "tf-idf" if idf else "tf", "capsize": 2, "ms": 3}
            axes.errorbar(Q + 0.02 * idf, means, spread, marker="o", lw=1, **style)
            for rival, line in (("linear", "--"), ("heat", ":")):
                error = results.values("text", rival, "error", **cell).mean()
                axes.axhline(error, color=colour, ls=line, lw=1)
        axes.set(title=task, xlabel="q", ylabel="percent wrong")
        axes.set_ylim(bottom=0)
    panels[0].legend()
    return drawing
