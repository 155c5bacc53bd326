"""The program of kernel quantile regression over the plane of its penalty and its quantile.

The solution of (3) is affine on convex polygons: between two knots of a path at fixed tau, and, by
Theorem 1, between the straight lines on which the knots move.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

# f(x) above y, f(x) = y, f(x) below y
LEFT = -1
ELBOW = 0
RIGHT = 1
SLACK = 1e-10  # relative rounding of a side's value at a corner
SHORT = 1e-9  # relative length below which an edge of a polygon is none


class Piece(NamedTuple):
    """The solution for one division into left, elbow and right; the last axis is that of w.

    Everything is linear in w = (lambda, tau, 1).
    """

    theta: np.ndarray
    """Coefficients, (n, 3)."""
    intercept: np.ndarray
    """Of (5), (3,)."""
    residual: np.ndarray
    """lambda (y - f) at all points, (m, 3)."""
    sides: np.ndarray
    """The division is right where all are at least 0, (n_sides, 3)."""
    moved: np.ndarray
    """Which row moves where a side is 0, (n_sides,)."""
    to: np.ndarray
    """Into which set it moves, (n_sides,)."""


class Region(NamedTuple):
    """A polygon of the plane, and the division that holds there."""

    state: np.ndarray
    """LEFT, ELBOW or RIGHT of each row, (n,)."""
    piece: Piece
    corners: np.ndarray
    """Homogeneous (lambda, tau, 1), or (1, 0, 0) at infinity, (n_corners, 3)."""
    side: np.ndarray
    """Which side is the edge from a corner to the next; negative at the border, (n_corners,)."""


@njit(cache=True)
def _clip(sides, old, old_edge, new, new_edge, value, n):
    """Cut the polygon of n corners down to where all sides are at least 0; return its corners.

    Plain loops, for a compiler that has to be quick.
    """
    for s in range(len(sides)):
        outside = False
        for k in range(n):
            x = sides[s, 0] * old[k, 0]
            y = sides[s, 1] * old[k, 1]
            z = sides[s, 2] * old[k, 2]
            value[k] = x + y + z
            # A corner on the side is within: rounding would cut off slivers without an area.
            if abs(value[k]) <= SLACK * (abs(x) + abs(y) + abs(z)):
                value[k] = 0.0
            outside = outside or value[k] < 0
        if not outside:
            continue
        count = 0
        for k in range(n):
            after = k + 1 if k + 1 < n else 0
            here = value[k]
            there = value[after]
            if here >= 0:
                for i in range(3):
                    new[count, i] = old[k, i]
                new_edge[count] = s if here == 0 and there < 0 else old_edge[k]
                count += 1
            if here * there < 0:
                # Homogeneous, so that an edge to infinity is cut like any other.
                last = abs(there) * old[k, 2] + abs(here) * old[after, 2]
                for i in range(3):
                    new[count, i] = (abs(there) * old[k, i] + abs(here) * old[after, i]) / last
                new_edge[count] = s if here > 0 else old_edge[k]
                count += 1
        n = count
        for k in range(n):
            old_edge[k] = new_edge[k]
            for i in range(3):
                old[k, i] = new[k, i]
    return n


def polygon(sides, box):
    """Return the corners of the part of a triangle, (3, 3), in which all sides are at least 0.

    And for each corner which side the edge from it to the next lies on, -1 for the triangle's.
    """
    size = len(box) + len(sides)
    corners = np.empty((2, size, 3))
    edges = np.full((2, size), -1)
    value = np.empty(size)
    corners[0, : len(box)] = box
    n = _clip(sides, corners[0], edges[0], corners[1], edges[1], value, len(box))
    return corners[0, :n], edges[0, :n]


class QuantileProgram:
    """Problem (3) on given rows, solved wherever it is asked to.

    Parameters
    ----------
    kernel : ndarray, shape (n, m)
        Between the n rows and m points, of which the first n are the rows.
    y : ndarray, shape (m,)
        Targets of the rows, without ties, and of other points, such as those of validation.
    """

    def __init__(self, kernel, y):
        self.kernel = kernel
        self.y = y
        self.n = len(kernel)
        self.order = np.argsort(y[: self.n])

    def outermost(self, below):
        """Return the division for the largest lambda, with so many rows below the elbow."""
        state = np.full(self.n, RIGHT, dtype=np.int8)
        state[self.order[:below]] = LEFT
        state[self.order[below]] = ELBOW
        return state

    def held(self, state):
        """Return what rows off the elbow, and those left of it, add to the kernel sums, (2, m)."""
        return np.array([state != ELBOW, state == LEFT], dtype=float) @ self.kernel

    def moved(self, state, held, row, to):
        """Return a division after a row's move to another set, and what `held` is then."""
        beyond = state.copy()
        old = state[row]
        beyond[row] = to
        change = (float(to != ELBOW) - (old != ELBOW), float(to == LEFT) - (old == LEFT))
        return beyond, held + np.multiply.outer(change, self.kernel[row])

    def solve(self, state, held):
        """Return the solution for a division, an elbow of at least one row, as a `Piece`.

        With the intercept, the elbow's coefficients solve |E| + 1 linear equations.
        """
        elbow = np.flatnonzero(state == ELBOW)
        fixed = np.flatnonzero(state)
        n = self.n
        e = len(elbow)
        rows = self.kernel[elbow]
        theta = np.zeros((n, 3))
        system = np.ones((e + 1, e + 1))
        theta[fixed, 1] = 1.0
        theta[state == LEFT, 2] = -1.0
        system[:e, :e] = rows[:, elbow]
        system[e, e] = 0.0
        right = np.empty((e + 1, 3))
        right[:e, 0] = self.y[elbow]
        right[:e, 1] = -held[0, elbow]
        right[:e, 2] = held[1, elbow]
        right[e] = 0.0, e - n, np.count_nonzero(state == LEFT)
        solution = np.linalg.solve(system, right)
        theta[elbow] = solution[:e]
        intercept = solution[e]
        residual = -intercept - rows.T @ solution[:e]
        residual[:, 0] += self.y
        residual[:, 1] -= held[0]
        residual[:, 2] += held[1]
        sides = np.empty((n + e, 3))
        sides[:e] = (0.0, 1.0, 0.0) - solution[:e]
        sides[e : 2 * e] = solution[:e] + (0.0, -1.0, 1.0)
        sides[2 * e :] = residual[fixed] * state[fixed, None]
        to = np.repeat((RIGHT, LEFT, ELBOW), (e, e, n - e))
        return Piece(theta, intercept, residual, sides, np.concatenate([elbow, elbow, fixed]), to)

    def path(self, tau, low):
        """Yield each piece of the solution path at tau, with the lambdas from which and to which.

        The path runs from infinity to `low`. Where tau n is whole the quantile is not unique at
        large lambdas; then tau is approached from above.
        """
        if abs(tau * self.n - round(tau * self.n)) < SHORT * self.n:
            tau += SHORT
        state = self.outermost(int(tau * self.n))
        top = np.inf
        held = self.held(state)
        while top > low:
            piece = self.solve(state, held)
            slope = piece.sides[:, 0]
            rest = piece.sides[:, 1:] @ (tau, 1.0)
            reached = np.full(len(slope), -np.inf)
            np.divide(-rest, slope, out=reached, where=slope > 0)
            first = np.argmax(reached)
            bottom = max(min(reached[first], top), low)
            yield top, bottom, piece, np.array([tau, 1.0])
            state, held = self.moved(state, held, piece.moved[first], piece.to[first])
            top = bottom

    def regions(self, levels, low):
        """Yield each `Region` with lambda of at least `low` and tau between two levels.

        A region's edges lead to its neighbours, but not those on which a sole elbow row reaches a
        bound: tau n is whole there, and the elbow is empty.
        """
        first, last = levels
        box = np.array([(low, first, 1.0), (1.0, 0.0, 0.0), (low, last, 1.0)])
        n = self.n
        slack = SHORT * self.n
        below = range(int(n * first + slack), int(np.ceil(n * last - slack)))
        starts = [self.outermost(k) for k in below]
        waiting = [(state, self.held(state)) for state in starts]
        seen = {state.tobytes() for state in starts}
        while waiting:
            state, held = waiting.pop()
            piece = self.solve(state, held)
            corners, side = polygon(piece.sides, box)
            if len(corners) < 3:
                continue
            yield Region(state, piece, corners, side)
            sole = np.count_nonzero(state == ELBOW) == 1
            for k, s in enumerate(side):
                gap = corners[k] - corners[k + 1 - len(side)]
                long = max(abs(gap[0]) / corners[k, 0], abs(gap[1])) > SHORT
                if s < 0 or not long or (sole and piece.to[s] != ELBOW):
                    continue
                row = piece.moved[s]
                to = piece.to[s]
                beyond = state.copy()
                beyond[row] = to
                if (key := beyond.tobytes()) not in seen:
                    seen.add(key)
                    waiting.append(self.moved(state, held, row, to))
