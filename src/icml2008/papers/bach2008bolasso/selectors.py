"""Figure 4: methods that select exactly r variables, without a free parameter."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from icml2008.methods.bolasso._data import bootstrap_moments
from icml2008.methods.bolasso.paths import lasso_homotopy
from icml2008.methods.bolasso.stability import StabilitySelection
from icml2008.methods.bolasso.steps import selection_steps

Selector = Callable[..., np.ndarray]
N_BOOTSTRAPS = 128
RANGE = 1e-4  # the lowest mu, as a share of the highest


def largest(values: np.ndarray, r: int) -> np.ndarray:
    """Return which are the r largest values, bool."""
    chosen = np.zeros(len(values), dtype=bool)
    chosen[np.argsort(-values, kind="stable")[:r]] = True
    return chosen


def lasso(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
    """The first r variables that are active together on the path."""
    active = lasso_homotopy(X, y, fit_intercept=False).signs != 0
    return active[np.argmax(active.sum(axis=1) == r)]


def adaptive_lasso(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
    """The Lasso with each penalty divided by the size of the least-squares loading."""
    return lasso(X * np.abs(np.linalg.lstsq(X, y, rcond=None)[0]), y, r, seed)


def bolasso(X: np.ndarray, y: np.ndarray, r: int, seed: int, length: str = "log") -> np.ndarray:
    """The pattern of r variables that lasts for most values of mu, or of the nearest number."""
    top = float(np.abs(X.T @ y).max()) / len(X)
    steps = selection_steps(
        X, y, n_bootstraps=N_BOOTSTRAPS, fit_intercept=False, mu_min=RANGE * top, random_state=seed
    )
    supports, highest, lowest = steps.patterns()
    lengths = np.log(highest / lowest) if length == "log" else highest - lowest
    away = np.abs(supports.sum(axis=1) - r)
    lengths[away > away.min()] = -1.0
    total = {}  # a pattern may come back
    for support, size in zip(supports, lengths, strict=True):
        key = support.tobytes()
        total[key] = total.get(key, 0.0) + size
    return np.frombuffer(max(total, key=total.get), dtype=bool)


def forward_greedy(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
    """Least squares, each step with the variable that reduces the residual most."""
    left = y.copy()
    columns = X.copy()
    chosen = np.zeros(X.shape[1], dtype=bool)
    for _ in range(r):
        norms = np.sqrt((columns**2).sum(axis=0))
        gains = np.abs(columns.T @ left) / np.where(norms > 1e-12, norms, np.inf)
        best = int(np.argmax(np.where(chosen, -1.0, gains)))
        chosen[best] = True
        direction = columns[:, best] / norms[best]
        left = left - direction * (direction @ left)
        columns = columns - np.outer(direction, direction @ columns)
    return chosen


def thresholded(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
    """The r largest of the bagged least-squares loadings."""
    grams, moments = bootstrap_moments(
        X, y, n_bootstraps=N_BOOTSTRAPS, fit_intercept=False, random_state=seed
    )
    if len(X) < 2 * X.shape[1]:  # a resample may have fewer distinct rows than there are variables
        loadings = (np.linalg.pinv(grams, rcond=1e-10, hermitian=True) @ moments[..., None])[..., 0]
    else:
        loadings = np.linalg.solve(grams, moments[..., None])[..., 0]
    return largest(np.abs(loadings.mean(axis=0)), r)


def stability(X: np.ndarray, y: np.ndarray, r: int, seed: int) -> np.ndarray:
    """Stability selection (2010): the r variables most often among the first r of half-samples."""
    p = X.shape[1]
    model = StabilitySelection(
        threshold=0.75, max_false=(r + 0.5) ** 2 / (0.5 * p), fit_intercept=False, random_state=seed
    )
    return largest(model.fit(X, y).frequencies_, r)
