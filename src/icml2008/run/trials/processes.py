"""Work on many papers, by all processors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


def mapped(
    function: Callable[[Item], Value], items: Sequence[Item], *, worth: int = 1
) -> Iterator[Value]:
    """Yield what a function makes of each item, in their order.

    Parameters
    ----------
    function : callable
        Runs in forks of this process, so that it finds what is loaded here.
    items : sequence
    worth : int
        As many items are worth a process; fewer than two processes are none but this one.
    """
    processes = min(os.cpu_count() or 1, len(items) // worth)
    if processes < 2:
        yield from map(function, items)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        yield from pool.map(function, items)
