"""Projections on the l1 ball: ours, Condat's method and cvxpy, processor seconds of one core.

Normal components, radius 1 and a hundredth of the vector's 1-norm; the least time of several runs,
the arguments' checks included. `condat` is Figure 2 of Condat (2016), "Fast projection onto the
simplex and the l1 ball", Mathematical Programming 158, compiled as ours are. `cvxpy` is what a user
of it waits for, to state the problem and to solve it by Clarabel, up to the sizes that this takes
seconds for; `cvxpy, stated` solves one anew that has been solved before. `difference` is the
largest from the projection by sort. The last rows are steps of 1000 components from a point with
n / 20 others: the tree, and the projection of the dense vector by pivot. Input that is sorted or
mostly zero stands in docs/peers.md.
"""

from __future__ import annotations

from functools import partial
from itertools import cycle

import cvxpy
import numba
import numpy as np

from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.duchi2008projections.method import SparseL1Ball, _shrunk, project_l1_ball

PACKAGES = ("numpy", "numba", "cvxpy", "clarabel")


@numba.njit(cache=True)
def condat_threshold(v, radius, ball):
    """Return theta for v, (n,), or its absolute values, 0 inside the ball."""
    kept = np.empty(len(v))
    waiting = np.empty(len(v))
    kept[0] = abs(v[0]) if ball else v[0]
    n_kept = 1
    n_waiting = 0
    rho = kept[0] - radius
    total = kept[0]
    for x in v[1:]:
        x = abs(x) if ball else x
        total += x
        if x > rho:
            rho += (x - rho) / (n_kept + 1)
            if rho > x - radius:
                kept[n_kept] = x
                n_kept += 1
            else:
                waiting[n_waiting : n_waiting + n_kept] = kept[:n_kept]
                n_waiting += n_kept
                kept[0] = x
                n_kept = 1
                rho = x - radius
    if ball and total <= radius:
        return 0.0
    for x in waiting[:n_waiting]:
        if x > rho:
            kept[n_kept] = x
            n_kept += 1
            rho += (x - rho) / n_kept
    before = 0
    while n_kept != before:
        before = n_kept
        at = 0
        for i in range(before):
            x = kept[i]
            if x > rho:
                kept[at] = x
                at += 1
            else:
                n_kept -= 1
                rho += (rho - x) / n_kept
    return rho


@numba.njit(cache=True)
def clipped(v, theta):
    """Return v, (n,), less theta, and zero where that is negative."""
    w = np.empty_like(v)
    for i in range(len(v)):
        w[i] = max(v[i] - theta, 0.0)
    return w


def condat(v, radius, ball=True):
    """Return the projection on the l1 ball or the simplex, after the same checks as ours."""
    v = np.ascontiguousarray(v, dtype=float)
    if v.ndim != 1 or not len(v) or not 0 < radius < np.inf:
        raise ValueError
    theta = condat_threshold(v, radius, ball)
    return _shrunk(v, theta) if ball else clipped(v, theta)


def stated(v, radius):
    """Return the projection as a problem of cvxpy, and its variable."""
    w = cvxpy.Variable(len(v))
    aim = cvxpy.Minimize(cvxpy.sum_squares(w - v))
    return cvxpy.Problem(aim, [cvxpy.norm1(w) <= radius]), w


def solved(problem, w):
    """Return the projection by a general solver."""
    problem.solve(solver="CLARABEL")
    return w.value


def rows():
    """Yield the rows of the table."""
    rng = np.random.default_rng(0)
    for power in range(2, 8):
        n = 10**power
        v = rng.normal(size=n)
        for bound, radius in (("1", 1.0), ("norm / 100", np.abs(v).sum() / 100)):
            exact = project_l1_ball(v, radius, method="sort")
            runs = {
                "project_l1_ball, filter": partial(project_l1_ball, v, radius),
                "project_l1_ball, sort": partial(project_l1_ball, v, radius, method="sort"),
                "project_l1_ball, pivot": partial(project_l1_ball, v, radius, method="pivot"),
                "condat": partial(condat, v, radius),
            }
            timed = least_seconds(runs, times=200, patience=0.5)
            if power <= 5:
                problem = stated(v, radius)
                peers = {
                    "cvxpy": lambda v=v, radius=radius: solved(*stated(v, radius)),
                    "cvxpy, stated": partial(solved, *problem),
                }
                timed |= least_seconds(peers, patience=0.5)
            for name, (taken, w) in timed.items():
                apart = f"{np.abs(w - exact).max():.1e}"
                yield row(name, n, bound, taken, apart)
    for power in (5, 6, 7):
        n = 10**power
        start = rng.permutation(n)[: n // 20]
        indices = rng.permutation(n)[:1000]
        ball = SparseL1Ball(n, 100.0)
        values = rng.normal(size=1000) / 100
        ball.add(start, rng.exponential(size=n // 20) * 2000 / n)
        dense = ball.to_array()
        dense[indices] += values
        exact = project_l1_ball(dense, 100.0, method="sort")
        runs = {"dense vector, pivot": partial(project_l1_ball, dense, 100.0, method="pivot")}
        for name, (taken, w) in least_seconds(runs, times=20).items():
            yield row(name, n, "100", taken, f"{np.abs(w - exact).max():.1e}")
        ball.add(indices, values)
        apart = f"{np.abs(ball.to_array() - exact).max():.1e}"
        steps = cycle((rng.permutation(n)[:1000], rng.normal(size=1000) / 100) for _ in range(20))
        runs = {"SparseL1Ball.add": lambda steps=steps, ball=ball: ball.add(*next(steps))}
        for name, (taken, _) in least_seconds(runs, times=20).items():
            yield row(name, n, "100", taken, apart)


def row(method, n, radius, seconds, difference):
    """Return a row of the table."""
    return {
        "method": method,
        "n": n,
        "radius": radius,
        "seconds": f"{seconds:.2g}",
        "difference": difference,
    }
