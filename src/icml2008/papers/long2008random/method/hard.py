"""The four examples whose noisy labels defeat a given convex potential (Section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from .potentials import Potential, as_potential

_SIZES = np.logspace(-6, 12, 73)
_NO_SOLUTION = "{} has no solution: see whether check_potential takes the function"
_CLOSE = {"xtol": 1e-30, "rtol": 4 * np.finfo(float).eps, "maxiter": 1000}


@dataclass(frozen=True)
class HardSample:
    """Three different examples, one of them twice, with labels that are all positive.

    Attributes
    ----------
    potential : Potential
    noise : float
        Rate of the label noise that the sample is made for.
    gamma : float
        The margin with which the first coordinate alone classifies all examples.
    minimiser : ndarray of shape (2,)
        Global minimum of the noisy potential over the votes of the two coordinates. It
        misclassifies the penalizers, which are half of the sample.
    X : ndarray of shape (4, 2)
        Large-margin example, penalizer, penalizer, puller, in the unit disc.
    y : ndarray of shape (4,)
        Ones.
    """

    potential: Potential
    noise: float
    gamma: float
    minimiser: np.ndarray
    X: np.ndarray
    y: np.ndarray

    def rotated(self) -> np.ndarray:
        """Return the examples rotated so that the minimiser lies on the second axis.

        A booster that descends along coordinates then reaches it in its first round.
        """
        a, b = self.minimiser / np.linalg.norm(self.minimiser)
        return self.X @ np.array([[b, a], [-a, b]])

    def value(self, votes: np.ndarray) -> np.ndarray:
        """Return the expected potential under noise (Eq. 4) of votes, shape (..., 2)."""
        return self._expected(self.potential.value, votes, lambda x: 1.0)

    def gradient(self, votes: np.ndarray) -> np.ndarray:
        """Return its gradient, shape (..., 2)."""
        return np.stack(
            [self._expected(self.potential.slope, votes, lambda x, i=i: x[:, i]) for i in (0, 1)],
            axis=-1,
        )

    def _expected(self, of: Callable, votes: np.ndarray, weigh: Callable) -> np.ndarray:
        margins = np.asarray(votes) @ self.X.T
        right = (1 - self.noise) * weigh(self.X) * of(margins)
        return (right + self.noise * weigh(-self.X) * of(-margins)).mean(axis=-1)


def hard_sample(potential: str | Potential = "exponential", noise: float = 0.1) -> HardSample:
    """Build the sample of Theorem 3 for a potential and a rate of label noise.

    Parameters
    ----------
    potential : str or Potential
        A name in `POTENTIALS`, or one's own; see `check_potential`.
    noise : float
        Probability with which a label is flipped, between 0 and 1/2.

    Returns
    -------
    HardSample

    Raises
    ------
    ValueError
        If the noise is out of range, or Equation 9 has no solution, as for a function that is no
        convex potential.

    Notes
    -----
    With Z(a) = N phi'(a) - phi'(-a), N = (1 - noise) / noise, and the votes (a, (1 + g) a), the
    second partial derivative vanishes where a = e(1 + g) / g, and e(B) > 0 solves
    2 Z(-(B - 1) e) = 5 Z((5 B + 1) e) (Claim 4); the first one vanishes where g solves
    Z(e(1 + g) / g) = -6 g Z((6 + 5 g) e(1 + g)) (Equation 9). There 6 + 5 g < 1 / g, so that
    g < (sqrt(14) - 3) / 5 = 0.1483, below the printed 1/6.

    References
    ----------
    Long, P. M. and Servedio, R. A. (2008). Random classification noise defeats all convex
    potential boosters. ICML. Theorem 3, Sections 4.2 and 4.3.

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import hard_sample
    >>> sample = hard_sample("logistic", noise=0.1)
    >>> round(sample.gamma, 4)
    0.0551
    >>> np.sign(sample.X @ sample.minimiser)
    array([ 1., -1., -1.,  1.])
    """
    potential = as_potential(potential)
    if not 0 < noise < 0.5:
        msg = f"noise: found {noise}; it lies between 0 and 1/2, both excluded"
        raise ValueError(msg)
    odds = (1 - noise) / noise

    def z(a: np.ndarray) -> np.ndarray:
        return odds * potential.slope(a) - potential.slope(-a)

    def excess(gamma: float) -> float:
        e = balance(z, 1 + gamma)
        with np.errstate(over="ignore"):  # infinite is as good as large
            left, right = z(np.array([e / gamma, (6 + 5 * gamma) * e]))
        return left + 6 * gamma * right

    gammas = 1 / 6 * 0.5 ** np.arange(60)
    low = next((g for g in gammas if excess(g) > 0), None)
    if low is None:
        raise ValueError(_NO_SOLUTION.format("Equation 9"))
    gamma = brentq(excess, low, 1 / 6, **_CLOSE)
    alpha = balance(z, 1 + gamma) / gamma
    penalizer = [gamma, -gamma]
    return HardSample(
        potential,
        float(noise),
        gamma,
        alpha * np.array([1, 1 + gamma]),
        np.array([[1.0, 0.0], penalizer, penalizer, [gamma, 5 * gamma]]),
        np.ones(4),
    )


def balance(z: Callable[[np.ndarray], np.ndarray], b: float) -> float:
    """Return e(B) of Claim 4: the root of 5 Z((5 B + 1) e) - 2 Z(-(B - 1) e) for e > 0."""

    def difference(e: np.ndarray) -> np.ndarray:
        first, second = z(np.stack([(5 * b + 1) * e, -(b - 1) * e]))
        return 5 * first - 2 * second

    with np.errstate(over="ignore", invalid="ignore"):  # far beyond the root
        crossed = np.flatnonzero(difference(_SIZES) >= 0)
    if not len(crossed):
        raise ValueError(_NO_SOLUTION.format("Claim 4"))
    low = _SIZES[crossed[0] - 1] if crossed[0] else 0.0
    return brentq(difference, low, _SIZES[crossed[0]], **_CLOSE)


def noisy_distribution(
    X: np.ndarray, y: np.ndarray, noise: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each example with both labels, and the weights that make this the noisy distribution.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
        Labels -1 and 1.
    noise : float
        Probability with which a label is flipped.

    Returns
    -------
    X : ndarray of shape (2 n_samples, n_features)
    y, weights : ndarrays of shape (2 n_samples,)
        The weights have sum 1.

    Examples
    --------
    >>> X, y, weights = noisy_distribution(np.array([[0.5]]), np.array([1]), noise=0.1)
    >>> y, weights
    (array([ 1, -1]), array([0.9, 0.1]))
    """
    weights = np.repeat([1 - noise, noise], len(y)) / len(y)
    return np.concatenate([X, X]), np.concatenate([y, -y]), weights
