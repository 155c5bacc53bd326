"""Files of compress(1), whose names end in ``.Z``: the packing of the oldest public data."""

from __future__ import annotations

import io
from collections.abc import Iterator
from os import PathLike
from typing import BinaryIO

MAGIC = b"\x1f\x9d"

_LEAST = 9  # bits of the first codes
_MOST = 16
_CLEAR = 256  # the code, in block mode, that begins the table anew
_CHUNK = 1 << 16


def open_compressed(path: str | PathLike, mode: str = "rb") -> BinaryIO:
    """Open a file of compress(1) for reading what it holds.

    It has no checksum and no length: one that was cut off holds less.

    Raises
    ------
    OSError
        When it is read, if there is a code that the algorithm cannot have written.
    """
    with open(path, mode) as file:
        return io.BufferedReader(_Unpacked(_unpacked(file.read())))


class _Unpacked(io.RawIOBase):
    """What a generator of bytes yields, as a file."""

    def __init__(self, chunks: Iterator[bytes]):
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        if not self._rest:
            self._rest = next(self._chunks, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what the codes of Lempel, Ziv and Welch stand for, in chunks.

    References
    ----------
    T. A. Welch (1984): A technique for high-performance data compression, Computer 17(6), 8-19.
    """
    most = data[2] & 31 if len(data) > 2 else 0
    if not _LEAST <= most <= _MOST:
        msg = f"codes of up to {most} bits are not those of compress(1)"
        raise OSError(msg)
    block_mode = bool(data[2] & 128)
    first = _CLEAR + 1 if block_mode else _CLEAR
    table = _fresh_table(first)
    bits = _LEAST
    at = 24  # bits of the head
    begin = at  # where codes of the present length began
    last = b""  # what the code before stands for; empty at the beginning of a table
    chunk = bytearray()
    while at + bits <= 8 * len(data):
        code = int.from_bytes(data[at >> 3 : (at >> 3) + 3], "little") >> (at & 7)
        code &= (1 << bits) - 1
        at += bits
        if block_mode and code == _CLEAR:
            at = _next_group(at, begin, bits)
            begin = at
            bits = _LEAST
            table = _fresh_table(first)
            last = b""
            continue
        if code < len(table):
            text = table[code]
        elif last and code == len(table):  # the code that is being defined
            text = last + last[:1]
        else:
            msg = f"code {code} of compress(1) stands for nothing"
            raise OSError(msg)
        if last and len(table) < 1 << most:
            table.append(last + text[:1])
        last = text
        chunk += text
        if len(chunk) >= _CHUNK:
            yield bytes(chunk)
            chunk.clear()
        if len(table) == 1 << bits and bits < most:
            at = _next_group(at, begin, bits)
            begin = at
            bits += 1
    if chunk:
        yield bytes(chunk)


def _fresh_table(size: int) -> list[bytes]:
    return [*(bytes([byte]) for byte in range(256)), *([b""] * (size - 256))]


def _next_group(at: int, begin: int, bits: int) -> int:
    """Return where eight codes end: the writer fills up with nothing when their length changes."""
    return at + (begin - at) % (8 * bits)
