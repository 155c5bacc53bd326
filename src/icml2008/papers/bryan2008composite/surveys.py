"""The three data sets of Section 5, and how well a universe fits each: chi-squares and p-values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.stats import chi2

from icml2008.data.content import read_content
from icml2008.data.readers.archive import read_members
from icml2008.papers.bryan2008composite.spectra import (
    CURVED_TO,
    LARGEST_MULTIPOLE,
    WAVENUMBERS,
    flat_temperature_spectrum,
    matter_spectrum,
    temperature_spectrum,
)
from icml2008.papers.bryan2008composite.universe import (
    Universe,
    comoving_distance,
    volume_distance,
)

# What Tegmark et al. (2006) took for the universe when they turned redshifts into distances, the
# redshift of their galaxies, and their fit of non-linear growth; see CosmoMC's sdss_lrgDR4.dataset.
_FIDUCIAL = Universe(0.0, 0.75, 0.25, 0.0, 0.0, 0.0, 1.0)
_REDSHIFT = 0.35
_DAMPING = 1.4  # h / Mpc, in (1 + Q k^2) / (1 + 1.4 k)
LINEAR_BANDS = 14  # k < 0.09 h / Mpc


class Fit(NamedTuple):
    """How well a universe fits.

    Attributes
    ----------
    chi_square : float
    freedom : int
        Data less what was fitted to them.
    """

    chi_square: float
    freedom: int

    @property
    def statistic(self) -> float:
        """Fisher's -2 log p, infinite where the chi-square is."""
        value = -2 * chi2.logsf(self.chi_square, self.freedom)
        return float(value) if np.isfinite(self.chi_square) else np.inf


@dataclass(frozen=True)
class Temperature:
    """Power of the CMB's temperature in bands of multipoles.

    Attributes
    ----------
    low, high : ndarray of shape (n,), int
        First and last multipole of each band.
    power, error : ndarray of shape (n,)
        l (l + 1) C_l / 2 pi and its standard deviation, square microkelvin.
    """

    low: np.ndarray
    high: np.ndarray
    power: np.ndarray
    error: np.ndarray

    X = property(lambda self: np.stack([self.low, self.high], axis=1))
    y = property(lambda self: self.power)

    def bands(self, spectrum: np.ndarray) -> np.ndarray:
        """Return the mean of a spectrum (1001,) in each band, (n,)."""
        sums = np.concatenate([[0.0], np.cumsum(spectrum)])
        return (sums[self.high + 1] - sums[self.low]) / (self.high + 1 - self.low)

    def fit(self, universe: Universe) -> Fit:
        """Return the fit with the best amplitude, which is none of the paper's parameters."""
        return self._fit(temperature_spectrum(universe), self.low >= 0)

    def least(self, universe: Universe) -> Fit:
        """Return a fit that is at least as good, of the bands that curvature leaves as they are.

        It takes half of the time, and is enough for a universe that it rules out.
        """
        return self._fit(flat_temperature_spectrum(universe), self.low > CURVED_TO)

    def _fit(self, spectrum: np.ndarray, counted: np.ndarray) -> Fit:
        model = (self.bands(spectrum) / self.error)[counted]
        data = (self.power / self.error)[counted]
        amplitude = model @ data / (model @ model)
        return Fit(float(np.sum((data - amplitude * model) ** 2)), len(self.power) - 1)


@dataclass(frozen=True)
class Supernovae:
    """Distance moduli of supernovae.

    Attributes
    ----------
    z, modulus, error : ndarray of shape (n,)
        Redshift, modulus in magnitudes and its standard deviation.
    """

    z: np.ndarray
    modulus: np.ndarray
    error: np.ndarray

    X = property(lambda self: self.z[:, None])
    y = property(lambda self: self.modulus)

    def fit(self, universe: Universe, zero_point: str) -> Fit:
        """Return the fit, with a zero point "as-published" or "free"."""
        distance = (1 + self.z) * comoving_distance(universe, self.z) / universe.h
        if not np.all(distance > 0):  # no big bang, or light from beyond the antipode
            return Fit(np.inf, len(self.z))
        gap = self.modulus - 5 * np.log10(distance) - 25
        weights = self.error**-2
        if zero_point == "free":
            gap = gap - gap @ weights / weights.sum()
        free = zero_point == "free"
        return Fit(float(gap**2 @ weights), len(self.z) - free)


@dataclass(frozen=True)
class Galaxies:
    """Band powers of galaxies, and the windows through which each sees the spectrum.

    Attributes
    ----------
    k : ndarray of shape (m,)
        Wavenumbers of the windows, h / Mpc.
    windows : ndarray of shape (n, m)
    power, error : ndarray of shape (n,)
        Band powers and their standard deviations, (Mpc / h)^3.
    """

    k: np.ndarray
    windows: np.ndarray
    power: np.ndarray
    error: np.ndarray

    X = property(lambda self: self.windows)
    y = property(lambda self: self.power)

    def fit(
        self,
        universe: Universe,
        scales: str,
        matter: Callable[[Universe], np.ndarray] = matter_spectrum,
    ) -> Fit:
        """Return the fit at the best bias, on "linear" scales or "all" with non-linear growth.

        `matter` gives a universe's spectrum at `WAVENUMBERS`.

        A bias only scales the bands. It is a parameter of the paper's, so that it costs no degree
        of freedom; the strength of the non-linear growth is none, and costs one.
        """
        stretch = volume_distance(universe, _REDSHIFT) / volume_distance(_FIDUCIAL, _REDSHIFT)
        if not stretch > 0:
            return Fit(np.inf, len(self.power))
        n = LINEAR_BANDS if scales == "linear" else len(self.power)
        k = self.k / stretch
        of_h = np.log(WAVENUMBERS / universe.h)
        power = np.exp(np.interp(np.log(k), of_h, np.log(matter(universe))))
        shapes = [power] if scales == "linear" else _grown(power, k)
        seen = np.stack([self.windows[:n] @ shape for shape in shapes], axis=1)
        rest = nnls(seen / self.error[:n, None], self.power[:n] / self.error[:n])[1]
        return Fit(float(rest**2), n - len(shapes) + 1)


def _grown(power: np.ndarray, k: np.ndarray) -> list[np.ndarray]:
    """The two parts of P (1 + Q k^2) / (1 + 1.4 k): without Q, and what Q multiplies."""
    damped = power / (1 + _DAMPING * k)
    return [damped, damped * k**2]


def load_temperature(path: Path, member: str = "") -> Temperature:
    """Read a spectrum of WMAP as published on LAMBDA: by multipole, in bands, or bands by centre.

    Parameters
    ----------
    path : pathlib.Path
        The file, or an archive with the file `member`.
    member : str

    Returns
    -------
    Temperature
        Up to l = 1000.
    """
    text = dict(read_members(path))[member] if member else read_content(path)
    table = np.loadtxt(text.decode().splitlines())
    if table.shape[1] == 7:  # centre, first, last, power, error and its two parts
        low, high, power, error = table[:, 1:5].T
    else:  # multipole or centre, power, error and its two parts
        centre, power, error = table[:, :3].T
        middles = (centre[1:] + centre[:-1]) / 2
        low = np.concatenate([centre[:1], np.ceil(middles)])
        high = np.concatenate([low[1:] - 1, [2 * centre[-1] - low[-1]]])
    kept = high <= LARGEST_MULTIPOLE
    return Temperature(low[kept].astype(int), high[kept].astype(int), power[kept], error[kept])


def load_supernovae(path: Path) -> Supernovae:
    """Read a table of the Supernova Cosmology Project: name, redshift, modulus, error."""
    rows = [line.split()[1:4] for line in read_content(path).decode().splitlines() if line]
    return Supernovae(*np.array(rows, dtype=float).T)


def load_galaxies(*paths: Path) -> Galaxies:
    """Read band powers, windows and wavenumbers as CosmoMC ships them."""
    measured, windows, k = (np.loadtxt(read_content(path).decode().splitlines()) for path in paths)
    return Galaxies(k, windows, *measured[:, 3:5].T)
