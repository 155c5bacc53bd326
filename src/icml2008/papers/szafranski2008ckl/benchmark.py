"""CKL beside general and neighbouring solvers, on 100 trials of 39 electrodes.

Weights: Equation 12 until J falls by at most 1e-6, Algorithm 1 until all is stable to 1e-3, and
Clarabel by cvxpy at its defaults, which solves the mixed-norm problem itself; `excess` is of J over
the last's. skglm (``pip install skglm``) has the group lasso with the logistic loss: a path of
penalties until 25 groups are kept. MKLpy needs torch. Dual: the interior point beside
pairwise solvers to 1e-6, for a support vector machine with the weights of MKL at C = 100; `excess`
is what they leave of the first's value.
"""

from __future__ import annotations

import cvxpy as cp
import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.smo import SMOClassifier
from icml2008.papers.szafranski2008ckl.experiments import (
    POWERS,
    Machine,
    Penalty,
    algorithm_1,
    equation_12,
    support_vectors,
)

PACKAGES = ("numpy", "scikit-learn", "cvxpy", "clarabel", "skglm")

COLUMNS = ["task", "C", "method", "milliseconds", "excess", "groups", "auc"]


def mixed_norm(X, y, C, penalty):
    """Return the weights of features and J, by Clarabel."""
    w = cp.Variable(X.shape[1])
    b = cp.Variable()
    norms = [
        size**penalty.gamma_star * cp.pnorm(w[i : i + int(size)], penalty.gamma)
        for i, size in zip(penalty.first.tolist(), penalty.sizes, strict=True)
    ]
    loss = C * cp.sum(cp.pos(1 - cp.multiply(y, X @ w + b)))
    value = cp.Problem(cp.Minimize(cp.square(sum(norms)) / 2 + loss)).solve(solver="CLARABEL")
    return w.value, value


def group_lasso(X, y):
    """Return the weights of features by skglm."""
    from skglm.datafits import LogisticGroup
    from skglm.penalties import WeightedGroupL2
    from skglm.solvers import GroupProxNewton
    from skglm.utils.data import grp_converter

    indices, first = grp_converter(3, X.shape[1])
    X = np.asfortranarray(X)
    w = np.zeros(X.shape[1])
    solver = GroupProxNewton(fit_intercept=False)
    most = np.max(np.linalg.norm((X.T @ y).reshape(-1, 3), axis=1)) / 2 / len(y)
    for alpha in np.geomspace(most, 1e-4 * most, 50):
        penalty = WeightedGroupL2(alpha, np.ones(len(w) // 3), first, indices)
        w = solver.solve(X, y, LogisticGroup(first, indices), penalty, w.copy(), X @ w)[0]
        if np.count_nonzero(w.reshape(-1, 3).any(axis=1)) >= 25:
            return w
    return w


def weighted(solve, tol, X, y, C, penalty):
    machine = Machine(X, y, C)
    sigma = solve(machine, penalty, penalty.project(np.ones(X.shape[1])), tol)
    value = machine(sigma)[0]
    return sigma * machine.coef, value


def row(task, C, method, seconds, **values):
    return {
        "task": task,
        "C": C,
        "method": method,
        "milliseconds": f"{1e3 * seconds:.3g}",
    } | values


def rows():
    """Yield the rows of the table."""
    data = load("ssl-bci")
    X = data.images.reshape(400, -1)
    y = data.y.astype(float)
    order = np.random.default_rng(0).permutation(400)
    train = order[:100]
    test = order[100:]
    sizes = [3] * 39
    Xs = X[train]
    ys = y[train]

    def told(w):
        large = np.abs(w) > 1e-4 * np.max(np.abs(w))
        groups = int(np.sum(np.any(large.reshape(39, 3), axis=1)))
        return {"groups": groups, "auc": f"{100 * roc_auc_score(y[test], X[test] @ w):.1f}"}

    for name in ("MKL", "CKL 1/2"):
        penalty = Penalty(POWERS[name], sizes)
        tasks = {
            "Equation 12": lambda p=penalty: weighted(equation_12, 1e-6, Xs, ys, 10.0, p),
            "Algorithm 1": lambda p=penalty: weighted(algorithm_1, 1e-3, Xs, ys, 10.0, p),
            "cvxpy, Clarabel": lambda p=penalty: mixed_norm(Xs, ys, 10.0, p),
        }
        timed = least_seconds(tasks, times=3)
        best = timed["cvxpy, Clarabel"][1][1]
        for method, (seconds, (w, value)) in timed.items():
            over = f"{value / best - 1:.1g}"
            yield row(f"weights, {name}", 10.0, method, seconds, excess=over, **told(w))
    for method, (seconds, w) in least_seconds({"skglm": lambda: group_lasso(Xs, ys)}).items():
        yield row("weights, group lasso", "", method, seconds, **told(w))
    penalty = Penalty(POWERS["MKL"], sizes)
    sigma = equation_12(Machine(Xs, ys, 100.0), penalty, penalty.project(np.ones(117)), 1e-6)
    K = (Xs * sigma) @ Xs.T

    def libsvm(C):
        machine = SVC(C=C, kernel="precomputed", tol=1e-6).fit(K, ys)
        a = machine.dual_coef_[0]
        kept = machine.support_
        return np.abs(a).sum() - a @ K[np.ix_(kept, kept)] @ a / 2

    for C in (1.0, 100.0, 10_000.0):
        tasks = {
            "interior point": lambda C=C: support_vectors(K, ys, C)[1],
            "libsvm": lambda C=C: libsvm(C),
            "SMOClassifier": lambda C=C: (
                SMOClassifier(C, kernel="precomputed", max_iter=10**7)
                .fit(K, ys)
                .objective_path_[-1]
            ),
        }
        timed = least_seconds(tasks, times=1)
        best = timed["interior point"][1]
        for method, (seconds, value) in timed.items():
            yield row("dual", C, method, seconds, excess=f"{1 - value / best:.1g}")
