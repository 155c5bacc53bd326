"""The data of the paper: a Gaussian beside a ring, and 1100 digits of USPS."""

from __future__ import annotations

import numpy as np

from icml2008.data.images import Images

N_RING = 66


def gauss_ring(rng: np.random.Generator, ring: str) -> np.ndarray:
    """Return 33 normal points about the origin and 33 of a ring about (5, 5), (66, 2).

    The box [-2, 7]^2 of Figure 1 holds both: three standard deviations of 2 / 3, and a ring whose
    outer radius is 2. The ring is uniform in area between radii 1 and 2 (``annulus``), or uniform
    on the circle of radius 2 (``circle``).
    """
    half = N_RING // 2
    blob = 2 / 3 * rng.normal(size=(half, 2))
    angles = rng.uniform(0, 2 * np.pi, size=half)
    squares = rng.uniform(1, 4, size=half) if ring == "annulus" else np.full(half, 4.0)
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.vstack([blob, 5 + np.sqrt(squares)[:, None] * directions])


def lattice(per_axis: int) -> np.ndarray:
    """Return a regular grid over [-2, 7]^2, (per_axis^2, 2)."""
    axis = np.linspace(-2, 7, per_axis)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def digits(roweis: Images, zip_codes: Images, sample: str) -> np.ndarray:
    """Return 110 images of each digit, (1100, 256), grey values from 0 to 255.

    ``every-tenth`` and ``first`` take images 1, 11, ..., 1091 and 1, ..., 110 of each class of
    Roweis's file; ``zip`` takes 110 evenly spaced ones of each class of the zip code digits.
    """
    if sample == "zip":
        flat = 127.5 * (zip_codes.images.reshape(-1, 256) + 1)
        classes = [flat[zip_codes.y == digit] for digit in range(10)]
        return np.vstack([c[np.linspace(0, len(c) - 1, 110).astype(int)] for c in classes])
    classes = roweis.images.reshape(10, 1100, 256).astype(float)
    chosen = classes[:, ::10] if sample == "every-tenth" else classes[:, :110]
    return chosen.reshape(1100, 256)
