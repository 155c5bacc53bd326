"""Propositions 1 and 2: sign patterns of the Lasso at mu = mu0 / sqrt(n), by simulation.

The Lasso depends on the data through X'X / n and X'e / n alone. For normal data the first is a
Wishart matrix and the second, given the first, normal: both are drawn as such, so that a draw costs
the same for every n.
"""

from __future__ import annotations

import numpy as np

from icml2008.methods.bolasso.paths import lasso_at
from icml2008.papers.bach2008bolasso.designs import Design


def draw_moments(
    design: Design, n: int, draws: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return X'X / n, (draws, p, p), and X'y / n, (draws, p), of samples of size n >= p."""
    p = len(design.w)
    # Bartlett: a Wishart matrix is L A A' L' with A lower triangular, independent entries
    A = np.tril(rng.normal(size=(draws, p, p)), -1)
    A[:, np.arange(p), np.arange(p)] = np.sqrt(rng.chisquare(n - np.arange(p), size=(draws, p)))
    root = np.linalg.cholesky(design.Q) @ A / np.sqrt(n)
    grams = root @ root.transpose(0, 2, 1)
    noise = (root @ rng.normal(size=(draws, p, 1)))[..., 0] * design.sigma / np.sqrt(n)
    return grams, grams @ design.w + noise


def sign_patterns(design: Design, n: int, mu0: float, draws: int, rng) -> np.ndarray:
    """Return the signs of the Lasso's solutions on samples of size n, (draws, p)."""
    return np.sign(lasso_at(*draw_moments(design, n, draws, rng), mu0 / np.sqrt(n)))


def limit_patterns(design: Design, mu0: float, draws: int, rng) -> np.ndarray:
    """Return the signs of the irrelevant variables in the limit of Proposition 1, (draws, p - r).

    The limit minimises v'Qv / 2 - t'v + mu0 (s_J'v_J + |v_K|_1) with t normal, of covariance
    sigma^2 Q; with v_J eliminated it is a Lasso in v_K.
    """
    J = design.relevant
    Q = design.Q
    t = rng.normal(size=(draws, len(J))) @ np.linalg.cholesky(Q).T * design.sigma
    through = Q[~J][:, J] @ np.linalg.inv(Q[J][:, J])
    schur = Q[~J][:, ~J] - through @ Q[J][:, ~J]
    left = t[:, ~J] - (t[:, J] - mu0 * np.sign(design.w[J])) @ through.T
    return np.sign(lasso_at(np.broadcast_to(schur, (draws, *schur.shape)), left, mu0))


def sample_sizes(design: Design, mu0: float, levels: np.ndarray) -> np.ndarray:
    """Return the sizes at which the least certain relevant sign is a number of deviations right.

    With all signs as they should be, loading j has mean |w_j| - mu0 b_j / sqrt(n), with
    b = s_J Q_JJ^-1 s_J, and standard deviation sigma c_j / sqrt(n), with c_j^2 = (Q_JJ^-1)_jj.
    """
    J = design.relevant
    inverse = np.linalg.inv(design.Q[J][:, J])
    signs = np.sign(design.w[J])
    bias = mu0 * signs * (inverse @ signs)
    spread = design.sigma * np.sqrt(np.diag(inverse))
    roots = (np.maximum(bias, 0) + levels[:, None] * spread) / np.abs(design.w[J])
    return np.maximum(np.ceil(roots.max(axis=1) ** 2), 2 * len(J)).astype(int)


def pattern_shares(signs: np.ndarray) -> np.ndarray:
    """Return the share of draws with each of the 3^k sign patterns, (3^k,)."""
    codes = (signs.astype(int) + 1) @ 3 ** np.arange(signs.shape[1])
    return np.bincount(codes, minlength=3 ** signs.shape[1]) / len(signs)
