"""METHOD THREE and METHOD ONE beside scikit-learn's spectral clustering and general solvers.

Points of two overlapping Gaussians, advice as in Section 5.1 with p = 0.75; processor seconds of
one core. Ours computes one f, or all of them. SciPy solves the same eigenproblem in a basis of the
constraints' null space, and a group's 2CC as a mixed integer program; scikit-learn has no advice.
The answer is the relaxed cut and the share of advice kept, of scikit-learn's clusters as such.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, null_space
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn.cluster import SpectralClustering

from icml2008.harness.benchmarks import compare
from icml2008.papers.coleman2008advice.method import (
    AdvicePath,
    advice_blocks,
    advice_matrix,
    cut_ratio,
    gaussian_affinity,
    respected,
    solve_2cc,
)
from icml2008.papers.coleman2008advice.points import advise, dense_pairs

PACKAGES = ("numpy", "scipy", "scikit-learn")
F = 2.0


def by_null_space(affinity, pairs, signs):
    """Return the solution at F, by SciPy's dense solvers."""
    n = len(affinity)
    degrees = affinity.sum(axis=0)
    rows = [degrees]
    matrix = advice_matrix(n, pairs, signs)
    for block in advice_blocks(n, pairs):
        values, vectors = np.linalg.eigh(matrix[np.ix_(block, block)])
        for vector in vectors[:, values > F * values[0] * (1 + 1e-9)].T:
            rows.append(np.zeros(n))
            rows[-1][block] = vector
    free = null_space(np.array(rows))
    weights = free.T @ (degrees[:, None] * free)
    laplacian = free.T @ (np.diag(degrees) - affinity) @ free
    return free @ eigh(laplacian, weights, subset_by_index=[0, 0])[1][:, 0]


def by_program(n, pairs, signs):
    """Return clusters of the fewest violations, by HiGHS: sides of points, violations of pieces."""
    rows = []
    least = []
    for piece, ((i, j), sign) in enumerate(zip(pairs, signs, strict=True)):
        for side in (1, -1):
            rows.append(np.zeros(n + len(pairs)))
            rows[-1][n + piece] = 1
            rows[-1][[i, j]] = [-side, side * sign]
            # Must-link: z >= |x - y|. Cannot-link: z >= |x + y - 1|.
            least.append(0 if sign > 0 else -side)
    cost = np.append(np.zeros(n), np.ones(len(pairs)))
    limits = LinearConstraint(np.array(rows), least)
    optimum = milp(cost, integrality=cost == 0, bounds=Bounds(0, 1), constraints=limits)
    return 2 * np.rint(optimum.x[:n]) - 1


def drawn(n):
    """Return affinities, pairs and signs."""
    rng = np.random.default_rng(0)
    classes = np.where(np.arange(n) < 0.4 * n, 1, -1)
    X = rng.normal(size=(n, 10)) + 0.5 * classes[:, None]
    pairs = dense_pairs(n, rng)
    return gaussian_affinity(X), pairs, advise(classes, pairs, 0.75, rng)


def at_f(affinity, pairs, signs):
    """Return our solution at F."""
    path = AdvicePath(affinity, pairs, signs)
    return path.solution(int(np.sum(path.f <= F)) - 1)


def at_all(affinity, pairs, signs):
    """Return our solutions at every f, the one at F among them."""
    path = AdvicePath(affinity, pairs, signs)
    solutions = [path.solution(step) for step in range(len(path))]
    return solutions[int(np.sum(path.f <= F)) - 1]


def without(affinity):
    """Return scikit-learn's clusters as signs, which know of no advice."""
    peer = SpectralClustering(2, affinity="precomputed", assign_labels="cluster_qr", random_state=0)
    return 2.0 * peer.fit(affinity).labels_ - 1


def rows():
    """Yield the rows of the table."""
    for n in (300, 900):
        affinity, pairs, signs = drawn(n)
        ways = {
            "ours, f = 2": lambda a=affinity, p=pairs, s=signs: at_f(a, p, s),
            "ours, all f": lambda a=affinity, p=pairs, s=signs: at_all(a, p, s),
            "SciPy, null space, f = 2": lambda a=affinity, p=pairs, s=signs: by_null_space(a, p, s),
            "scikit-learn, no advice": lambda a=affinity: without(a),
        }

        def answer(_, v, affinity=affinity, pairs=pairs, signs=signs):
            kept = respected(np.where(v > 0, 1, -1), pairs, signs).mean()
            return f"relaxed cut {cut_ratio(affinity, v):.4f}, {100 * kept:.0f} % of advice kept"

        yield from compare(f"{n} points", ways, answer, times=3)
    _, pairs, signs = drawn(300)
    block = advice_blocks(300, pairs)[0]
    inside = np.isin(pairs[:, 0], block)
    local = np.searchsorted(block, pairs[inside])
    matrix = advice_matrix(len(block), local, signs[inside])
    ways = {
        "ours, all clusterings": lambda: solve_2cc(matrix),
        "SciPy, HiGHS": lambda: by_program(len(block), local, signs[inside]),
    }

    def violated(_, clusters):
        return f"{clusters @ matrix @ clusters / 4:.0f} of {inside.sum()} violated"

    yield from compare(f"2CC of {len(block)} points", ways, violated, times=3)
