"""Data sets of images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from icml2008.data.content import open_content
from icml2008.data.readers.idx import read_idx
from icml2008.errors import Icml2008Error


@dataclass(frozen=True)
class Images:
    """Images of one size with labels.

    Attributes
    ----------
    images : ndarray, shape (n_images, height, width)
        Grey values or marks, upright; their type and range are those of the file.
    y : ndarray of int, shape (n_images,)
        Labels.
    n_train : int or None
        Number of leading images that the data set's makers gave for training; None where they gave
        no split.
    """

    images: np.ndarray
    y: np.ndarray
    n_train: int | None = None


def load_mnist(
    train_images: Path, train_labels: Path, test_images: Path, test_labels: Path
) -> Images:
    """Return MNIST: 60,000 digits for training and 10,000 for testing, uint8, 28 x 28."""
    train = read_idx(train_labels)
    test = read_idx(test_labels)
    return Images(
        images=np.concatenate([read_idx(train_images), read_idx(test_images)]),
        y=np.concatenate([train, test]).astype(np.intp),
        n_train=train.size,
    )


def load_usps_zip(train: Path, test: Path) -> Images:
    """Return the zip code digits: 7,291 for training, 2,007 for testing, in [-1, 1], 16 x 16."""
    parts = [_read_numbers(path) for path in (train, test)]
    table = np.concatenate(parts)
    return Images(
        images=table[:, 1:].reshape(-1, 16, 16),
        y=table[:, 0].astype(np.intp),
        n_train=len(parts[0]),
    )


def load_usps_all(path: Path) -> Images:
    """Return Roweis's 11,000 USPS digits, uint8 0 to 255, 16 x 16.

    The images are in the order of the file: 1,100 of each digit 1, 2, ..., 9, 0, so that image i of
    the class with index c (0 for digit 1) is row 1100 c + i.

    Raises
    ------
    Icml2008Error
        If images repeat: copies circulate in which three classes are the same.
    """
    data = read_matlab(path)["data"]
    flat = data.reshape(256, 11_000, order="F").T
    n_distinct = len(np.unique(flat, axis=0))
    if n_distinct != 11_000:
        message = f"{path.name} has {n_distinct} distinct images, not 11000: a defective copy"
        raise Icml2008Error(message)
    digits = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])
    return Images(images=_upright(flat, 16, 16), y=np.repeat(digits, 1100))


def load_matlab_images(
    path: Path,
    *,
    variable: str,
    height: int,
    width: int,
    images: Literal["rows", "columns"] = "rows",
    pixels: Literal["rows", "columns"] = "columns",
    labels: str | None = None,
    per_class: int | None = None,
) -> Images:
    """Return images from the rows or columns of a variable, pixels stored by rows or by columns.

    Labels come from a variable, or count up after every so many images, or are all zero.
    """
    data = read_matlab(path)
    flat = data[variable].T if images == "columns" else data[variable]
    if labels:
        y = data[labels].ravel().astype(np.intp)
    else:
        y = np.arange(len(flat)) // (per_class or len(flat))
    if pixels == "rows":
        return Images(images=flat.reshape(-1, height, width), y=y)
    return Images(images=_upright(flat, height, width), y=y)


def read_matlab(path: Path) -> dict:
    """Return the variables of a MATLAB 5 file."""
    from scipy.io import loadmat

    with open_content(path) as file:
        return loadmat(file)


def _upright(flat: np.ndarray, height: int, width: int) -> np.ndarray:
    """Return rows that hold images column by column, as MATLAB does, as images."""
    return np.ascontiguousarray(flat.reshape(-1, width, height).transpose(0, 2, 1))


def _read_numbers(path: Path) -> np.ndarray:
    with open_content(path) as file:
        values = np.array(file.read().split(), dtype=np.float64)
    return values.reshape(-1, 257)
