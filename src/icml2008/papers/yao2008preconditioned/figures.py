"""Errors over lambda and over visits, and work over the size of the chain."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import SCHEDULES

FIVE = ["GRAD", "MR", "iLSPE", "LSPE", "LSTD"]


@figure("lambda", caption="RMS error over lambda: replayed, by what becomes of traces, and online.")
def over_lambda(results):
    drawing, panels = sheet(1, 3, figsize=(7.2, 2.9))
    for universe, label in (("default", "reset"), ("trace=carried", "carried over")):
        styles = {"LSTD": {"label": label}}
        how = {"methods": styles, "axes": panels[0], "universe": universe}
        results.curve("replay", "rms", x="lambda", band=True, **how)
    panels[0].set(title="replay, LSTD", yscale="log", xlabel="lambda", ylabel="RMS error")
    panels[0].legend(title="traces")
    for visits, axes in zip((900, 90_000), panels[1:], strict=True):
        results.curve("online", "rms", x="lambda", visits=visits, methods=FIVE, axes=axes)
        axes.set(title=f"online, {visits:,} visits", xlabel="lambda")
    legend_above(drawing, axes, 6)
    return drawing


@figure("step-size", caption="RMS error over visits at lambda 0, beside nine schedules of iLSTD.")
def step_size(results):
    drawing, axes = sheet(figsize=(4.6, 3.2))
    grey = {"color": "0.6", "linewidth": 0.8, "marker": "", "zorder": 1}
    styles = {name: grey | {"label": "_"} for name in SCHEDULES}
    styles["iLSTD 1 1e+06"] = grey | {"label": "iLSTD"}
    styles |= dict.fromkeys(["MR", "iLSPE", "LSPE", "LSTD"], {})
    results.curve("step-size", "log_rms", x="visits", methods=styles, axes=axes)
    axes.set(xscale="log", xlabel="visits", ylabel="RMS error, decades")
    axes.legend()
    return drawing
