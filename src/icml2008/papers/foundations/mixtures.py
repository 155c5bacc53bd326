"""Gaussian mixtures by expectation-maximisation: ascent, starts, speed and the hard limit."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax
from sklearn.cluster import KMeans
from sklearn.datasets import make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.clusters import lloyd
from icml2008.papers.foundations.samples import (
    Array,
    Generator,
    blobs,
    everywhere,
    orthonormal,
    seed,
)

STARTS = 5
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.87]])


def fitted(make, X: Array, k: int, rng: Generator, max_iter: int) -> GaussianMixture:
    """Fit from the recommended start: equal weights, random samples, the sample covariance."""
    precision = np.linalg.inv(np.cov(X.T, bias=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make(
            k,
            weights_init=np.full(k, 1 / k),
            means_init=X[rng.choice(len(X), k, replace=False)],
            precisions_init=np.array([precision] * k),
            max_iter=max_iter,
            tol=0.0,
            reg_covar=1e-12,
        ).fit(X)


@experiment(
    "em",
    cells=everywhere(grid(separation=[2, 3, 4, 6])),
    repeats={"quick": 1, "full": 8},
    cost=0.2,
    methods={"EM": GaussianMixture},
)
def ascent(trial: Trial) -> None:
    """Steps of EM from five starts for three normals: falls, and where they end."""
    rng = trial.rng("samples")
    X = blobs(rng, 300, trial.cell["separation"] * CORNERS, 1.0)[0]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            models = [fitted(make, X, 3, rng, 120) for _ in range(STARTS)]
            paths = [np.asarray(model.lower_bounds_) for model in models]
            falls = [max(0.0, float(-np.diff(path).min(initial=0.0))) for path in paths]
            ends = np.array([path[-1] for path in paths])
            trial.measure(name, fall=max(falls), n_test=sum(map(len, paths)))
            trial.measure(name, maxima=float(ends.max() - ends.min()))


def expected(X: Array, gamma: Array, theta: tuple[Array, Array, Array]) -> float:
    """Return the expected complete log-likelihood of weights, means and covariances."""
    total = 0.0
    for g, w, mean, covariance in zip(gamma.T, *theta, strict=True):
        gap = X - mean
        form = np.einsum("ij,ji->i", gap, np.linalg.solve(covariance, gap.T))
        size = np.linalg.slogdet(2 * np.pi * covariance)[1]
        total += g @ (np.log(w) - 0.5 * (size + form))
    return total / len(X)


def maximised(X: Array, gamma: Array) -> tuple[Array, Array, Array]:
    """Return the printed weights, means and covariances of an M-step."""
    n = gamma.sum(axis=0)
    means = gamma.T @ X / n[:, None]
    covariances = np.array(
        [(g * (X - m).T) @ (X - m) / s for g, m, s in zip(gamma.T, means, n, strict=True)]
    )
    return n / len(X), means, covariances


@experiment(
    "m-step",
    cells=everywhere(grid(states=["hidden", "known"])),
    repeats=12,
    cost=0.01,
    methods={"M-step": lambda: maximised},
)
def maximum_of_q(trial: Trial) -> None:
    """The printed M-step against other parameters; with known states it is the ML estimate."""
    rng = trial.rng("samples")
    X, labels = blobs(rng, 150, 2.0 * CORNERS, 1.0)
    gamma = np.eye(3)[labels] if trial.cell["states"] == "known" else rng.dirichlet(np.ones(3), 150)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            theta = make()(X, gamma)
            at = expected(X, gamma, theta)
            ahead = [0.0]
            for size in 10.0 ** rng.uniform(-4, -0.5, size=100):
                w = softmax(np.log(theta[0]) + size * rng.normal(size=3))
                turn = np.eye(2) + size * rng.normal(size=(3, 2, 2))
                other = turn @ theta[2] @ turn.transpose(0, 2, 1)
                moved = theta[1] + size * rng.normal(size=(3, 2))
                ahead.append(expected(X, gamma, (w, moved, other)) - at)
            trial.measure(name, excess=max(ahead), n_test=len(ahead) - 1)


def log_joint(X: Array, means: Array, log_weights: Array, variance: float) -> Array:
    """Return the log of weight times density, (n_samples, n_components), one round variance."""
    square = cdist(X, means, "sqeuclidean") / variance
    return log_weights - 0.5 * square - 0.5 * X.shape[1] * np.log(2 * np.pi * variance)


def gradient(X: Array, means: Array) -> tuple[float, Array]:
    """Return the log-likelihood of equal unit normals and its printed gradient in the means."""
    joint = log_joint(X, means, np.full(len(means), -np.log(len(means))), 1.0)
    gamma = softmax(joint, axis=1)
    slope = gamma.T @ X - gamma.sum(axis=0)[:, None] * means
    return float(logsumexp(joint, axis=1).sum()), slope


def em_step(X: Array, means: Array) -> Array:
    """Return the means after one step of EM."""
    joint = log_joint(X, means, np.full(len(means), -np.log(len(means))), 1.0)
    gamma = softmax(joint, axis=1)
    return gamma.T @ X / gamma.sum(axis=0)[:, None]


def climbing(rate: float):
    """Return a step of gradient ascent, its length in units of components / samples."""
    return lambda X, means: means + rate * len(means) / len(X) * gradient(X, means)[1]


@experiment(
    "em-speed",
    cells=everywhere(grid(separation=[2, 3, 4])),
    repeats=8,
    cost=0.12,
    methods={
        "EM": lambda: em_step,
        "gradient": lambda: climbing(1.0),
        "gradient, short steps": lambda: climbing(0.1),
        "gradient, long steps": lambda: climbing(1.8),
    },
)
def speed(trial: Trial) -> None:
    """Means of unit normals: log-likelihood a sample that is missing after 20 steps."""
    rng = trial.rng("samples")
    X = blobs(rng, 300, trial.cell["separation"] * CORNERS, 1.0)[0]
    start = X[rng.choice(len(X), 3, replace=False)]
    value, slope = gradient(X, start)
    numeric = np.empty_like(slope)
    for at in np.ndindex(*start.shape):
        moved = np.zeros_like(start)
        moved[at] = 1e-5
        up = gradient(X, start + moved)[0]
        down = gradient(X, start - moved)[0]
        numeric[at] = (up - down) / 2e-5
    best = start
    for _ in range(2000):
        best = em_step(X, best)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            step = make()
            means = start
            for _ in range(20):
                means = step(X, means)
            short = (gradient(X, best)[0] - gradient(X, means)[0]) / len(X)
            trial.measure(name, shortfall=short)
            error = np.abs(numeric - slope).max() / np.abs(slope).max()
            trial.measure(name, identity_error=float(error), n_test=1)


@experiment(
    "em-limit",
    cells=everywhere(grid(variance=[1.0, 0.1, 0.01, 0.001, 0.0001])),
    repeats=8,
    cost=0.015,
    methods={"EM": lambda: log_joint},
)
def hard_limit(trial: Trial) -> None:
    """EM with one fixed round variance against k-means from the same start."""
    rng = trial.rng("samples", across=("variance",))
    X = blobs(rng, 200, rng.uniform(0, 5, size=(4, 2)), 0.8)[0]
    start = X[rng.choice(len(X), 4, replace=False)]
    labels = lloyd(X, start)[0]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            means = start
            log_w = np.full(4, -np.log(4))
            for _ in range(300):
                gamma = softmax(make()(X, means, log_w, trial.cell["variance"]), axis=1)
                total = np.maximum(gamma.sum(axis=0), 1e-300)
                means = gamma.T @ X / total[:, None]
                log_w = np.log(total / len(X))
            other = 100 * float(np.mean(gamma.argmax(axis=1) != labels))
            trial.measure(name, disagreement=other, n_test=len(X))


class BestMixture:
    """The likeliest of five mixtures of two normals, from the recommended starts."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def fit_predict(self, X: Array) -> Array:
        """Return the likeliest component of each sample."""
        models = [fitted(GaussianMixture, X, 2, self.rng, 80) for _ in range(STARTS)]
        return max(models, key=lambda model: model.score(X)).predict(X)


def shaped(rng: Generator, shape: str) -> tuple[Array, Array]:
    """Return 200 samples of clusters of a shape, and their labels."""
    if shape == "moons":
        return make_moons(200, noise=0.05, random_state=seed(rng))
    if shape == "circles":
        return make_circles(200, noise=0.05, factor=0.4, random_state=seed(rng))
    X, y = blobs(rng, 200, np.array([[0.0, 0.0], [0.0, 4.0]]), 1.0)
    return X * np.array([5.0, 0.7]) @ orthonormal(rng, 2, 2), y


@experiment(
    "shapes",
    cells=everywhere(grid(shape=["elliptical", "moons", "circles"])),
    repeats={"quick": 1, "full": 8},
    cost=0.1,
    methods={
        "k-means": lambda rng: KMeans(2, n_init=10, random_state=seed(rng)),
        "Gaussian mixture": BestMixture,
    },
)
def shapes(trial: Trial) -> None:
    """Agreement with the true clusters, 1 for all samples and 0 for chance."""
    X, y = shaped(trial.rng("samples"), trial.cell["shape"])
    for name, make in trial.methods.items():
        with trial.attempt(name):
            labels = make(trial.rng(name)).fit_predict(X)
            trial.measure(name, agreement=adjusted_rand_score(y, labels))
