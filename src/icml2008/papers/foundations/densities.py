"""Kernel density estimates: consistency, bandwidths, constants; histograms in many dimensions."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import Array, Generator, everywhere

# weights, means and standard deviations
DENSITIES = {
    "normal": ([1.0], [0.0], [1.0]),
    "bimodal": ([0.5, 0.5], [-2.0, 2.0], [0.5, 0.5]),
    "comb": ([0.25] * 4, [-3.0, -1.0, 1.0, 3.0], [0.2, 0.2, 0.2, 0.2]),
}
PLACES = np.linspace(-8, 8, 801)
PICTURED = {"density": "comb", "n": 300}


def draw(rng: Generator, name: str, n: int) -> Array:
    """Return n samples of a density."""
    weights, means, widths = map(np.array, DENSITIES[name])
    part = rng.choice(len(weights), size=n, p=weights)
    return rng.normal(means[part], widths[part])


def true_density(name: str) -> Array:
    """Return a density at the places."""
    return sum(w * norm.pdf(PLACES, m, s) for w, m, s in zip(*DENSITIES[name], strict=True))


def log_estimate(x: Array, at: Array, sigma: float) -> Array:
    """Return the log of a Gaussian kernel density estimate."""
    square = -0.5 * ((at[:, None] - x) / sigma) ** 2
    return logsumexp(square, axis=1) - np.log(len(x) * sigma * np.sqrt(2 * np.pi))


def estimate(x: Array, sigma: float) -> Array:
    """Return a Gaussian kernel density estimate at the places."""
    return np.exp(log_estimate(x, PLACES, sigma))


def silverman(x: Array) -> float:
    """Return the rule of thumb for the bandwidth."""
    return 1.06 * x.std(ddof=1) * len(x) ** -0.2


def bandwidths(x: Array) -> Array:
    """Return candidates from 1/16 to 4 times the rule of thumb."""
    return silverman(x) * 2.0 ** np.linspace(-4, 2, 13)


def held_out(x: Array, rng: Generator) -> float:
    """Return the bandwidth under which random halves make the other halves likeliest."""
    candidates = bandwidths(x)
    scores = np.zeros(len(candidates))
    for _ in range(3):
        fitted, other = np.array_split(rng.permutation(x), 2)
        scores += [log_estimate(fitted, other, sigma).mean() for sigma in candidates]
    return float(candidates[scores.argmax()])


def distance(density: Array, true: Array) -> float:
    """Return the integral of the absolute difference of two densities."""
    return float(np.trapezoid(np.abs(density - true), PLACES))


def histogram(x: Array) -> Array:
    """Return a histogram with as many bins as the root of the number of samples."""
    edges = np.linspace(-8, 8, round(np.sqrt(len(x))) + 1)
    heights = np.histogram(x, edges, density=True)[0]
    return heights[np.clip(np.searchsorted(edges, PLACES) - 1, 0, len(heights) - 1)]


@experiment(
    "kde",
    cells=grid(density=[*DENSITIES], n=[100, 300, 900]),
    quick=grid(density=[*DENSITIES], n=[100, 300]),
    smoke=grid(density=[*DENSITIES], n=[100])[:1],
    repeats={"quick": 1, "full": 8},
    cost=lambda cell: cell["n"] / 1500,
    methods={
        "rule of thumb": lambda: lambda x, true, rng: estimate(x, silverman(x)),
        "an eighth": lambda: lambda x, true, rng: estimate(x, silverman(x) / 8),
        "eight times": lambda: lambda x, true, rng: estimate(x, silverman(x) * 8),
        "held-out likelihood": lambda: lambda x, true, rng: estimate(x, held_out(x, rng)),
        "best": lambda: (
            lambda x, true, rng: min(
                (estimate(x, sigma) for sigma in bandwidths(x)), key=lambda f: distance(f, true)
            )
        ),
        "histogram": lambda: lambda x, true, rng: histogram(x),
    },
)
def kernel_density(trial: Trial) -> None:
    """The integrated absolute error of estimates of a density on a line."""
    x = draw(trial.rng("samples"), trial.cell["density"], trial.cell["n"])
    true = true_density(trial.cell["density"])
    for name, make in trial.methods.items():
        with trial.attempt(name):
            density = make()(x, true, trial.rng(name))
            trial.measure(name, l1=distance(density, true))
            if PICTURED.items() <= trial.cell.items() and trial.repeat == 0:
                trial.keep(name, np.column_stack([PLACES, true, density])[::4])


def mass(d: int, h: float, constant: float) -> float:
    """Return the integral of a Gaussian kernel over space, divided by a constant."""
    line = np.linspace(-8 * np.sqrt(h), 8 * np.sqrt(h), 401)
    return float(np.trapezoid(np.exp(-(line**2) / (2 * h)), line) ** d / constant)


@experiment(
    "constant",
    cells=everywhere(grid(dimension=[1, 2, 3])),
    repeats=2,
    cost=0.01,
    methods={
        "volume": lambda: lambda d, h: np.sqrt((2 * np.pi * h) ** d),
        "estimate as printed": lambda: lambda d, h: np.sqrt(2 * np.pi * h**d),
    },
)
def mass_of_the_estimate(trial: Trial) -> None:
    """The integral of the estimate with the constants of two formulas, 1 for a density."""
    d = trial.cell["dimension"]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, mass=mass(d, 0.5, make()(d, 0.5)))


@experiment(
    "bins",
    cells=everywhere(grid(dimension=[1, 2, 3, 4, 5])),
    repeats={"quick": 1, "full": 8},
    cost=0.02,
    methods={"histogram": lambda: 8},
)
def bins_in_many_dimensions(trial: Trial) -> None:
    """The share of 8^d bins that hold none of 4096 samples of a uniform density."""
    d = trial.cell["dimension"]
    X = trial.rng("samples").random((4096, d))
    for name, make in trial.methods.items():
        with trial.attempt(name):
            full = len(np.unique((X * make()).astype(int), axis=0))
            trial.measure(name, empty=100 * (1 - full / make() ** d))
