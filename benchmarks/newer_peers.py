"""Tasks of the benchmark of peers: the methods that were promoted later."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace

import numpy as np
from peer_tasks import OURS, PACKAGE, Solver, Task, call
from scipy.cluster.hierarchy import linkage
from scipy.sparse import csr_matrix
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import PassiveAggressiveClassifier, SGDClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import LinearSVC

from icml2008.data import load
from icml2008.methods import (
    ConfidenceWeighted,
    DualCoordinateDescentSVC,
    LandmarkNystroem,
    LinearProgramApprentice,
    VARLiNGAM,
    ward_tree,
)
from icml2008.papers.hsieh2008dual.method import primal
from icml2008.papers.hyvarinen2008causal.experiments import disturbances, drawn, series
from icml2008.papers.syed2008apprenticeship import benchmark as apprentice_benchmark


def sparse_rows(n, width, n_columns=200_000):
    """Return rows with few of many columns, of which some are common, and classes, -1 and 1."""
    rng = np.random.default_rng(0)
    columns = (50 * rng.pareto(1.0, size=(n, width))).astype(int) % n_columns
    values = np.abs(rng.normal(size=n * width))
    starts = np.arange(0, n * width + 1, width)
    X = csr_matrix((values, np.sort(columns).ravel(), starts), shape=(n, n_columns))
    X.sum_duplicates()
    scores = X @ rng.normal(size=n_columns) + 2 * rng.normal(size=n)
    return X, np.where(scores > 0, 1, -1)


def machines() -> Iterator[Task]:
    """Linear support vector machines to the tolerance 0.1."""
    adult = load("a9a")
    leading = slice(adult.n_train)
    sets = {
        "a9a": (csr_matrix(adult.X[leading]), adult.y[leading], ("hinge", "squared_hinge")),
        "sparse": (*sparse_rows(10_000, 50), ("hinge", "squared_hinge")),
        "sparse, many": (*sparse_rows(100_000, 50), ("hinge",)),
    }
    for name, loss in ((name, loss) for name, data in sets.items() for loss in data[2]):
        X, y, _ = sets[name]
        options = {"loss": loss, "tol": 0.1, "random_state": 0}
        ours = DualCoordinateDescentSVC(**options)
        theirs = LinearSVC(dual=True, fit_intercept=False, **options)

        def objective(first, model, loss=loss, X=X, y=y):
            best = primal(X, y, first.coef_[0], 1.0, loss)
            return f"objective {primal(X, y, model.coef_[0], 1.0, loss) / best - 1:+.0e}"

        label = "a9a: " if name == "a9a" else ""
        yield Task(
            DualCoordinateDescentSVC,
            f"{label}{X.shape[0]} rows of {X.nnz} numbers in all, {loss}",
            {
                "DualCoordinateDescentSVC": Solver(OURS, call(ours.fit, X, y)),
                "scikit-learn LinearSVC (LIBLINEAR)": Solver(PACKAGE, call(theirs.fit, X, y)),
            },
            objective,
        )


def passes() -> Iterator[Task]:
    """One pass over sparse rows; a passive-aggressive step is cheaper, and learns less."""
    for n, width in ((1000, 100), (10_000, 100), (50_000, 50)):
        X, y = sparse_rows(n, width)
        half = n // 2
        once = {"max_iter": 1, "tol": None, "shuffle": False}
        makers = {
            "ConfidenceWeighted": Solver(OURS, call(ConfidenceWeighted(max_iter=1).fit, X, y)),
            "scikit-learn PassiveAggressiveClassifier": Solver(
                PACKAGE, call(PassiveAggressiveClassifier(**once).fit, X, y)
            ),
            "scikit-learn SGDClassifier": Solver(PACKAGE, call(SGDClassifier(**once).fit, X, y)),
        }

        def errors(_, model, X=X, y=y, half=half):
            from sklearn.base import clone

            fresh = clone(model).fit(X[:half], y[:half])
            return (
                f"{np.mean(fresh.predict(X[half:]) != y[half:]):.1%} wrong after half of the rows"
            )

        yield Task(ConfidenceWeighted, f"a pass over {n} rows of {width}", makers, errors)


def trees() -> Iterator[Task]:
    """Ward's trees of points in three heaps."""

    def fastcluster(name, X):
        import fastcluster as package

        return partial(getattr(package, name), X, "ward")

    def apart(ours, theirs):
        heights = theirs[:, 2] if isinstance(theirs, np.ndarray) else np.sort(theirs[1])
        return f"heights differ by {np.abs(heights / np.sort(ours[1]) - 1).max():.0e}"

    for n, d in ((2000, 3), (5000, 20), (2000, 100), (3000, 300)):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, d)) + 3 * rng.integers(3, size=(n, d))
        yield Task(
            ward_tree,
            f"{n} points, {d} columns",
            {
                "ward_tree": Solver(OURS, call(ward_tree, X)),
                "fastcluster linkage_vector": Solver(
                    PACKAGE, partial(fastcluster, "linkage_vector", X)
                ),
                "fastcluster linkage": Solver(PACKAGE, partial(fastcluster, "linkage", X)),
                "scipy linkage": Solver(PACKAGE, call(linkage, X, "ward")),
            },
            apart,
        )


def effects() -> Iterator[Task]:
    """Five models of each density; the answer is the mean distance of entries of B0."""
    choices = {"sparse": "up-to-5", "roots": "alike", "exponents": "union", "m1": "uniform"}
    for density in ("full", "sparse"):
        rng = np.random.default_rng(0)
        trial = SimpleNamespace(
            rng=lambda name, across, rng=rng: rng, choices=choices, cell={"density": density}
        )
        data = []
        for B0, M, q, sd, _, _ in drawn(trial, 5):
            data.append((series(B0, M[None], disturbances(rng, q, 1000) * sd), B0))

        def fitted(make, data=data):
            return [make().fit(X) for X, _ in data]

        def lingam(name, fitted=fitted):
            import lingam as package

            def make():
                model = getattr(package, name)(random_state=0)
                return package.VARLiNGAM(criterion=None, lingam_model=model)

            return partial(fitted, make)

        def distance(_, models, data=data):
            apart = []
            for model, (_, B0) in zip(models, data, strict=True):
                matrices = getattr(model, "effects_", getattr(model, "adjacency_matrices_", None))
                apart.append(np.abs(matrices[0] - B0)[~np.eye(len(B0), dtype=bool)].mean())
            return f"{np.mean(apart):.3f} from the truth"

        yield Task(
            VARLiNGAM,
            f"1000 times of ten series, {density} networks",
            {
                "VARLiNGAM": Solver(OURS, call(fitted, partial(VARLiNGAM, random_state=0))),
                "lingam ICALiNGAM": Solver(PACKAGE, partial(lingam, "ICALiNGAM")),
                "lingam DirectLiNGAM": Solver(PACKAGE, partial(lingam, "DirectLiNGAM")),
            },
            distance,
        )


def apprentices() -> Iterator[Task]:
    """The gridworlds of the paper's Table 1, 64 regions."""
    for size in (16, 32, 48):
        rng = np.random.default_rng(size)
        truth = np.zeros(64)
        truth[rng.choice(64, 6, replace=False)] = rng.dirichlet(np.ones(6))
        problem = apprentice_benchmark.gridworld(size, 64, 0.9)
        expert = problem.rewards @ apprentice_benchmark.expert_of(problem, truth).ravel()

        def value(_, policy, problem=problem, expert=expert, truth=truth):
            return f"{truth @ problem.values(policy) / (truth @ expert):.5f} of the expert's value"

        yield Task(
            LinearProgramApprentice,
            f"{size} x {size} squares",
            {
                "solver='ipm'": Solver(
                    OURS, call(apprentice_benchmark.ours, problem, expert, "ipm")
                ),
                "solver='clarabel'": Solver(
                    OURS, call(apprentice_benchmark.ours, problem, expert, "clarabel")
                ),
                "Clarabel by cvxpy": Solver(
                    PACKAGE, call(apprentice_benchmark.by_cvxpy, problem, expert)
                ),
            },
            value,
        )


def landmarks() -> Iterator[Task]:
    """Kernel matrices of rank m; scikit-learn's of as many rows, and of as many as come as near."""
    for n, m in ((1000, 50), (4000, 200)):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, 10)) + 2 * rng.normal(size=(8, 10))[rng.integers(8, size=n)]
        K = rbf_kernel(X, gamma=0.05)
        ours = LandmarkNystroem(n_landmarks=m, kernel_params={"gamma": 0.05}, random_state=0)

        def distance(Z, K=K):
            return np.linalg.norm(K - Z @ Z.T) / np.linalg.norm(K)

        def error(_, Z, distance=distance):
            return f"error {distance(Z):.2g}"

        def theirs(count):
            return Nystroem(n_components=count, gamma=0.05, random_state=0)

        aim = distance(ours.fit_transform(X))
        counts = range(m, n, m // 10)
        as_near = next(k for k in counts if distance(theirs(k).fit_transform(X)) <= aim)
        tasks = {
            f"{n} rows, {m} landmarks": m,
            f"{n} rows, error of {m} landmarks or less": as_near,
        }
        for name, count in tasks.items():
            yield Task(
                LandmarkNystroem,
                name,
                {
                    "LandmarkNystroem": Solver(OURS, call(ours.fit_transform, X)),
                    f"scikit-learn Nystroem, {count} rows": Solver(
                        PACKAGE, call(theirs(count).fit_transform, X)
                    ),
                },
                error,
            )


NEWER_TASKS = {
    machines: ("DualCoordinateDescentSVC",),
    passes: ("ConfidenceWeighted",),
    trees: ("ward_tree",),
    effects: ("VARLiNGAM",),
    apprentices: ("LinearProgramApprentice",),
    landmarks: ("LandmarkNystroem",),
}
