"""Mean Map beside llp-learn, on drawn bags of known shares.

Least processor time of three runs on one thread, which take turns; the answers are accuracies on
2,000 fresh rows. Two Gaussians, or a disc within a ring; kernels have one width. llp-learn's EM
alternates between a support vector machine and labels that have each bag's share; its
alterSVMRBF with its own settings does not converge here. Last a machine that is told the labels.
"""

from functools import partial

import numpy as np
from llp_learn.em import EM
from sklearn.svm import SVC

from icml2008.harness.benchmarks import compare
from icml2008.papers.quadrianto2008estimating.method import MeanMap

PACKAGES = ("numpy", "scikit-learn", "llp-learn")
TASKS = {
    "one pure bag": ("gaussians", [1.0, 0.4]),
    "30 and 70 %": ("gaussians", [0.3, 0.7]),
    "30 and 70 %, ring": ("ring", [0.3, 0.7]),
}
ROWS = 300


def sample(rng, kind, y):
    """Return rows in the plane of classes 1 (True) and 0."""
    X = rng.normal(size=(len(y), 2))
    if kind == "gaussians":
        return X + 2 * y[:, None]
    angle = X / np.linalg.norm(X, axis=1, keepdims=True)
    return np.where(y[:, None], 0.6 * X, 2.5 * angle + 0.3 * X)


def by_mean_map(X, bags, shares, new):
    proportions = np.column_stack([1 - shares, shares])
    model = MeanMap(gamma=0.5).fit(X, bags=bags, proportions=proportions)
    return model.predict(new) == 1


def by_llp_learn(X, bags, shares, new):
    model = EM(SVC(gamma=0.5), random_state=0)
    model.fit(X, bags, shares)
    return model.predict(new) == 1


def by_labels(X, y, new):
    return SVC(gamma=0.5).fit(X, y).predict(new)


def rows():
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    for task, (kind, shares) in TASKS.items():
        bags = np.repeat(np.arange(len(shares)), ROWS)
        y = rng.random(len(bags)) < np.asarray(shares)[bags]
        X = sample(rng, kind, y)
        labels = rng.random(2000) < 0.5
        new = sample(rng, kind, labels)
        # Shares are those of the rows, as they are known of a bag.
        known = np.array([y[bags == bag].mean() for bag in range(len(shares))])
        ways = {
            "MeanMap": partial(by_mean_map, X, bags, known, new),
            "llp-learn EM": partial(by_llp_learn, X, bags, known, new),
            "SVC with labels": partial(by_labels, X, y, new),
        }

        def accuracy(_, given, labels=labels):
            return f"{100 * np.mean(given == labels):.1f} %"

        yield from compare(task, ways, accuracy, times=3, patience=2.0)
