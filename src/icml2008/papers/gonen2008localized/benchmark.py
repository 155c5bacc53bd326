"""Localised and plain multiple kernel learning beside a cone solver and plain SVMs.

One training half of each set, kernels of mean diagonal one and C = 10; the peers are the same MKL
problem of K_P and K_G in Clarabel, and scikit-learn's SVC, linear and as it comes. MKLpy does not
have that problem: it weighs K_P and K_G by EasyMKL as it comes, by their alignment with the labels
(CKA), or equally, for an SVC with C = 10. Least processor time of five turns on one thread, the
kernels of rows made beforehand, but for SVC's.

Needs ``pip install MKLpy``, which takes PyTorch and CVXOPT along.
"""

from __future__ import annotations

import warnings

import cvxpy as cp
import numpy as np
import torch
from MKLpy.algorithms import CKA, AverageMKL, EasyMKL
from sklearn.svm import SVC

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.gonen2008localized.experiments import (
    SETS,
    Fold,
    assess,
    gauss4,
    lmkl,
    mkl,
    thirds,
)

PACKAGES = ("numpy", "numba", "cvxpy", "scikit-learn", "MKLpy", "torch", "cvxopt")

C = 10.0
NAMES = ["P", "G"]


def first_fold(name):
    """Return the first of the ten folds of a set, standardised."""
    rng = np.random.default_rng(0)
    if name in SETS:
        table = load(SETS[name])
        X = table.X
        y = np.where(table.y == table.y[0], 1.0, -1.0)
    else:
        X, y = gauss4(rng)
    test, pairs = thirds(y, rng, 1500)
    train = X[pairs[0][0]]
    rows = np.concatenate([*pairs[0], test])
    X = (X[rows] - train.mean(axis=0)) / train.std(axis=0)
    start = 0.01 * rng.uniform(-1, 1, (1 + X.shape[1], 3))
    return Fold(X, y[rows], len(train), len(pairs[0][1]), start, None)


def cone(fold):
    """Solve MKL as the quadratically constrained program of Lanckriet et al. (2004)."""
    y = fold.y[: fold.n]
    alpha = cp.Variable(fold.n, nonneg=True)
    t = cp.Variable()
    limits = [alpha <= C, y @ alpha == 0]
    for name in NAMES:
        values, vectors = np.linalg.eigh(fold.square[name])
        root = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
        limits.append(cp.sum_squares(root @ cp.multiply(y, alpha)) <= t)
    cp.Problem(cp.Maximize(cp.sum(alpha) - t / 2), limits).solve(solver=cp.CLARABEL)
    weights = np.array([limit.dual_value for limit in limits[2:]]).ravel()
    weights /= weights.sum()
    signed = np.where(alpha.value > 1e-4 * C, alpha.value, 0) * y
    K = sum(w * fold.kernels[name] for w, name in zip(weights, NAMES, strict=True))
    free = (np.abs(signed) > 0) & (np.abs(signed) < C * (1 - 1e-4))
    margins = y - (K @ signed)[: fold.n]
    return K @ signed + (margins[free].mean() if free.any() else np.median(margins)), signed, {}


def told(machine, scores, n):
    """Return scores and the dual variables with signs of an SVC on n rows."""
    signed = np.zeros(n)
    signed[machine.support_] = machine.dual_coef_[0]
    return scores, signed, {}


def plain(fold, kernel):
    """Fit scikit-learn's SVC, but for the kernel as it comes."""
    machine = SVC(kernel=kernel).fit(fold.X[: fold.n], fold.y[: fold.n])
    return told(machine, machine.decision_function(fold.X), fold.n)


def mklpy(fold, algorithm):
    """Fit one of MKLpy's, which was written for older versions of PyTorch."""
    kernels = [torch.from_numpy(fold.kernels[name]) for name in NAMES]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        learner = algorithm(learner=SVC(C=C))
        learner.fit([K[: fold.n] for K in kernels], torch.from_numpy(fold.y[: fold.n]))
        return told(learner.learner, learner.decision_function(kernels), fold.n)


def rows():
    """Yield the rows of the table."""
    torch.set_num_threads(1)
    for name in ("gauss4", "banana", "heart", "pima", "wdbc"):
        fold = first_fold(name)
        assert fold.square  # kernels are made beforehand
        tasks = {
            "LMKL, three linear": lambda fold=fold: lmkl(fold, ["L", "L", "L"], C),
            "MKL, bisection": lambda fold=fold: mkl(fold, NAMES, C),
            "MKL, Clarabel": lambda fold=fold: cone(fold),
            "MKLpy, EasyMKL": lambda fold=fold: mklpy(fold, EasyMKL),
            "MKLpy, CKA": lambda fold=fold: mklpy(fold, CKA),
            "MKLpy, equal weights": lambda fold=fold: mklpy(fold, AverageMKL),
            "SVC, linear": lambda fold=fold: plain(fold, "linear"),
            "SVC, RBF": lambda fold=fold: plain(fold, "rbf"),
        }
        for method, (seconds, answer) in least_seconds(tasks, patience=3.0).items():
            scored = assess(fold, *answer)
            yield {
                "dataset": name,
                "method": method,
                "rows": fold.n,
                "accuracy": f"{scored['accuracy']:.1f}",
                "vectors_percent": f"{scored['vectors']:.1f}",
                "milliseconds": f"{1e3 * seconds:.2g}",
            }
