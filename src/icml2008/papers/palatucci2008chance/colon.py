"""The reader of Alon's tissues: a header with names that repeat, the class first."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from icml2008.data.content import read_content
from icml2008.data.tables import Table


def load_colon(path: Path) -> Table:
    """Return the genes of each tissue; its class is "1", normal, or "2", tumour."""
    header, *rows = (line.split(",") for line in read_content(path).decode("ascii").splitlines())
    return Table(
        X=np.array([row[1:] for row in rows], dtype=float),
        y=np.array([row[0] for row in rows]),
        feature_names=tuple(header[1:]),
    )
