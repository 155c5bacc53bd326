"""Matrix completion and robust PCA: where they give the matrix back exactly, and where not."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.linalg import subspace_angles
from sklearn.exceptions import ConvergenceWarning

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.low_rank import complete_matrix, robust_pca
from icml2008.papers.foundations.samples import Array, Generator, everywhere, orthonormal, relative


def low_rank(rng: Generator, n_rows: int, n_columns: int, rank: int) -> Array:
    """Return a product of two normal factors."""
    return rng.normal(size=(n_rows, rank)) @ rng.normal(size=(rank, n_columns))


def freedom(n_rows: int, n_columns: int, rank: int) -> int:
    """Return the printed degrees of freedom of a matrix of a rank."""
    return rank * (n_rows + n_columns - rank)


def sampled(rng: Generator, shape: tuple[int, int], m: int, how: str = "fixed") -> Array:
    """Return which entries are observed: m of them, or each with the same chance."""
    if how == "bernoulli":
        return rng.random(shape) < m / (shape[0] * shape[1])
    observed = np.zeros(shape[0] * shape[1], dtype=bool)
    observed[rng.choice(observed.size, size=m, replace=False)] = True
    return observed.reshape(shape)


def measure(trial: Trial, name: str, estimate: Array, true: Array) -> None:
    """Measure the error as a share of the matrix's norm, and whether it counts as none."""
    error = float(np.linalg.norm(estimate - true) / np.linalg.norm(true))
    trial.measure(name, relative_error=error)
    trial.measure(
        name,
        recovered=100.0 * (error <= 1e-3),
        recovered_roughly=100.0 * (error <= 1e-2),
        n_test=1,
    )


def quietly(method: Callable, *given, **options):
    """Return what a method returns, without its warning that it was not quite done.

    Near the transition the last digits take thousands of steps, and a thousandth is asked for.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return method(*given, tol=1e-5, max_iter=1500, **options)


def complete(trial: Trial, X: Array, observed: Array) -> None:
    """Measure how well each method gives a matrix back from its observed entries."""
    for name, make in trial.methods.items():
        with trial.attempt(name):
            completed = quietly(make(), np.where(observed, X, np.nan), observed)
            measure(trial, name, completed, X)


@experiment(
    "completion",
    cells=grid(rank=[1, 2, 3, 5, 8], observed=[10, 20, 30, 40, 50, 60, 70, 80, 90]),
    quick=grid(rank=[1, 3, 8], observed=[10, 50, 90]),
    smoke=grid(rank=[1], observed=[10, 90]),
    repeats={"quick": 1, "full": 8},
    cost=0.07,
    methods={"nuclear norm": lambda: complete_matrix},
)
def completion(trial: Trial) -> None:
    """Recovery of 30 x 30 matrices of each rank from so many percent of their entries."""
    n = 30
    X = low_rank(trial.rng("matrix"), n, n, trial.cell["rank"])
    complete(
        trial, X, sampled(trial.rng("entries"), (n, n), round(trial.cell["observed"] / 100 * n * n))
    )


@experiment(
    "completion-size",
    cells=grid(n=[20, 40, 60], constant=[0.5, 1.0, 1.5, 2.0, 3.0]),
    quick=grid(n=[20, 40], constant=[0.5, 3.0]),
    smoke=grid(n=[20], constant=[0.5, 3.0]),
    repeats={"quick": 1, "full": 8},
    cost=lambda cell: cell["n"] / 200,
    methods={"nuclear norm": lambda: complete_matrix},
)
def completion_by_size(trial: Trial) -> None:
    """Recovery of n x n matrices of rank 2 from constant * rank * n log n entries."""
    n = trial.cell["n"]
    rank = 2
    X = low_rank(trial.rng("matrix"), n, n, rank)
    m = min(n * n, round(trial.cell["constant"] * rank * n * np.log(n)))
    complete(trial, X, sampled(trial.rng("entries"), (n, n), m, trial.choices["entries"]))


@experiment(
    "coherence",
    cells=everywhere(grid(matrix=["incoherent", "sparse", "missing row"])),
    repeats={"quick": 3, "full": 10},
    cost=0.02,
    methods={"nuclear norm": lambda: complete_matrix},
)
def coherence(trial: Trial) -> None:
    """Recovery of rank 2 from 60 % of the entries: spread out, sparse, or with a row unseen."""
    rng = trial.rng("matrix")
    kind = trial.cell["matrix"]
    n = 40
    X = low_rank(rng, n, n, 2)
    if kind == "sparse":
        X = np.zeros(n * n)
        X[rng.choice(n * n, size=2, replace=False)] = 1.0 + rng.random(2)
        X = X.reshape(n, n)
    observed = sampled(trial.rng("entries"), (n, n), round(0.6 * n * n))
    if kind == "missing row":
        observed[int(rng.integers(n))] = False
    complete(trial, X, observed)


@experiment(
    "robust-pca",
    cells=grid(rank=[1, 2, 4, 8, 12], corrupted=[2, 5, 10, 20, 30, 40]),
    quick=grid(rank=[1, 2, 12], corrupted=[2, 5, 20, 40]),
    smoke=grid(rank=[1], corrupted=[2, 40]),
    repeats={"quick": 1, "full": 8},
    cost=0.05,
    methods={"pursuit": lambda: robust_pca},
)
def separation(trial: Trial) -> None:
    """Recovery of 40 x 40 matrices of which so many percent of the entries are corrupted."""
    n = 40
    X = low_rank(trial.rng("matrix"), n, n, trial.cell["rank"]) / np.sqrt(n)
    wrong = sampled(trial.rng("entries"), (n, n), round(trial.cell["corrupted"] / 100 * n * n))
    spoilt = X + wrong * trial.rng("signs").choice([-1.0, 1.0], size=X.shape)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            measure(trial, name, quietly(make(), spoilt)[0], X)


@experiment(
    "rectangular",
    cells=grid(columns=[40, 160, 640]),
    quick=grid(columns=[40, 160]),
    smoke=grid(columns=[40]),
    repeats={"quick": 1, "full": 8},
    cost=lambda cell: 1.1 if cell["columns"] == 640 else 0.05,
    methods={
        "smaller side": lambda shape: 1 / np.sqrt(min(shape)),
        "larger side": lambda shape: 1 / np.sqrt(max(shape)),
    },
)
def weight_of_the_sparse_part(trial: Trial) -> None:
    """Recovery from a twentieth of corrupted entries, 40 rows, rank 2, with two forms of lambda."""
    shape = (40, trial.cell["columns"])
    X = low_rank(trial.rng("matrix"), *shape, 2) / np.sqrt(40)
    wrong = sampled(trial.rng("entries"), shape, round(0.05 * X.size))
    spoilt = X + wrong * trial.rng("signs").choice([-1.0, 1.0], size=shape)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            measure(trial, name, quietly(robust_pca, spoilt, sparsity=make(shape))[0], X)


def largest_angle(U: Array, V: Array) -> float:
    """Return the largest angle between two spaces in degrees.

    A small one is found by its sine: the arc cosine of nearly 1 would be the root of rounding.
    """
    return float(np.degrees(subspace_angles(U, V).max()))


@experiment(
    "one-outlier",
    cells=everywhere(grid(size=[1, 10, 100, 1000])),
    repeats=8,
    cost=0.02,
    methods={
        "PCA": lambda: lambda X: np.linalg.svd(X)[2][:2].T,
        "robust PCA": lambda: lambda X: np.linalg.svd(robust_pca(X)[0])[2][:2].T,
    },
)
def one_bad_entry(trial: Trial) -> None:
    """The largest angle between true and found plane of two components, one entry corrupted."""
    rng = trial.rng("matrix", across=("size",))
    U = orthonormal(rng, 60, 2)
    V = orthonormal(rng, 40, 2)
    X = (U * [30.0, 20.0]) @ V.T
    X[tuple(rng.integers([60, 40]))] += trial.cell["size"]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, angle=largest_angle(V, make()(X)))


def tangent_rank(rng: Generator, shape: tuple[int, int], rank: int) -> int:
    """Return the dimension of matrices of a rank at a random one: of its factors' derivative."""
    A = rng.normal(size=(shape[0], rank))
    B = rng.normal(size=(rank, shape[1]))
    by_left = np.kron(np.eye(shape[0]), B.T)
    by_right = np.kron(A, np.eye(shape[1]))
    return int(np.linalg.matrix_rank(np.hstack([by_left, by_right])))


@experiment(
    "freedom",
    cells=everywhere(grid(rank=[1, 2, 3])),
    repeats=6,
    cost=0.005,
    methods={"tangent space": lambda: tangent_rank},
)
def degrees_of_freedom(trial: Trial) -> None:
    """Parameters of a 7 x 9 matrix of a rank, and the nuclear norm as a trace."""
    rng = trial.rng("matrix")
    rank = trial.cell["rank"]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, parameters=float(make()(rng, (7, 9), rank)))
            X = low_rank(rng, 7, 9, rank)
            values, vectors = np.linalg.eigh(X @ X.T)
            root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
            nuclear = float(np.linalg.norm(X, "nuc"))
            # the root of rounding errors of 1e-16
            error = relative(np.trace(root) - nuclear, nuclear)
            trial.measure(name, identity_error=error, n_test=1)
