"""Fully visible Markov random fields with exact likelihoods.

A field has energy ``-v' S v`` with S lower triangular: biases on its diagonal, weights below.
"""

import numba
import numpy as np
from scipy.optimize import minimize

from icml2008.methods.nets.arithmetic import sigmoid

LOW = 13  # pixels whose states a row of the exact sum runs over


def bits(codes, width):
    """Return the bits of codes, (n, width), the lowest first."""
    return (np.asarray(codes)[:, None] >> np.arange(width)) & 1


@numba.njit(cache=True, nogil=True)
def _sum_rows(start, inputs, below, row, columns, moments):  # pragma: no cover - compiled
    """Add up exp of the log-weights of all states of low pixels for each state of the others.

    `start`, (R,), and `inputs`, (R, k), are log-weights of those and what they add to low pixels;
    `below`, (2^k,), weights of low states. Sums over rows go into `columns`, (2^k,); those over
    columns and over columns with a pixel on into `moments`, (R, k + 1).
    """
    k = inputs.shape[1]
    for r in range(len(start)):
        row[0] = np.exp(start[r])
        size = 1
        for j in range(k):
            factor = np.exp(inputs[r, j])
            for i in range(size):
                row[size + i] = row[i] * factor
            size *= 2
        for i in range(size):
            row[i] *= below[i]
            columns[i] += row[i]
        for j in range(k - 1, -1, -1):
            size //= 2
            total = 0.0
            for i in range(size):
                total += row[size + i]
                row[i] += row[size + i]
            moments[r, j] = total
        moments[r, k] = row[0]


def log_partition(S):
    """Return log Z of a field, and the moments E[v_i v_j], (n, n), below and on the diagonal."""
    S = np.asarray(S, np.float64)
    n = len(S)
    k = min(LOW, len(S) // 2)
    low = bits(np.arange(1 << k), k)
    high = bits(np.arange(1 << (n - k)), n - k)
    scores = np.einsum("ri,ij,rj->r", low, S[:k, :k], low, optimize=True)
    start = np.einsum("ri,ij,rj->r", high, S[k:, k:], high, optimize=True)
    inputs = high @ S[k:, :k]
    shift = scores.max()
    # where each row's largest state lies at most, so that none overflows
    most = np.max(start + np.maximum(inputs, 0).sum(axis=1))
    columns = np.zeros(1 << k)
    moments = np.empty((len(start), k + 1))
    below = np.exp(scores - shift)
    _sum_rows(start - most, inputs, below, np.empty(1 << k), columns, moments)
    total = columns.sum()
    sums = np.zeros((n, n))
    sums[:k, :k] = low.T @ (columns[:, None] * low)
    sums[k:, k:] = high.T @ (moments[:, k:] * high)
    sums[k:, :k] = high.T @ moments[:, :k]
    return np.log(total) + most + shift, np.tril(sums) / total


@numba.njit(cache=True, nogil=True)
def _sweep(W, b, V, uniforms):  # pragma: no cover - compiled
    """Draw each pixel of the chains V, (n, m), in turn, given all others."""
    n, m = V.shape
    inputs = np.empty(m)
    for i in range(n):
        for chain in range(m):
            inputs[chain] = b[i]
        for j in range(n):
            for chain in range(m):
                inputs[chain] += W[i, j] * V[j, chain]
        for chain in range(m):
            V[i, chain] = uniforms[i, chain] < 1.0 / (1.0 + np.exp(-inputs[chain]))


def climb(S, gradients, updates, rate):
    """Return a field after updates at a rate that falls to 0 in proportion to them.

    `gradients` yields for (W, b), symmetric weights and biases, the gradients by W below its
    diagonal and by b.
    """
    W = np.tril(S, -1)
    b = np.diag(S).copy()
    W += W.T
    step = gradients(W, b)
    for done in range(updates):
        eta = rate * (1 - done / updates)
        by_weights, by_biases = next(step)
        W += eta * by_weights
        b += eta * by_biases
    return np.tril(W, -1) + np.diag(b)


def persistent(target, m, rng):
    """Return PCD's gradients: the data's moments less those of m chains, a sweep each time."""
    target = np.tril(target, -1) + np.tril(target).T

    def gradients(W, b):
        V = (rng.random((len(b), m)) < 0.5).astype(float)
        while True:
            for uniforms in rng.random((100, len(b), m)):
                _sweep(W, b, V, uniforms)
                error = target - V @ V.T / m
                by_biases = np.diag(error).copy()
                np.fill_diagonal(error, 0)
                yield error, by_biases

    return gradients


def maximise(start, loss, tolerance):
    """Return the field, (n, n), at which a loss of fields is least, by L-BFGS.

    `loss` returns with its value the gradient by S, of which what is above the diagonal is ignored.
    """
    below = np.tril_indices(len(start))

    def flat(values):
        S = np.zeros_like(start)
        S[below] = values
        value, gradient = loss(S)
        return value, gradient[below]

    options = {"maxiter": 1000, "maxcor": 30, "gtol": tolerance, "ftol": 0}
    result = minimize(flat, start[below], jac=True, method="L-BFGS-B", options=options)
    S = np.zeros_like(start)
    S[below] = result.x
    return S


def pseudo_optimum(start, rows, shares, tolerance=1e-4):
    """Return the field of the largest mean log pseudo-likelihood of rows, (m, n), with shares."""

    def loss(S):
        W = np.tril(S, -1)
        W += W.T
        inputs = rows @ W + np.diag(S)
        error = (sigmoid(inputs) - rows) * shares[:, None]
        gradient = error.T @ rows
        gradient += gradient.T
        gradient[np.diag_indices(len(S))] = error.sum(axis=0)
        terms = np.logaddexp(0, inputs) - rows * inputs
        return shares @ terms.sum(axis=1), gradient

    return maximise(start, loss, tolerance)


def pseudo_gradient(W, b, V):
    """Return the gradients of log pseudo-likelihood (Besag) by W and b, at rows V, (m, n)."""
    error = (V - sigmoid(V @ W + b)) / len(V)
    by_weights = error.T @ V
    by_weights += by_weights.T
    np.fill_diagonal(by_weights, 0)
    return by_weights, error.sum(axis=0)


def pseudo(draw, m):
    """Return the gradients of log pseudo-likelihood, each at m new rows that `draw` gives."""

    def gradients(W, b):
        while True:
            for rows in draw(100 * m).reshape(100, m, -1):
                yield pseudo_gradient(W, b, rows)

    return gradients
