"""Ward's tree of points with many columns: all distances by products of blocks, held in memory."""

import numpy as np
from numba import njit

BLOCK = 256
# Squares of distances that are smaller shares of the points' own are not left to subtraction.
SHARE = 1e-5


@njit(cache=True)
def _make_exact(part, norms, X, begin):
    """Put squares in place of products, (width, n), of rows from `begin` on."""
    (width, n) = part.shape
    for i in range(width):
        for j in range(n):
            both = norms[begin + i] + norms[j]
            square = both - 2.0 * part[i, j]
            if square < SHARE * both:
                square = 0.0
                for k in range(X.shape[1]):
                    square += (X[begin + i, k] - X[j, k]) ** 2
            part[i, j] = square
        part[i, begin + i] = np.inf


def squares_of(X):
    """Return squared distances of rows, (n, n), infinite on the diagonal."""
    X = X - X.mean(axis=0)
    norms = np.einsum("ij,ij->i", X, X)
    squares = np.empty((len(X), len(X)))
    for begin in range(0, len(X), BLOCK):
        part = squares[begin : begin + BLOCK]
        np.matmul(X[begin : begin + BLOCK], X.T, out=part)
        _make_exact(part, norms, X, begin)
    return squares


@njit(cache=True)
def chain_of_squares(squares, sizes, ids, chain, children, heights):
    """Fill in children and heights; what else is given is worked on."""
    n = len(ids)
    m = n
    length = 0
    for merge in range(n - 1):
        if length == 0:
            chain[0] = 0
            length = 1
        while True:
            tip = chain[length - 1]
            row = squares[tip]
            # The one that it came from wins at a tie, else the chain could go round.
            best = chain[length - 2] if length > 1 else -1
            came = best
            least = row[best] if best >= 0 else np.inf
            for j in range(m):
                if row[j] < least:
                    least = row[j]
                    best = j
            if best == came:
                break
            chain[length] = best
            length += 1
        length -= 2
        keep = min(tip, best)
        gone = max(tip, best)
        children[merge, 0] = ids[keep]
        children[merge, 1] = ids[gone]
        heights[merge] = np.sqrt(least)
        total = sizes[keep] + sizes[gone]
        for j in range(m):
            # Lance and Williams's rule
            size = sizes[j]
            sums = (size + sizes[keep]) * squares[keep, j] + (size + sizes[gone]) * squares[gone, j]
            squares[keep, j] = (sums - size * least) / (size + total)
        squares[keep, keep] = np.inf
        m -= 1  # the last cluster takes the place of the one that is gone
        squares[keep, gone] = squares[keep, m]
        for j in range(m):
            squares[gone, j] = squares[m, j]
        squares[gone, keep] = squares[keep, m]
        squares[gone, gone] = np.inf
        for j in range(m):
            squares[j, keep] = squares[keep, j]
            squares[j, gone] = squares[gone, j]
        sizes[keep] = total
        ids[keep] = n + merge
        sizes[gone] = sizes[m]
        ids[gone] = ids[m]
        for i in range(length):
            if chain[i] == m:
                chain[i] = gone
