"""Spectra by CAMB, each computed once on a machine.

A spectrum is kept in a file named by the hash of all that it follows from: CAMB's version, all of
its settings and what is taken. What is read is bit for bit what was computed, so that the files
save time and can change no result; without them, or with a broken one, it is computed again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import version
from io import BytesIO
from itertools import product
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import ClassVar

import numpy as np
from numpy.polynomial import chebyshev

from icml2008.data.cache import cache_folder
from icml2008.papers.bryan2008composite.universe import WMAP_5, Universe, acoustic_angle

LARGEST_MULTIPOLE = 1000
CURVED_TO = 100  # multipoles that curvature changes in other ways than by the angle
AMPLITUDE = 2.41e-9  # of the primordial spectrum at the pivot, WMAP's five-year value
PIVOT = 0.002  # 1 / Mpc
WAVENUMBERS = np.geomspace(6e-5, 0.4, 240)  # 1 / Mpc
# CAMB's AccuracyBoost; the tests say how far that is from higher ones.
ACCURACY = {"flat": 0.7, "matter": 0.5}
_COARSER = {"IntTolBoost": 0.6}  # other settings of its accuracy
_COARSER_WHERE_CURVED = {"SourcekAccuracyBoost": 0.6, "NonFlatIntAccuracyBoost": 0.6}
CURVED_ACCURACIES = (1.0, 1.1, 1.3)  # the next one where the last failed
# How far the spectra of curved and flat universes may be apart: first and last multipole, share.
_AGREEMENT = ((20, 59, 0.3), (60, CURVED_TO, 0.05))
_EV = 94.07 * (3.046 / 3) ** -0.75  # of neutrino mass for each unit of Omega h^2
_LEAST_NEUTRINOS = 1e-3  # a smaller share counts as massless
_FLAT = 1e-4


class NoSpectrum(Exception):
    """CAMB finds no solution for these parameters, or none that can be true."""


def temperature_spectrum(universe: Universe) -> np.ndarray:
    """Return l (l + 1) C_l / 2 pi of the temperature in square microkelvin.

    Unlensed, without tensors; `AMPLITUDE` is that of the primordial spectrum. Beyond l = 100 it is
    the spectrum of the flat universe with the same physical densities and the same acoustic angle
    (the geometrical degeneracy; Efstathiou and Bond 1999), since the code of CAMB 2.0.5 for closed
    universes fails at some multipoles, by up to factors of 1000, whatever its accuracy.

    Returns
    -------
    ndarray of shape (1001,)
        From l = 0 on; the first two are 0.

    Raises
    ------
    NoSpectrum
        If CAMB gives none, or the parts differ where they meet.
    """
    flat = flat_temperature_spectrum(universe)
    if abs(universe.omega_k) < _FLAT:
        return flat
    for accuracy in CURVED_ACCURACIES:
        curved = _temperature(universe, CURVED_TO, accuracy)
        if all(
            np.max(np.abs(curved[low : high + 1] / flat[low : high + 1] - 1)) < most
            for low, high, most in _AGREEMENT
        ):
            return np.concatenate([curved, flat[len(curved) :]])
    msg = f"the spectrum of {universe} does not go over into that of the flat universe like it"
    raise NoSpectrum(msg)


def flat_temperature_spectrum(universe: Universe) -> np.ndarray:
    """Return the spectrum of the flat universe like this one: its own beyond l = 100."""
    like = universe if abs(universe.omega_k) < _FLAT else flattened(universe)
    return _temperature(like, LARGEST_MULTIPOLE, ACCURACY["flat"])


def matter_spectrum(universe: Universe) -> np.ndarray:
    """Return the linear power of matter today at `WAVENUMBERS`, shape (240,), in Mpc^3.

    Its shape in 1 / Mpc follows from the physical densities and the tilt, so that it is computed
    for a flat universe with these; curvature and dark energy would change the amplitude, which the
    bias of galaxies absorbs. `AMPLITUDE` is that of the primordial spectrum.

    Raises
    ------
    NoSpectrum
        If CAMB gives none.
    """
    universe = universe._replace(tau=0.09, omega_m=WMAP_5.omega_m, omega_lambda=1 - WMAP_5.omega_m)

    parameters = _parameters(universe, ACCURACY["matter"])
    parameters.WantCls = False
    parameters.set_matter_power(redshifts=[0.0], kmax=0.42, nonlinear=False)

    def power(results) -> np.ndarray:
        units = {"hubble_units": False, "k_hunit": False, "nonlinear": False}
        return results.get_matter_power_interpolator(**units).P(0.0, WAVENUMBERS)

    return _solved(parameters, power, f"power at {WAVENUMBERS.tolist()}")


class MatterSpectra:
    """Matter spectra of a box of universes, interpolated between those of a few.

    The shape hangs on three physical densities alone, since the tilt is a factor that is known. So
    72 spectra, at Chebyshev's points of the box, make galaxies the quick function that they are in
    the paper. The test says how far off they are.

    Parameters
    ----------
    box : mapping of str to (float, float)
        Bounds of "baryons", "dark" and "neutrinos", as in `Universe`.
    """

    DEGREES: ClassVar = {"baryons": 2, "dark": 5, "neutrinos": 3}

    def __init__(self, box: Mapping[str, tuple[float, float]]) -> None:
        self._box = {name: box[name] for name in self.DEGREES}
        nodes = [
            (low + high) / 2 + (high - low) / 2 * chebyshev.chebpts1(self.DEGREES[name] + 1)
            for name, (low, high) in self._box.items()
        ]
        values = [
            np.log(matter_spectrum(WMAP_5._replace(**dict(zip(self._box, at, strict=True)))))
            for at in product(*nodes)
        ]
        table = np.reshape(values, (*map(len, nodes), -1))
        for axis, node in enumerate(nodes):
            inverse = np.linalg.inv(chebyshev.chebvander(*self._scaled(axis, node)))
            table = np.moveaxis(np.tensordot(inverse, table, (1, axis)), 0, axis)
        self._coefficients = table

    def __call__(self, universe: Universe) -> np.ndarray:
        """Return what `matter_spectrum` does, shape (240,)."""
        logs = self._coefficients
        for axis, name in enumerate(self._box):
            at = np.array([getattr(universe, name)])
            logs = chebyshev.chebvander(*self._scaled(axis, at))[0] @ logs.reshape(len(logs), -1)
            logs = logs.reshape(self._coefficients.shape[axis + 1 :])
        tilted = (universe.tilt - WMAP_5.tilt) * np.log(WAVENUMBERS / PIVOT)
        return np.exp(logs + tilted)

    def _scaled(self, axis: int, values: np.ndarray) -> tuple[np.ndarray, int]:
        name = list(self._box)[axis]
        low, high = self._box[name]
        return (2 * values - low - high) / (high - low), self.DEGREES[name]


@lru_cache(1024)
def flattened(universe: Universe) -> Universe:
    """Return the flat universe with the physical densities and the acoustic angle of another.

    Raises
    ------
    NoSpectrum
        If there is none.
    """
    angle = acoustic_angle(Universe(*np.array(universe)[:, None]))
    low = np.array([0.01])
    high = np.array([1.5])
    for _ in range(40):  # with less dark energy it is farther to last scattering
        middle = (low + high) / 2
        tried = [universe._replace(omega_m=float(m), omega_lambda=1 - float(m)) for m in middle]
        beyond = acoustic_angle(Universe(*np.array(tried).T)) > angle
        low = np.where(beyond, middle, low)
        high = np.where(beyond, high, middle)
    if not 0.02 < middle[0] < 1.49:
        msg = f"no flat universe has the acoustic angle of {universe}"
        raise NoSpectrum(msg)
    return tried[0]


def _temperature(universe: Universe, largest: int, accuracy: float) -> np.ndarray:
    """Return CAMB's spectrum up to a multipole, shape (largest + 1,)."""
    parameters = _parameters(universe, accuracy)
    parameters.max_l = max(largest, 130)
    parameters.max_eta_k = max(2.0 * largest, 400.0)
    parameters.DoLensing = False
    parameters.Want_CMB_lensing = False
    for name, value in (_COARSER | (_COARSER_WHERE_CURVED if universe.omega_k else {})).items():
        setattr(parameters.Accuracy, name, value)
    parameters.Accuracy.AccuratePolarization = False
    parameters.Accuracy.AccurateReionization = False
    return _solved(
        parameters,
        lambda results: results.get_unlensed_scalar_cls(largest, CMB_unit="muK")[:, 0],
        f"temperature to {largest}",
    )


def _parameters(universe: Universe, accuracy: float):
    import camb

    camb.config.ThreadNum = 1
    parameters = camb.CAMBparams()
    massive = universe.neutrinos >= _LEAST_NEUTRINOS
    hot = universe.dark * universe.neutrinos if massive else 0.0
    try:
        parameters.set_cosmology(
            H0=100 * float(universe.h),
            ombh2=universe.baryons,
            omch2=universe.dark - hot,
            omk=universe.omega_k,
            tau=universe.tau,
            mnu=_EV * hot,
            num_massive_neutrinos=3 if massive else 0,
        )
    except camb.CAMBError as error:
        raise NoSpectrum(str(error)) from error
    parameters.InitPower.set_params(As=AMPLITUDE, ns=universe.tilt, pivot_scalar=PIVOT)
    parameters.WantTensors = False
    parameters.set_accuracy(AccuracyBoost=accuracy)
    return parameters


def _solved(parameters, take: Callable, what: str) -> np.ndarray:
    """Return what is taken from CAMB's solution, from its file if there is one."""
    import camb

    inputs = f"{version('camb')}\n{what}\n{parameters}"
    name = hashlib.sha256(inputs.encode()).hexdigest()
    path = cache_folder() / "spectra" / name[:2] / f"{name}.npy"
    try:
        return np.load(BytesIO(_checked(path)))
    except (OSError, ValueError):
        pass
    try:
        spectrum = np.array(take(camb.get_results(parameters)), dtype=float)
    except camb.CAMBError as error:
        raise NoSpectrum(str(error)) from error
    _write(path, spectrum)
    return spectrum


def _checked(path: Path) -> bytes:
    digest, content = path.read_bytes().split(b"\n", 1)
    if hashlib.sha256(content).hexdigest().encode() != digest:
        msg = f"{path}: its content has another hash than it was written with"
        raise ValueError(msg)
    return content


def _write(path: Path, array: np.ndarray) -> None:
    with BytesIO() as buffer:
        np.save(buffer, array)
        content = buffer.getvalue()
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    os.replace(file.name, path)
