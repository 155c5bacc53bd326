"""The tables of the benchmarks: what they ran on, then a row for each measurement."""

import csv
import platform
from importlib.metadata import version

from icml2008.harness.machine import machine


def heading(*packages):
    """Return the lines of comment that say processor, cores and versions."""
    here = machine()
    versions = "".join(f", {package} {version(package)}" for package in packages)
    return (
        f"# CPU: {here['cpu']}, {here['cores']} cores, one used\n"
        f"# Python {platform.python_version()}{versions}\n"
    )


def write(rows, path, packages, columns=None):
    """Write rows, mappings by column, as they come and return them.

    `columns` defaults to those of the first row.
    """
    written = []
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(heading(*packages))
        for row in rows:
            writer = csv.DictWriter(file, columns or list(row), lineterminator="\n")
            if not written:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            written.append(row)
    return written
