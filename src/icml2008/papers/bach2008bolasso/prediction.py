"""Tables 1 and 2: errors of five methods over 10 times 10 folds, each at its best parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from icml2008.methods.bolasso._data import centred, default_mus
from icml2008.methods.bolasso.paths import bolasso_path, lasso_homotopy

N_BOOTSTRAPS = 128
SOFT = 0.9
METHODS = ("Ridge", "Lasso", "Bolasso", "Bagging", "Bolasso-S")
Folds = list[tuple[np.ndarray, np.ndarray]]


def draw_folds(n: int, rng: np.random.Generator, passes: int = 10, k: int = 10) -> Folds:
    """Return the rows to train and to test on, for 10 passes over 10 folds."""
    folds = []
    for _ in range(passes):
        parts = np.array_split(rng.permutation(n), k)
        folds += [
            (np.concatenate([*parts[:i], *parts[i + 1 :]]), part) for i, part in enumerate(parts)
        ]
    return folds


def ridge_path(X: np.ndarray, y: np.ndarray, lambdas: np.ndarray) -> np.ndarray:
    """Return the minimisers of |y - X w|^2 / (2 n) + lambda |w|^2 / 2, (n_lambdas, p)."""
    U, s, Vt = np.linalg.svd(X / np.sqrt(len(X)), full_matrices=False)
    z = U.T @ y / np.sqrt(len(X))
    return (s * z / (s**2 + lambdas[:, None])) @ Vt


def path_errors(
    X: np.ndarray,
    y: np.ndarray,
    folds: Iterable,
    seeds: Iterable[int],
    n_bootstraps: int = N_BOOTSTRAPS,
) -> dict[str, np.ndarray]:
    """Return the mean squared errors of each method, (n_parameters, n_folds).

    100 values of mu, or of the ridge's lambda, the same for all folds. An intercept is fitted and
    not penalised.
    """
    mus = default_mus(*centred(X, y, True)[:2])
    lambdas = np.geomspace(1e2, 1e-6, 100)
    errors = {name: [] for name in METHODS}
    for (train, test), seed in zip(folds, seeds, strict=True):
        Xc, yc, X_mean, y_mean = centred(X[train], y[train], True)
        path = bolasso_path(
            X[train], y[train], mus=mus, n_bootstraps=n_bootstraps, random_state=seed
        )
        lines = {
            "Ridge": (ridge_path(Xc, yc, lambdas), None),
            "Lasso": (lasso_homotopy(Xc, yc, fit_intercept=False).coefs_at(mus), None),
            "Bolasso": (path.coefs(), None),
            "Bagging": (path.bagged_coefs, path.bagged_intercepts),
            "Bolasso-S": (path.coefs(SOFT), None),
        }
        for name, (coefs, intercepts) in lines.items():
            if intercepts is None:
                intercepts = y_mean - coefs @ X_mean
            left = y[test] - intercepts[:, None] - coefs @ X[test].T
            errors[name].append(np.mean(left**2, axis=1))
    return {name: np.stack(by_pass, axis=1) for name, by_pass in errors.items()}


def best_error(errors: np.ndarray) -> float:
    """Return 100 times the mean error at the parameter that is best over all folds."""
    return 100 * float(errors.mean(axis=1).min())


def own_error(make: Callable, X: np.ndarray, y: np.ndarray, folds: Iterable) -> float:
    """Return the same for a regressor of one's own."""
    errors = [
        np.mean((y[test] - make().fit(X[train], y[train]).predict(X[test])) ** 2)
        for train, test in folds
    ]
    return 100 * float(np.mean(errors))


def measure_errors(
    trial,
    X: np.ndarray,
    y: np.ndarray,
    methods: Mapping[str, Callable],
    n_bootstraps: int = N_BOOTSTRAPS,
) -> None:
    """Record the errors of the paper's methods and of one's own on the same folds."""
    folds = draw_folds(len(y), trial.rng("folds"))
    seeds = trial.rng("bootstrap").integers(2**31, size=len(folds)).tolist()
    errors = path_errors(X, y, folds, seeds, n_bootstraps)
    for name, make in methods.items():
        with trial.attempt(name):
            mse = best_error(errors[name]) if name in errors else own_error(make, X, y, folds)
            trial.measure(name, mse=mse)
