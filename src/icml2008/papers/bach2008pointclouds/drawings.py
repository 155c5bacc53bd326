"""The drawings that the kernels are compared on: which ones, and of which classes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_LETTERS = range(11, 21)  # A to J of binary-alphadigits; the letter O repeats the digit 0


class Drawings(NamedTuple):
    """Images (n, height, width), ink high, and their classes 0, 1, ... (n,)."""

    images: NDArray
    y: NDArray[np.int64]


def choose(data: Any, dataset: str, part: str, first: int, n: int) -> Drawings:
    """Return n drawings of each class, from number `first` of the class, in the set's order.

    Parameters
    ----------
    data : Images
        The data set of this name.
    dataset : {"mnist", "binary-alphadigits"}
        Of the letters and digits, the ten letters A to J.
    part : {"training", "test"}
        Of MNIST.
    first, n : int

    Raises
    ------
    ValueError
        If a class has too few.
    """
    images = data.images
    labels = data.y
    classes = range(10)
    if dataset == "mnist":
        kept = slice(None, data.n_train) if part == "training" else slice(data.n_train, None)
        images = images[kept]
        labels = labels[kept]
    else:
        classes = _LETTERS
    numbers = [np.flatnonzero(labels == label)[first : first + n] for label in classes]
    if short := [
        label for label, drawings in zip(classes, numbers, strict=True) if len(drawings) < n
    ]:
        msg = f"class {short[0]} of {dataset} has fewer than {first + n} drawings"
        raise ValueError(msg)
    return Drawings(images[np.concatenate(numbers)], np.repeat(np.arange(len(classes)), n))
