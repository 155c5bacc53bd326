"""Support vector machines through their dual, SMO, and kernel ridge regression."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.smo import SMOClassifier
from icml2008.papers.foundations.samples import (
    Array,
    Generator,
    everywhere,
    real_rows,
    relative,
    two_normals,
)


def problem(rng: Generator, name: str) -> tuple[Array, Array]:
    """Return samples and labels -1 and 1."""
    if name == "overlapping":
        X, y = two_normals(rng, 200, 2.0)
    elif name == "duplicates":
        X, y = two_normals(rng, 50, 6.0)
        X = np.repeat(X, 4, axis=0)
        y = np.repeat(y, 4)
    elif name == "breast-cancer":
        X, y = real_rows(name)
        chosen = rng.permutation(len(y))[:200]
        X = X[chosen]
        y = y[chosen]
    else:
        X, y = load_digits(return_X_y=True)
        chosen = rng.permutation(np.flatnonzero((y == 3) | (y == 8)))[:200]
        X = X[chosen] / 16
        y = y[chosen] == 8
    return X, 2.0 * y - 1


def dual_value(alpha: Array, y: Array, K: Array) -> float:
    """Return the dual objective."""
    return float(alpha.sum() - (alpha * y) @ K @ (alpha * y) / 2)


def primal_value(v: Array, b: float, y: Array, K: Array, C: float) -> float:
    """Return the primal objective of w = sum v_i phi(x_i)."""
    return float(v @ K @ v / 2 + C * np.maximum(0, 1 - y * (K @ v + b)).mean())


def printed_pairs(K: Array, y: Array, cap: float, coupling: float, steps: int) -> Array:
    """Return the dual variables after so many exact solutions for a pair, taken in turn.

    The linear coefficients are ``c_i = 1 - coupling * sum_k a_k q_ik`` over the other variables: 1
    follows from the dual, 1/2 is printed.
    """
    n = len(y)
    Q = K * np.outer(y, y)
    alpha = np.zeros(n)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    for step in range(steps):
        i, j = pairs[(step * 7919) % len(pairs)]
        others = Q @ alpha - Q[:, i] * alpha[i] - Q[:, j] * alpha[j]
        c_i = 1 - coupling * others[i]
        c_j = 1 - coupling * others[j]
        # along alpha_i + y_i t, alpha_j - y_j t the constraint is kept
        slope = y[i] * (c_i - alpha[i] * Q[i, i] - alpha[j] * Q[i, j])
        slope -= y[j] * (c_j - alpha[j] * Q[j, j] - alpha[i] * Q[i, j])
        curvature = max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
        low_i, high_i = (-alpha[i], cap - alpha[i]) if y[i] > 0 else (alpha[i] - cap, alpha[i])
        low_j, high_j = (alpha[j] - cap, alpha[j]) if y[j] > 0 else (-alpha[j], cap - alpha[j])
        t = float(np.clip(slope / curvature, max(low_i, low_j), min(high_i, high_j)))
        alpha[i] += y[i] * t
        alpha[j] -= y[j] * t
    return alpha


@experiment(
    "svm",
    cells=everywhere(
        grid(
            dataset=["overlapping", "breast-cancer", "digits", "duplicates"],
            kernel=["linear", "gaussian"],
        )
    ),
    repeats={"quick": 1, "full": 10},
    cost=0.01,
    methods={"SMO": lambda C: SMOClassifier(C, kernel="precomputed", tol=1e-8)},
)
def dual_and_primal(trial: Trial) -> None:
    """Gap, ascent, optimality conditions and support vectors of the solution by SMO."""
    rng = trial.rng("samples")
    C = 200.0
    X, y = problem(rng, trial.cell["dataset"])
    n = len(y)
    gaussian = trial.cell["kernel"] == "gaussian"
    K = rbf_kernel(X, gamma=1 / (X.shape[1] * X.var())) if gaussian else linear_kernel(X)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = make(C / n).fit(K, y)
            alpha = model.alpha_
            b = model.intercept_
            v = alpha * y
            value = primal_value(v, b, y, K, C)
            bound = dual_value(alpha, y, K)
            trial.measure(name, gap=(value - bound) / value, n_test=1)
            crossed = [0.0]
            for _ in range(50):
                feasible = np.zeros(n)
                for members in (y < 0, y > 0):
                    feasible[members] = C / n * rng.dirichlet(np.ones(members.sum()))
                other = v + 10.0 ** rng.uniform(-4, 0) * alpha.max() * rng.normal(size=n)
                above = primal_value(other, b + rng.normal(), y, K, C)
                crossed.append((dual_value(feasible, y, K) - above) / value)
            trial.measure(name, crossing=max(crossed), n_test=50)
            steps = np.diff(model.objective_path_, prepend=0.0)
            trial.measure(name, fall=max(0.0, -float(steps.min())) / value, n_test=len(steps))
            margin = y * (K @ v + b)
            slack = np.maximum(0, 1 - margin)
            bounded = alpha * np.abs(margin - 1 + slack), (C / n - alpha) * slack
            trial.measure(
                name, slackness=max(float(part.max()) for part in bounded) * n / C, n_test=2 * n
            )
            free = (alpha > 1e-9 * C / n) & (alpha < (1 - 1e-9) * C / n)
            spread = np.ptp(y[free] - K[free] @ v) if free.any() else 0.0
            trial.measure(name, offset_error=float(spread), n_test=max(1, int(free.sum())))
            # a point counts as on or inside the margin within a millionth
            support = margin <= 1 + 1e-6
            trial.measure(
                name,
                outside=100 * float(np.mean((alpha > 0) & ~support)),
                unused=100 * float(np.mean((alpha == 0) & support)),
                n_test=n,
            )
            trial.measure(name, support=100 * float(np.mean(alpha > 0)), n_test=n)


@experiment(
    "smo-pairs",
    cells=grid(kernel=["gaussian"]),
    repeats={"quick": 1, "full": 8},
    cost=0.12,
    methods={"derived": lambda: 1.0, "as printed": lambda: 0.5},
)
def printed_update(trial: Trial) -> None:
    """The dual value that pairwise steps reach, with two forms of their coefficients."""
    X, y = two_normals(trial.rng("samples"), 24, 1.5)
    y = 2.0 * y - 1
    K = rbf_kernel(X, gamma=0.5)
    best = dual_value(SMOClassifier(0.5, kernel="precomputed").fit(K, y).alpha_, y, K)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            alpha = printed_pairs(K, y, 0.5, make(), 6000)
            trial.measure(name, missing=100 * (1 - dual_value(alpha, y, K) / best))


@experiment(
    "smo-growth",
    cells=everywhere(grid(n=[100, 200, 400, 800, 1600])),
    repeats={"quick": 1, "full": 8},
    cost=0.015,
    methods={"SMO": lambda C: SMOClassifier(C, gamma=0.5, tol=1e-3)},
)
def growth_of_the_work(trial: Trial) -> None:
    """Steps of SMO times the samples that each looks at, for growing samples."""
    n = trial.cell["n"]
    X, y = two_normals(trial.rng("samples"), n, 2.0)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            steps = make(1.0).fit(X, y).n_iter_
            trial.measure(name, log_work=float(np.log(steps * n)))


def explicit_features(X: Array) -> Array:
    """Return features whose inner product is (1 + x'z)^2, (n, 1 + 2 d + d (d - 1) / 2)."""
    i, j = np.triu_indices(X.shape[1], 1)
    cross = np.sqrt(2) * X[:, i] * X[:, j]
    return np.column_stack([np.ones(len(X)), np.sqrt(2) * X, X**2, cross])


@experiment(
    "kernel-ridge",
    cells=everywhere(grid(kernel=["polynomial", "gaussian"])),
    repeats=12,
    cost=0.005,
    methods={"kernel ridge": KernelRidge},
)
def kernel_ridge(trial: Trial) -> None:
    """The printed solution, scikit-learn's, and ridge regression on explicit features."""
    rng = trial.rng("samples")
    penalty = 0.3
    X = rng.normal(size=(60, 3))
    tests = rng.normal(size=(500, 3))
    y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=60)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            if trial.cell["kernel"] == "gaussian":
                kernel = lambda A, B: rbf_kernel(A, B, 0.2)  # noqa: E731
                how = {"kernel": "rbf", "gamma": 0.2}
            else:
                kernel = lambda A, B: polynomial_kernel(A, B, degree=2, gamma=1, coef0=1)  # noqa: E731
                how = {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 1}
            printed = y @ np.linalg.solve(kernel(X, X) + penalty * np.eye(60), kernel(X, tests))
            predicted = make(alpha=penalty, **how).fit(X, y).predict(tests)
            errors = [relative(printed - predicted, 1.0)]
            if trial.cell["kernel"] == "polynomial":
                phi = explicit_features(X)
                w = np.linalg.solve(phi.T @ phi + penalty * np.eye(phi.shape[1]), phi.T @ y)
                errors.append(relative(explicit_features(tests) @ w - printed, 1.0))
            trial.measure(name, identity_error=max(errors), n_test=len(errors))
