"""What is measured of drawn processes, and what the choice of a law changes."""

import numpy as np
import pytest

from icml2008.papers.melo2008analysis import experiments
from icml2008.papers.melo2008analysis.experiments import Process, drawn, largest_discount, opposed
from wiring import wire


def invariant(P, policy):
    """Return the law that a long walk leaves as it is."""
    walk = np.einsum("xa,xay->xy", policy, P)
    return np.linalg.matrix_power(walk, 4096)[0]


def second_moments(process):
    """Return the invariant law and the features' second moments under it, by plain loops."""
    mu = invariant(process.P, process.policy)
    sigma = 0.0
    for x, a in np.ndindex(process.policy.shape):
        phi = process.features[x, a]
        sigma = sigma + mu[x] * process.policy[x, a] * np.outer(phi, phi)
    return mu, sigma


def moved(process, mu, discount, theta):
    """Return the expected step of Q-learning, transition by transition."""
    best = [max(process.features[y] @ theta) for y in range(len(mu))]
    step = 0.0
    for x, a in np.ndindex(process.policy.shape):
        ahead = process.rewards[x, a] + discount * process.P[x, a] @ best
        error = ahead - process.features[x, a] @ theta
        step = step + mu[x] * process.policy[x, a] * error * process.features[x, a]
    return step


@pytest.mark.parametrize("law", ["gaussian", "positive"])
@pytest.mark.parametrize("nature", ["drawn", "opposed"])
def test_growth_is_the_most_by_which_two_weights_part(monkeypatch, nature, law):
    monkeypatch.setattr(experiments, "PROBLEMS", 3)
    monkeypatch.setattr(experiments, "PAIRS", 4)
    wired = wire(experiments.run_theorem_1, {"nature": nature, "features": 2}, choices={"law": law})
    rng = wired.rng("processes")
    growths = []
    beyond = []
    extra = []
    for _ in range(3):
        if nature == "opposed":
            process, *pair = opposed(rng)
            pairs = [np.array(pair) * rng.uniform(0.1, 10) for _ in range(4)]
        else:
            process = drawn(rng, law, 2)
            pairs = rng.normal(size=(4, 2, 2)) * np.exp(rng.normal(size=(4, 1, 1)))
        mu, sigma = second_moments(process)
        discount = 0.999 * min(1, largest_discount(process))
        for first, other in pairs:
            gap = first - other
            own = gap @ sigma @ gap
            steps = [moved(process, mu, discount, theta) for theta in (first, other)]
            growths.append(2 * gap @ (steps[0] - steps[1]) / own)
            squares = []
            for theta in (first, other):
                rows = [phi[np.argmax(phi @ theta)] for phi in process.features]
                squares.append(mu @ [(row @ gap) ** 2 for row in rows])
            beyond.append(growths[-1] + 2 - 2 * discount * np.sqrt(max(squares) / own))
        extra.append(abs(len(experiments.equilibria(process, discount)) - 1))
    assert wired["Q-learning"] == {
        "growth": pytest.approx(max(growths), abs=1e-8),
        "beyond": pytest.approx(max(beyond), abs=1e-8),
        "extra": max(extra),
    }
    assert wired.n_test["Q-learning"]["growth"] == 3


def test_equilibria_are_where_nothing_moves():
    rng = np.random.default_rng(1)
    for _ in range(10):
        process = drawn(rng, "gaussian", 2)
        mu, _ = second_moments(process)
        discount = 0.999 * min(1, largest_discount(process))
        for theta in experiments.equilibria(process, discount):
            np.testing.assert_allclose(moved(process, mu, discount, theta), 0, atol=1e-8)


def test_the_largest_discount_is_where_condition_7_turns():
    rng = np.random.default_rng(2)
    process = drawn(rng, "gaussian", 2)
    mu, sigma = second_moments(process)
    largest = largest_discount(process)
    least = []
    for actions in np.ndindex(2, 2, 2, 2):
        rows = process.features[np.arange(4), list(actions)]
        own = np.einsum("x,xi,xj->ij", mu, rows, rows)
        least.append(min(np.linalg.eigvalsh(sigma - largest**2 * own)))
    assert min(least) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("law", ["gaussian", "positive"])
def test_the_condition_is_met_where_the_largest_discount_is_above_nine_tenths(monkeypatch, law):
    numbers = iter([0.5, 0.95, 0.85, 0.91, 0.7] * 4)
    asked = []

    def largest(process, rng):
        asked.append(process)
        return next(numbers)

    monkeypatch.setattr(experiments, "largest_discount", largest)
    wired = wire(experiments.run_condition, {"features": 3}, choices={"law": law})
    assert wired["Q-learning"] == {"largest": 0.85, "met": 40.0}
    assert wired.n_test["Q-learning"]["met"] == 20
    first = drawn(wired.rng("processes"), law, 3, n_states=6)
    np.testing.assert_array_equal(asked[0].features, first.features)
    assert bool(min(first.features.ravel()) >= 0) is (law == "positive")


@pytest.mark.parametrize(
    ("temperature", "n_steps", "law"),
    [(100.0, 15_000, "gaussian"), (0.03, 3000, "gaussian"), (0.03, 3000, "positive")],
)
def test_starts_are_apart_by_the_most_of_ten_processes(monkeypatch, temperature, n_steps, law):
    steps = []

    def linear(batch, theta, given):
        """Return a step that lasts from the third process on, and ends at once before."""
        assert given == temperature
        steps.append(theta)
        A = np.broadcast_to(-0.25 * np.eye(2), (*theta.shape, 2))
        lasting = np.zeros(theta.shape)
        lasting[3] = 0.02
        return A, 0.25 * theta + lasting

    monkeypatch.setattr(experiments, "on_policy", linear)
    wired = wire(experiments.run_theorem_2, {"temperature": temperature}, choices={"law": law})
    assert len(steps) == n_steps
    rng = wired.rng("processes", across=("temperature",))
    for _ in range(10):
        drawn(rng, law, 2, n_states=3)
    theta = 3 * rng.normal(size=(10, 3, 2))
    np.testing.assert_allclose(steps[0], theta)
    theta[3] += 0.3 * 0.02 * n_steps
    apart = []
    for starts in theta:
        width = max(np.ptp(starts[:, 0]), np.ptp(starts[:, 1]))
        apart.append(width / (1 + np.abs(starts).max()))
    assert wired["SARSA"]["apart"] == pytest.approx(max(*apart, 0.02))
    assert wired["SARSA"]["several"] == 100
    assert wired["SARSA"]["curved"] == pytest.approx(-0.5)


def test_equation_13_is_that_of_a_plain_loop():
    rng = np.random.default_rng(3)
    process = drawn(rng, "gaussian", 2, n_states=3)
    theta = rng.normal(size=2)
    policy = np.empty((3, 2))
    for x in range(3):
        values = np.exp(process.features[x] @ theta / 0.5)
        policy[x] = 0.05 + 0.9 * values / values.sum()
    mu = invariant(process.P, policy)
    A = 0.0
    b = 0.0
    for x, a in np.ndindex(3, 2):
        ahead = sum(
            process.P[x, a, y] * policy[y, c] * process.features[y, c]
            for y in range(3)
            for c in range(2)
        )
        phi = process.features[x, a]
        weight = mu[x] * policy[x, a]
        A = A + weight * np.outer(phi, 0.9 * ahead - phi)
        b = b + weight * phi * process.rewards[x, a]
    equation = experiments.on_policy(Process(*process), theta, 0.5)
    np.testing.assert_allclose(equation[0], A, atol=1e-12)
    np.testing.assert_allclose(equation[1], b, atol=1e-12)
