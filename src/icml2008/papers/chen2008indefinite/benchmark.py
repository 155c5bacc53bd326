"""The max-min SVM by its gradient, by cutting planes, and beside spectra that are changed at once.

Sonar with noise 0.1 and rho = 10; training samples are the first of a split. Least processor time
of the turns on one thread; `gap` is that of the max-min problem's bounds at the end, relative to
the optimum. The gradient stops at LIBSVM's tolerance, cutting planes (with pruning) at a gap of
0.01. The master problem is solved by our interior-point method, or by Clarabel through cvxpy.
Rivals are scikit-learn's SVC on the changed kernel, eigenvalues included.
"""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import cvxpy
import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.chen2008indefinite import method
from icml2008.papers.chen2008indefinite.experiments import SETS, SPECTRA, C, noisy

PACKAGES = ("numpy", "scikit-learn", "cvxpy", "clarabel")

RHO = 10.0


def by_cvxpy(kernels, penalties, y, C):
    """Return what `method.master` does."""
    alpha = cvxpy.Variable(len(y))
    t = cvxpy.Variable()
    rules = [alpha >= 0, alpha <= C, y @ alpha == 0]
    for Q, penalty in zip(kernels, penalties, strict=True):
        square = cvxpy.quad_form(alpha, cvxpy.psd_wrap(Q))
        rules.append(t <= cvxpy.sum(alpha) - square / 2 + penalty)
    cvxpy.Problem(cvxpy.Maximize(t), rules).solve(solver="CLARABEL")
    weights = np.clip(alpha.value, 0, C)
    slack = weights.sum() - kernels @ weights @ weights / 2 + penalties - t.value
    return weights, t.value, np.maximum(slack, 0), np.array([rule.dual_value for rule in rules[3:]])


def gradient(K0, y):
    return method.Saddle(K0).solve(y, C, RHO, np.arange(len(y)))[0]


def planes(K0, y, master=method.master):
    with patch.object(method, "master", master):
        rounds = method.cutting_planes(K0, y, C, RHO, True, np.arange(len(y)))
        return next(bounds[3] for bounds in rounds if bounds[1] - bounds[0] < 1e-2)


def changed(spectrum, K0, y):
    values, vectors = np.linalg.eigh(K0)
    SVC(C=C, kernel="precomputed").fit((vectors * spectrum(values)) @ vectors.T, y)


def gap(K0, y, alpha):
    """Return S's most over alpha at alpha's worst kernel, less S there, relative to the former."""
    v = y * alpha
    K, penalty = method.worst_kernel(K0, v, RHO)
    most = method.master((K * np.outer(y, y))[None], np.array([penalty]), y, C)[1]
    return (most - alpha.sum() + v @ K @ v / 2 - penalty) / most


def rows():
    """Yield the rows of the table."""
    table = load("sonar")
    (_, gamma, xi) = SETS["sonar"]
    rng = np.random.default_rng(0)
    order = rng.permutation(len(table.y))
    spread = np.ptp(table.X, axis=0)
    X = 2 * (table.X - table.X.min(axis=0)) / spread - 1
    for n in (40, 80, 166):
        K0 = noisy(rbf_kernel(X[order[:n]], gamma=gamma), xi, rng)
        y = np.where(table.y[order[:n]] == "M", -1.0, 1.0)
        tasks = {"gradient": partial(gradient, K0, y), "cutting planes": partial(planes, K0, y)}
        if n < 166:
            tasks["cutting planes, Clarabel"] = partial(planes, K0, y, by_cvxpy)
        tasks |= {f"SVC, {name}": partial(changed, SPECTRA[name], K0, y) for name in SPECTRA}
        for name, (seconds, alpha) in least_seconds(tasks, patience=3.0).items():
            left = "" if alpha is None else f"{gap(K0, y, alpha):.1g}"
            yield {
                "samples": n,
                "method": name,
                "milliseconds": f"{1e3 * seconds:.3g}",
                "gap": left,
            }
