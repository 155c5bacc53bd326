"""Potential functions of margins: what a convex potential booster descends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy.special import expit

from icml2008.errors import nearest

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Potential:
    """A potential phi of the margin z = y F(x), applied element by element.

    Parameters
    ----------
    value, slope : callable
        phi and its derivative, from an array to one of the same shape.
    curvature : callable, optional
        The second derivative, for steps by Newton's method.
    name : str

    References
    ----------
    Long, P. M. and Servedio, R. A. (2008). Random classification noise defeats all convex
    potential boosters. ICML. Definition 1.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import Potential
    >>> from icml2008.papers.long2008random.method.potentials import check_potential
    >>> cubic = Potential(lambda z: np.maximum(0, 1 - z) ** 3,
    ...                   lambda z: -3 * np.maximum(0, 1 - z) ** 2, name="cubic hinge")
    >>> check_potential(cubic)
    """

    value: Function
    slope: Function
    curvature: Function | None = None
    name: str = "potential"


def _exponential(z: np.ndarray) -> np.ndarray:
    return np.exp(-z)


def _madaboost(z: np.ndarray) -> np.ndarray:
    return np.where(z <= 0, 1 - z, np.exp(-np.maximum(z, 0)))


def _smooth_hinge(z: np.ndarray) -> np.ndarray:
    return np.where(z <= 0, 0.5 - z, 0.5 * np.clip(1 - z, 0, 1) ** 2)


def _logistic_curvature(z: np.ndarray) -> np.ndarray:
    return expit(z) * expit(-z)


POTENTIALS = MappingProxyType({
    potential.name: potential
    for potential in (
        Potential(_exponential, lambda z: -np.exp(-z), _exponential, "exponential"),
        Potential(
            lambda z: np.logaddexp(0, -z), lambda z: -expit(-z), _logistic_curvature, "logistic"
        ),
        Potential(_madaboost, lambda z: -np.exp(-np.maximum(z, 0)), name="madaboost"),
        Potential(
            lambda z: np.maximum(0, 1 - z) ** 2,
            lambda z: -2 * np.maximum(0, 1 - z),
            lambda z: 2.0 * (z < 1),
            "squared-hinge",
        ),
        Potential(_smooth_hinge, lambda z: -np.clip(1 - z, 0, 1), name="smooth-hinge"),
    )
})  # fmt: skip
"""The potentials of AdaBoost, LogitBoost and MadaBoost, and two like the hinge, by name."""


def as_potential(potential: str | Potential) -> Potential:
    """Return a potential given by name, or as it is.

    Raises
    ------
    ValueError
        If there is no potential of that name.
    TypeError
        If it is neither a name nor a `Potential`.
    """
    if isinstance(potential, Potential):
        return potential
    if not isinstance(potential, str):
        msg = f"potential: found {potential!r}; give a name or Potential(value, slope)"
        raise TypeError(msg)
    if potential not in POTENTIALS:
        msg = (
            f"potential: no potential {potential!r}{nearest(potential, POTENTIALS)}; there are "
            f"{', '.join(POTENTIALS)}"
        )
        raise ValueError(msg)
    return POTENTIALS[potential]


def _jumps(potential: Potential, z: np.ndarray, slope: np.ndarray, tol: float) -> np.ndarray:
    """Return whether the largest change of slope stays as its interval is halved 40 times."""
    at = int(np.argmax(np.abs(np.diff(slope))))
    low = z[at]
    high = z[at + 1]
    for _ in range(40):
        three = np.asarray(potential.slope(np.array([low, (low + high) / 2, high])))
        left = abs(three[1] - three[0]) > abs(three[2] - three[1])
        low, high = (low, (low + high) / 2) if left else ((low + high) / 2, high)
    fails = np.zeros(len(z), dtype=bool)
    fails[at] = abs(three[2] - three[0]) > tol * np.max(np.abs(three))
    return fails


def check_potential(potential: str | Potential, *, reach: float = 50.0, tol: float = 1e-6) -> None:
    """Check on a grid that a function is a convex potential (Definition 1).

    It has to be convex, non-increasing and continuously differentiable, with a negative slope at 0
    and the limit 0 at infinity. The unhinged loss 1 - z, say, has no such limit.

    Parameters
    ----------
    potential : str or Potential
    reach : float
        Margins from -reach to reach are looked at.
    tol : float
        Largest excess allowed, relative to the slopes at the same margins (where these are tiny,
        to 1e-8 of that at 0); `phi(1e6)` counts as the limit and may be as large as 1e-3 of
        `phi(0)`.

    Raises
    ------
    ValueError
        Which names the property and the margin at which it fails.
    """
    potential = as_potential(potential)
    z = np.linspace(-reach, reach, 4001)
    value = np.asarray(potential.value(z))
    slope = np.asarray(potential.slope(z))
    scale = np.maximum(np.abs(slope[:-1]), np.abs(slope[1:]))
    scale += 1e-8 * np.abs(potential.slope(np.zeros(1)))  # tails may be differences near 1
    step = z[1] - z[0]
    # A convex function lies above its tangents; its secants have slopes between those at the ends.
    secant = np.diff(value) / step
    rounding = tol * scale + 1e-12 * np.maximum(np.abs(value[:-1]), np.abs(value[1:])) / step
    checks = {
        "increases": slope > tol * np.max(np.abs(slope)),
        "is not convex": np.diff(slope) < -tol * scale,
        "has a slope that is not its derivative": (secant < slope[:-1] - rounding)
        | (secant > slope[1:] + rounding),
        "has no negative slope at 0": potential.slope(np.zeros(1)) >= 0,
        "does not tend to 0 at infinity": np.abs(potential.value(np.array([1e6])))
        > 1e-3 * np.abs(potential.value(np.zeros(1))),
    }
    checks["has a slope that jumps"] = _jumps(potential, z, slope, tol)
    for problem, fails in checks.items():
        if np.any(fails):
            where = f" near the margin {z[np.argmax(fails)]:.4g}" if np.size(fails) > 1 else ""
            msg = f"{potential.name} is no convex potential: it {problem}{where}"
            raise ValueError(msg)
