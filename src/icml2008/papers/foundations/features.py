"""Feature selection by filters and wrappers, and the lasso."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.stats import spearmanr
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import lars_path, lasso_path, ridge_regression
from sklearn.metrics import mutual_info_score
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import Array, Generator, everywhere

BINS = 8
# Features that tell something of the class.
RELEVANT = {"redundant": [0, 1, 2, 3, 4], "interaction": [0, 1]}


def labelled(rng: Generator, n: int, kind: str) -> tuple[Array, Array]:
    """Return n samples of eight features and labels of two classes.

    ``redundant``: three noisy copies of the most informative feature, two others of less, noise;
    ``interaction``: the class is the sign of a product of two features, six are noise.
    """
    X = rng.normal(size=(n, 8))
    if kind == "interaction":
        return X, (X[:, 0] * X[:, 1] > 0).astype(int)
    y = np.arange(n) % 2
    main = 1.6 * (y - 0.5) + rng.normal(size=n)
    X[:, :3] = main[:, None] + 0.15 * rng.normal(size=(n, 3))
    X[:, 3:5] += 1.3 * (y[:, None] - 0.5)
    return X, y


def binned(X: Array) -> Array:
    """Return each feature's bin, of eight with equally many samples."""
    edges = np.quantile(X, np.arange(1, BINS) / BINS, axis=0)
    return (X[:, :, None] > edges.T).sum(axis=2)


def by_filter(X: Array, y: Array, k: int, rng: Generator) -> list[int]:
    """Return the k features that have most mutual information with the labels."""
    scores = [mutual_info_score(column, y) for column in binned(X).T]
    return np.argsort(scores)[::-1][:k].tolist()


def incrementally(X: Array, y: Array, k: int, rng: Generator) -> list[int]:
    """Return k features, each chosen for its information less what the chosen have of it.

    The weight of the latter is 1 over the number chosen, the common choice for the printed beta.
    """
    columns = binned(X).T
    chosen = by_filter(X, y, 1, rng)
    while len(chosen) < k:
        gains = {
            j: mutual_info_score(column, y)
            - np.mean([mutual_info_score(column, columns[i]) for i in chosen])
            for j, column in enumerate(columns)
            if j not in chosen
        }
        chosen.append(max(gains, key=gains.get))
    return chosen


def wrapped(direction: str):
    """Return a search around the classifier itself, by 3-fold cross-validation."""

    def search(X: Array, y: Array, k: int, rng: Generator) -> list[int]:
        selector = SequentialFeatureSelector(
            KNeighborsClassifier(5), n_features_to_select=k, direction=direction, cv=3
        ).fit(X, y)
        return np.flatnonzero(selector.get_support()).tolist()

    return search


def exhaustive(X: Array, y: Array, k: int, rng: Generator) -> list[int]:
    """Return the k features that do best together in 3-fold cross-validation."""
    rule = KNeighborsClassifier(5)
    sets = map(list, combinations(range(X.shape[1]), k))
    return max(sets, key=lambda s: cross_val_score(rule, X[:, s], y, cv=3).mean())


@experiment(
    "selection",
    cells=everywhere(grid(kind=["redundant", "interaction"])),
    repeats={"quick": 1, "full": 8},
    cost=0.65,
    methods={
        "filter": lambda: by_filter,
        "incremental": lambda: incrementally,
        "forward": lambda: wrapped("forward"),
        "backward": lambda: wrapped("backward"),
        "exhaustive": lambda: exhaustive,
        "all": lambda: lambda X, y, k, rng: list(range(X.shape[1])),
        "relevant": lambda: None,
    },
)
def subsets(trial: Trial) -> None:
    """Test accuracy of 5 nearest neighbours on selected features of 200 samples."""
    rng = trial.rng("samples")
    kind = trial.cell["kind"]
    X, y = labelled(rng, 200, kind)
    tests, labels = labelled(rng, 2000, kind)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            search = make()
            chosen = search(X, y, 2, trial.rng(name)) if search else RELEVANT[kind]
            rule = KNeighborsClassifier(5).fit(X[:, chosen], y)
            right = 100 * rule.score(tests[:, chosen], labels)
            trial.measure(name, accuracy=right, n_test=len(labels))
            among = np.corrcoef(X[:, chosen].T)[np.triu_indices(len(chosen), 1)]
            trial.measure(name, redundancy=float(np.abs(among).max()))


def sparse_problem(rng: Generator, n: int, d: int, k: int, noise: float):
    """Return rows, response and coefficients, k of which are 1 or -1 and the others 0."""
    X = rng.normal(size=(n, d))
    beta = np.zeros(d)
    beta[:k] = rng.choice([-1.0, 1.0], size=k)
    return X, X @ beta + noise * rng.normal(size=n), beta


@experiment(
    "lasso",
    cells=grid(d=[40]),
    repeats=20,
    cost=0.03,
    methods={"lasso": lambda: "l1", "ridge": lambda: "l2"},
)
def penalty_path(trial: Trial) -> None:
    """Zeros and squared error along growing penalties, and the constrained form."""
    rng = trial.rng("samples")
    X, y, _ = sparse_problem(rng, 80, trial.cell["d"], 5, 1.0)
    penalties = 2 * np.abs(X.T @ y).max() * np.geomspace(1e-3, 0.999, 60)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            if make() == "l1":
                # scikit-learn's penalty is on half the mean square
                path = lasso_path(X, y, alphas=penalties / (2 * len(y)), tol=1e-12, max_iter=10**6)
                betas = path[1].T[::-1]
            else:
                betas = np.array([ridge_regression(X, y, p) for p in penalties])
            errors = ((y - betas @ X.T) ** 2).sum(axis=1)
            zeros = np.mean(betas == 0, axis=1)
            trial.measure(
                name,
                zeros=100 * float(zeros.mean()),
                trend=float(spearmanr(penalties, zeros).statistic) if zeros.any() else 0.0,
            )
            falls = np.max(-np.diff(errors), initial=0.0) / (y @ y)
            trial.measure(name, fall=float(falls), n_test=len(errors))
            if make() == "l1":
                ahead = [0.0]
                for beta, error in zip(betas[::6], errors[::6], strict=True):
                    s = np.abs(beta).sum()
                    for size in 10.0 ** rng.uniform(-4, 0, size=20):
                        other = beta + size * rng.normal(size=len(beta))
                        other *= min(1.0, s / np.abs(other).sum())
                        ahead.append((error - ((y - X @ other) ** 2).sum()) / (y @ y))
                trial.measure(name, excess=max(ahead), n_test=len(ahead) - 1)


@experiment(
    "lasso-recovery",
    cells=everywhere(
        grid(d=[64, 256, 1024], ratio=[0.5, 1.0, 2.0, 3.0, 4.0, 6.0]),
        grid(d=[64], ratio=[0.5, 6.0]),
    ),
    repeats={"quick": 1, "full": 10},
    cost=0.005,
    methods={"lasso": lambda: lars_path},
)
def support_recovery(trial: Trial) -> None:
    """Whether some point of the path has exactly the right five features, n = ratio k log d."""
    d = trial.cell["d"]
    k = 5
    n = round(trial.cell["ratio"] * k * np.log(d))
    X, y, beta = sparse_problem(trial.rng("samples"), n, d, k, 0.1)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            path = make()(X, y, method="lasso", max_iter=4 * k)[2]
            right = (np.sign(path) == np.sign(beta)[:, None]).all(axis=0).any()
            trial.measure(name, recovered=100.0 * right, n_test=1)
