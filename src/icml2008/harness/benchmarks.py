"""The tables of the benchmarks: what they ran on, then a row for each measurement."""

import csv
import platform
import time
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from threadpoolctl import threadpool_limits

from icml2008.errors import Icml2008Error
from icml2008.harness.machine import machine


def heading(*packages, used="one"):
    """Return the lines of comment that say processor, cores and versions."""
    here = machine()
    versions = "".join(f", {package} {version(package)}" for package in packages)
    return (
        f"# CPU: {here['cpu']}, {here['cores']} cores, {used} used\n"
        f"# Python {platform.python_version()}{versions}\n"
    )


def write(rows, path, packages, columns=None, remark=""):
    """Write rows as they come, and return them as mappings by column.

    Parameters
    ----------
    rows : iterable of mapping, or of sequences in the order of the columns
    path : Path
    packages : sequence of str
        Whose versions matter.
    columns : sequence of str, optional
        Those of the first row by default.
    remark : str
        What a reader of the table needs to know besides.
    """
    written = []
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(heading(*packages))
        file.write(f"# {remark}\n" if remark else "")
        for values in rows:
            row = values if isinstance(values, Mapping) else dict(zip(columns, values, strict=True))
            writer = csv.DictWriter(file, columns or list(row), lineterminator="\n")
            if not written:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            written.append(row)
    return written


def read(path, packages):
    """Return the rows of a table that `write` wrote on this processor, with today's versions.

    Raises
    ------
    Icml2008Error
        If it was written elsewhere or with others: rows of two kinds do not stand in one table.
    """
    text = path.read_text("utf-8")
    today = heading(*packages)
    if not text.startswith(today):
        msg = f"{path} is of another processor or other versions than {today!r}: measure all rows"
        raise Icml2008Error(msg)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def run(benchmark):
    """Run a benchmark on one thread and write its table beside it, and its picture if it has one.

    Parameters
    ----------
    benchmark : module
        Has `rows`, a function that yields the rows, and `PACKAGES`, those whose versions matter;
        it may have `COLUMNS`, a `REMARK` for the head of the table, and `draw`, which takes the
        rows and a path.

    Returns
    -------
    list of Path
        The files that were written.
    """
    table = Path(benchmark.__file__).with_suffix(".csv")
    optional = {name: getattr(benchmark, name.upper(), None) for name in ("columns", "remark")}
    with threadpool_limits(1):
        rows = write(benchmark.rows(), table, benchmark.PACKAGES, **optional)
    if not hasattr(benchmark, "draw"):
        return [table]
    picture = table.with_suffix(".svg")
    benchmark.draw(rows, picture)
    return [table, picture]


def compare(task, ways, answer, **how):
    """Yield a row for each way to do a task: its least time, over the first one's, and its answer.

    Parameters
    ----------
    task : str
    ways : mapping of str to callable
        Functions without arguments, ours first.
    answer : callable
        Takes the name of a way and what it returned, and returns what that is worth, as a text.
    **how
        What `least_seconds` takes.

    Examples
    --------
    >>> (row,) = compare("sum", {"sum": lambda: sum(range(9))}, lambda by, total: f"{total}")
    >>> row["task"], row["by"], row["times"], row["answer"]
    ('sum', 'sum', '1.00', '36')
    """
    timed = least_seconds(ways, **how)
    first = next(iter(timed.values()))[0]
    for by, (seconds, result) in timed.items():
        yield {
            "task": task,
            "by": by,
            "milliseconds": f"{1e3 * seconds:.3g}",
            "times": f"{seconds / first:.2f}",
            "answer": answer(by, result),
        }


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
