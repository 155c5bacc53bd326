"""What a task of the benchmark of peers is: the same data for all, and ways to the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

OURS = "icml2008"
PACKAGE = "package"
LOOP = "own loop"


class Solver(NamedTuple):
    """One way to the answer: who wrote it, and what imports it and returns the call."""

    by: str
    make: Callable[[], Callable[[], Any]]


class Task(NamedTuple):
    """The same data for all; `compare` says in words how an answer relates to the first one."""

    method: type | Callable
    task: str
    solvers: dict[str, Solver]
    compare: Callable[[Any, Any], str]


def call(function, *args, **options):
    """Return what makes a call of something that is at hand."""
    return lambda: partial(function, *args, **options)
