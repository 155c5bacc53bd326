"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np


def test_trace_sums_rows_of_the_same_block():
    """shin2008mapping, Equation 10: Y^ki_lI Y^kj_lI, not Y^ki_iI Y^lj_iI, over k and l."""
    rng = np.random.default_rng(0)
    n = m = 3
    # Y[k, i, l, r]: entry (l, r) of the block (k, i).
    root, alpha = rng.normal(size=(n, n, m, m)), rng.random(m)
    for i, j in itertools.product(range(n), repeat=2):
        block = sum(root[k, i].T @ root[k, j] for k in range(n))
        trace = np.trace(np.diag(alpha) @ block)
        right = np.einsum("r,klr,klr->", alpha, root[:, i], root[:, j])
        printed = np.einsum("r,kr,lr->", alpha, root[:, i, i], root[:, j, i])
        assert math.isclose(trace, right, rel_tol=1e-9)
        assert not math.isclose(trace, printed, rel_tol=1e-3)
