"""Random decomposable models and covariance matrices, to try the propositions of Section 3 on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.graph_kernels.bhattacharyya import indefinite_example

Cliques = list[tuple[int, ...]]
Floats = NDArray[np.float64]

N_MATRICES = 12
N_CLIQUES = 5
N_MODELS = 5


def random_model(rng: np.random.Generator, separator: int) -> Cliques:
    """Return the cliques of a rooted junction tree, each with 1 or 2 new variables.

    Parameters
    ----------
    rng : numpy.random.Generator
    separator : int
        Largest number of variables that a clique shares with its parent.
    """
    cliques: Cliques = [tuple(range(separator + 1))]
    n = separator + 1
    for _ in range(N_CLIQUES - 1):
        parent = cliques[rng.integers(len(cliques))]
        n_shared = rng.integers(1, separator + 1)
        shared = rng.choice(parent, n_shared, replace=False).tolist()
        new = range(n, n + int(rng.integers(1, 3)))
        cliques.append((*shared, *new))
        n = new.stop
    return cliques


def random_covariances(rng: np.random.Generator, size: int) -> Floats:
    """Return covariance matrices of a few more samples than variables, (N_MATRICES, size, size)."""
    samples = rng.normal(size=(N_MATRICES, size, size + 2)) * rng.lognormal(size=(size, 1))
    return samples @ samples.transpose(0, 2, 1) / (size + 2)


def draw(kind: str, rng: np.random.Generator) -> list[tuple[Floats, Cliques]]:
    """Return models with covariance matrices.

    Parameters
    ----------
    kind : {"covariance", "correlation", "star"}
        Any model; separators of one variable and unit variances, as Proposition 1 wants; or the
        constructed stars, which no chance enters.
    rng : numpy.random.Generator
    """
    if kind == "star":
        return [indefinite_example(n_leaves) for n_leaves in range(11, 11 + N_MODELS)]
    models = []
    for _ in range(N_MODELS):
        cliques = random_model(rng, separator=1 if kind == "correlation" else 2)
        matrices = random_covariances(rng, 1 + max(map(max, cliques)))
        if kind == "correlation":
            scale = 1 / np.sqrt(np.diagonal(matrices, axis1=1, axis2=2))
            matrices = scale[:, :, None] * matrices * scale[:, None]
        models.append((matrices, cliques))
    return models


def negativity(kernel: Callable[..., float], matrices: Sequence[Floats], cliques: Cliques) -> float:
    """Return how negative a Gram matrix is: -(smallest eigenvalue) / (largest), 0 at least."""
    gram = np.eye(len(matrices))
    for i, K in enumerate(matrices):
        for j in range(i):
            gram[i, j] = gram[j, i] = kernel(K, matrices[j], cliques)
    values = np.linalg.eigvalsh(gram)
    return max(0.0, float(-values[0] / values[-1]))
