"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_sum_of_ratios_over_all_actions_counts_actions():
    """melo2008analysis, Eq. 11: equal policies give the number of actions, not the mean value."""
    policy = np.full(4, 0.25)
    values = np.ones(4)
    assert np.sum(policy / policy * values) == 4
    sampled = np.sum(policy * (policy / policy * values))
    assert sampled == policy @ values == 1


def test_equilibrium_has_a_minus_sign():
    """melo2008analysis, Theorem 2: A theta + b = 0 at -A^-1 b, not at A^-1 b."""
    rng = np.random.default_rng(3)
    a = rng.normal(size=(3, 3))
    b = rng.normal(size=3)
    theta = np.linalg.solve(a, b)
    assert np.allclose(a @ -theta + b, 0, atol=1e-9)
    assert not np.allclose(a @ theta + b, 0, atol=1e-3)


def test_difference_of_operators_is_not_bounded_by_the_distance():
    """melo2008analysis, Theorem 2: the sign of the cross term, and its bound by lambda_A."""
    centre = 10.0
    theta = 10.1

    def a(at):
        return -2 + 0.5 * math.sin(at - centre)

    def b(at):
        return -a(centre) * centre + 0.1 * (at - centre)

    gap = theta - centre
    exact = 2 * gap * (a(theta) * theta + b(theta))
    rest = 2 * gap * a(centre) * gap + 2 * gap * (b(theta) - b(centre))
    assert math.isclose(exact, rest + 2 * gap * (a(theta) - a(centre)) * theta, rel_tol=1e-9)
    assert not math.isclose(exact, rest + 2 * gap * (a(centre) - a(theta)) * theta, rel_tol=1e-3)
    # sup |A_theta - A_theta*| = 1/2.
    assert gap * (a(theta) - a(centre)) * theta > 0.5 * gap**2


def test_step_with_the_larger_quadratic_form_fails():
    """melo2008analysis, Theorem 1: a chain that fulfils (7), where the last step is false."""
    eps = 0.05
    gamma = 0.9
    features = {"u": (0.5, -eps), "v": (eps, -0.5)}
    reached = {("u", 0): "u", ("u", 1): "v", ("v", 0): "u", ("v", 1): "v"}
    first = 1.0
    second = -1.0
    gap = first - second

    def greedy(state, theta):
        return max(features[state], key=lambda phi: phi * theta)

    # The uniform policy visits both states, and thus all four pairs, equally often.
    pairs = list(reached)
    assert {s: sum(t == s for t in reached.values()) for s in "uv"} == {"u": 2, "v": 2}
    cov = np.mean([features[s][i] ** 2 for s, i in pairs])
    best = {t: np.mean([greedy(s, t) ** 2 for s in "uv"]) for t in (first, second)}
    assert all(cov > gamma**2 * form for form in best.values())

    def root(theta, positive):
        chosen = [p for p in pairs if (features[p[0]][p[1]] * gap > 0) == positive]
        own = sum((features[s][i] * gap) ** 2 for s, i in chosen) / 4
        after = sum((greedy(reached[p], theta) * gap) ** 2 for p in chosen) / 4
        return math.sqrt(own * after)

    middle = root(first, positive=True) + root(second, positive=False)
    assert middle > math.sqrt(cov * gap**2 * max(best.values()) * gap**2) * 1.3
    # The proof then has no negative bound; the derivative itself is negative here.
    assert -2 * cov * gap**2 + 2 * gamma * middle > 0


def test_covariance_of_greedy_features_may_be_singular():
    """melo2008analysis, Section 3.1: independent features, one for each action."""
    features = np.eye(2)
    assert np.linalg.matrix_rank(features) == 2
    greedy = features[np.argmax(features @ np.array([1.0, -1.0]))]
    assert np.linalg.det(np.outer(greedy, greedy)) == 0
    assert np.linalg.det(features.T @ features / 2) > 0
