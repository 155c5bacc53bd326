"""Errata of the paper that a small computation settles."""

from fractions import Fraction

import numpy as np
import pytest

from icml2008.methods import MultiObjectiveMDP, value_iteration
from icml2008.methods.worlds import World, chain

from .experiments import TASKS, oim


def test_exploration_steps_scale_with_the_fifth_power():
    """szita2008optimism, Theorem 4.1: m |X| |A| H V / eps_1 has eps_1^-5, the theorem eps_1^-10."""
    states = 6
    actions = 2
    horizon = 40
    reward = 3
    gamma = Fraction(9, 10)

    def proof(eps):
        visits = (states * horizon / eps) ** 4 * reward**6
        return visits * states * actions * horizon * (reward / (1 - gamma)) / eps

    def printed(eps):
        return (states * horizon / eps) ** 5 * actions * reward**7 / ((1 - gamma) * eps**5)

    eps = Fraction(1, 10)
    assert proof(eps / 2) == 2**5 * proof(eps)
    assert printed(eps / 2) == 2**10 * printed(eps)
    assert printed(eps) == proof(eps) / eps**5


def test_the_garden_of_edens_bonus_is_over_one_visit_less():
    """szita2008optimism, Section 4.1: with N visits, Eden's counted, of which others say `seen`."""
    v_max = 50.0
    seen = 3.3
    N = 7
    weight, bonus, *_ = oim(v_max / 10, 0.9, np.arange(8.0))
    value = weight[N - 1] * seen + bonus[N - 1]
    assert value - seen == pytest.approx((v_max - value) / (N - 1))
    assert value - seen != pytest.approx((v_max - value) / N, rel=0.1)


def test_oim_begins_below_the_optimum_on_chain():
    """szita2008optimism, Section 5.3: R_max / (1 - gamma) of 0.5 is below all optimal values."""
    for gamma in (0.9, 0.95, 0.99):
        values = value_iteration(MultiObjectiveMDP(*chain().model(), gamma), [1.0]).values
        assert TASKS["chain"].r_max / (1 - gamma) < 0.3 * values.min()


def test_river_swim_as_described_pays_ten_times_more():
    """szita2008optimism, Section 5.1: +10000 for being upmost, 30 % up and 10 % down throughout."""

    def outcomes(place, up):
        paid = {0: 5.0, 5: 10_000.0}.get(place, 0.0)
        ways = {1: 0.3, 0: 0.6, -1: 0.1} if up else {-1: 1.0}
        return [(p, min(max(place + far, 0), 5), paid) for far, p in ways.items()]

    world = World.of(6, 2, outcomes)
    best = value_iteration(MultiObjectiveMDP(*world.model(), 0.999), [1.0], tol=1.0).values
    assert 5000 * (1 - 0.999) * best.min() > 32e6
