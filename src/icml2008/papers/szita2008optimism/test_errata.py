"""Errata of the paper that a small computation settles."""

from fractions import Fraction


def test_exploration_steps_scale_with_the_fifth_power():
    """szita2008optimism, Theorem 4.1: m |X| |A| H V / eps_1 has eps_1^-5, the theorem eps_1^-10."""
    states, actions, horizon, reward, gamma = 6, 2, 40, 3, Fraction(9, 10)

    def proof(eps):
        visits = (states * horizon / eps) ** 4 * reward**6
        return visits * states * actions * horizon * (reward / (1 - gamma)) / eps

    def printed(eps):
        return (states * horizon / eps) ** 5 * actions * reward**7 / ((1 - gamma) * eps**5)

    eps = Fraction(1, 10)
    assert proof(eps / 2) == 2**5 * proof(eps)
    assert printed(eps / 2) == 2**10 * printed(eps)
    assert printed(eps) == proof(eps) / eps**5
