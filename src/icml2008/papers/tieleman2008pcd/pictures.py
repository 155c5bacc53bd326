"""The artificial data of Section 4.1, outlines of rectangles and triangles; how far samples are."""

from functools import lru_cache

import numpy as np
from sklearn.metrics import pairwise_distances

SIDE = 16  # pixels, by Section 5.4's factor of 20


@lru_cache(1)
def segments():
    """Return images, (SIDE^2, SIDE^2, SIDE^2), of the lines between any two pixels."""
    at = np.stack(np.divmod(np.arange(SIDE**2), SIDE), axis=1)
    steps = np.linspace(0, 1, SIDE)[:, None]
    lines = np.rint(at[:, None, None] * (1 - steps) + at[None, :, None] * steps).astype(int)
    places = (lines[..., 0] * SIDE + lines[..., 1]).reshape(-1, SIDE)
    images = np.zeros((len(places), SIDE**2), np.uint8)
    images[np.arange(len(places))[:, None], places] = 1
    return images.reshape(SIDE**2, SIDE**2, SIDE**2)


def polygons(corners):
    """Return images, (n, SIDE^2), of the closed lines through pixels, (n, k)."""
    ends = np.roll(corners, -1, axis=1)
    return np.bitwise_or.reduce(segments()[corners, ends], axis=1)


def shapes(rng, n):
    """Return images, (n, SIDE^2), each of a rectangle's and a triangle's outline."""
    (x, y) = rng.integers(SIDE, size=(2, n, 2))
    triangles = rng.integers(SIDE**2, size=(n, 3))
    rectangles = x[:, [0, 0, 1, 1]] * SIDE + y[:, [0, 1, 1, 0]]
    return (polygons(rectangles) | polygons(triangles)).astype(np.float32)


def energy_distance(X, Y):
    """Return 2 E|x - y| - E|x - x'| - E|y - y'|, Euclidean, without bias; of rows."""
    X = np.asarray(X, float)
    Y = np.asarray(Y, float)
    within = (pairwise_distances(A).sum() / (len(A) * (len(A) - 1)) for A in (X, Y))
    return 2 * pairwise_distances(X, Y).mean() - sum(within)
