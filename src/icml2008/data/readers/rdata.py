"""R's saved workspaces (.rda, .RData), as far as data needs them."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from icml2008.data.content import read_content

_NOTHING = (241, 242, 251, 253, 254)  # base, empty, missing, global environment; NULL
_MISSING_INTEGER = -(2**31)


@dataclass
class RObject:
    """A value of R with its attributes.

    Attributes
    ----------
    value : ndarray, list or None
        Numbers as an array, texts and lists as a list; None for an S4 object, which has only slots.
    attributes : dict
        Attributes such as ``names`` and ``dim``, or the slots of an S4 object.
    """

    value: Any
    attributes: dict[str, Any] = field(default_factory=dict)


def read_rdata(path: Path) -> dict[str, Any]:
    """Read the objects of a workspace that R's ``save`` wrote in its binary (XDR) form.

    Vectors of numbers, logicals and texts, lists, factors, data frames and S4 objects are read;
    functions, environments with contents and expressions are not.

    Parameters
    ----------
    path : pathlib.Path
        The file, with any of R's compressions.

    Returns
    -------
    dict
        Name to `RObject`, None for NULL, or the text of a symbol. Missing logicals are -2147483648
        like missing integers; missing texts are None; missing numbers are NaN.

    Raises
    ------
    ValueError
        If the file is not such a workspace or has an object of another kind.

    References
    ----------
    R Internals, section "Serialization Formats".
    """
    data = read_content(path)
    if data[:7] not in (b"RDX2\nX\n", b"RDX3\nX\n"):
        message = f"{path.name} is not a workspace saved by R in binary form"
        raise ValueError(message)
    return _Reader(data).workspace()


class _Reader:
    def __init__(self, data: bytes):
        self.data, self.at, self.seen = data, 7, []

    def workspace(self) -> dict[str, Any]:
        version, _, _ = (self.integer() for _ in range(3))
        if version == 3:
            self.take(self.integer())  # name of the encoding, for texts that do not say theirs
        return self.item()

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def integer(self) -> int:
        return struct.unpack(">i", self.take(4))[0]

    def vector(self, kind: str) -> np.ndarray:
        kind = np.dtype(kind)
        return np.frombuffer(self.take(self.integer() * kind.itemsize), kind).astype(
            kind.newbyteorder("=")
        )

    def item(self, flags: int | None = None) -> Any:
        flags = self.integer() if flags is None else flags
        kind, has_attributes, has_tag = flags & 255, flags & 512, flags & 1024
        if kind in _NOTHING:
            return None
        if kind == 255:
            return self.seen[(flags >> 8 or self.integer()) - 1]
        if kind == 1:
            self.seen.append(self.item())
            return self.seen[-1]
        if kind in (249, 250):  # a namespace or package, by its names
            self.integer()
            self.seen.append([self.item() for _ in range(self.integer())])
            return self.seen[-1]
        if kind == 2:
            return self.pairs(has_attributes, has_tag)
        if kind == 9:
            size = self.integer()
            text = None if size < 0 else self.take(size)
            return text if text is None else text.decode("latin-1" if flags >> 12 & 4 else "utf-8")
        if kind == 238:
            return self.alternative()
        found = RObject(self.contents(kind))
        if has_attributes:
            found.attributes = self.item()
        return found

    def contents(self, kind: int) -> Any:
        if kind in (10, 13):
            return self.vector(">i4")
        if kind == 14:
            return self.vector(">f8")
        if kind == 15:
            return self.vector(">c16")
        if kind == 24:
            return self.vector(">u1")
        if kind in (16, 19, 20):
            return [self.item() for _ in range(self.integer())]
        if kind == 25:
            return None
        message = f"objects of R's type {kind} are not read"
        raise ValueError(message)

    def pairs(self, has_attributes: int, has_tag: int) -> dict[str, Any]:
        """Read a list of pairs, such as attributes or a workspace, as a dictionary."""
        found: dict[str, Any] = {}
        while True:
            if has_attributes:
                self.item()
            tag = self.item() if has_tag else str(len(found))
            found[tag] = self.item()
            flags = self.integer()
            if flags & 255 != 2:
                # The end is NULL, or a last value without a tag in a dotted pair.
                if (rest := self.item(flags)) is not None:
                    found[str(len(found))] = rest
                return found
            has_attributes, has_tag = flags & 512, flags & 1024

    def alternative(self) -> RObject:
        """Read one of the compact forms of a vector."""
        info, state, attributes = self.item(), self.item(), self.item()
        name = next(iter(info.values()))
        if name == "compact_intseq":
            length, first, step = state.value
            values = first + step * np.arange(int(length))
            return RObject(values.astype(np.int32), attributes or {})
        if name.startswith("wrap_"):
            inner = next(iter(state.values()))
            return RObject(inner.value, attributes or inner.attributes)
        message = f"R's compact form {name} is not read"
        raise ValueError(message)
