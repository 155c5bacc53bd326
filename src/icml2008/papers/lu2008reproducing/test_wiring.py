"""What is measured of distances of series, and of EM for the kernel."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from icml2008.papers.lu2008reproducing import experiments
from wiring import wire


def matern(s, t, width):
    return np.array([[np.exp(-abs(a - b) / width) for b in t] for a in s])


def test_identities_are_off_by_the_most_of_ten_pairs(monkeypatch):
    usual = wire(experiments.run_identities)
    assert usual["distance"]["grid"] < 1e-6
    assert usual["distance"]["root"] < 1e-6
    assert usual.n_test["distance"]["grid"] == 10
    shares = iter([1.0, 1.5, 0.25, *[1.0] * 7])
    formula = experiments.distance
    monkeypatch.setattr(experiments, "distance", lambda *given: next(shares) * formula(*given))
    wired = wire(experiments.run_identities)
    assert wired["distance"]["grid"] == pytest.approx(0.75)
    assert wired["distance"]["root"] == usual["distance"]["root"]


def test_a_distance_is_half_the_squared_norm_of_a_difference_of_curves():
    rng = np.random.default_rng(1)
    times = np.sort(rng.uniform(0, 5, 9))
    K = matern(times, times, 1.5)
    own = [np.array([0, 3, 5]), np.array([1, 3])]
    v = [rng.normal(size=3), rng.normal(size=2)]
    apart = np.zeros(9)
    apart[own[0]] += v[0]
    apart[own[1]] -= v[1]
    distance = experiments.distance(K, own, v, 0, 1)
    assert distance == pytest.approx(apart @ K @ apart / 2)
    y = rng.normal(size=9)
    weights = experiments.weights(K, 0.3, y)
    np.testing.assert_allclose(K @ weights + 0.3 * weights, y)


def population(wired, synchronised):
    """Return times, rows and series as they were drawn, and the stream after them."""
    rng = wired.rng("population")
    times = np.linspace(0, 5, 8)
    scale = rng.uniform(0.5, 2)
    width = rng.uniform(0.5, 2)
    apart = (times[:, None] - times) ** 2
    truth = scale * (np.exp(-apart / (2 * width**2)) + 1e-4 * np.eye(8))
    root = np.linalg.cholesky(truth)
    rows = []
    for _ in range(25):
        if synchronised:
            rows.append(np.arange(8))
        else:
            rows.append(np.sort(rng.permutation(8)[: rng.integers(3, 7)]))
    y = []
    for r in rows:
        curve = np.sin(times) + root @ rng.normal(size=8)
        y.append(curve[r] + 0.3 * rng.normal(size=len(r)))
    return times, rows, y, rng


def posterior(rows, y, prior, mean, K, noise):
    """Return the log posterior, by the densities of series and of the mean."""
    total = multivariate_normal.logpdf(mean, np.zeros(8), prior)
    total -= multivariate_normal.logpdf(np.zeros(8), np.zeros(8), prior)
    for r, values in zip(rows, y, strict=True):
        S = K[np.ix_(r, r)] + noise * np.eye(len(r))
        total += multivariate_normal.logpdf(values, mean[r], S) + len(r) * np.log(2 * np.pi) / 2
    return total


@pytest.mark.parametrize("covariance", ["free", "gaussian"])
def test_the_fall_is_the_largest_of_ten_iterations(monkeypatch, covariance):
    steps = iter([0.0, 1.0, 2.0, 1.5, 4.0, 5.0, 4.75, 6.0, 7.0, 8.0, 9.0, *[0.5] * 20])
    seen = []

    def log_posterior(self, *state):
        seen.append(self)
        return next(steps)

    monkeypatch.setattr(experiments.Population, "log_posterior", log_posterior)
    wired = wire(experiments.run_em, {"covariance": covariance})
    assert wired["EM"]["fall"] == 0.5
    _, rows, y, _ = population(wired, covariance == "free")
    for mine, theirs in ((rows, seen[0].rows), (y, seen[0].y)):
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a, b)
    assert len(seen) == 11 + (4 if covariance == "free" else 0)


def test_a_posterior_is_that_of_normal_densities():
    wired = wire(experiments.run_em, {"covariance": "gaussian"})
    assert wired["EM"]["fall"] < 1e-6
    times, rows, y, rng = population(wired, False)
    prior = matern(times, times, 2.0)
    mean = rng.normal(size=8)
    K = matern(times, times, 0.7)
    series = experiments.Population(times, rows, y, prior)
    expected = posterior(rows, y, prior, mean, K, 0.4)
    assert series.log_posterior(mean, K, 0.4) == pytest.approx(expected)


def test_under_a_flat_prior_all_shares_of_the_least_eigenvalue_are_as_good():
    wired = wire(experiments.run_em, {"covariance": "free"})
    _, rows, y, rng = population(wired, True)
    Y = np.array(y)
    mean = Y.mean(axis=0)
    S = np.cov(Y.T, bias=True)
    least = min(np.linalg.eigvalsh(S))
    prior = 1e12 * np.eye(8)
    values = [
        posterior(rows, y, prior, mean, S - part * least * np.eye(8), part * least)
        for part in (0.1, 0.5, 0.9)
    ]
    spread = (max(values) - min(values)) / abs(values[0])
    assert wired["EM"]["spread"] == pytest.approx(spread, abs=1e-8)
    around = mean + 0.1 * rng.normal(size=8)
    beaten = posterior(rows, y, prior, around, S - 0.5 * least * np.eye(8), 0.5 * least)
    assert wired["EM"]["beaten"] == pytest.approx(beaten - values[1], rel=1e-6)
    assert wired["EM"]["beaten"] < 0
    assert wired.n_test["EM"]["beaten"] == 1


def test_the_free_covariance_is_the_mean_of_second_moments():
    rng = np.random.default_rng(2)
    posteriors = []
    for _ in range(3):
        root = rng.normal(size=(4, 4))
        posteriors.append((None, rng.normal(size=4), root @ root.T))
    expected = sum(C + mu[:, None] * mu[None] for _, mu, C in posteriors) / 3
    np.testing.assert_allclose(experiments.free(posteriors, None), expected)


def test_widths_are_kept_where_a_search_finds_no_better_ones(monkeypatch):
    times = np.linspace(0, 1, 3)
    refit = experiments.Gaussian(times, [0.0, 0.5])
    K = refit.matrix([np.log(2.0), np.log(0.5)])
    apart = (times[:, None] - times) ** 2
    np.testing.assert_allclose(K, 2 * (np.exp(-apart / 0.5) + 1e-4 * np.eye(3)))
    posteriors = [(np.arange(3), np.zeros(3), K)]

    class Worse:
        x = np.array([9.0, 9.0])
        fun = np.inf

    monkeypatch.setattr(experiments, "minimize", lambda *a, **how: Worse)
    refit(posteriors, K)
    np.testing.assert_array_equal(refit.logs, [0.0, 0.5])
    Worse.fun = -np.inf
    refit(posteriors, K)
    np.testing.assert_array_equal(refit.logs, [9.0, 9.0])
    # The truth has the least loss of Equation 26.
    losses = []
    monkeypatch.setattr(
        experiments,
        "minimize",
        lambda loss, *a, **how: losses.append([loss(at) for at in (LOGS, [0.0, 0.0])]) or Worse,
    )
    refit(posteriors, K)
    assert losses[0][0] < losses[0][1]
    assert losses[0][0] == pytest.approx(np.linalg.slogdet(K)[1] + 3)


LOGS = [np.log(2.0), np.log(0.5)]
