"""Theorem 3: its four examples, against a general solver, for potentials named and drawn."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from icml2008.papers.long2008random.method.convex import ConvexPotentialBooster
from icml2008.papers.long2008random.method.hard import balance, hard_sample, noisy_distribution
from icml2008.papers.long2008random.method.potentials import POTENTIALS, Potential

BOUND = (math.sqrt(14) - 3) / 5  # where 6 + 5 gamma = 1 / gamma


def mixture(parts):
    """Return a potential made of rescaled ones: (name, weight, scale)."""
    chosen = [(POTENTIALS[name], w, s) for name, w, s in parts]
    return Potential(
        lambda z: sum(w * p.value(z / s) for p, w, s in chosen),
        lambda z: sum(w / s * p.slope(z / s) for p, w, s in chosen),
        name="mixture",
    )


noises = st.floats(0.005, 0.495)
potentials = st.lists(
    st.tuples(st.sampled_from(list(POTENTIALS)), st.floats(0.2, 5), st.floats(0.5, 2)),
    min_size=1,
    max_size=3,
).map(mixture)


@settings(max_examples=30)
@given(potentials, noises)
def test_the_minimum_misclassifies_the_penalizers_and_nothing_else(potential, noise):
    sample = hard_sample(potential, noise)
    assert np.sign(sample.X @ sample.minimiser).tolist() == [1, -1, -1, 1]
    assert 0 < sample.gamma < BOUND
    assert np.linalg.norm(sample.X, axis=1).max() <= 1
    assert (sample.X[:, 0] >= sample.gamma).all()  # the first coordinate alone has that margin


@settings(max_examples=30)
@given(potentials, noises)
def test_the_minimiser_is_where_the_gradient_vanishes(potential, noise):
    sample = hard_sample(potential, noise)
    at_start = np.abs(sample.gradient(np.zeros(2))).max()
    # The roots are exact to a few units in the last place; the slopes are steep in places.
    assert np.abs(sample.gradient(sample.minimiser)).max() < 1e-9 * at_start


@pytest.mark.parametrize("name", POTENTIALS)
@pytest.mark.parametrize("noise", [0.01, 0.1, 0.3, 0.45])
def test_a_general_solver_finds_the_same_minimum(name, noise):
    sample = hard_sample(name, noise)
    minimum = minimize(
        sample.value,
        np.zeros(2),
        jac=sample.gradient,
        method="BFGS",
        options={"gtol": 1e-10},
    )
    # BFGS ends where rounding of the value does: the square root of its precision.
    assert minimum.fun >= sample.value(sample.minimiser) - 1e-12
    np.testing.assert_allclose(minimum.x, sample.minimiser, rtol=2e-3)


@settings(max_examples=30)
@given(potentials, noises)
def test_gradients_are_central_differences(potential, noise):
    sample = hard_sample(potential, noise)
    step = 1e-5
    votes = np.array([0.3, 0.2])
    numeric = [
        (sample.value(votes + step * e) - sample.value(votes - step * e)) / (2 * step)
        for e in np.eye(2)
    ]
    np.testing.assert_allclose(sample.gradient(votes), numeric, rtol=1e-6, atol=1e-8)


@settings(max_examples=30)
@given(potentials, noises)
def test_the_slope_at_zero_is_steepest_towards_the_minimum(potential, noise):
    sample = hard_sample(potential, noise)
    a, b = sample.minimiser / np.linalg.norm(sample.minimiser)
    slope = sample.gradient(np.zeros(2))
    assert -slope @ [a, b] > abs(slope @ [b, -a])


@settings(max_examples=30)
@given(potentials, noises)
def test_the_first_round_goes_to_the_minimum_and_the_booster_stays(potential, noise):
    sample = hard_sample(potential, noise)
    rotated = sample.rotated()
    np.testing.assert_allclose(
        rotated[:, 1], sample.X @ sample.minimiser / np.linalg.norm(sample.minimiser), atol=1e-12
    )
    X, y, weights = noisy_distribution(rotated, sample.y, noise)
    booster = ConvexPotentialBooster(potential, 20, weak_learner="features", complements=False)
    booster.fit(X, y, weights)
    assert booster.keys_[0] == 1
    # brentq stops within 4 units in the last place of the root.
    assert math.isclose(booster.votes_[0], np.linalg.norm(sample.minimiser), rel_tol=1e-9)
    assert np.mean(booster.decision_function(rotated) <= 0) == 0.5


@pytest.mark.parametrize("name", POTENTIALS)
@pytest.mark.parametrize("noise", [0.01, 0.1, 0.3, 0.45])
def test_without_noise_the_same_booster_makes_no_error(name, noise):
    sample = hard_sample(name, noise)
    X, y, weights = noisy_distribution(sample.rotated(), sample.y, 0.0)
    booster = ConvexPotentialBooster(name, 200, weak_learner="features", complements=False)
    assert (booster.fit(X, y, weights).decision_function(sample.rotated()) > 0).all()


def test_little_noise_leaves_little_margin():
    """For a potential of bounded slope, gamma falls in proportion to the noise."""
    gammas = [hard_sample("logistic", noise).gamma for noise in (1e-3, 1e-4, 1e-5)]
    np.testing.assert_allclose(np.divide(gammas[:2], gammas[1:]), 10, rtol=0.01)


def test_much_noise_leaves_one_margin_for_all_potentials():
    """As the noise tends to 1/2, Z is linear near 0, and Eq. 9 no longer knows the potential."""
    gammas = [hard_sample(name, 0.4999).gamma for name in POTENTIALS]
    np.testing.assert_allclose(gammas, gammas[0], rtol=1e-3)


def z_of(name, odds):
    slope = POTENTIALS[name].slope
    return lambda a: odds * slope(np.asarray(a)) - slope(-np.asarray(a))


@given(st.sampled_from(list(POTENTIALS)), st.floats(1.01, 100), st.floats(-5, 5), st.floats(0, 5))
def test_the_function_z_is_nondecreasing(name, odds, low, step):
    """Section 4.3 defines it so, and calls it nonincreasing further down."""
    z = z_of(name, odds)
    assert z(low + step) >= z(low) - 1e-12 * abs(z(low))


@pytest.mark.parametrize("name", POTENTIALS)
def test_the_balance_of_claim_4_exists_below_1_but_is_0_at_0(name):
    """Observation 5 lets B begin at 0; Claim 4's value, negative for B > 0, vanishes there."""
    z = z_of(name, 9.0)
    at = np.linspace(0.01, 3, 40)
    balances = np.array([balance(z, b) for b in at])
    assert (np.diff(balances) <= 1e-9 * balances[:-1]).all()
    assert all(2 * z(-(b - 1) * e) < 0 for b, e in zip(at, balances, strict=True))
    assert abs(z(balance(z, 0.0))) < 1e-9


@pytest.mark.parametrize("noise", [0.0, 0.5, -0.1, float("nan")])
def test_noise_outside_of_its_range_is_refused(noise):
    with pytest.raises(ValueError, match="between 0 and 1/2"):
        hard_sample("exponential", noise)


def test_a_function_without_a_solution_is_refused():
    unhinged = Potential(lambda z: 1 - z, lambda z: -np.ones_like(z), name="unhinged")
    with pytest.raises(ValueError, match="no solution"):
        hard_sample(unhinged, 0.1)


def test_the_noisy_distribution_has_the_noise_as_expected_error():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 2))
    y = rng.choice([-1, 1], 7)
    both, labels, weights = noisy_distribution(X, y, 0.2)
    assert np.isclose(weights.sum(), 1)
    assert np.isclose(weights @ (labels != np.tile(y, 2)), 0.2)
    np.testing.assert_array_equal(both[7:], X)
