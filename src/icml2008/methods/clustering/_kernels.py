"""Smoothing kernels of Nowozin and Bakir (2008, Section 4), all with value 1 at their centre."""

from __future__ import annotations

import numpy as np

KERNELS = ("gaussian", "epanechnikov", "disc")
# Bound on the curvature of exp(-r^2 / 2): its second derivative is largest at r = sqrt(3).
GAUSSIAN_CURVATURE = 2 * np.exp(-1.5)


def squared_distances(points, centres):
    """Squared Euclidean distances, shape (n_points, n_centres).

    By one matrix product; the common shift keeps cancellation away from data far from zero.
    """
    shift = centres.mean(axis=0)
    points = points - shift
    centres = centres - shift
    squared = (-2 * points) @ centres.T
    squared += np.einsum("ij,ij->i", points, points)[:, None]
    squared += np.einsum("ij,ij->i", centres, centres)
    return np.maximum(squared, 0, out=squared)


def response(kernel, squared, h):
    """Kernel value at squared distances from the centre.

    Examples
    --------
    >>> response("epanechnikov", np.array([0.0, 1.0, 9.0]), 2.0)
    array([1.  , 0.75, 0.  ])
    """
    scaled = squared / h**2
    if kernel == "gaussian":
        return np.exp(-0.5 * scaled)
    if kernel == "epanechnikov":
        return np.maximum(1 - scaled, 0)
    return (scaled <= 1).astype(float)


def pull(kernel, squared, h):
    """Weight g of a sample in the mean shift step: minus the slope of the kernel's profile.

    Up to a factor common to all samples; the disc has no slope and moves as Epanechnikov does.
    """
    if kernel == "gaussian":
        return np.exp(-0.5 * squared / h**2)
    return (squared <= h**2).astype(float)
