"""dBASE III tables: fixed-width records described by their own header."""

from __future__ import annotations

import struct
from pathlib import Path

from icml2008.data.content import read_content


def read_dbase(path: Path, columns: list[str] | None = None) -> dict[str, list[str]]:
    """Return columns of a dBASE table as text without the blanks around it, for codes keep zeros.

    Parameters
    ----------
    path : pathlib.Path
        The table.
    columns : list of str, optional
        Names of the columns wanted; default all. Names are at most ten characters long.

    Returns
    -------
    dict of str to list of str
        One text for each record that is not marked as deleted.

    References
    ----------
    dBASE III file format: a header of 32 bytes, 32 bytes for each column, the byte 0x0D, then the
    records, each after one byte that is ``*`` where the record is deleted.
    """
    data = read_content(path)
    n_records, start, width = struct.unpack("<IHH", data[4:12])
    spans = {}
    offset = 1
    for head in range(32, start - 32, 32):
        name = data[head : head + 11].split(b"\0")[0].decode("ascii")
        spans[name] = slice(offset, offset := offset + data[head + 16])
    records = [data[at : at + width] for at in range(start, start + n_records * width, width)]
    kept = [record for record in records if record[:1] != b"*"]
    return {
        name: [record[spans[name]].decode("latin-1").strip() for record in kept]
        for name in columns or spans
    }
