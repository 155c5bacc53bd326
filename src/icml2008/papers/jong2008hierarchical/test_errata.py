"""Errata of the paper that a small computation settles."""

import itertools

import numpy as np
import pytest

from icml2008.methods.worlds.tasks import RMAXQ, TaskHierarchy

from .experiments import MOVES, NAVIGATE, PUTDOWN, hierarchy, plan, stochastic_taxi


def test_putdown_is_wrong_in_sixty_states_of_the_landmarks():
    """jong2008hierarchical, Section 5: 12 wrong states need a passenger on board, else 60."""
    landmarks = [(0, 0), (4, 0), (0, 4), (3, 4)]
    on_board = 4
    wrong = [
        (cell, passenger)
        for cell in itertools.product(range(5), repeat=2)
        for passenger in range(5)
        for destination in range(4)
        if passenger != destination
        and not (passenger == on_board and cell == landmarks[destination])
    ]
    assert len(wrong) == 396
    reached = [passenger for cell, passenger in wrong if cell in landmarks]
    assert (len(reached), reached.count(on_board)) == (60, 12)


def test_put_called_without_a_passenger_never_ends():
    """jong2008hierarchical, Section 5: PUT's children cannot pick her up."""
    world = stochastic_taxi()
    tasks = hierarchy(world)
    never = np.zeros(500, dtype=bool)
    navigate = [(MOVES, ends) for ends in tasks.ends[:4]]
    put = TaskHierarchy(6, [*navigate, ([PUTDOWN, *NAVIGATE], never)])
    _, R, P, _ = plan(world, put, 0.9, 1e-9)
    waits = world.start > 0
    assert not P[-1].any()
    assert R[-1, waits] == pytest.approx(-1 / (1 - 0.9))  # it drives for ever
    with pytest.raises(RuntimeError, match="more than 2,000 steps"):
        RMAXQ(put, v_max=20.0, max_steps=2000).learn(world, [0, 1], np.random.default_rng(0))


def test_reward_error_adds_more_than_itself():
    """jong2008hierarchical, Section 4: rewards off by 0.9 lambda, values by 0.9 / (1 - gamma)."""
    gamma = 0.9
    off = 0.9
    values = [reward / (1 - gamma) for reward in (0.0, off)]
    assert values[1] - values[0] == pytest.approx(9.0)
    assert values[1] - values[0] > 1.0  # epsilon is 0, and lambda 1


def test_a_primitive_model_needs_its_discount():
    """jong2008hierarchical, Equation 7: without it, a task that ends surely has P of 1."""
    counts = np.array([4, 1])
    gamma = 0.9
    printed = counts / counts.sum()
    assert printed.sum() == pytest.approx(1.0)
    assert (gamma * printed).sum() == pytest.approx(gamma)  # what Section 2 asks for
