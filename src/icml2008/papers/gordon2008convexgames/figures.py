"""Regret of each set of transformations, and joint play in cyclic games."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import legend_above, sheet

from .experiments import NATURES, PLAYS
from .method import SETS


@figure(
    "cyclic-games",
    caption=(
        "Joint play in cyclic games: total variation to the correlated equilibria, of players"
        " without linear regret, and of players without external regret alone."
    ),
)
def cyclic_games(results):
    drawing, panels = sheet(1, 2, figsize=(5.6, 2.8), sharey=True)
    methods = {
        "algorithm": {"label": "no linear regret"},
        "external": {"label": "no external regret", "color": "0.5"},
    }
    for axes, kind in zip(panels, PLAYS, strict=True):
        how = {"x": "rounds", "methods": methods, "axes": axes, "band": True, "play": kind}
        cells = {"set": "linear-simplex", "game": "cyclic"}
        if results.curve("equilibria", "distance", **how, **cells) is None:
            return None
        axes.set(xscale="log", yscale="log", title=f"play: {kind}", xlabel="rounds")
        axes.set_yticks([0.03, 0.1, 0.3], ["0.03", "0.1", "0.3"])
    axes.legend()
    panels[0].set_ylabel("distance to equilibria")
    return drawing


@figure("regrets", caption="Phi-regret over rounds, against three natures; dotted, sqrt(T).")
def regrets(results):
    drawing, panels = sheet(2, 3, figsize=(7.2, 4.2), sharex=True, sharey=True)
    for axes, name in zip(panels.flat, SETS, strict=True):
        for nature in NATURES:
            methods = {"algorithm": {"label": nature}}
            how = {"x": "rounds", "methods": methods, "axes": axes, "set": name, "nature": nature}
            results.curve("theorem-1", "regret", **how)
        axes.plot([16, 1024], [4, 32], color="black", linestyle="dotted", linewidth=1)
        axes.set(xscale="log", yscale="log", title=name)
    drawing.supxlabel("rounds")
    drawing.supylabel("regret")
    legend_above(drawing, axes, 3)
    return drawing
