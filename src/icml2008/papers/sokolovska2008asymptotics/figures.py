"""Figures 2 and 3: excess risks and probabilities of error over the number of examples."""

from icml2008.catalogue.figures import figure
from icml2008.catalogue.panels import sheet


@figure(
    "simulation",
    caption="Excess risk with flipped labels (Figure 2), and error with a right model (Figure 3).",
)
def simulation(results):
    drawing, (risks, errors) = sheet(1, 2, figsize=(7.2, 3.0))
    flipped = {"model": "flipped", "bayes": 1.7}
    right = {"model": "right", "bayes": 6.3}
    methods = ["logistic", "weighted"]
    results.curve(
        "simulation", "log_risk", x="n", methods=methods, axes=risks, band=True, **flipped
    )
    results.curve("simulation", "error", x="n", methods=methods, axes=errors, band=True, **right)
    risks.set(xscale="log", xlabel="examples", ylabel="log of n times the excess risk")
    errors.set(xscale="log", xlabel="examples", ylabel="probability of error, %")
    risks.set(title="three labels flipped, Bayes error 1.7 %")
    errors.set(title="right model, Bayes error 6.3 %")
    return drawing
