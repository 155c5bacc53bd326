"""Section 7: accuracy with two guesses over 32 splits of the boxes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.multiple_instance import MIC, MIRank
from icml2008.papers.bergeron2008mirank.boxes import CENSUS, SYNTHETIC, Boxes, census, synthetic

NUS = np.logspace(-3, 6, 19)
GUESSES = 2


class BagRanker(Protocol):
    """A method of one's own for this experiment: a class that ranks bags by the items in them.

    It is made by ``Class(nu=...)`` for each of the 19 values of nu, or once by ``Class()`` if its
    constructor has no parameter ``nu``. A bag scores as its best item does.
    """

    def fit(self, X: np.ndarray, y: np.ndarray, *, boxes: np.ndarray, bags: np.ndarray) -> Any:
        """Learn from items X (n_items, n_features), y = 1 for the items of preferred bags."""

    def decision_function(self, X: np.ndarray) -> np.ndarray:
        """Return one score an item, (n_items,): the higher, the more preferred."""


def methods(choices: Mapping[str, str]) -> dict[str, Callable[..., BagRanker]]:
    """Return the paper's two methods."""
    return {"MIRank": MIRank, "MIC": partial(MIC, balanced=choices["mic"] == "balanced")}


def load_boxes(trial: Trial) -> Boxes:
    """Return the trial's data: one draw of a synthetic set for all repeats, or the census towns."""
    name = trial.cell["dataset"]
    if name in CENSUS:
        return census(trial.data(name), trial.choices)
    across = ("repeat",) if trial.choices["draw"] == "one" else ()
    return synthetic(name, trial.rng("data", across=across))


def split(boxes: Boxes, rng: np.random.Generator) -> list[Boxes]:
    """Return training, validation and test boxes: 60, 20 and 20 %."""
    names = rng.permutation(np.unique(boxes.boxes))
    n_train, n_valid = round(0.6 * len(names)), round(0.2 * len(names))
    return [boxes.take(part) for part in np.split(names, [n_train, n_train + n_valid])]


def bag_scores(scores: np.ndarray, bags: np.ndarray, mean: bool) -> dict[Any, float]:
    """Return the score of each bag of one box, in order of the bags' labels."""
    combine = np.mean if mean else np.max
    return {bag.item(): float(combine(scores[bags == bag])) for bag in np.unique(bags)}


def hit_chance(scores: Mapping[Any, float], right: list[Any], ties: str) -> float:
    """Return the chance that a right bag is among the two guesses.

    Bags of equal score are guessed in order of their labels (``first``), or each order is equally
    likely (``random``: the chance is then that of hitting, not a draw).
    """
    ordered = sorted(scores, key=lambda bag: -scores[bag])
    if ties == "first" or len(ordered) <= GUESSES:
        return float(any(bag in right for bag in ordered[:GUESSES]))
    threshold = scores[ordered[GUESSES - 1]]
    sure = [bag for bag in ordered if scores[bag] > threshold]
    if any(bag in right for bag in sure):
        return 1.0
    tied = [bag for bag in ordered if scores[bag] == threshold]
    misses = 1.0
    for k in range(GUESSES - len(sure)):
        misses *= max(0, len(tied) - sum(bag in right for bag in tied) - k) / (len(tied) - k)
    return 1.0 - misses


def hits(ranker: BagRanker, part: Boxes, choices: Mapping[str, str], mean: bool) -> list[float]:
    """Return, for each box of a part, whether the preferred bag is among two guesses."""
    scores = np.asarray(ranker.decision_function(part.X))
    found = []
    for box, preferred in part.preferred.items():
        inside = part.boxes == box
        right = preferred if choices["california"] == "any" else preferred[:1]
        by_bag = bag_scores(scores[inside], part.bags[inside], mean)
        found.append(hit_chance(by_bag, right, choices["ties"]))
    return found


def tuned(
    make: Callable[..., BagRanker], train: Boxes, valid: Boxes, choices, mean: bool
) -> BagRanker:
    """Fit for every nu and return the model that is best on the validation boxes."""
    grid_of_nu = (
        [{"nu": float(nu)} for nu in NUS] if "nu" in inspect.signature(make).parameters else [{}]
    )
    best, best_accuracy = None, -1.0
    for parameters in grid_of_nu:
        ranker = make(**parameters)
        ranker.fit(train.X, train.y, boxes=train.boxes, bags=train.bags)
        accuracy = float(np.mean(hits(ranker, valid, choices, mean)))
        better = accuracy > best_accuracy or (
            accuracy == best_accuracy and choices["nu-ties"] == "largest"
        )
        if better:
            best, best_accuracy = ranker, accuracy
    return best


def standardised(parts: list[Boxes], choices: Mapping[str, str]) -> list[Boxes]:
    """Return the parts with features divided by their spread over the first part, if so chosen."""
    if choices["standardise"] == "no":
        return parts
    spread = parts[0].X.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    return [Boxes(part.X / scale, part.boxes, part.bags, part.preferred) for part in parts]


CELLS = {
    "smoke": grid(dataset=["synthetic-1", *CENSUS]),
    **dict.fromkeys(("quick", "full"), grid(dataset=[*SYNTHETIC, *CENSUS])),
}
REPEATS = {"smoke": 1, "quick": 8, "full": 32}


def needs(cell: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the data sets that a cell reads."""
    return tuple({cell["dataset"]} & set(CENSUS))


@experiment(
    "accuracy",
    cells=CELLS,
    repeats=REPEATS,
    cost=1.0,
    methods=methods,
    data=needs,
    expects=BagRanker,
)
def two_guess_accuracy(trial: Trial) -> None:
    """Tables 1 and 2: percent of test boxes whose preferred bag is among two guesses."""
    parts = split(load_boxes(trial), trial.rng("split"))
    train, valid, test = standardised(parts, trial.choices)
    for name, make in trial.methods.items():
        mean = name == "MIC" and trial.choices["mic-score"] == "mean"
        with trial.attempt(name):
            ranker = tuned(make, train, valid, trial.choices, mean)
            found = hits(ranker, test, trial.choices, mean)
            trial.measure(name, accuracy=100 * float(np.mean(found)), n_test=len(found))


@experiment(
    "descent",
    cells=CELLS,
    repeats=REPEATS,
    cost=0.5,
    methods=lambda choices: {"MIRank": MIRank},
    data=needs,
    expects=BagRanker,
)
def objective_descent(trial: Trial) -> None:
    """Algorithm 1: the largest increase of the objective along the linear programs, 19 times."""
    parts = split(load_boxes(trial), trial.rng("split"))
    train = standardised(parts, trial.choices)[0]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            increases = []
            for nu in NUS:
                ranker = make(nu=float(nu)).fit(
                    train.X, train.y, boxes=train.boxes, bags=train.bags
                )
                path = ranker.objective_path_
                steps = np.diff(path) / np.maximum(1.0, np.abs(path[:-1]))
                increases.append(float(np.max(steps, initial=0.0)))
            trial.measure(name, increase=max(increases), n_test=len(increases))
