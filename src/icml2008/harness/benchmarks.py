"""The tables of the benchmarks: what they ran on, then a row for each measurement."""

import csv
import platform
import time
from importlib.metadata import version

from icml2008.harness.machine import machine


def heading(*packages, used="one"):
    """Return the lines of comment that say processor, cores and versions."""
    here = machine()
    versions = "".join(f", {package} {version(package)}" for package in packages)
    return (
        f"# CPU: {here['cpu']}, {here['cores']} cores, {used} used\n"
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


def least_seconds(tasks, times=5, patience=10.0):
    """Return the least processor seconds of each task, and what it returned last.

    Tasks take turns, so that what slows the machine slows them alike; a first run of each, which
    may compile, does not count. What takes less than a millisecond is run as often as fills one
    between two looks at the clock, which take time, too.

    Parameters
    ----------
    tasks : mapping of str to callable
        Functions without arguments.
    times : int
        Turns.
    patience : float
        Who has taken as many seconds has no further turn.
    """
    results = {name: task() for name, task in tasks.items()}
    seconds = {name: [] for name in tasks}
    for _ in range(times):
        for name, task in tasks.items():
            if sum(seconds[name]) >= patience:
                continue
            count = 1 + int(1e-3 / min(seconds[name], default=1.0))
            start = time.process_time()
            for _ in range(count):
                results[name] = task()
            seconds[name].append((time.process_time() - start) / count)
    return {name: (min(seconds[name]), results[name]) for name in tasks}
