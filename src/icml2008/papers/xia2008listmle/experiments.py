"""Table 2 by descent and by exact minimisers, and the claims of Section 4 by enumeration."""

from __future__ import annotations

import math
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.listwise.consistency import order_preserving
from icml2008.methods.listwise.targets import target_scores
from icml2008.papers.xia2008listmle.enumeration import (
    LOSSES,
    convexity_violation,
    exchange_violation,
    minimum_misses,
    slope_violation,
    soundness,
)
from icml2008.papers.xia2008listmle.lists import (
    MAPPINGS,
    N_ITEMS,
    Lists,
    draw,
    minima_in_the_angle,
    rankers,
)

STARTS = 20
RATES = (0.001, 0.01, 0.1)
MAX_EPOCHS = 200
# starts of the exact minimisers, and of what is enumerated in one repeat
FEW = 5
INIT_SCALES = {"small": 0.1, "large": 1.0}


def measure_starts(trial: Trial, name: str, test: Lists, scores: list[np.ndarray]) -> dict:
    """Record accuracy and MAP over the starts, and the spread of accuracies between them."""
    accuracies = [test.accuracy(start_scores) for start_scores in scores]
    maps = [test.mean_average_precision(start_scores) for start_scores in scores]
    means = {
        "accuracy": float(np.mean(accuracies)),
        "map": float(np.mean(maps)),
        "start-spread": float(np.std(accuracies, ddof=1)),
    }
    trial.measure(name, **means)
    return means


@experiment(
    "table-2",
    cells=[{}],
    repeats=10,
    cost=3.5,
    methods=rankers,
)
def descent_from_twenty_starts(trial: Trial) -> None:
    """Table 2: Algorithm 1 from 20 starts on one draw of training, validation and test lists."""
    train, valid, test = (draw(trial.rng(name)) for name in ("train", "valid", "test"))
    seeds = trial.rng("starts").integers(2**31, size=STARTS).tolist()
    chosen = trial.choices["rate"]
    rates = RATES if chosen == "validated" else (float(chosen),)
    options = {
        "solver": "sgd",
        "tol": float(trial.choices["tolerance"]),
        "max_iter": MAX_EPOCHS,
        "init_scale": INIT_SCALES[trial.choices["start"]],
    }
    for name, make in trial.methods.items():
        with trial.attempt(name), warnings.catch_warnings():
            # the cap on epochs is part of the protocol
            warnings.simplefilter("ignore", ConvergenceWarning)
            best = None
            for rate in rates:
                fitted = [
                    make(learning_rate=rate, random_state=seed, **options).fit(*train.rows)
                    for seed in seeds
                ]
                # One rate for all starts, as a user would choose it; their spread is then that of
                # starts alone.
                reached = np.mean([valid.accuracy(m.predict(valid.rows[0])) for m in fitted])
                if best is None or reached > best[0]:
                    best = reached, rate, fitted
            measure_starts(trial, name, test, [m.predict(test.rows[0]) for m in best[2]])
            trial.measure(name, rate=best[1], epochs=np.mean([m.n_iter_ for m in best[2]]))


@experiment(
    "minimisers",
    cells=[{}],
    repeats={"quick": 3, "full": 20},
    cost=0.15,
    methods=rankers,
)
def exact_minimisers(trial: Trial) -> None:
    """Table 2 with each loss followed to its minimum, from five starts; RankCosine's minima."""
    train, test = (draw(trial.rng(name)) for name in ("train", "test"))
    seeds = trial.rng("starts").integers(2**31, size=FEW).tolist()
    for name, make in trial.methods.items():
        with trial.attempt(name):
            fitted = [make(tol=1e-8, random_state=seed).fit(*train.rows) for seed in seeds]
            measure_starts(trial, name, test, [m.predict(test.rows[0]) for m in fitted])
            # Two features: all that a linear ranker can differ in is the slant of its weights.
            trial.measure(name, slant=np.median([m.coef_[1] / m.coef_[0] for m in fitted]))
            if name.startswith("RankCosine-"):
                targets = target_scores(N_ITEMS, MAPPINGS[name.removeprefix("RankCosine-")])
                several = 100.0 * (minima_in_the_angle(train, targets) > 1)
                trial.measure(name, n_test=1, **{"several-minima": several})


@experiment(
    "enumeration",
    cells=grid(items=[4, 5]),
    quick=grid(items=[4]),
    repeats=6,
    cost=lambda cell: 0.2 if cell["items"] == 4 else 1.1,
    methods=LOSSES,
)
def losses_over_all_orders(trial: Trial) -> None:
    """Propositions 6 to 8, Theorem 5 and convexity: the largest violation over random instances."""
    n = trial.cell["items"]
    rng = trial.rng("instances")
    linear = trial.choices["targets"] == "linear"
    instances = []
    for _ in range(FEW):
        places = np.sort(rng.uniform(0.1, n, size=n))[::-1]
        instances.append(
            {
                "places": target_scores(n) if linear else places,
                "scores": rng.normal(size=n),
                "preserving": order_preserving(n, rng),
                "any": rng.dirichlet(np.ones(math.factorial(n))),
            }
        )
    for name, loss in trial.methods.items():
        with trial.attempt(name):
            worst = {
                "exchange": [exchange_violation(loss, i["scores"], i["places"]) for i in instances],
                "slopes": [slope_violation(loss, i["scores"], i["places"]) for i in instances],
                "missed": [minimum_misses(loss, i["preserving"], i["places"]) for i in instances],
                "missed-any": [minimum_misses(loss, i["any"], i["places"]) for i in instances],
            }
            points = trial.rng("points")
            # Convexity is of the scores: one list of places will do, at many pairs of points.
            bends = [convexity_violation(loss, points, instances[0]["places"]) for _ in range(100)]
            for metric, values in worst.items():
                trial.measure(name, n_test=FEW, **{metric: max(values)})
            trial.measure(name, n_test=len(bends), nonconvexity=max(bends))
            hits = np.mean([value == 0 for value in worst["missed-any"]])
            trial.measure(name, **{"found-any": 100 * hits})


@experiment(
    "two-items",
    cells=[{}],
    repeats={"smoke": 2, "full": 2},
    cost=0.02,
    methods=LOSSES,
)
def losses_of_two_items(trial: Trial) -> None:
    """Figures 1 to 3: the loss of two items as the right one gets ahead."""
    for name, loss in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, **soundness(loss))
