"""Deep bounds and mixtures against sums over all states; schedules against the text."""

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp

from icml2008.methods import RestrictedBoltzmannMachine

from .experiments import thinned
from .method import bounds, fit_mixture, learn, log_joint, mixture_log_probabilities

H = np.array(list(itertools.product([0.0, 1.0], repeat=3)))


@pytest.fixture(scope="module")
def first():
    X = np.random.default_rng(0).random((60, 5)) < [0.1, 0.9, 0.5, 0.3, 0.7]
    model = learn(X.astype(float), 3, (1, 3), 2, np.random.default_rng(1))
    model.components_ = np.random.default_rng(2).normal(size=(3, 5))
    return model


def exact_bounds(first, second, V):
    """Return (19) of each row of V by a sum over h, and the log-probability under the net."""
    joint = np.array([log_joint(first, second, np.tile(v, (8, 1)), H) for v in V])
    joint -= logsumexp(-second.free_energy(H))
    Q = first.transform(V)[:, None]
    Q = np.prod(np.where(H == 1, Q, 1 - Q), axis=2)
    return np.sum(Q * (joint - np.log(Q)), axis=1), logsumexp(joint, axis=1)


V = np.random.default_rng(3).integers(2, size=(4, 5)).astype(float)


def test_a_tied_second_layer_is_the_first_layer_and_its_bound_is_tight(first):
    tied = learn(first.transform(V), 5, (1, 1), 0, np.random.default_rng(0), start=first)
    bound, exact = exact_bounds(first, tied, V)
    np.testing.assert_allclose(bound, first.score_samples(V), rtol=1e-12)
    np.testing.assert_allclose(exact, bound, rtol=1e-12)


def test_bounds_by_samples_are_those_by_sums_and_lie_below_the_log_probability(first):
    second = learn(H, 4, (1, 1), 1, np.random.default_rng(0))
    second.components_ = np.random.default_rng(4).normal(size=(4, 3))
    total = logsumexp(-second.free_energy(H))
    found = bounds(V, first, second, total, np.random.default_rng(5), n_samples=4000)
    bound, exact = exact_bounds(first, second, V)
    np.testing.assert_allclose(found, bound, atol=0.15)
    assert np.all(bound < exact - 0.01)


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
    rng, reached = np.random.default_rng(6), []
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
