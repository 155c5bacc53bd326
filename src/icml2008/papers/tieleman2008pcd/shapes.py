"""The artificial data of Section 4.1: outlines of rectangles and triangles."""

import numpy as np


def outlines(corners, side):
    """Return images, (n, side^2), of the closed lines through corners, (n, k, 2)."""
    steps = np.linspace(0, 1, side)[:, None]
    ends = np.roll(corners, -1, axis=1)[:, :, None]
    at = np.rint(corners[:, :, None] * (1 - steps) + ends * steps).astype(int)
    images = np.zeros((len(corners), side * side), np.float32)
    places = (at[..., 0] * side + at[..., 1]).reshape(len(corners), -1)
    images[np.arange(len(corners))[:, None], places] = 1
    return images


def shapes(rng, n, side=16):
    """Return images, (n, side^2), each of a rectangle's and a triangle's outline."""
    (x, y), triangles = rng.integers(side, size=(2, n, 2)), rng.integers(side, size=(n, 3, 2))
    rectangles = np.stack([x[:, [0, 0, 1, 1]], y[:, [0, 1, 1, 0]]], axis=2)
    return np.maximum(outlines(rectangles, side), outlines(triangles, side))
