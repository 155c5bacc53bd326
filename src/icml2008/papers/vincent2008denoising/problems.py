"""Five problems of the benchmark of Larochelle et al. (2007), drawn again; its files are lost.

All return rows, (n, side * side), in float32 between 0 and 1, and classes, (n,).
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage
from scipy.signal import fftconvolve


def flat(images: np.ndarray) -> np.ndarray:
    """Return grey values or bits, (n, side, side), as rows."""
    scale = np.float32(255 if images.dtype == np.uint8 else 1)
    return images.reshape(len(images), -1).astype(np.float32) / scale


def rotate(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turn each image by an angle of its own, uniform on the circle, bilinearly."""
    side = int(len(X[0]) ** 0.5)
    turned = [
        ndimage.rotate(x.reshape(side, side), angle, reshape=False, order=1)
        for x, angle in zip(X, rng.uniform(0, 360, len(X)), strict=True)
    ]
    return np.stack(turned).reshape(X.shape).clip(0, 1)


def scatter(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Put images on backgrounds of uniform pixels: the lighter of both is seen."""
    return np.maximum(X, rng.random(X.shape, np.float32))


def rectangles(
    n: int, rng: np.random.Generator, side: int = 28, apart: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Draw outlines of a pixel's width; the class is 1 if they are wide and 0 if long.

    Height and width are uniform from 3 on, and `apart` pixels apart at least.
    """
    high, wide = rng.integers(3, side + 1, size=(2, n))
    while (near := np.abs(high - wide) < apart).any():
        high[near], wide[near] = rng.integers(3, side + 1, size=(2, near.sum()))
    top, left = (rng.integers(0, side - size + 1) for size in (high, wide))
    row = np.arange(side)[:, None]
    column = np.arange(side)
    down, right = (at[:, None, None] for at in (top, left))
    below, beyond = (at[:, None, None] - 1 for at in (top + high, left + wide))
    inside = (row >= down) & (row <= below) & (column >= right) & (column <= beyond)
    edge = (row == down) | (row == below) | (column == right) | (column == beyond)
    return flat(inside & edge), (wide > high).astype(int)


def half_planes(n: int, rate: float, least: int, rng: np.random.Generator, side: int) -> np.ndarray:
    """Return those of n intersections of half-planes, (m, side, side), with so many pixels.

    The number of half-planes is geometric, from 0 on. Each has its edge through a place of its
    own and contains one that all of an intersection share; both are uniform in the image.
    """
    sets = np.ones((n, side, side), bool)
    counts = rng.geometric(rate, n) - 1
    shared = rng.uniform(-0.5, side - 0.5, (2, n)).astype(np.float32)
    grid = np.arange(side, dtype=np.float32)
    for done in range(counts.max(initial=0)):
        cut = np.flatnonzero(counts > done)
        angle = rng.uniform(0, 2 * np.pi, len(cut))
        normal = np.stack([np.cos(angle), np.sin(angle)]).astype(np.float32)
        place = rng.uniform(-0.5, side - 0.5, normal.shape).astype(np.float32)
        normal *= np.sign(np.sum(normal * (shared[:, cut] - place), axis=0))
        down, right = (
            u[:, None] * (grid - at[:, None]) for u, at in zip(normal, place, strict=True)
        )
        sets[cut] &= down[:, :, None] + right[:, None] >= 0
    return sets[sets.sum(axis=(1, 2)) >= least]


def bent(sets: np.ndarray) -> np.ndarray:
    """Return which sets, (n, side, side), lack a pixel that is halfway between two of theirs."""
    pairs = fftconvolve(sets.astype(np.float32), sets.astype(np.float32), axes=(1, 2))
    return np.any((pairs[:, ::2, ::2] > 0.5) & ~sets, axis=(1, 2))


def convex(n: int, rng: np.random.Generator, side: int = 28) -> tuple[np.ndarray, np.ndarray]:
    """Draw convex sets, class 1, and unions of two to four that are not convex, class 0.

    Rates and least numbers of pixels are those of the benchmark's page on these sets; there both
    classes have the same mean number of pixels.
    """

    def unions(m):
        parts = half_planes(4 * m, 0.07, 10, rng, side)
        parts = parts[: len(parts) // 4 * 4].reshape(-1, 4, side, side)
        used = np.arange(4) < rng.integers(2, 5, size=(len(parts), 1))
        joined = np.any(parts & used[:, :, None, None], axis=1)
        return joined[bent(joined)]

    def plenty(n_images, draw):
        images = np.empty((0, side, side), bool)
        while len(images) < n_images:
            images = np.concatenate([images, draw(min(2 * n_images, 1000))])
        return images[:n_images]

    y = rng.integers(2, size=n)
    sets = np.empty((n, side, side), bool)
    sets[y == 1] = plenty(y.sum(), lambda m: half_planes(m, 0.195, 19, rng, side))
    sets[y == 0] = plenty(n - y.sum(), unions)
    return flat(sets), y
