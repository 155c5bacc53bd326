"""Tasks of the benchmark of peers: projections on the simplex and the l1 ball."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from peer_tasks import LOOP, OURS, Solver, Task, call

from icml2008.methods import project_l1_ball, project_simplex
from icml2008.papers.duchi2008projections.benchmark import condat

# Short projections are timed by so many numbers in all.
NUMBERS = 100_000


def vectors(n: int) -> dict[str, np.ndarray]:
    """Return vectors of n components, by what they are like."""
    rng = np.random.default_rng(n)
    normal = rng.normal(size=n)
    few = np.where(rng.random(n) < 0.05, normal, 0.0)
    few[0] = 1.0
    return {
        "normal": normal,
        "falling": np.sort(normal)[::-1].copy(),
        "rising": np.sort(normal),
        "mostly zero": few,
    }


def by_sort(v: np.ndarray, radius: float, ball: bool) -> np.ndarray:
    """Return the projection by a sort, as one would write it in NumPy."""
    sizes = np.abs(v) if ball else v
    if ball and sizes.sum() <= radius:
        return v.copy()
    ordered = np.sort(sizes)[::-1]
    means = (np.cumsum(ordered) - radius) / np.arange(1, len(v) + 1)
    theta = means[np.count_nonzero(ordered > means) - 1]
    kept = np.maximum(sizes - theta, 0.0)
    return np.copysign(kept, v) if ball else kept


def repeated(times: int, project, *arguments) -> np.ndarray:
    """Return the last of several equal projections."""
    for _ in range(times):
        w = project(*arguments)
    return w


def projections() -> Iterator[Task]:
    """Onto the simplex and the l1 ball, of a hundredth of the size and of much less."""

    def apart(ours, theirs):
        return f"components differ by at most {np.abs(ours - theirs).max():.0e}"

    for method in (project_l1_ball, project_simplex):
        ball = method is project_l1_ball
        cases = [
            (n, kind, v, share)
            for n in (100, 10_000, 1_000_000)
            for kind, v in vectors(n).items()
            for share in (1e-2, 1e-5)
            if share == 1e-2 or (n == 10_000 and kind in ("normal", "falling"))
        ]
        for n, kind, v, share in cases:
            radius = share * np.abs(v).sum()
            times = max(1, NUMBERS // n)
            ways = {
                method.__name__: (OURS, method, v, radius),
                "Condat 2016, compiled": (LOOP, condat, v, radius, ball),
                "sort, numpy": (LOOP, by_sort, v, radius, ball),
            }
            yield Task(
                method,
                f"{times} times {n} numbers, {kind}, radius {share:g} of their size",
                {
                    name: Solver(by, call(repeated, times, *arguments))
                    for name, (by, *arguments) in ways.items()
                },
                apart,
            )
