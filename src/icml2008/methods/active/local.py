"""Kriging of each point from its own few samples."""

from __future__ import annotations

import numpy as np


def krige_locally(points, X, y, nugget, form):
    """Krige each of q points from k samples of its own.

    Parameters
    ----------
    points : ndarray of shape (q, d)
    X : ndarray of shape (q, k, d)
    y : ndarray of shape (q, k)
    nugget : float
    form : {"textbook", "short"}

    Returns
    -------
    mean, variance : ndarrays of shape (q,)
        The variance is that for slope one.
    """
    k = y.shape[1]
    between = nugget + np.sqrt(np.sum((X[:, :, None] - X[:, None]) ** 2, axis=-1))
    between[:, np.arange(k), np.arange(k)] = 0.0
    to_point = nugget + np.sqrt(np.sum((X - points[:, None]) ** 2, axis=-1))
    first = between[:, :1]
    covariance = (first + first.transpose(0, 2, 1) - between)[:, 1:, 1:]
    cross = (to_point[:, :1] + first[:, 0] - to_point)[:, 1:]
    half = first[:, 0, 1:]
    differences = y[:, 1:] - y[:, :1]
    solved = np.linalg.solve(covariance, np.stack([differences, cross, half], axis=-1))
    mean = y[:, 0] + np.sum(cross * solved[..., 0], axis=1)
    variance = 2 * to_point[:, 0] - np.sum(cross * solved[..., 1], axis=1)
    if form == "short":
        inverse_s = np.sum(half * solved[..., 2], axis=1)
        multiplier = (
            to_point[:, 0]
            - np.sum((to_point[:, :1] - to_point[:, 1:]) * solved[..., 2], axis=1)
            - inverse_s
        )
        least_squares = y[:, 0] + np.sum(differences * solved[..., 2], axis=1)
        mean -= multiplier / inverse_s * (y.mean(axis=1) - least_squares)
        variance += multiplier**2 / inverse_s
    return mean, variance
