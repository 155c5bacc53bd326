"""What a step of learning consists of: products that add in place, and a few functions.

All works in the dtype of its arguments; ``out`` may be the argument.
"""

from __future__ import annotations

import numba
import numpy as np
from scipy.linalg.blas import dgemm, sgemm

DTYPES = (np.float32, np.float64)


def native(X):
    """Return X in this machine's order of bytes.

    Another order is none of `DTYPES`: double precision would become single, another model.
    """
    dtype = getattr(X, "dtype", None)
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        return X.astype(dtype.newbyteorder("="))
    return X


def add_product(C: np.ndarray, A: np.ndarray, B: np.ndarray, scale: float, keep=1.0) -> None:
    """Set C to ``keep C + scale A' B`` in place; C (p, q), A (n, p), B (n, q), by rows."""
    if not (C.flags.c_contiguous and C.dtype == A.dtype == B.dtype):
        msg = "a product is added in place to rows that lie together, of the factors' dtype"
        raise ValueError(msg)
    gemm = sgemm if C.dtype == np.float32 else dgemm
    # BLAS counts by columns, so that it is told C' = keep C' + scale B' A
    gemm(scale, B.T, A.T, beta=keep, c=C.T, trans_b=True, overwrite_c=True)


def sigmoid(x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """Return 1 / (1 + exp(-x)), by the tangent: it cannot overflow."""
    out = np.multiply(x, x.dtype.type(0.5), out=out)
    np.tanh(out, out=out)
    out *= 0.5
    out += 0.5
    return out


def softplus(x: np.ndarray) -> np.ndarray:
    """Return log(1 + exp(x))."""
    out = np.abs(x)
    np.negative(out, out=out)
    np.exp(out, out=out)
    out += 1
    np.log(out, out=out)
    out += np.maximum(x, 0)
    return out


def softmax(x: np.ndarray) -> np.ndarray:
    """Turn scores, (n_rows, n_classes), into probabilities of classes, in place."""
    x -= x.max(axis=1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=1, keepdims=True)
    return x


BLOCK = 1024


@numba.njit(cache=True, nogil=True)
def _below(words, out, rest, unit):  # pragma: no cover - compiled
    """Turn each p into whether (word + a rest) / 2^16 < p.

    The rest is looked at where it matters. ``unit`` is 1 in p's dtype, so that all stays in it.
    """
    used = 0
    scale = unit * np.float32(65536)
    for start in range(0, len(out), BLOCK):
        block = out[start : start + BLOCK]
        word = words[start : start + BLOCK]
        undecided = 0
        for i in range(len(block)):
            block[i] = block[i] * scale - word[i] * unit
            undecided += (block[i] > 0) & (block[i] < unit)
        if undecided:
            for i in range(len(block)):
                if 0 < block[i] < unit:
                    block[i] = unit if rest[used % len(rest)] < block[i] else 0
                    used += 1
        for i in range(len(block)):
            block[i] = unit if block[i] >= unit else 0


class Uniform:
    """Bernoulli and other draws, from 16 bits each where these decide."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.Generator(np.random.SFC64(seed))

    def bernoulli(self, p: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Return ones with probability p and zeros, in p's dtype; rows lie together."""
        if out is None:
            out = p.copy()
        elif out is not p:
            np.copyto(out, p)
        words = self._rng.bit_generator.random_raw(-(-p.size // 4)).view(np.uint16)
        rest = self._rng.random(32 + p.size // 4096, p.dtype)  # one in 65,536 needs one
        _below(words, out.reshape(-1), rest, p.dtype.type(1))
        return out

    def permutation(self, n: int) -> np.ndarray:
        """Return 0 to n - 1 in random order."""
        return self._rng.permutation(n)

    def classes(self, p: np.ndarray) -> np.ndarray:
        """Return one column of each row of p, (n_rows, n_classes), drawn by its probability."""
        ladder = np.cumsum(p, axis=1)
        drawn = self._rng.random((len(p), 1), p.dtype) * ladder[:, -1:]
        return np.minimum(np.sum(drawn >= ladder, axis=1), p.shape[1] - 1)
