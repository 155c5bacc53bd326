"""Kernels of sparse texts from Jensen-Shannon divergences, processor seconds of one core.

WebKB's student and faculty pages against as many others, by the distributions of their words:
`tsallis_kernels` for q = 1 and for 21 indices, SciPy's `jensenshannon` of dense rows, by `cdist`
and row by row, scikit-learn's chi-squared kernel of dense rows, and its linear kernel of sparse
ones. `difference` is the largest from `tsallis_kernels` where the kernel is the same.
"""

import numpy as np
from scipy.spatial.distance import cdist, jensenshannon
from sklearn.metrics.pairwise import additive_chi2_kernel, linear_kernel
from sklearn.preprocessing import normalize

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.martins2008nonextensive.method import tsallis_kernels

PACKAGES = ("numpy", "numba", "scipy", "scikit-learn")


def kernels(A, B):
    """Return what computes kernels of sparse distributions, and peers of dense ones."""
    a = A.toarray()
    b = B.toarray()
    many = np.linspace(0, 2, 21)
    ours = {
        "tsallis_kernels, q = 1": lambda: tsallis_kernels(A / 2, B / 2, [1])[0],
        "tsallis_kernels, 21 q": lambda: tsallis_kernels(A / 2, B / 2, many)[10],
        "scikit-learn linear_kernel": lambda: linear_kernel(A, B, dense_output=True),
    }
    by_row = {
        "SciPy cdist, jensenshannon": lambda: cdist(a, b, "jensenshannon"),
        "SciPy jensenshannon": lambda: np.array([jensenshannon(row[None], b, axis=1) for row in a]),
        "scikit-learn additive_chi2_kernel": lambda: additive_chi2_kernel(a, b),
    }
    return ours, by_row


def rows():
    """Yield the rows of the table."""
    P = normalize(load("stud-fac-words").X, norm="l1")
    order = np.random.default_rng(0).permutation(P.shape[0])
    for n in (50, 200):
        both = P[order[: 2 * n]]
        both = both[:, both.sum(axis=0) > 0]  # dense rows have no words that none of them has
        ours, peers = kernels(both[:n], both[n:])
        timed = least_seconds(ours) | least_seconds(peers, times=3, patience=3)
        exact = timed["tsallis_kernels, q = 1"][1]
        for name, (taken, kernel) in timed.items():
            if name.startswith("SciPy"):
                kernel = np.log(2) - kernel**2
            same = not name.startswith("scikit-learn")
            apart = f"{np.abs(kernel - exact).max():.1e}" if same else ""
            texts = f"{n} x {n}"
            yield {"method": name, "texts": texts, "seconds": f"{taken:.2g}", "difference": apart}
