"""Samples that several experiments draw, and small helpers of all of them."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.preprocessing import StandardScaler

Array = np.ndarray
Generator = np.random.Generator


def seed(rng: Generator) -> int:
    """Return a seed for an interface that takes no Generator."""
    return int(rng.integers(2**31 - 1))


def everywhere(cells: list, smoke: list | None = None) -> dict[str, list]:
    """Return the cells of each scale: a few at smoke scale, the first if not said."""
    return {"smoke": smoke or cells[:1], "quick": cells, "full": cells}


def real_rows(name: str) -> tuple[Array, Array]:
    """Return features and labels of a data set that comes with scikit-learn.

    The measurements of ``breast-cancer`` have many units and are standardised.
    """
    if name == "digits":
        return load_digits(return_X_y=True)
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def orthonormal(rng: Generator, d: int, k: int) -> Array:
    """Return a random orthonormal basis of k vectors, (d, k), all bases equally likely."""
    Q, R = np.linalg.qr(rng.normal(size=(d, k)))
    return Q * np.sign(np.diag(R))


def blobs(rng: Generator, n: int, centres: Array, width: float) -> tuple[Array, Array]:
    """Return n samples of round normals about centres, in equal shares, and their labels."""
    labels = np.arange(n) % len(centres)
    return centres[labels] + width * rng.normal(size=(n, centres.shape[1])), labels


def two_normals(rng: Generator, n: int, separation: float, d: int = 2) -> tuple[Array, Array]:
    """Return n samples of two unit normals that far apart along the first axis, and labels."""
    y = np.arange(n) % 2
    X = rng.normal(size=(n, d))
    X[:, 0] += separation * (y - 0.5)
    return X, y


def relative(error: Array | float, size: float) -> float:
    """Return the largest error as a share of a size."""
    return float(np.max(np.abs(error))) / size
