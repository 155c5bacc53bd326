"""Section 3: the four functions whose level sets are to be found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from icml2008.methods.active.slopes import slopes_beforehand

TASKS = ("Gaussian", "SimpleSin2D", "Sin2D", "4-Sin2D")
TARGETS = {"Gaussian": 0.99, "SimpleSin2D": 0.99, "Sin2D": 0.90, "4-Sin2D": 0.90}

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Task:
    """A sum of functions of points x, shape (..., 2), whose level set is to be found.

    Attributes
    ----------
    functions : tuple of callables
        From points of shape (..., 2) to values of shape (...).
    bounds : ndarray of shape (2, 2)
        Lower and upper end in each dimension.
    threshold : float
        Value of the sum on the level set.
    target : float
        Share of test points on the right side that ends a campaign.
    mirrored : bool
        Whether the two functions are one with its arguments exchanged.
    """

    functions: tuple[Function, ...]
    bounds: np.ndarray
    threshold: float
    target: float
    mirrored: bool

    def total(self, points: np.ndarray) -> np.ndarray:
        """Return the sum of the functions at points, shape (..., 2)."""
        return sum(f(points) for f in self.functions)

    def slopes(self, rule: str) -> np.ndarray:
        """Return the slope of each function's semivariance, set beforehand by a rule.

        Mirror images share one, since a fit to scattered points would tell them apart.
        """
        options = {
            "gradient": {"rule": "gradient"},
            "half-gradient": {"rule": "half-gradient"},
            "variogram": {"rule": "variogram"},
            "variogram-local": {"rule": "variogram", "max_lag": 0.1 * self.diagonal},
            # Of smooth functions, the more points the smaller: as many as a campaign has samples.
            "likelihood": {"rule": "likelihood", "n_points": 100},
        }[rule]
        functions = self.functions[:1] if self.mirrored else self.functions
        beforehand = slopes_beforehand(functions, self.bounds, **options)
        return np.resize(beforehand, len(self.functions))

    def level_set(self, n: int = 400) -> np.ndarray:
        """Return points of the level set, shape (q, 2): where it crosses the lines of a grid."""
        axes = [np.linspace(low, high, n) for low, high in self.bounds]
        grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        above = self.total(grid) - self.threshold
        crossings = []
        for grid_, above_ in ((grid, above), (grid.swapaxes(0, 1), above.T)):
            i, j = np.nonzero((above_[1:] > 0) != (above_[:-1] > 0))
            share = (above_[i, j] / (above_[i, j] - above_[i + 1, j]))[:, None]
            crossings.append((1 - share) * grid_[i, j] + share * grid_[i + 1, j])
        return np.concatenate(crossings)

    @property
    def diagonal(self) -> float:
        """The largest distance of two points."""
        return float(np.linalg.norm(np.ptp(self.bounds, axis=1)))


def make_task(name: str, choices: Mapping[str, str]) -> Task:
    """Return one of `TASKS` as the choices have it."""
    target = TARGETS[name]
    if name == "Gaussian":
        # -2 log of a density, less its constant, is a chi-square.
        factor = {"log-density": 0.5, "chi-square": 1.0}[choices["gaussian-scale"]]
        functions = _mirrored(lambda x, y: factor * (x**2 + y**2 / 16))
        threshold = factor * float(choices["gaussian-threshold"])
        return Task(functions, _square(-3.4, 3.4), threshold, target, mirrored=True)
    if name == "4-Sin2D":
        low, high = map(float, choices["domain"].split(".."))
        return Task(_FOUR, _square(low, high), -2.0, target, mirrored=False)
    return Task(_mirrored(_WAVES[name]), _square(0.0, 2.0), 0.0, target, mirrored=True)


@cache
def slopes_of(name: str, rule: str, settings: tuple[tuple[str, str], ...]) -> tuple[float, ...]:
    """Return the slopes of a task that `settings` make: the same for all its trials."""
    return tuple(make_task(name, dict(settings)).slopes(rule).tolist())


def _of_points(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Function:
    return lambda points: function(points[..., 0], points[..., 1])


def _mirrored(function: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> tuple[Function, ...]:
    return _of_points(function), _of_points(lambda x, y: function(y, x))


def _square(low: float, high: float) -> np.ndarray:
    return np.array([[low, high]] * 2)


_WAVES = {
    "Sin2D": lambda x, y: np.sin(10 * x) + np.cos(4 * y) - np.cos(3 * x * y),
    "SimpleSin2D": lambda x, y: np.sin(4 * x) + np.cos(4 * y) - np.cos(x * y),
}
_FOUR = tuple(
    map(
        _of_points,
        (
            lambda x, y: np.sin(4 * x) + np.cos(2 * y) - np.cos(3 * x),
            lambda x, y: np.sin(2 * y - 2) + np.cos(2 * x) - np.cos(3 * x),
            lambda x, y: np.sin(3 * x * y) + np.cos(2 * x) + 1,
            lambda x, y: np.cos(x * y) - np.sin(x * y),
        ),
    )
)
