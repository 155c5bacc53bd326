"""Who wins on which task, Figure 1 anew, and the streams in the place of Figure 2."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet
from icml2008.papers.dredze2008confidence.experiments import PASSES, TASKS

RIVALS = {"PA": "online", "SVM": "batch", "Maxent": "batch", "SVM-TFIDF": "batch"}


@figure(
    "leads",
    caption="By how many points of error Variance leads on the tasks that can be had: means of six "
    "runs of ten folds with their range; diamonds are printed. Left of the line the rival wins.",
)
def leads(results):
    tasks = [task for task in TASKS if results.cells("batch", task=task)]
    if not tasks:
        return None
    drawing, axes = sheet(figsize=(5.6, 4.4))
    for number, (rival, experiment) in enumerate(RIVALS.items()):
        table = "table-2-online" if experiment == "online" else "table-2-batch"
        for row, task in enumerate(tasks):
            theirs, ours = (
                results.values(experiment, name, "error", task=task) for name in (rival, "Variance")
            )
            lead = theirs - ours
            height = row + 0.18 * (number - 1.5)
            style = {"color": f"C{number}", "marker": "o", "markersize": 4}
            axes.plot([lead.mean()], [height], label=rival if row == 0 else None, **style)
            axes.plot([lead.min(), lead.max()], [height] * 2, color=f"C{number}", linewidth=1)
            printed = [
                results.printed(claim, method=name, task=task)
                for claim, name in ((table, rival), ("table-2-online", "Variance"))
            ]
            if None not in printed:
                axes.plot([printed[0] - printed[1]], [height], **PRINTED | {"color": f"C{number}"})
    axes.axvline(0, color="0.4", linewidth=1)
    axes.set_yticks(range(len(tasks)), tasks)
    axes.invert_yaxis()
    axes.set_xlabel("error of the rival less that of Variance, points")
    drawing.legend(loc="outside upper center", ncols=len(RIVALS))
    return drawing


@figure(
    "passes-on-talk",
    caption="Figure 1 anew, as errors: guns against Middle East, test error after each pass, means "
    "of six runs.",
)
def passes_on_talk(results):
    if not results.cells("online", task="talk"):
        return None
    drawing, axes = sheet(figsize=(5.2, 3.2))
    runs = range(len(results.values("online", "PA", "error", task="talk")))
    for name in ("PA", "Variance", "Variance-Exact"):
        errors = [results.kept("online", f"{name} by pass", task="talk", repeat=r) for r in runs]
        axes.plot(range(1, PASSES + 1), np.mean(errors, axis=0), marker="o", label=name)
    axes.set(xlabel="passes", ylabel="error, %", xticks=range(1, PASSES + 1), ylim=(0, None))
    axes.legend()
    return drawing


@figure(
    "parts-of-reviews",
    caption="In the place of Figure 2: 7,000 reviews cut into parts. One model of the whole stream "
    "(PA, Variance), the average part, and two combinations of the parts.",
)
def parts_of_reviews(results):
    methods = ["PA", "Variance", "Average", "Uniform", "Weighted"]
    drawing = results.curve(
        "combine", "error", x="parts", methods=methods, band=True, stream="reviews"
    )
    if drawing is None:
        return None
    (axes,) = drawing.axes
    axes.set(ylabel="error, %", xscale="log")
    axes.set_xticks([10, 50, 100], ["10", "50", "100"], minor=False)
    axes.get_legend().remove()
    drawing.legend(loc="outside upper center", ncols=len(methods))
    return drawing
