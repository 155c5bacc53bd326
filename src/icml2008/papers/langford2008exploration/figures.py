"""How wide Theorem 3's bound is, and what the estimates of attention decay come to."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet


@figure(
    "theorems-3-and-6",
    caption=(
        "Left: 95 % quantile of the error in 4096 rounds, in percent of Theorem 3's bound. Right:"
        " error of estimates of attention decay where better ads sit higher (natural logarithm)."
    ),
)
def theorems(results):
    drawing, (left, right) = sheet(1, 2, figsize=(7.2, 2.9))
    for logger in ("rotating", "greedy", "flattering"):
        cells = results.cells("deviation", logger=logger, rounds=4096)
        shares = [results.values("deviation", "scavenging", "tightness", **c).mean() for c in cells]
        left.plot([cell["actions"] for cell in cells], shares, "o-", label=logger)
    left.set(ylim=(0, 25), xticks=[2, 4, 8], xlabel="actions", ylabel="percent of the bound")
    left.legend(title="logger")
    methods = ["naive", "equal", "section-4.4", "theorem-7"]
    at = {"x": "rounds", "methods": methods, "axes": right, "logger": "sorted"}
    results.curve("slates", "log_error", **at)
    right.set(xscale="log", xlabel="rounds", ylabel="ln(relative error)")
    right.legend()
    return drawing
