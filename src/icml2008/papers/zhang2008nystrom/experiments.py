"""Landmarks by k-means, at random, by norms and by incomplete Cholesky decomposition."""

import warnings
from functools import partial

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, eigsh
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.kernels.nystroem import (
    gaussian,
    normalization,
    pivots,
    principal,
    spread,
)

SETS = {  # names of data sets and their rows in Table 2
    "german": ("german-numeric", 1000),
    "splice": ("splice-libsvm", 1000),
    "adult1a": ("a1a", 1605),
    "dna": ("dna-scale", 2000),
    "segment": ("segment", 2310),
    "w1a": ("w8a", 2477),
    "svmguide1a": ("svmguide1", 3089),
    "satimage": ("landsat", 4435),
}
PAIRS = ["1-7", "2-3", "2-5", "3-8", "5-8", "6-8", "8-9", "2-7", "3-5", "4-7", "5-6"]
C = 0.5


def points(trial):
    """Return the rows of a set of Table 2, features scaled to [-1, 1] or as they are."""
    name, rows = SETS[trial.cell["dataset"]]
    X = trial.data(name).X
    order = slice(rows)
    if name == "w8a":
        order = trial.rng("rows", across=sorted({*trial.cell, "repeat"} - {"dataset"})).permutation(
            X.shape[0]
        )[:rows]
    X = X[order].toarray() if issparse(X) else X[order]
    if trial.choices.get("scaling") == "raw":
        return X
    low = X.min(axis=0)
    high = X.max(axis=0)
    return np.where(high > low, 2 * (X - low) / np.where(high > low, high - low, 1) - 1, 0.0)


def centres(X, m, rng, start):
    """Return k-means' after at most 10 iterations, (m, n_features)."""
    seed = int(rng.integers(2**31))
    means = KMeans(m, init=start, n_init=1, max_iter=10, tol=0, random_state=seed)
    with warnings.catch_warnings():  # rows that recur leave centres that are equal
        warnings.simplefilter("ignore", ConvergenceWarning)
        return means.fit(X).cluster_centers_


def schemes(choices):
    """Return the ways to choose m landmarks: callables of rows, width, norms, m and rng."""
    start = "k-means++" if choices.get("k-means-start") == "spread-out" else "random"
    return {
        "k-means": lambda X, width, norms, m, rng: centres(X, m, rng, start),
        "random": lambda X, width, norms, m, rng: X[rng.choice(len(X), m, replace=False)],
        "Drineas": lambda X, width, norms, m, rng: X[rng.choice(len(X), m, p=norms / norms.sum())],
        "ICD": lambda X, width, norms, m, rng: X[pivots(X, m, partial(gaussian, width=width))],
    }


def landmarks(trial, X, width, norms, percent, draw=0):
    """Yield each scheme that chooses landmarks with so many percent of the rows, and these."""
    m = int(np.floor(len(X) * percent / 100 + 0.5))
    for name, choose in trial.methods.items():
        if choose is not None:
            with trial.attempt(name):
                yield name, choose(X, width, norms, m, trial.rng(f"{name} {draw}"))


def features(X, Z, width):
    """Return G with G G' the approximation (5), (n_rows, rank)."""
    return gaussian(X, Z, width) @ normalization(gaussian(Z, Z, width))


def kernel_error(X, Z, K, width):
    """Return the Frobenius norm of K - E W^-1 E' (6)."""
    G = features(X, Z, width)
    return np.linalg.norm(K - G @ G.T)


def figures(value, digits=4):
    """Return a number with so many figures: what is beyond them is not recorded."""
    return float(f"{value:.{digits}g}")


def of_table_2(small, full, cost):
    """Return cells of sets of Table 2, the seconds of a trial by rows, and the data it reads."""
    return {
        "cells": full,
        "quick": small,
        "cost": lambda cell: cost * SETS[cell["dataset"]][1] ** 2,
        "data": lambda cell: (SETS[cell["dataset"]][0],),
    }


@experiment(
    "matrix",
    **of_table_2(
        grid(dataset=["german"], percent=[5]), grid(dataset=list(SETS), percent=[1, 5, 10]), 8e-8
    ),
    repeats={"quick": 6, "full": lambda cell: 20 if cell["percent"] == 1 else 6},
    methods=lambda choices: {**schemes(choices), "SVD": None},
)
def run_matrix(trial):
    """Figure 1: decades of the relative error of the kernel matrix."""

    def exact():
        X = points(trial)
        K = gaussian(X, X, spread(X))
        return X, K, np.sum(K**2, axis=1), np.cumsum(np.linalg.eigvalsh(K) ** 2)

    X, K, norms, tails = trial.once("spectrum", exact, across=("repeat", "percent"))
    width = spread(X)
    percent = trial.cell["percent"]
    whole = np.sqrt(norms.sum())
    best = np.sqrt(tails[-1 - int(np.floor(len(X) * percent / 100 + 0.5))])
    trial.measure("SVD", error=figures(np.log10(best / whole)))
    for name, Z in landmarks(trial, X, width, norms, percent):
        trial.measure(name, error=figures(np.log10(kernel_error(X, Z, K, width) / whole)))


def misalignment(U, G):
    """Return the least norm of U - V A over A, V being eigenvectors of G centred (Section 4.2)."""
    V = principal(G - G.mean(axis=0), U.shape[1])
    return np.linalg.norm(U - V @ np.linalg.lstsq(V, U)[0])


@experiment(
    "kpca",
    **of_table_2(grid(dataset=["german"]), grid(dataset=list(SETS)), 1.5e-8),
    repeats={"smoke": 2, "quick": 6, "full": 80},
    methods=schemes,
)
def run_kpca(trial):
    """Table 3: misalignment of three principal directions with m at 5 % of the rows."""

    def exact():
        X = points(trial)
        n = len(X)
        K = gaussian(X, X, spread(X))

        def centred(v):
            Kv = K @ (v - v.mean())
            return Kv - Kv.mean()

        start = np.random.default_rng(0).normal(size=n)
        values, U = eigsh(LinearOperator((n, n), matvec=centred, dtype=float), k=3, v0=start)
        return X, np.sum(K**2, axis=1), values, U

    X, norms, values, U = trial.once("spectrum", exact)
    width = spread(X)
    target = U * np.sqrt(values) if trial.choices["embedding"] == "scaled" else U
    for name, Z in landmarks(trial, X, width, norms, 5):
        angle = misalignment(target, features(X, Z, width))
        trial.measure(name, misalignment=figures(angle))


@experiment(
    "correlation",
    **of_table_2(
        grid(dataset=["german"]),
        grid(dataset=["german", "splice", "adult1a", "dna", "segment"]),
        4e-7,
    ),
    repeats=lambda cell: 60 if cell["dataset"] == "german" else 6,
    methods=lambda choices: {
        name: schemes(choices).get(name) for name in ("k-means", "random", "Drineas", "all")
    },
)
def run_correlation(trial):
    """Figure 2: correlation of the kernel's and the quantisation error, m at 10 % of the rows."""
    X = points(trial)
    pairs = {}
    width = spread(X)
    K = gaussian(X, X, width)
    for draw in range(10):
        for name, Z in landmarks(trial, X, width, np.sum(K**2, axis=1), 10, draw):
            e = np.sum(cdist(X, Z, "sqeuclidean").min(axis=1))
            pairs.setdefault(name, []).append((kernel_error(X, Z, K, width), e))
    pairs["all"] = sum(pairs.values(), [])
    for name, pairs_of in pairs.items():
        trial.measure(name, correlation=figures(np.corrcoef(np.transpose(pairs_of))[0, 1]))
        if trial.repeat == 0 and trial.cell["dataset"] == "german" and name != "all":
            trial.keep(name, np.round(pairs_of, 2))


def digits(trial):
    """Return a pair's rows to train and to test on, with labels 1 and -1."""
    if trial.cell["pair"] == "generated":
        y = np.tile([1.0, 1.0, -1.0, -1.0], 60)
        X = trial.rng("digits", across=("repeat",)).normal(size=(240, 5)) + 0.7 * y[:, None]
        return X[::2], y[::2], X[1::2], y[1::2]
    table = trial.data("usps-zip")
    X = table.images.reshape(len(table.images), -1).astype(float)
    first, second = map(int, trial.cell["pair"].split("-"))
    y = np.where(table.y == first, 1.0, -1.0)
    of_pair = np.isin(table.y, [first, second])
    training = np.arange(len(y)) < table.n_train
    train = of_pair & training
    test = of_pair & ~training
    return X[train], y[train], X[test], y[test]


def classified(solve, y, K_test):
    """Return values of Section 4.3's classifier, `solve` applying the inverse of K + I / C."""
    to_y = solve(y)
    to_ones = solve(np.ones(len(y)))
    b = to_y.sum() / to_ones.sum()
    return K_test @ (to_y - b * to_ones) + b


def woodbury(G):
    """Return the inverse of G G' + I / C by (13), as a function of the right side."""
    inner = np.eye(G.shape[1]) / C + G.T @ G
    return lambda v: C * (v - G @ np.linalg.solve(inner, G.T @ v))


@experiment(
    "lssvm",
    cells=[*grid(pair=["generated"], percent=[5]), *grid(pair=PAIRS, percent=[5, 10])],
    quick=grid(pair=["generated"], percent=[5]),
    repeats={"smoke": 2, "quick": 6, "full": lambda cell: 12 if cell["pair"] in PAIRS else 6},
    cost=lambda cell: 0.15 if cell["pair"] in PAIRS else 0.03,
    methods=lambda choices: {
        **schemes(choices),
        **dict.fromkeys(["SVD", "LS-SVM", "larger class"]),
    },
    data=lambda cell: ("usps-zip",) if cell["pair"] in PAIRS else (),
)
def run_lssvm(trial):
    """Table 4: test errors of least-squares SVMs with approximated kernels."""
    low_rank = trial.choices["scoring"] == "low-rank"

    def exact():
        X, y, T, t = digits(trial)
        width = 256.0 if trial.choices["digits-gamma"] == "256" else spread(X)
        K = gaussian(X, X, width)
        return X, y, T, t, width, gaussian(T, X, width), np.sum(K**2, axis=1), eigh(K)

    # Not across the percentages: generated digits are drawn anew for each.
    X, y, T, t, width, K_test, norms, (values, U) = trial.once("spectrum", exact)

    def score(name, G, G_test):
        decided = classified(woodbury(G), y, G_test @ G.T if low_rank else K_test)
        trial.measure(name, n_test=len(t), error_rate=wrong(decided))

    def wrong(decided):
        return round(100 * np.mean(np.where(decided >= 0, 1, -1) != t), 3)

    larger = np.full(len(t), y.sum())
    whole = classified(lambda v: U @ ((U.T @ v) / (values + 1 / C)), y, K_test)
    for name, decided in (("larger class", larger), ("LS-SVM", whole)):
        trial.measure(name, n_test=len(t), error_rate=wrong(decided))
    top = slice(-int(np.floor(len(X) * trial.cell["percent"] / 100 + 0.5)), None)
    roots = np.sqrt(values[top])
    score("SVD", U[:, top] * roots, K_test @ U[:, top] / roots)
    for name, Z in landmarks(trial, X, width, norms, trial.cell["percent"]):
        score(name, features(X, Z, width), features(T, Z, width))


EPSILON = 0.5  # of the inverse distance and of the polynomial kernel; sigma is 1 and d is 2
KERNELS = {
    "Gaussian": lambda A, B: np.exp(-(cdist(A, B) ** 2)),
    "Laplacian": lambda A, B: np.exp(-cdist(A, B)),
    "inverse distance": lambda A, B: 1 / (cdist(A, B) + EPSILON),
    "polynomial": lambda A, B: (A @ B.T + EPSILON) ** 2,
}
CONSTANTS = {  # C of property (8) for samples within R, as printed and as derived (Section 3.4)
    "Gaussian": lambda R: (0.5, 4 / np.e),
    "Laplacian": lambda R: (1.0, 2.0),
    "inverse distance": lambda R: (EPSILON**-4, 2 * EPSILON**-4),
    "polynomial": lambda R: (2**2 * R**2, (2 * 2 * (R**2 + EPSILON) * R) ** 2),
}


def radius(X):
    """Return the larger one of the greatest distance between samples and from the origin."""
    return max(cdist(X, X).max(), np.linalg.norm(X, axis=1).max())


def moved(kernel, rng):
    """Return the left side of (8) over the sum on its right, and R, for two points that move."""
    scale = 10 ** rng.uniform(-1, 1.5)
    dim = int(rng.integers(1, 4))
    a, b = scale * rng.normal(size=(2, dim))
    step = (b - a) if rng.random() < 0.5 else rng.normal(size=dim)
    step *= 10 ** rng.uniform(-3, 0) * scale / np.linalg.norm(step)
    c = a + step
    d = b - step * (rng.random() < 0.8)
    k = KERNELS[kernel]
    change = (k(a[None], b[None]) - k(c[None], d[None])).item()
    return change**2 / (np.sum((a - c) ** 2) + np.sum((b - d) ** 2)), radius(np.array([a, b, c, d]))


def clustered(rng):
    """Return landmarks, (m, dim), and clusters of the samples nearest to each, (T, m, dim).

    A smaller cluster is filled with its landmark (footnote 1).
    """
    dim = int(rng.integers(1, 5))
    m = int(rng.integers(1, dim + 1))
    scale = 10 ** rng.uniform(-2, 2)
    Z = scale * rng.normal(size=(m, dim))
    X = Z[rng.integers(m, size=12)]
    X = X + scale * 10 ** rng.uniform(-2, 0.5) * rng.normal(size=X.shape)
    label = cdist(X, Z).argmin(axis=1)
    samples = np.repeat(Z[None], np.bincount(label).max(), axis=0)
    for k in range(m):
        samples[: np.sum(label == k), k] = X[label == k]
    return Z, samples


def bounds(kernel, Z, samples, which):
    """Return what is left of K, its blocks' norms, (T, T), and the bounds on these (9) and it (12).

    Bounds are at least 1e-9 of the matrix, which is for rounding.
    """
    T, m, dim = samples.shape
    k = KERNELS[kernel]
    X = samples.reshape(T * m, dim)
    G = k(X, Z) @ normalization(k(Z, Z))
    values = np.linalg.eigvalsh(k(Z, Z))
    K = k(X, X)
    inverse = np.linalg.norm(1 / np.maximum(values, 1e-300))
    e = np.sum((samples - Z) ** 2, axis=(1, 2))
    mC = m * CONSTANTS[kernel](radius(np.vstack([X, Z])))[which]
    roots = np.sqrt(mC * e)
    partial = np.sqrt(2 * mC * (e[:, None] + e)) + roots[:, None] + roots
    partial += np.outer(roots, roots) * inverse
    complete = 4 * T * np.sqrt(mC * e.sum() * T) + mC * T * e.sum() * inverse
    least = 1e-9 * np.linalg.norm(K)
    left = K - G @ G.T
    blocks = np.linalg.norm(left.reshape(T, m, T, m), axis=(1, 3))
    return left, blocks, np.maximum(partial, least), max(complete, least)


@experiment(
    "bounds",
    cells=grid(kernel=list(KERNELS)),
    repeats=30,
    cost=0.15,
    methods={"printed": 0, "derived": 1},
)
def run_bounds(trial):
    """Propositions 1 to 3 and property (8), by what exceeds their right sides, over these."""
    kernel = trial.cell["kernel"]
    rng = trial.rng("instances")
    worst = {}
    for _ in range(100):
        (ratio, R) = moved(kernel, rng)
        (Z, samples) = clustered(rng)
        for name, which in trial.methods.items():
            left, blocks, partial, complete = bounds(kernel, Z, samples, which)
            at_Z = np.linalg.norm(bounds(kernel, Z, Z[None], which)[0])
            excesses = {
                "property": ratio / CONSTANTS[kernel](R)[which] - 1,
                "partial": np.max(blocks / partial) - 1,
                "complete": np.linalg.norm(left) / complete - 1,
                "exact": at_Z / np.linalg.norm(KERNELS[kernel](Z, Z)),
            }
            before = worst.get(name, excesses)
            worst[name] = {key: figures(max(excesses[key], before[key])) for key in excesses}
    for name, excesses in worst.items():
        trial.measure(name, n_test=100, **excesses)
