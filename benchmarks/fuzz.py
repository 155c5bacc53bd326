"""Hostile input at volume: 100,000 cases, each taken or refused in words, within time and memory.

    python benchmarks/fuzz.py [--cases 100000] [--out docs/fuzz.csv]

What is tried, and how much of each, is in ``tests/helpers/hostile.py``; the same in small is a
test. Each kind has a process of its own: one that dies, or cannot get memory, is a fault, too.
The seed is fixed, and the first case of every fault is printed. Exit 1 if there was any.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/helpers"))

SECONDS = 20  # of a case: none takes a tenth of it on an idle machine
MEMORY = 2 << 30
BATCH = 20  # cases of one source of random numbers: making one costs more than most cases
COLUMNS = (
    *("input", "cases", "accepted", "refused", "tracebacks", "hangs", "out_of_memory"),
    *("files_outside", "slowest_s", "peak_MiB"),
)


class Hang(BaseException):
    """A case that went on for too long."""


@contextmanager
def limited():
    """Run the body with no more than so many seconds."""

    def stop(*_):
        raise Hang

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def fuzz(name: str, cases: int, folder: str) -> dict[str, object]:
    """Give one target so many cases and return what became of them."""
    os.chdir(folder)
    os.environ["ICML2008_CACHE"] = f"{folder}/cache"
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    import hostile

    target = hostile.targets()[name]
    counts = Counter()
    slowest = 0.0
    first = {"command line": ["papers"], "configuration": {}}
    hostile.outcome(target, first.get(name, b""))  # imports what it needs
    writes = hostile.Writes()
    writes.allowed.append(os.path.realpath(folder))
    seen = set()
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY, held + MEMORY))

    @seeded(2008)
    @settings(
        max_examples=-(-cases // BATCH),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=True))
    def run(random):
        for _ in range(min(BATCH, cases - counts["cases"])):
            one(target.case(random))

    def one(case):
        nonlocal slowest
        counts["cases"] += 1
        began = time.perf_counter()
        writes.watching = True
        try:
            with limited():
                counts[hostile.outcome(target, case)] += 1
        except Hang:
            fault(case, "hangs", "")
        except MemoryError:
            fault(case, "out_of_memory", "")
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            counts["tracebacks"] += 1
            fault(case, "", f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})")
        finally:
            writes.watching = False
        slowest = max(slowest, time.perf_counter() - began)

    def fault(case, kind, what):
        counts[kind] += bool(kind)
        place = what.rpartition("(")[2] or kind
        if place not in seen:
            seen.add(place)
            sys.stderr.write(f"{name}: {kind or what}\n  {case!r:.2000}\n")

    run()
    for file in sorted(writes.outside):
        sys.stderr.write(f"{name}: wrote {file}\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return {
        **{column: counts[column] for column in COLUMNS},
        **{"input": name, "files_outside": len(writes.outside)},
        **{"slowest_s": f"{slowest:.2f}", "peak_MiB": peak},
    }


def fuzz_apart(name: str, cases: int) -> dict[str, object]:
    """Do the same in a process of its own; a process that dies is a fault."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=_send, args=(theirs, name, cases, folder))
        process.start()
        theirs.close()
        try:
            return ours.recv()
        except EOFError:
            dead = dict.fromkeys(COLUMNS, 0) | {"input": name, "tracebacks": 1}
            sys.stderr.write(f"{name}: its process died\n")
            return dead
        finally:
            process.join()


def _send(pipe, *what):
    pipe.send(fuzz(*what))


def main() -> None:
    """Fuzz every kind of input and write what became of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", help="one kind of input")
    given = parser.parse_args()
    import hostile

    rows = []
    for name, target in hostile.targets().items():
        if given.only in (None, name):
            rows.append(fuzz_apart(name, -(-given.cases * target.share // 100)))
            sys.stdout.write(f"{rows[-1]}\n")
            sys.stdout.flush()
    faults = ("tracebacks", "hangs", "out_of_memory", "files_outside")
    count = ("cases", "accepted", "refused", *faults)
    rows.append({"input": "all", **{c: sum(int(row[c]) for row in rows) for c in count}})
    rows[-1] |= {
        "slowest_s": max((row["slowest_s"] for row in rows[:-1]), key=float),
        "peak_MiB": max(row["peak_MiB"] for row in rows[:-1]),
    }
    if given.out:
        with open(given.out, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    sys.exit(any(rows[-1][fault] for fault in faults))


if __name__ == "__main__":
    main()
