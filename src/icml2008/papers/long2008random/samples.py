"""Section 6: examples with a large margin, pullers and penalizers over 21 binary features."""

from __future__ import annotations

import numpy as np

N_FEATURES = 21
N_FIRST = 11
N_EXAMPLES = 4000
SHARES = (0.25, 0.25, 0.5)  # large margin, pullers, penalizers


def binary_sample(
    rng: np.random.Generator, groups: str = "exact", n: int = N_EXAMPLES
) -> tuple[np.ndarray, np.ndarray]:
    """Draw examples whose labels the majority of all features tells.

    Parameters
    ----------
    rng : Generator
    groups : {"exact", "random"}
        Whether the three groups have exactly their sizes, or each example falls into one by chance.
    n : int

    Returns
    -------
    X : ndarray of shape (n, 21)
        Features -1 and 1.
    y : ndarray of shape (n,)
        Labels -1 and 1, without noise.
    """
    sizes = np.round(np.multiply(n, SHARES)).astype(int)
    group = np.repeat([0, 1, 2], sizes if groups == "exact" else rng.multinomial(n, SHARES))
    y = rng.choice([-1, 1], n)
    agrees = np.ones((n, N_FEATURES), dtype=bool)
    agrees[group == 1, N_FIRST:] = False
    agrees[group == 2, :N_FIRST] = some(rng, 5, N_FIRST, np.sum(group == 2))
    agrees[group == 2, N_FIRST:] = some(rng, 6, N_FEATURES - N_FIRST, np.sum(group == 2))
    return np.where(agrees, y[:, None], -y[:, None]).astype(float), y


def some(rng: np.random.Generator, k: int, n: int, n_rows: int) -> np.ndarray:
    """Return rows with k of n places true, each subset equally likely."""
    return rng.permuted(np.tile(np.arange(n) < k, (n_rows, 1)), axis=1)


def flipped(y: np.ndarray, noise: float, rng: np.random.Generator) -> np.ndarray:
    """Return the labels, each flipped with the probability `noise`."""
    return np.where(rng.random(len(y)) < noise, -y, y)
