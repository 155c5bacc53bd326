"""The solvers that Section 5 compares with, by their outer iterations and the features they touch.

All minimise (1) without bias. Each yields w, (n_features,), and its work: how often a nonzero
feature of a row was read or written so far. What does not read the rows, such as a small quadratic
programme over cutting planes, counts for nothing, in favour of the rivals.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from scipy.sparse import csc_array


@njit(cache=True)
def _subgradient_steps(values, columns, starts, y, rate, first, v, scale, squared, project, rng):
    """Take as many Pegasos steps as there are rows; w is scale * v, `squared` the square of |v|."""
    n = len(y)
    work = 0
    for t in range(first, first + n):
        i = int(rng.random() * n)
        begin = starts[i]
        end = starts[i + 1]
        score = 0.0
        length = 0.0
        for p in range(begin, end):
            score += values[p] * v[columns[p]]
            length += values[p] ** 2
        work += end - begin
        violated = y[i] * scale * score < 1.0
        if t > 1:  # at t = 1 w is 0 and the factor, too
            scale *= 1.0 - 1.0 / t
        if violated:
            change = y[i] / (rate * t) / scale
            for p in range(begin, end):
                v[columns[p]] += change * values[p]
            squared += change * (2 * score + change * length)
            work += end - begin
        norm = scale * np.sqrt(max(squared, 0.0))
        if project and norm * np.sqrt(rate) > 1.0:
            scale /= norm * np.sqrt(rate)
        if scale < 1e-9:  # the first projections shrink it fast
            v *= scale
            squared = squared * scale**2
            scale = 1.0
    return scale, squared, work


def pegasos(X, y, C, rng, project=True):
    """Yield from Pegasos (2007) with one row a step and lambda = 1 / (C l); hinge loss.

    An outer iteration is as many steps as there are rows.
    """
    n = X.shape[0]
    v = np.zeros(X.shape[1])
    scale = 1.0
    squared = 0.0
    work = 0
    first = 1
    while True:
        scale, squared, touched = _subgradient_steps(
            X.data, X.indices, X.indptr, y, 1 / (C * n), first, v, scale, squared, project, rng
        )
        work = work + touched
        first = first + n
        yield scale * v, work


@njit(cache=True)
def _best_mixture(gram, offsets, mixture, tolerance):
    """Maximise b u - u G u / 2 over the simplex, pair by pair, from a mixture that is improved."""
    slope = offsets - gram @ mixture
    while True:
        up = np.argmax(slope)
        down = -1
        for k in range(len(mixture)):
            if mixture[k] > 0 and (down < 0 or slope[k] < slope[down]):
                down = k
        if slope[up] - slope[down] <= tolerance:
            return
        curvature = gram[up, up] + gram[down, down] - 2 * gram[up, down]
        step = mixture[down]
        if curvature * step > slope[up] - slope[down]:
            step = (slope[up] - slope[down]) / curvature
        mixture[up] += step
        # Exactly 0, so that a plane that is left takes no further part.
        mixture[down] = mixture[down] - step if step < mixture[down] else 0.0
        slope -= step * (gram[up] - gram[down])


def cutting_planes(X, y, C, precision=1e-5):
    """Yield from SVM-perf's one-slack cutting planes (Joachims 2006); hinge loss.

    A plane is C sum_i c_i (1 - y_i x_i w), where c marks the rows of positive loss. The programme
    over the planes is solved to a share `precision` of the objective at w = 0.
    """
    n = X.shape[0]
    work = 0
    w = np.zeros(X.shape[1])
    # of the planes, 0 is the first
    planes = np.zeros((32, len(w)))
    offsets = [0.0]
    gram = np.zeros((1, 1))
    mixture = np.ones(1)
    while True:
        k = len(offsets)
        violated = y * (X @ w) < 1
        if k == len(planes):
            planes = np.concatenate([planes, np.zeros_like(planes)])
        planes[k] = C * (X.T @ (y * violated))
        offsets.append(C * np.count_nonzero(violated))
        work += X.nnz + int(np.diff(X.indptr)[violated].sum())
        products = planes[: k + 1] @ planes[k]
        gram = np.block([[gram, products[:k, None]], [products[None]]])
        mixture = np.append(mixture, 0.0)
        _best_mixture(gram, np.array(offsets), mixture, precision * C * n)
        w = mixture @ planes[: k + 1]
        yield w, work


@njit(cache=True)
def _primal_sweep(values, rows, starts, y, C, sigma, curvature, slack, w, order):
    """Minimise the squared hinge along each feature in turn; `slack` is 1 - y w x of each row."""
    work = 0
    for i in order:
        begin = starts[i]
        end = starts[i + 1]
        first = w[i]
        second = 1.0
        for p in range(begin, end):
            j = rows[p]
            if slack[j] > 0:
                first -= 2 * C * y[j] * values[p] * slack[j]
                second += 2 * C * values[p] ** 2
        work += end - begin
        newton = -first / second
        if newton == 0.0:
            continue
        share = 1.0
        taken = 0.0
        while True:
            step = share * newton
            change = w[i] * step + 0.5 * step * step
            for p in range(begin, end):
                j = rows[p]
                old = slack[j] + taken * y[j] * values[p]
                new = old - step * y[j] * values[p]
                slack[j] = new
                change += C * (max(new, 0.0) ** 2 - max(old, 0.0) ** 2)
            work += end - begin
            taken = step
            if share <= second / (0.5 * curvature[i] + sigma) or change <= -sigma * step * step:
                break
            # Near the minimum rounding hides a fall that is there, at any share.
            if share < 1e-10:
                break
            share *= 0.5
        w[i] += step
    return work


def primal_coordinates(X, y, C, rng, permuted=True, sigma=0.01):
    """Yield from primal coordinate descent (Chang et al. 2007), permuted: CDPER; squared hinge.

    A Newton step along a feature is halved until the objective falls by sigma times its square; the
    bound on the curvature spares that test, as in the original.
    """
    columns = csc_array(X)
    w = np.zeros(X.shape[1])
    work = 0
    curvature = 1 + 2 * C * columns.multiply(columns).sum(axis=0)
    slack = np.ones(len(y))
    order = np.arange(X.shape[1])
    parts = columns.data, columns.indices, columns.indptr
    while True:
        if permuted:
            order = rng.permutation(order)
        work += _primal_sweep(*parts, y, C, sigma, curvature, slack, w, order)
        yield w, work


def trust_region_newton(X, y, C):
    """Yield from TRON (Lin et al. 2008), with the constants of LIBLINEAR 1; squared hinge."""
    lengths = np.diff(X.indptr)
    w = np.zeros(X.shape[1])
    work = X.nnz
    radius = None
    slack = np.ones(len(y))
    value = C * len(y)
    while True:
        inside = slack > 0
        support = X[inside]
        signed = y[inside]
        inner = int(lengths[inside].sum())
        gradient = w - 2 * C * (support.T @ (signed * slack[inside]))
        work += inner
        length = np.linalg.norm(gradient)
        first = radius is None
        radius = length if radius is None else radius
        moved = False
        while not moved:
            step, rest, rounds = _steihaug(support, C, gradient, radius, 0.1 * length)
            new_slack = 1 - y * (X @ (w + step))
            work += X.nnz + 2 * inner * rounds
            new = 0.5 * np.sum((w + step) ** 2) + C * np.sum(np.maximum(new_slack, 0) ** 2)
            along = gradient @ step
            size = np.linalg.norm(step)
            predicted = 0.5 * (step @ rest - along)
            actual = value - new
            if first:
                radius = min(radius, size)
                first = False
            bend = -actual - along
            factor = 4.0 if bend <= 0 else max(0.25, -0.5 * along / bend)
            moved = actual > 1e-4 * predicted
            if not moved:
                radius = min(max(factor, 0.25) * size, 0.5 * radius)
            elif actual < 0.25 * predicted:
                radius = max(0.25 * radius, min(factor * size, 0.5 * radius))
            elif actual < 0.75 * predicted:
                radius = max(0.25 * radius, min(factor * size, 4 * radius))
            else:
                radius = max(radius, min(factor * size, 4 * radius))
            if size <= 1e-14 * np.linalg.norm(w):  # rounding is all that is left
                moved = True
                new = value
                step = 0.0
                new_slack = slack
        w = w + step
        slack = new_slack
        value = new
        yield w, work


def _steihaug(support, C, gradient, radius, tolerance):
    """Return a step by conjugate gradients within a radius, its residual and the products taken."""
    step = np.zeros_like(gradient)
    rest = -gradient
    rounds = 0
    direction = rest
    square = rest @ rest
    while np.sqrt(square) > tolerance:
        bent = direction + 2 * C * (support.T @ (support @ direction))
        rounds += 1
        rate = square / (direction @ bent)
        if np.linalg.norm(step + rate * direction) > radius:
            cross = step @ direction
            long = direction @ direction
            room = radius**2 - step @ step
            rate = (np.sqrt(cross**2 + long * room) - cross) / long
            return step + rate * direction, rest - rate * bent, rounds
        step = step + rate * direction
        rest = rest - rate * bent
        last = square
        square = rest @ rest
        direction = rest + (square / last) * direction
    return step, rest, rounds
