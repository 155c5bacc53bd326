"""The generated data of Section 4.1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

NOISE = 0.1  # of the signal's root mean square


@dataclass(frozen=True)
class Design:
    """A joint distribution: normal covariates, a sparse linear response, normal noise.

    Attributes
    ----------
    Q : ndarray of shape (p, p)
        Covariance, of unit diagonal.
    w : ndarray of shape (p,)
        Loadings, the first r of them not zero.
    sigma : float
        Standard deviation of the noise.
    """

    Q: np.ndarray
    w: np.ndarray
    sigma: float

    @property
    def relevant(self) -> np.ndarray:
        """Which variables have a loading, bool, shape (p,)."""
        return self.w != 0

    @property
    def kappa(self) -> float:
        """The left side of the consistency condition, Eq. 2."""
        J = self.relevant
        return float(
            np.abs(self.Q[~J][:, J] @ np.linalg.solve(self.Q[J][:, J], np.sign(self.w[J]))).max()
        )

    def sample(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw X (n, p) and y (n,)."""
        X = rng.normal(size=(n, len(self.w))) @ np.linalg.cholesky(self.Q).T
        return X, X @ self.w + self.sigma * rng.normal(size=n)


def draw_design(
    p: int, r: int, rng: np.random.Generator, loadings: str = "each", noise: float = NOISE
) -> Design:
    """Draw a distribution: G G' scaled to unit diagonal; signs times scales in [1/3, 1].

    With `loadings` "each", every loading has its own scale, with "common" all have one.
    """
    G = rng.normal(size=(p, p))
    Q = G @ G.T
    scale = 1 / np.sqrt(np.diag(Q))
    Q = Q * scale * scale[:, None]
    w = np.zeros(p)
    scales = rng.uniform(1 / 3, 1, size=r)
    w[:r] = rng.choice([-1.0, 1.0], size=r) * (scales if loadings == "each" else scales[0])
    return Design(Q, w, noise * float(np.sqrt(w @ Q @ w)))


def draw_such_that(accept, p: int, r: int, rng: np.random.Generator, loadings: str) -> Design:
    """Draw distributions until one of them has an accepted kappa."""
    while True:
        design = draw_design(p, r, rng, loadings)
        if accept(design.kappa):
            return design


def meets(condition: str):
    """Return whether kappa belongs to a condition that is "satisfied" or "violated"."""
    return (lambda kappa: kappa <= 1) if condition == "satisfied" else (lambda kappa: kappa > 1)


def rounds_to(printed: str):
    """Return whether kappa rounds to a printed number of two decimals."""
    return lambda kappa: f"{kappa:.2f}" == printed
