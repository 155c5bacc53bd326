"""Deep bounds and mixtures against sums over all states; schedules against the text."""

import itertools

import numpy as np
from scipy.special import logsumexp

from icml2008.methods import (
    RestrictedBoltzmannMachine,
    annealed_importance_sampling,
    enumerate_partition,
)

from .experiments import thinned
from .method import bounds, exact_bounds, fit_mixture, learn, machine_of, mixture_log_probabilities


def test_bound_and_log_probability_are_those_of_plain_loops():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(2, 3))
    c = rng.normal(size=2)
    b = rng.normal(size=3)
    # e above, a of h
    U = rng.normal(size=(2, 2))
    e = rng.normal(size=2)
    a = rng.normal(size=2)
    first = machine_of(W, c, b)
    second = machine_of(U, e, a)
    pairs = [np.array(h) for h in itertools.product((0, 1), repeat=2)]
    p_h = np.array([sum(np.exp(g @ U @ h + e @ g + a @ h) for g in pairs) for h in pairs])
    p_h /= p_h.sum()
    bounds = []
    totals = []
    for v in map(np.array, itertools.product((0, 1), repeat=3)):
        bound = total = 0.0
        for h, p in zip(pairs, p_h, strict=True):
            on = 1 / (1 + np.exp(-(h @ W + b)))
            joint = p * np.prod(np.where(v == 1, on, 1 - on))
            on = 1 / (1 + np.exp(-(W @ v + c)))
            q = np.prod(np.where(h == 1, on, 1 - on))
            bound = bound + q * np.log(joint / q)
            total = total + joint
        bounds.append(bound)
        totals.append(np.log(total))
    np.testing.assert_allclose(exact_bounds(first, second), (bounds, totals), rtol=1e-10)


def test_bounds_by_samples_are_those_by_sums():
    rng = np.random.default_rng(2)
    W = rng.normal(size=(3, 4))
    U = rng.normal(size=(4, 3))
    first, second = (machine_of(M, *(rng.normal(size=n) for n in M.shape)) for M in (W, U))
    V, H = (np.array(list(itertools.product([0.0, 1.0], repeat=n))) for n in (4, 3))
    total = logsumexp(-second.free_energy(H))
    sampled = bounds(V, first, second, total, np.random.default_rng(3), n_samples=4000)
    np.testing.assert_allclose(sampled, exact_bounds(first, second)[0], atol=0.15)


def test_plain_loops_sum_and_anneal_to_the_same_partition_function():
    """Table 1, of a machine of 3 by 5 units, by loops written from Sections 3.1 and 3.3."""
    rng = np.random.default_rng(1)
    W, c, b, base = (rng.normal(size=s) for s in ((3, 5), 3, 5, 5))
    exact = 0.0
    for h, v in itertools.product(*(itertools.product((0, 1), repeat=n) for n in (3, 5))):
        exact += np.exp(np.array(h) @ W @ v + c @ h + b @ v)
    assert np.isclose(enumerate_partition(machine_of(W, c, b)), np.log(exact), rtol=1e-12)

    def density(v, beta):
        visible = (1 - beta) * base @ v + beta * b @ v
        return np.exp(visible) * np.prod(1 + np.exp(beta * (W @ v + c)))

    weights = []
    betas = np.linspace(0, 1, 21)
    for _ in range(400):
        v = rng.random(5) < 1 / (1 + np.exp(-base))
        weight = 1.0
        for before, beta in zip(betas[:-1], betas[1:], strict=True):
            weight *= density(v, beta) / density(v, before)
            h = rng.random(3) < 1 / (1 + np.exp(-beta * (W @ v + c)))
            v = rng.random(5) < 1 / (1 + np.exp(-((1 - beta) * base + beta * (h @ W + b))))
        weights.append(weight * np.prod(1 + np.exp(base)) * 2**3)
    assert abs(np.mean(weights) - exact) < 4 * np.std(weights) / 20
    ours = annealed_importance_sampling(
        machine_of(W, c, b), base, betas=betas, n_runs=400, random_state=0
    )
    low, high = ours.interval(4)
    assert low < np.log(exact) < high


def test_chains_grow_and_rates_fall_to_nearly_nothing(monkeypatch):
    seen = []
    monkeypatch.setattr(
        RestrictedBoltzmannMachine,
        "partial_fit",
        lambda self, X: seen.append((self.n_gibbs, self.learning_rate, self.momentum)) or self,
    )
    learn(np.eye(12), 2, (1, 25), 3, np.random.default_rng(0))
    steps, rates, momenta = zip(*seen, strict=True)
    assert (steps[0], steps[-1], len(steps)) == (1, 25, 18)
    assert np.all(np.diff(steps) >= 0)
    np.testing.assert_allclose(rates, 0.05 * (1 - np.arange(18) / 18))
    assert momenta == (0.5,) * 6 + (0.9,) * 12


def test_whole_steps_of_em_never_lower_the_posterior():
    rng = np.random.default_rng(6)
    reached = []
    X = (rng.random((80, 6)) < rng.random((2, 6))[rng.integers(2, size=80)]).astype(float)
    for passes in range(1, 12):
        weights, means = fit_mixture(X, 3, passes, np.random.default_rng(7))
        # one row's pull to a half is a prior that grows with a component's share
        prior = 0.5 * np.sum(np.log(means) + np.log(1 - means))
        reached.append(mixture_log_probabilities(X, weights, means).sum() + prior)
    assert np.all(np.diff(reached) > -1e-9)
    assert reached[-1] > reached[0] + 1


def test_batches_of_em_come_near_to_whole_steps():
    rng = np.random.default_rng(8)
    X = (rng.random((2000, 8)) < rng.random((3, 8))[rng.integers(3, size=2000)]).astype(float)
    few = fit_mixture(X, 3, 6, np.random.default_rng(9), batch=100)
    many = fit_mixture(X, 3, 60, np.random.default_rng(9), batch=2000)
    gap = np.mean(mixture_log_probabilities(X, *many) - mixture_log_probabilities(X, *few))
    assert abs(gap) < 0.02


def test_temperatures_are_those_of_section_51():
    betas = thinned(1)
    assert len(betas) == 14501
    assert [np.sum(betas < b) for b in (0.5, 0.9, 1)] == [500, 4500, 14500]
    assert len(thinned(10)) == 1451
