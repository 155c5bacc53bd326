"""What chains, Algorithm 1 and exact limits must agree with."""

import numpy as np
import pytest

from . import experiments as ours
from .experiments import EPSILON, GAMMA, LAMBDA, NATURAL, RARE, Learner, N, half, random_chain


@pytest.fixture(scope="module")
def chain():
    return random_chain(np.random.default_rng(0))


@pytest.mark.parametrize(
    "learner",
    [Learner(half, 0.05), Learner(half, 0.2, keeps=True), Learner(lambda chain: NATURAL, per=3)],
)
def test_estimates_are_those_of_a_plain_loop_over_algorithm_1(chain, learner):
    steps = 300
    a = 0.1
    b = 30.0
    estimates, probabilities = learner.run(chain, (a, b), steps, np.random.default_rng(1))
    uniforms = np.random.default_rng(1).random(steps * learner.per)
    V = np.zeros(11)
    e = np.zeros(11)
    T = np.zeros(11)
    U = np.zeros(11)
    s = 0
    met = np.zeros((2, 11))
    sampled = np.append(learner.start(chain)[:10], 0.0)
    for t, u in enumerate(uniforms):
        e[s] += 1
        eps = EPSILON if s < 10 else 0.0
        if u < sampled[s]:
            after = RARE
            w = eps / sampled[s]
        else:
            place = (u - sampled[s]) / (1 - sampled[s])
            after = int(np.searchsorted(np.cumsum(chain.usual[s])[:9], place, side="right"))
            w = (1 - eps) / (1 - sampled[s])
        delta = w * (chain.rewards[s, after] + GAMMA * V[after]) - V[s]
        V += a * b / (b + t / learner.per) * e * delta
        if learner.delta and s < 10:
            target = chain.rewards[s, after] + GAMMA * V[after]
            rare = after == RARE
            met[int(rare), s] += 1
            rate = 1 / met[int(rare), s]
            if rare:
                T[s] = (1 - rate) * T[s] + rate * eps * target
            else:
                U[s] = (1 - rate) * U[s] + rate * (1 - eps) * target
            if met[:, s].all() or not learner.keeps:
                share = abs(T[s]) / (abs(T[s]) + abs(U[s]))
                sampled[s] = min(max(learner.delta, share), 1 - learner.delta)
        e *= GAMMA * LAMBDA * w
        s = after
    np.testing.assert_allclose(estimates, V, rtol=1e-9)
    np.testing.assert_allclose(probabilities, sampled, rtol=1e-9)


def test_chains_are_those_of_section_81(chain):
    assert (np.count_nonzero(chain.usual, axis=1) == 7).all()
    assert not np.diag(chain.usual).any()
    P = chain.transitions(NATURAL)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    np.testing.assert_allclose(P[:N, RARE], EPSILON)
    assert chain.rewards.min() >= 0
    assert chain.rewards[:, RARE].mean() == pytest.approx(10_000, rel=0.1)


def test_values_and_best_probabilities_solve_their_equations(chain):
    """Equations 1 and 6: epsilon* is T* over T* + U*, whose sum is the value."""
    V = chain.values
    f = chain.usual[:N]
    T = EPSILON * (chain.rewards[:N, RARE] + GAMMA * V[RARE])
    U = (1 - EPSILON) * np.sum(f * (chain.rewards[:N, :N] + GAMMA * V[:N]), axis=1)
    np.testing.assert_allclose(T + U, V[:N])
    np.testing.assert_allclose(chain.optimal[:N], T / (T + U))


def test_variances_are_those_of_a_sum_over_outcomes(chain):
    V = chain.values
    for sampled in (half, lambda chain: chain.optimal):
        P = chain.transitions(NATURAL)[:N]
        Q = chain.transitions(sampled(chain))[:N]
        weights = np.divide(P, Q, out=np.zeros_like(P), where=Q > 0)
        targets = weights * (chain.rewards[:N] + GAMMA * V)
        mean = np.sum(Q * targets, axis=1)
        expected = np.sum(Q * (targets - mean[:, None]) ** 2, axis=1)
        np.testing.assert_allclose(ours.variances(chain, sampled), expected, rtol=1e-6)
        assert (ours.variances(chain, None) <= expected * (1 + 1e-9)).all()


def test_limits_are_reached_by_learning(chain):
    """TD off its policy, without 7i, on groups of states: the mean of a long run's last half."""
    features = ours.FEATURES["groups of states"]
    sampled = np.where(NATURAL > 0, 0.3, 0.0)
    limits = ours.limit(chain, features, sampled)
    np.testing.assert_allclose(ours.limit(chain, np.eye(N + 1), sampled), chain.values)
    P = chain.transitions(NATURAL)
    Q = chain.transitions(sampled)
    visits = np.linalg.matrix_power(Q, 500)[0]
    theta = np.zeros(4)
    for _ in range(3000):  # expected updates; a trace of weights is worth powers of P
        V = features @ theta
        error = np.sum(P * (chain.rewards + GAMMA * V), axis=1) - V
        traced = np.zeros(N + 1)
        power = error
        for _ in range(40):
            traced = traced + power
            power = GAMMA * LAMBDA * P @ power
        theta = theta + 0.5 * features.T @ (visits * traced)
    np.testing.assert_allclose(features @ theta, limits, rtol=1e-6)
