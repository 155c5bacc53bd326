"""Tables of numbers below a line of column names, the target first."""

from pathlib import Path

import numpy as np

from icml2008.data.content import read_content
from icml2008.data.tables import Table


def load_headed(path: Path) -> Table:
    """Return the table."""
    text = read_content(path).decode("latin-1").splitlines()
    values = np.loadtxt(text[1:], delimiter=",")
    return Table(values[:, 1:], values[:, 0], tuple(text[0].split(",")[1:]))
