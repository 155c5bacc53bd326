"""Newton's method with conjugate gradients for regularised problems in a kernel's own geometry.

All problems of this package have the form: over coefficients A, minimise ``loss(F) + <A, F> / 2``
with ``F = B(A)``, where B is linear, symmetric and positive semi-definite (a Gram matrix, times a
covariance of tasks) and ``<A, F>`` the sum of products. In the inner product ``<A, B(A')>`` the
gradient is ``A - residual(F)`` and the Hessian ``I + W B``, so that a step of conjugate gradients
takes a single product with B, however many tasks share it, and nothing is ever factorised.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

Matrix = NDArray[np.float64]

# sufficient decrease, and the number of halvings after which a step is given up
_ARMIJO = 1e-4
_HALVINGS = 40
# a cap for the products of one Newton step; reaching it costs further Newton steps, not accuracy
_MAX_PRODUCTS = 500
# problems that are solved leave the batch once fewer than this share of it is unsolved
_CROWDED = 0.7


class Problem(Protocol):
    """A convex loss of F (n_rows, n_columns) and the linear map from coefficients to F.

    Attributes
    ----------
    axis : None or 0
        None: the columns belong to one problem. 0: each column is a problem of its own.
    """

    axis: int | None

    def image(self, coefficients: Matrix) -> Matrix:
        """Return F = B(A), of the same shape."""

    def loss(self, F: Matrix) -> Matrix:
        """Return the loss of each problem, of shape (1, n_problems)."""

    def derivatives(self, F: Matrix) -> tuple[Matrix, Callable[[Matrix], Matrix]]:
        """Return minus the gradient of the loss at F, and the product with its Hessian there."""

    def restrict(self, columns: NDArray[np.intp]) -> Problem:
        """Return the problem of some columns, if they are problems of their own."""


def minimise(
    problem: Problem, start: Matrix, *, tol: float = 1e-4, max_iter: int = 100
) -> tuple[Matrix, Matrix]:
    """Minimise ``loss(F) + <A, F> / 2`` over A, with F = B(A).

    Parameters
    ----------
    problem : Problem
    start : ndarray of shape (n_rows, n_columns)
        Coefficients to start from.
    tol : float
        Largest norm ``sqrt(<g, B(g)>)`` of a problem's gradient g. As the regulariser has curvature
        one in this geometry, the coefficients are within `tol` of the optimum in the same norm, and
        the objective within ``tol**2 / 2``.
    max_iter : int
        Largest number of Newton steps.

    Returns
    -------
    coefficients, F : ndarray of shape (n_rows, n_columns)

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a gradient is still larger after `max_iter` steps, or no step makes progress.
    """
    A = np.array(start, dtype=np.float64)
    F = problem.image(A)
    active = np.arange(A.shape[1])
    part = problem
    first = None
    for _ in range(max_iter + 1):
        residual, _ = part.derivatives(F[:, active])
        gradient = residual - A[:, active]
        image = part.image(gradient)
        norm = np.sqrt(np.maximum(_inner(gradient, image, part.axis), 0.0))
        first = norm if first is None else first
        todo = np.broadcast_to(norm > tol, (1, len(active))).ravel()
        if not todo.any():
            return A, F
        if not todo.all():
            active = active[todo]
            norm = norm[:, todo]
            first = first[:, todo]
            gradient = gradient[:, todo]
            image = image[:, todo]
            part = problem.restrict(active)
        a = A[:, active]
        f = F[:, active]
        accuracy = np.minimum(0.3, np.sqrt(norm / first))
        step, image_step = _solve(part, f, gradient, image, accuracy)
        length = _line_search(part, a, f, gradient, step, image_step)
        if not length.any():
            break
        A[:, active] = a + length * step
        F[:, active] = f + length * image_step
    warnings.warn(
        f"Newton's method stopped with a gradient of norm {norm.max():.1e}, above tol={tol:.1e}; "
        "raise max_iter or tol, or lower the prior standard deviations",
        ConvergenceWarning,
        stacklevel=2,
    )
    return A, F


def _inner(a: Matrix, b: Matrix, axis: int | None) -> Matrix:
    if axis is None:
        return np.vdot(a, b).reshape(1, 1)
    return np.einsum("ij,ij->j", a, b)[None, :]


def _solve(part, F, gradient, image, accuracy) -> tuple[Matrix, Matrix]:
    """Solve (I + W B) D = gradient to each problem's relative accuracy; return D and B(D)."""
    step = np.zeros_like(gradient)
    image_step = np.zeros_like(gradient)
    _, curvature = part.derivatives(F)
    live = np.arange(F.shape[1])
    rest = gradient
    direction = gradient
    image_direction = image
    size = _inner(rest, image, part.axis)
    goal = accuracy**2 * size
    for _ in range(_MAX_PRODUCTS):
        product = direction + curvature(image_direction)
        bend = _inner(product, image_direction, part.axis)
        # a solved problem among unsolved ones stays where it is
        moving = (size > goal) & (bend > 0)
        length = np.divide(size, bend, out=np.zeros_like(size), where=moving)
        step[:, live] += length * direction
        image_step[:, live] += length * image_direction
        rest = rest - length * product
        image = part.image(rest)
        previous = size
        size = np.maximum(_inner(rest, image, part.axis), 0.0)
        moving &= size > goal
        if not moving.any():
            break
        turn = np.divide(size, previous, out=np.zeros_like(size), where=previous > 0)
        direction = rest + turn * direction
        image_direction = image + turn * image_direction
        if moving.mean() < _CROWDED:
            keep = moving.ravel()
            live = live[keep]
            part = part.restrict(np.flatnonzero(keep))
            _, curvature = part.derivatives(F[:, live])
            rest, direction, image_direction = (
                array[:, keep] for array in (rest, direction, image_direction)
            )
            size = size[:, keep]
            goal = goal[:, keep]
    return step, image_step


def _line_search(part, a, f, gradient, step, image_step) -> Matrix:
    """Halve each problem's step until its objective falls enough; zero where it never does."""
    slope = _inner(gradient, image_step, part.axis)
    cross = _inner(a, image_step, part.axis)
    square = _inner(step, image_step, part.axis)
    start = part.loss(f)
    # rounding of a sum decides once the steps are tiny: allow for it
    slack = 16 * np.finfo(float).eps * (np.abs(start) + np.abs(_inner(a, f, part.axis)) + 1)
    length = np.ones_like(slope)
    for _ in range(_HALVINGS):
        change = part.loss(f + length * image_step) - start + length * (cross + length * square / 2)
        failed = ~(change <= slack - _ARMIJO * length * slope)
        if not failed.any():
            return length
        length = np.where(failed, length / 2, length)
    return np.where(failed, 0.0, length)
