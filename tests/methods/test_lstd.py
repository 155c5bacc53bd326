"""LSTD and its instruments: against a plain loop and the generalised method of moments."""

import numpy as np
import pytest

from icml2008.methods.lstd import LSTD

FEATURES = np.arange(1.0, 5)[:, None] ** np.arange(1, 4)
AVERAGE = 0.375


def walk(n_steps=400):
    """Return features, rewards, features of what follows and states of a walk to and fro."""
    moves = np.random.default_rng(0).choice([-1, 1], size=n_steps)
    states = [0]
    for move in moves:
        states.append(min(max(states[-1] + move, 0), 3))
    states = np.array(states)
    rewards = np.array([0.0, 1.0, 0.5, 0.0])[states[1:]]
    return FEATURES[states[:-1]], rewards, FEATURES[states[1:]], states[:-1]


def gmm(x, y, first, moments, instruments):
    """Return the second step of the generalised method of moments (Hansen 1982)."""
    weights = np.linalg.inv(moments.T @ moments)
    D = instruments.T @ x
    return np.linalg.solve(D.T @ weights @ D, D.T @ weights @ instruments.T @ y)


@pytest.mark.parametrize("instrument", ["shifted", "optimal"])
def test_both_instruments_are_the_second_step_of_gmm(instrument):
    """LSTDc's has a constant among the instruments, gLSTD's an indicator of each state."""
    before, rewards, after, states = walk()
    x = before - after
    y = rewards - AVERAGE
    first = np.linalg.solve(before.T @ x, before.T @ y)
    more = np.column_stack([before, np.ones(len(x))])
    instruments = more if instrument == "shifted" else np.eye(4)[states]
    # Moments of different states do not covary.
    expected = gmm(x, y, first, instruments * (y - x @ first)[:, None], instruments)
    for known in (states, None):
        ours = LSTD(instrument, average_reward=AVERAGE).fit(before, rewards, after, known)
        np.testing.assert_allclose(ours.coef_, expected, rtol=1e-9)


def test_lstd_is_a_plain_loop_over_the_steps():
    before, rewards, after, _ = walk(50)
    A = np.zeros((3, 3))
    b = np.zeros(3)
    for phi, reward, then in zip(before, rewards, after, strict=True):
        A += np.outer(phi, phi - 0.9 * then)
        b += phi * reward
    ours = LSTD(discount=0.9).fit(before, rewards, after)
    np.testing.assert_allclose(ours.coef_, np.linalg.solve(A, b))
    np.testing.assert_allclose(ours.predict(FEATURES), FEATURES @ ours.coef_)


@pytest.mark.parametrize("instrument", ["features", "optimal"])
def test_no_regular_transformation_of_features_changes_values(instrument):
    """Ueno et al. (2008), Lemma 3."""
    before, rewards, after, states = walk()
    W = np.random.default_rng(2).normal(size=(3, 3))
    plain = LSTD(instrument, average_reward=AVERAGE).fit(before, rewards, after, states)
    other = LSTD(instrument, average_reward=AVERAGE).fit(before @ W, rewards, after @ W, states)
    np.testing.assert_allclose(W @ other.coef_, plain.coef_, rtol=1e-6)


@pytest.mark.parametrize(
    ("model", "changed", "named"),
    [
        (LSTD("best"), {}, "one of features, shifted, optimal"),
        (LSTD(discount=1.5), {}, "discount is 1.5"),
        (LSTD(), {"X_next": np.ones((4, 3))}, "steps and features differ"),
        (LSTD(), dict.fromkeys(["X", "X_next"], np.ones((4, 2))), "do not determine"),
    ],
)
def test_what_cannot_be_estimated_is_named(model, changed, named):
    X, X_next = np.random.default_rng(0).normal(size=(2, 4, 2))
    with pytest.raises(ValueError, match=named):
        model.fit(**{"X": X, "y": np.ones(4), "X_next": X_next} | changed)
