"""How seconds and memory of methods grow with their input, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log

Row = Mapping[str, str]


def exponent(sizes: Iterable[float], values: Iterable[float]) -> float:
    """Return the slope of the line of least squares through logarithms of values and sizes.

    Parameters
    ----------
    sizes, values : iterable of float
        Positive; two sizes at least that differ.

    Examples
    --------
    >>> round(exponent([1, 2, 4], [3, 12, 48]), 9)
    2.0
    """
    across = [log(size) for size in sizes]
    up = [log(value) for value in values]
    centre = sum(across) / len(across)
    spread = sum((x - centre) ** 2 for x in across)
    return sum((x - centre) * y for x, y in zip(across, up, strict=True)) / spread


def growth_table(rows: Iterable[Row]) -> str:
    """Return a line of Markdown a method: sizes, seconds, exponents, theory and memory.

    Exponents are of all sizes, and of the last two.

    Parameters
    ----------
    rows : iterable of mapping
        With the columns ``method``, ``size_of``, ``size``, ``seconds``, ``mebibytes`` and
        ``theory``, a row for each method and size, sizes of a method in rising order.
    """
    methods: dict[str, list[Row]] = {}
    for row in rows:
        methods.setdefault(row["method"], []).append(row)
    lines = [
        "| method | what grows | from | to | milliseconds | exponent | at the end | theory | MiB |",
        "|---|---|---:|---:|---:|---:|---:|---|---:|",
    ]
    for method, timings in methods.items():
        first = timings[0]
        last = timings[-1]
        sizes = [float(row["size"]) for row in timings]
        seconds = [float(row["seconds"]) for row in timings]
        cells = [
            f"`{method}`",
            first["size_of"],
            first["size"],
            last["size"],
            f"{1e3 * seconds[0]:.2g} to {1e3 * seconds[-1]:.2g}",
            f"{exponent(sizes, seconds):.1f}",
            f"{exponent(sizes[-2:], seconds[-2:]):.1f}",
            first["theory"],
            f"{float(first['mebibytes']):.2g} to {float(last['mebibytes']):.2g}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
