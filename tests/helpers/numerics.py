"""Small computations that tests in several papers' folders share."""

import numpy as np


def derivative(function, at, step=1e-5):
    """Return the gradient by central differences."""
    moves = step * np.eye(len(at))
    return np.array([(function(at + m) - function(at - m)) / (2 * step) for m in moves])


def positive_definite(rng, size):
    """Return a random symmetric matrix with positive eigenvalues."""
    root = rng.normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size)
