"""Principal components, classical scaling and kernel principal components."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.decomposition import PCA, KernelPCA
from sklearn.linear_model import RidgeClassifier
from sklearn.manifold import ClassicalMDS
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import (
    Array,
    everywhere,
    orthonormal,
    real_rows,
    relative,
    seed,
)

RIVALS = 30
KEPT = (1, 2, 4, 8)


def rows(trial: Trial) -> Array:
    """Return 300 rows of the trial's data, (300, n_features), not centred."""
    rng = trial.rng("rows")
    name = trial.cell["dataset"]
    if name == "gaussian":
        return 3.0 + rng.normal(size=(300, 12)) * 0.7 ** np.arange(12) @ orthonormal(rng, 12, 12)
    return rng.permutation(real_rows(name)[0])[:300]


def lost(X: Array, A: Array) -> float:
    """Return the squared error of rows rebuilt from their coordinates in the basis A."""
    return float(((X - X @ A @ A.T) ** 2).sum())


@experiment(
    "pca",
    cells=everywhere(grid(dataset=["gaussian", "digits", "breast-cancer"])),
    repeats=12,
    cost=0.02,
    methods={"PCA": PCA},
)
def principal_components(trial: Trial) -> None:
    """The error of M components against other bases, eigenvalues and the singular values."""
    given = rows(trial)
    rng = trial.rng("rivals")
    X = given - given.mean(axis=0)
    total = float((X**2).sum())
    n, d = X.shape
    scatter = np.linalg.eigvalsh(X.T @ X)[::-1]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            basis = make(n_components=max(KEPT)).fit(given).components_.T
            errors = {M: lost(X, basis[:, :M]) for M in KEPT}
            behind = [0.0]
            sums = []
            printed = []
            offsets = [0.0]
            for M, error in errors.items():
                A = basis[:, :M]
                turns = 10.0 ** rng.uniform(-3, 0, size=RIVALS)
                others = [orthonormal(rng, d, M) for _ in range(RIVALS)]
                others += [np.linalg.qr(A + t * rng.normal(size=A.shape))[0] for t in turns]
                behind += [(error - lost(X, B)) / total for B in others]
                sums += [error + ((X @ A) ** 2).sum() - total, error - scatter[M:].sum()]
                printed.append(error / (n * scatter[M:].sum()))
                shift = rng.normal(size=d)
                along = A @ (A.T @ shift)
                offsets.append((error - lost(X - shift, A)) / total)
                offsets.append(abs(error - lost(X - along, A)) / total)
            singular = np.linalg.svd(X.T, full_matrices=False)
            across = np.abs(np.einsum("ij,ij->j", singular[0][:, : max(KEPT)], basis))
            trial.measure(
                name,
                excess=max(behind),
                n_test=len(behind) - 1,
            )
            trial.measure(name, identity_error=relative(np.array(sums), total), n_test=len(sums))
            trial.measure(name, offset_excess=max(offsets), n_test=len(offsets) - 1)
            squares = relative(singular[1] ** 2 - scatter, scatter[0])
            trial.measure(name, svd_error=max(squares, relative(1 - across, 1.0)), n_test=1)
            trial.measure(name, printed_ratio=float(np.mean(printed)))


@experiment(
    "reduced",
    cells=everywhere(grid(dataset=["digits", "breast-cancer"])),
    repeats={"quick": 3, "full": 16},
    cost=0.02,
    methods={
        "all features": lambda: RidgeClassifier(alpha=1e-3),
        "90 % of the variance": lambda: make_pipeline(
            PCA(0.9, svd_solver="full"), RidgeClassifier(alpha=1e-3)
        ),
    },
)
def least_squares_on_components(trial: Trial) -> None:
    """Accuracy of least squares on all features, and on the components of 90 % of variance."""
    X, y = real_rows(trial.cell["dataset"])
    parts = train_test_split(X, y, test_size=0.5, random_state=seed(trial.rng("split")))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make().fit(parts[0], parts[2])
            right = 100 * model.score(parts[1], parts[3])
            used = model[0].n_components_ if hasattr(model, "steps") else X.shape[1]
            trial.measure(name, accuracy=right, n_test=len(parts[3]))
            trial.measure(name, kept=100 * used / X.shape[1])


def as_printed(D: Array, k: int) -> Array:
    """Return the embedding of classical scaling step by step, (n, k)."""
    H = np.eye(len(D)) - 1 / len(D)
    values, vectors = np.linalg.eigh(-0.5 * H @ D**2 @ H)
    return vectors[:, : -k - 1 : -1] * np.sqrt(values[: -k - 1 : -1])


def apart(A: Array, B: Array) -> float:
    """Return how far two sets of coordinates are apart, with the sign of each column free."""
    signs = np.sign(np.einsum("ij,ij->j", A, B))
    return relative(A * signs - B, float(np.abs(B).max()))


@experiment(
    "scaling",
    cells=everywhere(grid(dimension=[2, 5, 10])),
    repeats=12,
    cost=0.02,
    methods={"classical scaling": ClassicalMDS},
)
def scaling_of_distances(trial: Trial) -> None:
    """Distances of points back to points, and to principal components."""
    rng = trial.rng("points")
    d = trial.cell["dimension"]
    Z = rng.normal(size=(60, d)) * 0.8 ** np.arange(d)
    D = squareform(pdist(Z))
    centred = Z - Z.mean(axis=0)
    B = centred @ centred.T
    scores = PCA(2).fit_transform(Z)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            X = make(n_components=2).fit_transform(Z)
            loss = np.linalg.norm(X @ X.T - B)
            rivals = [X + 10.0 ** rng.uniform(-3, 0) * rng.normal(size=X.shape) for _ in range(50)]
            behind = [0.0] + [
                (loss - np.linalg.norm(R @ R.T - B)) / np.linalg.norm(B) for R in rivals
            ]
            trial.measure(name, excess=max(behind), n_test=len(rivals))
            trial.measure(
                name,
                identity_error=max(apart(as_printed(D, 2), scores), apart(X, scores)),
                n_test=2,
            )
            trial.measure(name, rank=float(np.linalg.matrix_rank(D**2, tol=1e-8 * (D**2).sum())))


@experiment(
    "kernel-pca",
    cells=grid(kernel=["gaussian"]),
    repeats=12,
    cost=0.02,
    methods={"kernel PCA": KernelPCA},
)
def kernel_components(trial: Trial) -> None:
    """The printed map on the training points against the centred one."""
    X = trial.rng("points").normal(size=(80, 3)) + 1.0
    K = rbf_kernel(X, gamma=0.3)
    H = np.eye(len(X)) - 1 / len(X)
    values, vectors = np.linalg.eigh(H @ K @ H)
    printed = K @ (vectors[:, :-4:-1] / np.sqrt(values[:-4:-1]))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            scores = make(n_components=3, kernel="rbf", gamma=0.3).fit_transform(X)
            shift = printed.mean(axis=0)
            trial.measure(name, identity_error=apart(printed - shift, scores), n_test=1)
            trial.measure(name, shift=relative(shift, float(np.abs(scores).max())))
