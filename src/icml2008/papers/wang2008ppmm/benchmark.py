"""The power's search beside kernel matrices, and classifiers of bags beside each other.

Least processor time of up to five runs on one thread, which take turns. The first task has the same
answer either way, the power; the others' answers are accuracies on the other 100 of 200 bags, of a
mechanism by which one instance decides (set 1) or more than half do (set 3). Costs of the support
vector machines are tuned by five folds in all of them.
"""

from functools import partial

import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from icml2008.harness.benchmarks import compare
from icml2008.papers.wang2008ppmm.bags import COSTS, set_kernels
from icml2008.papers.wang2008ppmm.experiments import draw_sets
from icml2008.papers.wang2008ppmm.method import (
    PosteriorPowerKernel,
    power_alignments,
    powers_up_to,
)

PACKAGES = ("numpy", "scikit-learn")


def by_matrices(aggregates, y, powers):
    """Return the power of best alignment from kernel matrices, as Equation 2 is printed."""
    ideal = np.outer(y, y)
    alignments = []
    for power in powers:
        kernel = aggregates**power @ (aggregates**power).T
        alignments.append(np.sum(kernel * ideal) / np.linalg.norm(kernel))
    return powers[np.argmax(alignments)]


def accuracy(train, test, gram, y):
    """Return the accuracy of a support vector machine whose cost is tuned."""
    scale = np.mean(np.diag(gram)[train])
    search = GridSearchCV(SVC(kernel="precomputed"), {"C": COSTS / scale}, cv=5)
    search.fit(gram[np.ix_(train, train)], y[train])
    return search.score(gram[np.ix_(test, train)], y[test])


def by_features(X, bags, y, train, test, p):
    inside = np.isin(bags, train)
    kernel = PosteriorPowerKernel(30, p=p, random_state=0)
    kernel.fit(X[inside], y[bags[inside]], bags=bags[inside])
    features = kernel.transform(X, bags=bags)
    return accuracy(train, test, features @ features.T, y)


def by_set_kernel(X, bags, y, train, test):
    return accuracy(train, test, set_kernels(X, bags, (1.0,))[0], y)


def rows():
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    aggregates = rng.dirichlet(np.full(30, 0.2), size=1000)
    y = np.where(aggregates[:, :3].sum(axis=1) > 0.1, 1, -1)
    powers = powers_up_to(3.0)
    ways = {
        "power_alignments": lambda: powers[np.argmax(power_alignments(aggregates, y, powers))],
        "kernel matrices": lambda: by_matrices(aggregates, y, powers),
    }
    yield from compare("power of 1000 bags", ways, lambda _, power: f"{power:.2f}")
    sets = draw_sets(rng, 20, 5, 13, 0.3, shared=True)
    for number in (1, 3):
        X, bags, labels = sets[number - 1]
        train, test = np.split(rng.permutation(200), [100])
        given = (X, bags, labels, train, test)
        ways = {
            "PosteriorPowerKernel": partial(by_features, *given, "alignment"),
            "plain histograms": partial(by_features, *given, 1.0),
            "mean of all pairs": partial(by_set_kernel, *given),
        }
        yield from compare(f"set {number}", ways, lambda _, right: f"{100 * right:.0f} %")
