"""IDX files, the arrays of MNIST."""

from __future__ import annotations

import math
import struct
from pathlib import Path

import numpy as np

from icml2008.data.content import read_content

_TYPES = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}


def read_idx(path: Path) -> np.ndarray:
    """Read an IDX file: two zero bytes, the type, the number of axes, their lengths, the values.

    Parameters
    ----------
    path : pathlib.Path
        The file.

    Returns
    -------
    ndarray
        Of the stored shape and type, in the machine's byte order.

    Raises
    ------
    ValueError
        If the file does not begin so, or has another length than it says.
    """
    data = read_content(path)
    zeros, code, n_axes = struct.unpack(">HBB", data[:4])
    if zeros or code not in _TYPES:
        message = f"{path.name} is not an IDX file: it begins with {data[:4].hex(' ')}"
        raise ValueError(message)
    shape = struct.unpack(f">{n_axes}I", data[4 : 4 + 4 * n_axes])
    values = np.frombuffer(data, _TYPES[code], offset=4 + 4 * n_axes)
    if values.size != math.prod(shape):
        message = f"{path.name} has {values.size} values, not {shape}"
        raise ValueError(message)
    return values.reshape(shape).astype(values.dtype.newbyteorder("="))
