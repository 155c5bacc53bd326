"""Figures 1 and 3 of the paper, redrawn from records."""

from __future__ import annotations

import numpy as np

from icml2008.catalogue.figures import PRINTED, figure
from icml2008.catalogue.panels import sheet


@figure(
    "guessers",
    caption="How well the best of so many guessers does, in expectation, on questions with two "
    "answers: by Theorem 4.1 (lines) and in simulated groups (crosses). Diamond: the printed "
    "80 % of 200 guessers on 20 games.",
)
def guessers(results):
    drawing, axes = sheet(figsize=(5.2, 3.2))
    cells = results.cells("formula", p_err=0.5)
    for number, n in enumerate(sorted({cell["examples"] for cell in cells})):
        mine = sorted((c for c in cells if c["examples"] == n), key=lambda c: c["guessers"])
        places = [cell["guessers"] for cell in mine]
        for method, style in {"Theorem 4.1": "-", "Simulation": "x"}.items():
            means = [results.values("formula", method, "accuracy", **c).mean() for c in mine]
            label = f"{n} questions" if style == "-" else None
            axes.plot(places, means, style, color=f"C{number}", markersize=4, label=label)
    axes.plot([200], [80], **PRINTED)
    axes.set(xscale="log", xlabel="guessers", ylabel="best accuracy, %")
    axes.legend()
    return drawing


@figure(
    "errors-allowed",
    caption="Accuracy over the number of errors that a kept feature may make on the validation "
    "half, as in Figure 3 (one pass each). Band: the multiplicity gap; dashed: its middle, the "
    "paper's threshold. Grey: generated tasks, in place of the fMRI scans.",
)
def errors_allowed(results):
    panels = [("colon", "colon", cell) for cell in results.cells("colon")]
    panels += [
        ("sparse-tasks", f"{cell['informative']} of 80,000 differ", cell)
        for cell in results.cells("sparse-tasks", features=80_000)
        if cell["informative"] > 10
    ]
    if not panels:
        return None
    drawing, axes = sheet(1, len(panels), figsize=(6.2, 2.6), sharey=True, squeeze=False)
    for panel, (experiment, title, cell) in zip(axes[0], panels, strict=True):
        curve = results.kept(experiment, "curve", **cell)
        low, high = results.kept(experiment, "gap", **cell)
        panel.axvspan(low, high, color="C0", alpha=0.15, linewidth=0)
        panel.axvline((low + high) / 2, color="C0", linestyle="--", linewidth=1)
        panel.plot(np.arange(len(curve)), curve, color="C0" if experiment == "colon" else "0.4")
        panel.set_title(title, fontsize=8)
        panel.set(xlabel="errors allowed")
    axes[0, 0].set_ylabel("accuracy, %")
    return drawing
