"""Distances of time series in a kernel's space: the identities, and EM for the kernel."""

import numpy as np
from scipy.optimize import minimize

from icml2008.harness.experiment import experiment, grid


def matern(s, t, width):
    """Return the exponential kernel's matrix, which is well conditioned on dense grids."""
    return np.exp(-np.abs(np.subtract.outer(s, t)) / width)


def weights(K, noise, y):
    """Return v of Equation 11, for a mean of 0."""
    return np.linalg.solve(K + noise * np.eye(len(K)), y)


def distance(K, own, v, i, j):
    """Return Equation 11 for series observed at the places own[i] and own[j] of K."""
    a, b, across = (K[np.ix_(own[r], own[c])] for r, c in ((i, i), (j, j), (i, j)))
    return v[i] @ a @ v[i] / 2 + v[j] @ b @ v[j] / 2 - v[i] @ across @ v[j]


@experiment(
    "identities",
    cells=[{"kernel": "exponential"}],
    repeats={"smoke": 2, "quick": 4, "full": 30},
    cost=0.05,  # seconds a trial, roughly; a literal
    methods={"distance": None},
)
def run_identities(trial):
    """Ten pairs of series on 60 places, by formula and by values on all places."""
    rng = trial.rng("series")
    off = {"grid": [], "root": []}
    for _ in range(10):
        times = np.sort(rng.uniform(0, 10, size=60))
        K = matern(times, times, rng.uniform(0.5, 3))
        noise = rng.uniform(0.05, 1)
        own = [np.sort(rng.permutation(60)[: rng.integers(3, 12)]) for _ in range(2)]
        y = [rng.normal(size=len(rows)) for rows in own]
        v = [weights(K[np.ix_(r, r)], noise, y_sample) for r, y_sample in zip(own, y, strict=True)]
        curves = [K[:, r] @ v_sample for r, v_sample in zip(own, v, strict=True)]
        apart = curves[0] - curves[1]
        # The least norm of a function with these values: on all places it is that of the curve.
        norm = apart @ np.linalg.solve(K, apart) / 2
        off["grid"].append(abs(distance(K, own, v, 0, 1) / norm - 1))
        K = K[np.ix_(own[0], own[0])]
        change = weights(K, noise, rng.normal(size=len(K)))
        squared = change @ K @ change
        root = np.linalg.cholesky(K)
        # Equation 30 prints A in place of its transpose: see the errata.
        off["root"].append(abs(np.sum((root.T @ change) ** 2) / squared - 1))
    trial.measure("distance", n_test=10, **{name: max(values) for name, values in off.items()})


class Population:
    """Series y of a mixed-effect model, each at its own rows of all times."""

    def __init__(self, times, rows, y, prior):
        self.times = times
        self.rows = rows
        self.y = y
        self.prior = prior
        self.n = sum(map(len, y))

    def log_posterior(self, mean, K, noise):
        """Return the logarithm of Equation 18, but for constants; mean at all times."""
        value = -mean @ np.linalg.solve(self.prior, mean) / 2
        for rows, y in zip(self.rows, self.y, strict=True):
            S = K[np.ix_(rows, rows)] + noise * np.eye(len(rows))
            rest = y - mean[rows]
            value -= np.linalg.slogdet(S)[1] / 2 + rest @ np.linalg.solve(S, rest) / 2
        return value

    def posteriors(self, mean, K, noise):
        """Yield rows, and mean and covariance of each random effect there."""
        for rows, y in zip(self.rows, self.y, strict=True):
            here = K[np.ix_(rows, rows)]
            gain = np.linalg.solve(here + noise * np.eye(len(rows)), here).T
            yield rows, gain @ (y - mean[rows]), here - gain @ here

    def step(self, mean, K, noise, refit):
        """Return mean, K and noise after an iteration; the mean comes before the noise."""
        posteriors = list(self.posteriors(mean, K, noise))
        counts = np.zeros(len(mean))
        sums = np.zeros(len(mean))
        for (rows, mu, _), y in zip(posteriors, self.y, strict=True):
            counts[rows] += 1
            sums[rows] += y - mu
        inverse = np.linalg.inv(self.prior)
        mean = np.linalg.solve(np.diag(counts) + noise * inverse, sums)
        squares = sum(
            np.sum((y - mu - mean[rows]) ** 2) + np.trace(C)
            for (rows, mu, C), y in zip(posteriors, self.y, strict=True)
        )
        return mean, refit(posteriors, K), squares / self.n


def free(posteriors, K):
    """Return Equation 28."""
    return sum(C + np.outer(mu, mu) for _, mu, C in posteriors) / len(posteriors)


class Gaussian:
    """Equation 26 for a Gaussian kernel's scale and width; some jitter keeps it invertible."""

    def __init__(self, times, logs):
        self.squares = np.subtract.outer(times, times) ** 2
        self.logs = np.array(logs)

    def matrix(self, logs):
        scale, width = np.exp(logs)
        return scale * (np.exp(-self.squares / (2 * width**2)) + 1e-4 * np.eye(len(self.squares)))

    def __call__(self, posteriors, K):
        def loss(logs):
            K = self.matrix(logs)
            total = 0.0
            for rows, mu, C in posteriors:
                here = K[np.ix_(rows, rows)]
                moment = np.linalg.solve(here, C + np.outer(mu, mu))
                total += np.linalg.slogdet(here)[1] + np.trace(moment)
            return total

        tried = minimize(loss, self.logs, method="Nelder-Mead", options={"maxfev": 30})
        self.logs = tried.x if tried.fun < loss(self.logs) else self.logs
        return self.matrix(self.logs)


@experiment(
    "em",
    cells=grid(covariance=["free", "gaussian"]),
    repeats=60,
    cost=0.4,
    methods={"EM": None},
)
def run_em(trial):
    """Ten iterations on a generated population of ten series, and the flat prior's claims."""
    rng = trial.rng("population")
    times = np.linspace(0, 5, 8)
    truth = Gaussian(times, [0.0, 0.0]).matrix(np.log([rng.uniform(0.5, 2), rng.uniform(0.5, 2)]))
    root = np.linalg.cholesky(truth)
    synchronised = trial.cell["covariance"] == "free"
    size = len(times)
    rows = [
        np.arange(size) if synchronised else np.sort(rng.permutation(size)[: rng.integers(3, 7)])
        for _ in range(25)
    ]
    y = [
        (np.sin(times) + root @ rng.normal(size=size))[r] + 0.3 * rng.normal(size=len(r))
        for r in rows
    ]
    series = Population(times, rows, y, matern(times, times, 2.0))
    refit = free if synchronised else Gaussian(times, [0.0, 0.5])
    state = np.zeros(size), refit.matrix(refit.logs) if not synchronised else np.eye(size), 1.0
    values = [series.log_posterior(*state)]
    for _ in range(10):
        state = series.step(*state, refit)
        values.append(series.log_posterior(*state))
    trial.measure("EM", n_test=1, fall=max(-np.diff(values)))
    if synchronised:
        # A flat prior has no density: a wide one stands for its limit.
        flat = Population(times, rows, y, 1e12 * np.eye(size))
        mean = np.mean(y, axis=0)
        Y = np.array(y)
        S = (Y - mean).T @ (Y - mean) / len(Y)
        least = np.linalg.eigvalsh(S)[0]
        best = [
            flat.log_posterior(mean, S - part * least * np.eye(size), part * least)
            for part in (0.1, 0.5, 0.9)
        ]
        around = mean + 0.1 * rng.normal(size=size)
        beaten = flat.log_posterior(around, S - 0.5 * least * np.eye(size), 0.5 * least) - best[1]
        trial.measure("EM", n_test=1, spread=np.ptp(best) / abs(best[0]), beaten=beaten)
