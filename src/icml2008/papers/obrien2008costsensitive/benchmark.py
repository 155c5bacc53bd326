"""Learning a partition beside what else makes class probabilities meet costs, with one naive Bayes.

`nursery`: four classes with random costs; half of the rows are learned from, by nine folds. The
answer is the mean cost of the others. `two classes`: the most frequent class of `car` against the
rest, where scikit-learn tunes a threshold on a grid. Searches alone: one partition of 12,000 rows
with probabilities given, by changepoints and by SciPy's differential evolution over the shifts.
"""

import numpy as np
from scipy.optimize import differential_evolution
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, TunedThresholdClassifierCV
from sklearn.naive_bayes import CategoricalNB

from icml2008.data import load
from icml2008.harness.benchmarks import compare

from .experiments import random_costs
from .method import PartitionMatrixClassifier, assign, learn_partition
from .tasks import task_of

PACKAGES = ("numpy", "scipy", "scikit-learn")


def rows():
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    nursery = task_of("nb-nursery", load("nursery"))
    halves = rng.permutation(len(nursery.y)) % 2 == 0
    X = nursery.X.astype(int)
    y = nursery.y
    costs = random_costs(rng, 4)
    model = CategoricalNB(min_categories=6)
    folds = KFold(9, shuffle=True, random_state=0)
    ways = {
        "PartitionMatrixClassifier": PartitionMatrixClassifier(model, costs, cv=folds),
        "the same, LF": PartitionMatrixClassifier(model, costs, "weights", cv=folds),
        "CalibratedClassifierCV, isotonic": CalibratedClassifierCV(
            model, method="isotonic", cv=folds
        ),
        "CalibratedClassifierCV, temperature": CalibratedClassifierCV(
            model, method="temperature", cv=folds
        ),
        "cost matrix": model,
    }

    def labels_of(by, fitted):
        if isinstance(fitted, PartitionMatrixClassifier):
            return fitted.predict(X[~halves])
        return assign(fitted.predict_proba(X[~halves]), costs)

    def cost_of(by, fitted):
        return f"{costs[labels_of(by, fitted), y[~halves]].mean():.4f}"

    tasks = {by: (lambda way=way: way.fit(X[halves], y[halves])) for by, way in ways.items()}
    yield from compare("nursery", tasks, cost_of)
    car = task_of("nb-car", load("car"))
    pair = random_costs(rng, 2)
    target = (car.y == np.argmax(np.bincount(car.y))).astype(int)
    values = car.X.astype(int)
    split = rng.permutation(len(target)) % 2 == 0

    def saved(truth, labels):
        return -pair[labels, truth].mean()

    ways = {
        "PartitionMatrixClassifier": PartitionMatrixClassifier(model, pair, cv=folds),
        "TunedThresholdClassifierCV": TunedThresholdClassifierCV(
            model, scoring=make_scorer(saved), cv=folds
        ),
    }
    tasks = {
        by: (lambda way=way: way.fit(values[split], target[split])) for by, way in ways.items()
    }

    def pair_cost(by, fitted):
        return f"{-saved(target[~split], fitted.predict(values[~split])):.4f}"

    yield from compare("two classes", tasks, pair_cost)
    seen = model.fit(X[halves], y[halves]).predict_proba(X)

    def total(shifts):
        full = np.append(shifts, 0.0)
        return costs[assign(seen, costs + full[:, None] - full), y].mean()

    def evolution():
        bounds = [(-5.0, 5.0)] * 3
        result = differential_evolution(total, bounds, maxiter=20, popsize=8, rng=0, polish=False)
        shifts = np.append(result.x, 0.0)
        return costs + shifts[:, None] - shifts

    searches = {
        "learn_partition": lambda: learn_partition(seen, y, costs),
        "learn_partition, 5 passes": lambda: learn_partition(seen, y, costs, passes=5),
        "differential_evolution": evolution,
    }
    yield from compare(
        "search",
        searches,
        lambda by, partition: f"{costs[assign(seen, partition), y].mean():.4f}",
        times=1,
    )
