"""The table of Section 6.1, drawn."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet


@figure(
    "steps",
    caption="Steps until the policy is optimal from the six probes; crosses are the printed means.",
)
def steps(results):
    import matplotlib.pyplot as plt

    panels = {
        "5 x 5, as printed": ("taxi", 5, "steps", ["Rmax", "Factored-Rmax", "DOORMAX"]),
        "10 x 10, our walls": ("scaling", 10, "steps-10x10", ["Factored-Rmax", "DOORMAX"]),
    }
    drawing, axes = sheet(2, figsize=(4.2, 2.8), height_ratios=[3, 2], sharex=True)
    lines = {"color": plt.rcParams["text.color"]}
    kinds = ("boxprops", "whiskerprops", "capprops", "medianprops")
    for (title, (experiment, size, claim, methods)), panel in zip(
        panels.items(), axes, strict=True
    ):
        samples = [results.values(experiment, name, "steps", size=size) for name in methods]
        panel.boxplot(
            samples,
            orientation="horizontal",
            tick_labels=methods,
            showfliers=False,
            whis=(5, 95),
            widths=0.5,
            **dict.fromkeys(kinds, lines),
        )
        for at, name in enumerate(methods, 1):
            if number := results.printed(claim, method=name):
                panel.plot(number, at, "x", color="C1", markersize=8, markeredgewidth=2)
        panel.set_title(title, loc="left")
    axes[1].set(xscale="log", xlabel="steps")
    return drawing
