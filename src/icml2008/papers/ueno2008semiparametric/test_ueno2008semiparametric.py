"""What the estimators and their variances must agree with."""

import numpy as np
import pytest

from .experiments import FEATURES, PAID, best_instrument, four_states, precision, random_chain
from .method import LSTD


def walk(seed=0, n_steps=400):
    chain, world, coef = four_states("arrival")
    found = world.walk(np.zeros(4, dtype=int), n_steps, np.random.default_rng(seed))
    before, after = (FEATURES[one].astype(float) for one in (found.states[:-1], found.states[1:]))
    return before, found.rewards, after, found.states[:-1], coef


@pytest.mark.parametrize("paid", ["arrival", "departure"])
def test_values_of_the_chain_solve_equation_5(paid):
    chain, _, coef = four_states(paid)
    ahead = chain.P @ PAID if paid == "arrival" else PAID
    values = FEATURES @ coef
    np.testing.assert_allclose(values - chain.P @ values, ahead - 0.375, atol=1e-12)
    np.testing.assert_allclose(np.sum(chain.P * chain.residuals, axis=1), 0, atol=1e-12)


def gmm(x, y, instruments):
    """Two-step generalised method of moments (Hansen 1982), after LSTD's residuals."""
    first = np.linalg.solve(instruments[:, :3].T @ x, instruments[:, :3].T @ y)
    moments = instruments * (y - x @ first)[:, None]
    weights = np.linalg.inv(moments.T @ moments)
    D = instruments.T @ x
    return np.linalg.solve(D.T @ weights @ D, D.T @ weights @ instruments.T @ y)


def test_lstdc_is_two_step_gmm_with_a_constant_among_the_instruments():
    before, rewards, after, states, _ = walk()
    ours = LSTD("shifted", average_reward=0.375).fit(before, rewards, after)
    both = np.column_stack([before, np.ones(len(before))])
    np.testing.assert_allclose(ours.coef_, gmm(before - after, rewards - 0.375, both), rtol=1e-9)


def test_glstd_is_two_step_gmm_with_indicators_of_states():
    before, rewards, after, states, _ = walk()
    x, y = before - after, rewards - 0.375
    first = LSTD(average_reward=0.375).fit(before, rewards, after).coef_
    indicators = np.eye(4)[states]
    # Moments of different states do not covary; the first step is LSTD's, as in Algorithm 1.
    weights = np.diag(1 / (indicators.T @ (y - x @ first) ** 2))
    D = indicators.T @ x
    wanted = np.linalg.solve(D.T @ weights @ D, D.T @ weights @ indicators.T @ y)
    for told in (states, None):
        ours = LSTD("optimal", average_reward=0.375).fit(before, rewards, after, told)
        np.testing.assert_allclose(ours.coef_, wanted, rtol=1e-9)


def test_lstd_is_a_plain_loop_over_the_steps():
    before, rewards, after, _, _ = walk(n_steps=50)
    A, b = np.zeros((3, 3)), np.zeros(3)
    for phi, reward, then in zip(before, rewards, after, strict=True):
        A += np.outer(phi, phi - 0.9 * then)
        b += phi * reward
    ours = LSTD(discount=0.9).fit(before, rewards, after)
    np.testing.assert_allclose(ours.coef_, np.linalg.solve(A, b))
    np.testing.assert_allclose(ours.predict(FEATURES), FEATURES @ ours.coef_)


def test_estimated_covariance_comes_near_that_of_the_model():
    before, rewards, after, states, _ = walk(n_steps=200_000)
    chain, *_ = four_states("arrival")
    for instrument, z in (("features", FEATURES), ("optimal", best_instrument(chain))):
        model = LSTD(instrument, average_reward=0.375).fit(before, rewards, after, states)
        wanted = np.linalg.inv(precision(chain, z)) / 200_000
        np.testing.assert_allclose(model.covariance_, wanted, rtol=0.1)


def test_lemma_3_no_regular_transformation_changes_values():
    before, rewards, after, states, _ = walk()
    W = np.random.default_rng(2).normal(size=(3, 3))
    for instrument in ("features", "optimal"):
        plain = LSTD(instrument, average_reward=0.375).fit(before, rewards, after, states)
        other = LSTD(instrument, average_reward=0.375).fit(before @ W, rewards, after @ W, states)
        np.testing.assert_allclose(W @ other.coef_, plain.coef_, rtol=1e-6)


@pytest.mark.parametrize("values", ["discounted", "average"])
def test_random_chains_are_in_balance(values):
    chain = random_chain(np.random.default_rng(3), values)
    np.testing.assert_allclose(chain.d @ chain.P, chain.d, atol=1e-12)
    np.testing.assert_allclose(np.sum(chain.P * chain.residuals, axis=1), 0, atol=1e-12)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"instrument": "best"}, "one of features, shifted, optimal"),
        ({"discount": 1.5}, "discount is 1.5"),
        ({"X_next": np.ones((3, 2))}, "steps and features differ"),
        ({"X": np.ones((4, 2)), "X_next": np.ones((4, 2))}, "do not determine the coefficients"),
    ],
)
def test_what_cannot_be_estimated_is_named(given, named):
    rng = np.random.default_rng(0)
    data = {
        "X": rng.normal(size=(4, 2)),
        "y": np.ones(4),
        "X_next": rng.normal(size=(4, 2)),
    } | given
    parameters = {name: data.pop(name) for name in ("instrument", "discount") if name in data}
    if data["X_next"].shape[0] == 3:
        data["X_next"] = np.ones((4, 3))
    with pytest.raises(ValueError, match=named):
        LSTD(**parameters).fit(**data)
