"""Universes of seven parameters: their distances, and the acoustic angle of the CMB."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

HUBBLE_DISTANCE = 2997.92458  # c / (100 km/s/Mpc), in Mpc
_PHOTONS = 2.473e-5  # Omega h^2 at 2.725 K
_RADIATION = _PHOTONS * (1 + 0.2271 * 3.046)  # with massless neutrinos
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_FEW_NODES, _FEW_WEIGHTS = np.polynomial.legendre.leggauss(12)  # enough for redshifts below 2


class Universe(NamedTuple):
    """Parameters of Section 5, less the galaxies' bias; numbers or arrays of one shape.

    Attributes
    ----------
    tau : optical depth of reionization
    omega_lambda : dark energy, as a share of the critical density
    omega_m : all matter, likewise
    baryons, dark : Omega h^2 of baryons and of dark matter, neutrinos included
    neutrinos : their share of the dark matter
    tilt : spectral index n_s
    """

    tau: float
    omega_lambda: float
    omega_m: float
    baryons: float
    dark: float
    neutrinos: float
    tilt: float

    @property
    def h(self) -> float:
        """The Hubble constant in units of 100 km/s/Mpc."""
        return np.sqrt((self.baryons + self.dark) / self.omega_m)

    @property
    def omega_k(self) -> float:
        """Curvature, as a share of the critical density; negative if the universe is closed."""
        return 1 - self.omega_m - self.omega_lambda


# The best fit of the five-year WMAP data alone (Dunkley et al. 2009, mean values).
WMAP_5 = Universe(0.087, 0.742, 0.258, 0.02273, 0.1099, 0.0, 0.963)


def comoving_distance(universe: Universe, z: np.ndarray) -> np.ndarray:
    """Return the transverse comoving distance to redshifts z (q,) in Mpc / h, matter era on.

    Radiation is left out: supernovae and galaxies are near. NaN where there was no big bang.
    """
    half = np.asarray(z, dtype=float)[:, None] / 2
    at = 1 + half * (1 + _FEW_NODES)
    square = universe.omega_m * at**3 + universe.omega_k * at**2 + universe.omega_lambda
    with np.errstate(invalid="ignore"):
        line_of_sight = (half * _FEW_WEIGHTS / np.sqrt(square)).sum(axis=1)
    return HUBBLE_DISTANCE * _bent(line_of_sight, universe.omega_k)


def volume_distance(universe: Universe, z: float) -> float:
    """Return Eisenstein's D_V(z) in Mpc / h, by which a survey's scales are stretched."""
    across = comoving_distance(universe, np.array([z]))[0]
    expansion = np.sqrt(
        universe.omega_m * (1 + z) ** 3 + universe.omega_k * (1 + z) ** 2 + universe.omega_lambda
    )
    return float((across**2 * z * HUBBLE_DISTANCE / expansion) ** (1 / 3))


def acoustic_angle(universe: Universe) -> np.ndarray:
    """Return 100 times the angle of the sound horizon at last scattering, for arrays of universes.

    Last scattering is where Hu and Sugiyama (1996) fit it; neutrinos are taken for massless.
    """
    baryons = np.asarray(universe.baryons, dtype=float)
    matter = baryons + universe.dark
    first = 0.0783 * baryons**-0.238 / (1 + 39.5 * baryons**0.763)
    second = 0.560 / (1 + 21.1 * baryons**1.81)
    a = 1 / (1 + 1048 * (1 + 0.00124 * baryons**-0.738) * (1 + first * matter**second))
    h2 = matter / universe.omega_m

    def integral(low: np.ndarray, high: np.ndarray, of_sound: bool) -> np.ndarray:
        # In the root of the scale factor the integrand is smooth at the big bang.
        half = (np.sqrt(high) - np.sqrt(low)) / 2
        s = np.sqrt(low)[..., None] + half[..., None] * (1 + _NODES)
        x = s**2
        square = (
            _RADIATION
            + matter[..., None] * x
            + (universe.omega_k * h2)[..., None] * x**2
            + (universe.omega_lambda * h2)[..., None] * x**4
        )
        with np.errstate(invalid="ignore"):
            speed = 2 * s / np.sqrt(square)
        if of_sound:
            speed /= np.sqrt(3 * (1 + 0.75 * (baryons / _PHOTONS)[..., None] * x))
        return half * (speed * _WEIGHTS).sum(axis=-1)

    horizon = integral(np.zeros_like(a), a, of_sound=True)
    distance = integral(a, np.ones_like(a), of_sound=False)
    root = np.sqrt(h2)
    return 100 * horizon / (_bent(distance * root, universe.omega_k) / root)


class AtAngle(NamedTuple):
    """Universes whose Omega_M is to follow from their acoustic angle; arrays of one shape.

    At fixed physical densities the angle grows with Omega_M, which closes space.

    Attributes
    ----------
    angle : as `acoustic_angle` gives it
    omega_lambda, baryons, dark : as in `Universe`
    """

    angle: np.ndarray
    omega_lambda: np.ndarray
    baryons: np.ndarray
    dark: np.ndarray

    def exist(self, low: float, high: float) -> np.ndarray:
        """Return where an Omega_M within bounds gives the angle."""
        return (self._excess(low) <= 0) & (self._excess(high) >= 0)

    def omega_m(self, low: float, high: float) -> np.ndarray:
        """Return it, by bisection; it is meaningless where `exist` is false."""
        low, high = (np.full_like(self.angle, bound) for bound in (low, high))
        for _ in range(25):
            middle = (low + high) / 2
            beyond = self._excess(middle) > 0
            low = np.where(beyond, low, middle)
            high = np.where(beyond, middle, high)
        return (low + high) / 2

    def _excess(self, omega_m: np.ndarray | float) -> np.ndarray:
        omega_m = np.broadcast_to(omega_m, self.angle.shape)
        universe = Universe(0.0, self.omega_lambda, omega_m, self.baryons, self.dark, 0.0, 1.0)
        # No big bang: far less matter than is needed.
        return np.nan_to_num(acoustic_angle(universe) - self.angle, nan=-1.0)


def _bent(distance: np.ndarray, omega_k: np.ndarray) -> np.ndarray:
    """Return a comoving distance, in Hubble distances, as it is seen across curved space."""
    root = np.sqrt(np.abs(omega_k))
    angle = root * distance
    safe = np.where(root > 1e-6, root, 1.0)
    curved = np.where(np.asarray(omega_k) > 0, np.sinh(angle), np.sin(angle)) / safe
    return np.where(root > 1e-6, curved, distance)
