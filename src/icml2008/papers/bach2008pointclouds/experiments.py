"""Section 5: errors of nested cross-validation; Section 4: sizes; Section 3: definiteness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.graph_kernels.bhattacharyya import rooted_kernel, unrooted_kernel
from icml2008.methods.graph_kernels.subtrees import count_subtrees
from icml2008.papers.bach2008pointclouds.drawings import choose
from icml2008.papers.bach2008pointclouds.kernels import (
    KAPPA,
    WIDTHS,
    Gradients,
    Pixels,
    PyramidMatch,
    RandomWalk,
    Skeletons,
    Walks,
)
from icml2008.papers.bach2008pointclouds.matching import best_matching_walks
from icml2008.papers.bach2008pointclouds.models import draw, negativity
from icml2008.papers.bach2008pointclouds.selection import nested_hits


class DrawingKernel(Protocol):
    """A method of one's own for the errors: a class ``Class()`` that compares drawings."""

    def grams(self, images: np.ndarray) -> np.ndarray:
        """Return positive semidefinite Gram matrices of images, (n_settings, n, n).

        The folds choose a setting and the C of a support vector machine.
        """


def measure_error(
    trial: Trial, name: str, kernel: DrawingKernel, part: str = "training", stratified: bool = True
) -> None:
    """Record the percentage of the first digits of each class that nested folds get wrong.

    All methods of a trial meet the same folds.
    """
    dataset = trial.cell["dataset"]
    n = trial.cell["per_class"]
    data = trial.data(dataset)
    drawings = choose(data, dataset, part, 0, n)
    # All repeats have the same digits: what is drawn anew are the folds.
    grams = trial.once(name, lambda: kernel.grams(drawings.images))
    hits = nested_hits(grams, drawings.y, trial.rng("folds"), stratified)
    trial.measure(name, error=100 * float(np.mean(~hits)), n_test=hits.size)


def measure_errors(trial: Trial) -> None:
    """Record the errors of each method of a trial."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            measure_error(trial, name, make())


def reads(cell: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the data set that a cell reads."""
    return (cell.get("dataset", "mnist"),)


def of_figure_7(choices: Mapping[str, str]) -> dict[str, Callable[..., DrawingKernel]]:
    """Return walks of four orders, the printed baselines and one of today."""
    return {f"walks-{beta}": partial(Walks, 1, beta) for beta in (1, 2, 4, 6)} | {
        "RBF": Pixels,
        "random-walk": RandomWalk,
        "pyramid-match": PyramidMatch,
        "HOG": Gradients,
    }


# Costs are such that all repeats of a cell, which share its Gram matrices, are one job.
FEWEST = grid(dataset=["mnist"], per_class=[5])
FEW = grid(dataset=["mnist"], per_class=[5, 10])


@experiment(
    "digits",
    cells=[
        *FEW,
        {"dataset": "mnist", "per_class": 20},
        {"dataset": "binary-alphadigits", "per_class": 20},
        {"dataset": "mnist", "per_class": 50},
    ],
    quick=FEWEST,
    repeats=6,
    cost=2.5,
    methods=of_figure_7,
    data=reads,
    expects=DrawingKernel,
)
def classify_digits(trial: Trial) -> None:
    """Figure 7, walks: errors of five outer folds, settings chosen by five inner ones."""
    measure_errors(trial)


def as_printed(choices: Mapping[str, str]) -> dict[str, Callable[..., DrawingKernel]]:
    """Return the kernels of Figure 7 with every setting that the text leaves to the folds."""
    widths = {"widths": WIDTHS}
    walks = {f"walks-{beta}": partial(Walks, 1, beta, **widths) for beta in (1, 2, 4, 6)}
    baselines = {"RBF": Pixels, "random-walk": partial(RandomWalk, **widths)}
    return walks | baselines | {"pyramid-match": PyramidMatch}


@experiment(
    "tuned",
    cells=grid(dataset=["mnist"], per_class=[3, 50, 100]),
    quick=grid(dataset=["mnist"], per_class=[3]),
    repeats={"quick": 1, "full": 6},
    cost=2.5,
    mebibytes=8192,  # Gram matrices of a thousand digits
    methods=as_printed,
    data=reads,
    expects=DrawingKernel,
)
def classify_digits_as_tuned(trial: Trial) -> None:
    """Figure 7, walks: as `classify_digits`, widths chosen by the inner folds, too."""
    measure_errors(trial)


def of_both_arities(choices: Mapping[str, str]) -> dict[str, Callable[..., DrawingKernel]]:
    """Return Eq. 8 for alpha = 1 and 2, under the conventions that only trees know."""
    trees = partial(Walks, 2, leaves=choices["leaves"], siblings=choices["siblings"])
    return {"walks": partial(Walks, 1), "tree-walks": trees}


@experiment(
    "arity",
    cells=[
        *grid(dataset=["mnist"], per_class=[5, 10], beta=[2, 1]),
        {"dataset": "mnist", "per_class": 20, "beta": 2},
    ],
    quick=grid(dataset=["mnist"], per_class=[5, 10], beta=[2]),
    smoke=grid(dataset=["mnist"], per_class=[5], beta=[2]),
    repeats=6,
    cost=2.5,
    methods=of_both_arities,
    data=reads,
    expects=DrawingKernel,
)
def compare_arities(trial: Trial) -> None:
    """Figure 7, walks beside tree-walks, on fewer digits."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            kernel = make()
            # A method of one's own has no order of walks to set.
            if isinstance(kernel, Walks):
                kernel = replace(kernel, beta=trial.cell["beta"])
            measure_error(trial, name, kernel)


def of_conventions(choices: Mapping[str, str]) -> dict[str, Callable[..., DrawingKernel]]:
    """Return walks of order 2 and two baselines, as the choices want them."""
    common = {
        "skeletons": Skeletons(choices["thinning"], int(choices["step"]), choices["unit"]),
        "root": choices["root"],
        "unit_diagonal": choices["diagonal"] == "unit",
        "widths": WIDTHS if choices["widths"] == "nested" else WIDTHS[:1],
    }
    return {
        "walks-2": partial(Walks, 1, 2, short=choices["short"] == "counted", **common),
        "RBF": Pixels,
        "random-walk": partial(RandomWalk, **common),
    }


@experiment(
    "conventions",
    cells=FEW,
    smoke=FEWEST,
    repeats=8,
    cost=1.0,
    methods=of_conventions,
    data=reads,
    expects=DrawingKernel,
)
def try_conventions(trial: Trial) -> None:
    """Figure 7 at beta = 2 on ten digits of each class, under each choice."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            stratified = trial.choices["folds"] == "stratified"
            measure_error(trial, name, make(), trial.choices["part"], stratified)


@experiment(
    "sizes",
    cells=grid(alpha=[1, 2], beta=[2, 4], per_class=[20]),
    smoke=grid(alpha=[1], beta=[4], per_class=[20]),
    repeats=8,
    cost=0.35,
    methods={"skeletons": Skeletons},
    data=reads,
)
def count_states(trial: Trial) -> None:
    """Section 4: vertices and subtrees of a digit's graph, over 20 digits of each class.

    Each repeat counts digits of its own. The first keeps two drawings of a digit and the walks of
    theirs that are most alike.
    """
    alpha, beta, n = (trial.cell[name] for name in ("alpha", "beta", "per_class"))
    # Other digits for each repeat: counts have a spread only over digits.
    drawings = choose(trial.data("mnist"), "mnist", "training", n * trial.repeat, n)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            graphs = make()(drawings.images)
            sizes = [
                count_subtrees(graph, alpha, beta, leaves=trial.choices["leaves"])
                for graph in graphs
            ]
            nodes = [graph.n_nodes for graph in graphs]
            trial.measure(name, nodes=np.mean(nodes), spread=np.std(nodes), subtrees=np.mean(sizes))
    if trial.repeat == 0 and (alpha, beta) == (1, 2):
        twos = drawings.images[drawings.y == 2][[0, 1]]
        pair = Skeletons()(twos)
        walks = best_matching_walks(*pair, beta=2, length=6, tau=0.05, kappa=KAPPA, upsilon=0.05)
        for side, (image, graph, walk) in enumerate(zip(twos, pair, walks, strict=False)):
            trial.keep(f"image-{side}", image)
            trial.keep(f"positions-{side}", graph.positions)
            trial.keep(f"edges-{side}", graph.edges)
            trial.keep(f"walk-{side}", walk)


@experiment(
    "definiteness",
    cells=grid(matrices=["covariance", "correlation", "star"]),
    repeats=8,
    cost=lambda cell: 0.7 if cell["matrices"] == "star" else 0.2,
    methods={
        "Eq. 6": lambda: rooted_kernel,
        "Eq. 5": lambda: unrooted_kernel,
    },
)
def look_for_negative_eigenvalues(trial: Trial) -> None:
    """Propositions 1 and 2: the most negative of five Gram matrices of twelve or more matrices."""
    models = draw(trial.cell["matrices"], trial.rng("models"))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            worst = max(negativity(make(), *model) for model in models)
            trial.measure(name, negativity=worst, n_test=len(models))
