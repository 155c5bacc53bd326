"""Section 7's rivals: exponentiated gradient, interior point, coordinate descent; work in flops."""

from __future__ import annotations

from functools import partial

import numba
import numpy as np
from scipy.special import expit

from icml2008.papers.duchi2008projections.method import project_l1_ball

project = partial(project_l1_ball, method="pivot")  # the paper's own
RATES = {"1/t": -1.0, "1/sqrt t": -0.5, "constant": 0.0}


class SquaredLoss:
    """Half the mean squared error of scores s, (m,), against y; derivatives are by the scores."""

    curvature = 1.0

    @staticmethod
    def value(s, y):
        """Return the loss."""
        return 0.5 * np.mean((s - y) ** 2)

    @staticmethod
    def slope(s, y):
        """Return the m first derivatives."""
        return (s - y) / len(y)

    @staticmethod
    def bend(s, y):
        """Return the m second derivatives."""
        return np.full(len(y), 1 / len(y))


class LogisticLoss:
    """The mean of log(1 + exp(-y s)); see SquaredLoss."""

    curvature = 0.25

    @staticmethod
    def value(s, y):
        """Return the loss."""
        return np.mean(np.logaddexp(0.0, -y * s))

    @staticmethod
    def slope(s, y):
        """Return the m first derivatives."""
        return -y * expit(-y * s) / len(y)

    @staticmethod
    def bend(s, y):
        """Return the m second derivatives."""
        return expit(s) * expit(-s) / len(y)


def projected_gradient(loss, X, y, radius, eta, steps):
    """Return flops and losses, (steps,) each, of Equation 2 with steps of eta / sqrt(t)."""
    w = np.zeros(X.shape[1])
    curve = []
    for t in range(1, steps + 1):
        w = project(w - eta / np.sqrt(t) * (X.T @ loss.slope(X @ w, y)), radius)
        curve.append((4 * X.size * t, loss.value(X @ w, y)))
    return np.array(curve).T


def stochastic_gradient(loss, X, y, radius, eta, steps, share, rng, looks=60):
    """Return what `projected_gradient` does, at up to 60 times of as many flops in all.

    Gradients are of the share of the examples, drawn with replacement.
    """
    size = max(1, round(share * len(y)))
    total = int(steps * len(y) / size)
    at = set(np.unique(np.geomspace(1, total, looks).astype(int)).tolist())
    w = np.zeros(X.shape[1])
    curve = []
    for t in range(1, total + 1):
        rows = rng.integers(len(y), size=size)
        part = X[rows]
        w = w - eta / np.sqrt(t) * (part.T @ loss.slope(part @ w, y[rows]))
        w = project(w, radius)
        if t in at:
            curve.append((4 * part.size * t, loss.value(X @ w, y)))
    return np.array(curve).T


def line_search(loss, X, y, radius, eta, steps):
    """Return what `projected_gradient` does, with backtracking from twice the last step size."""
    w = np.zeros(X.shape[1])
    scores = np.zeros(len(y))
    flops = 0
    curve = []
    now = loss.value(scores, y)
    while flops < 4 * X.size * steps:
        gradient = X.T @ loss.slope(scores, y)
        eta = 2 * eta
        flops += 2 * X.size
        for _ in range(50):
            there = project(w - eta * gradient, radius)
            step = there - w
            scores = X @ there
            flops = flops + 2 * X.size
            then = loss.value(scores, y)
            if then <= now + gradient @ step + step @ step / (2 * eta):
                break
            eta /= 2
        w = there
        now = then
        curve.append((flops, now))
    return np.array(curve).T


def conjugate_gradients(product, right, diagonal, tolerance, limit=200):
    """Return the solution of product(x) = right and the number of products, by Jacobi's PCG."""
    x = np.zeros_like(right)
    residual = right.copy()
    direction = residual / diagonal
    rho = residual @ direction
    used = 0
    while used < limit and np.linalg.norm(residual) > tolerance * np.linalg.norm(right):
        image = product(direction)
        used = used + 1
        alpha = rho / (direction @ image)
        x = x + alpha * direction
        residual = residual - alpha * image
        scaled = residual / diagonal
        before = rho
        rho = residual @ scaled
        direction = scaled + rho / before * direction
    return x, used


def interior_point(loss, X, y, penalty, tolerance, limit=80):
    """Return flops and penalised losses of truncated Newton steps, and the last weights.

    The barrier method of Kim et al. (2007), Section IV, and Koh et al. (2007), Section 6, for the
    loss plus the penalty times the 1-norm, until the gap from below is at most the tolerance.
    """
    n = X.shape[1]
    curve = []
    flops = 0
    w = np.zeros(n)
    u = np.ones(n)
    t = 1 / penalty
    size = 1.0
    squares = np.einsum("ij,ij->j", X, X) / len(y)
    lower = -np.inf
    scores = np.zeros(len(y))

    def barrier(scores, w, u):
        room = np.r_[u - w, u + w]
        if room.min() <= 0:
            return np.inf
        return t * (loss.value(scores, y) + penalty * u.sum()) - np.log(room).sum()

    for _ in range(limit):
        slope = loss.slope(scores, y)
        gradient = X.T @ slope
        flops = flops + 4 * X.size
        value = loss.value(scores, y) + penalty * np.abs(w).sum()
        lower = max(lower, _dual(loss, slope * min(1, penalty / np.abs(gradient).max()), y))
        curve.append((flops, value))
        if value - lower < tolerance:
            break
        if size >= 0.5:
            t = max(t, 2 * min(2 * n / (value - lower), t))
        plus = 1 / (u + w)
        minus = 1 / (u - w)
        of_w = t * gradient - plus + minus
        of_u = t * penalty - plus - minus
        d1 = plus**2 + minus**2
        d2 = plus**2 - minus**2
        bend = t * loss.bend(scores, y)
        extra = d1 - d2**2 / d1
        step, used = conjugate_gradients(
            lambda v, bend=bend, extra=extra: X.T @ (bend * (X @ v)) + extra * v,
            d2 / d1 * of_u - of_w,
            squares * bend.sum() + extra,
            min(0.1, (value - lower) / value),
        )
        flops += 4 * X.size * used
        rise = -(of_u + d2 * step) / d1
        along = X @ step
        now = barrier(scores, w, u)
        size = 1.0
        fall = of_w @ step + of_u @ rise
        while size > 1e-12 and (
            barrier(scores + size * along, w + size * step, u + size * rise)
            > now + 0.01 * size * fall
        ):
            size /= 2
        w = w + size * step
        u = u + size * rise
        scores = scores + size * along
    return np.array(curve).T, w


def _dual(loss, nu, y):
    """Return Fenchel's bound below the penalised loss, for nu with small enough gradients."""
    if loss is SquaredLoss:
        return -len(y) * (nu @ nu) / 2 - nu @ y
    share = np.clip(-nu * y * len(y), 1e-300, 1 - 1e-16)
    return -np.mean(share * np.log(share) + (1 - share) * np.log1p(-share))


@numba.njit(cache=True)
def _sweep(XT, y, scores, w, steps, penalty, logistic):
    m = len(y)
    for j in range(len(w)):
        gradient = 0.0
        for i in range(m):
            s = scores[i]
            gradient += XT[j, i] * (-y[i] / (1 + np.exp(y[i] * s)) if logistic else s - y[i])
        moved = w[j] - steps[j] * gradient / m
        after = np.sign(moved) * max(abs(moved) - steps[j] * penalty, 0.0)
        if after != w[j]:
            for i in range(m):
                scores[i] += (after - w[j]) * XT[j, i]
            w[j] = after


def coordinate_descent(loss, X, y, penalty, sweeps):
    """Return flops and penalised losses of sweeps of soft thresholding (Friedman et al., 2007).

    For the logistic loss a coordinate's second derivative is replaced by its upper bound.
    """
    XT = np.ascontiguousarray(X.T)
    scores = np.zeros(len(y))
    w = np.zeros(X.shape[1])
    curve = []
    steps = len(y) / (loss.curvature * np.einsum("ij,ij->i", XT, XT))
    for sweep in range(1, sweeps + 1):
        _sweep(XT, y, scores, w, steps, penalty, loss is LogisticLoss)
        curve.append((4 * X.size * sweep, loss.value(scores, y) + penalty * np.abs(w).sum()))
    return np.array(curve).T


@numba.njit(cache=True)
def online_exponentiated(starts, indices, values, y, n, radius, eta, power):
    """Return the scores, (m,), by which rows of a sparse matrix were predicted before each update.

    Equation 13 on two vectors, for positive and negative weights, with logistic loss. Only the
    factors of features of a row change; all share a divisor.
    """
    factors = np.ones((2, n))
    total = 2.0 * n
    scores = np.empty(len(y))
    largest = total
    for t in range(len(y)):
        score = 0.0
        for at in range(starts[t], starts[t + 1]):
            j = indices[at]
            score += values[at] * (factors[0, j] - factors[1, j])
        scores[t] = score * radius / total
        step = eta * (t + 1.0) ** power * y[t] / (1 + np.exp(y[t] * scores[t]))
        for at in range(starts[t], starts[t + 1]):
            j = indices[at]
            change = np.exp(min(max(step * values[at], -100.0), 100.0))
            total -= factors[0, j] + factors[1, j]
            factors[0, j] = factors[0, j] * change
            factors[1, j] = factors[1, j] / change
            total += factors[0, j] + factors[1, j]
            largest = max(largest, total)
        if total > 1e100 or total < 1e-6 * largest:  # before it overflows, or is all rounding
            factors /= factors.sum()
            total = largest = 1.0
    return scores
