"""Errata of the paper that a small computation settles."""

import itertools

import numpy as np

from .doormax import Doormax


def test_objects_have_places_to_the_power_of_their_number():
    """diuk2008objectoriented, Section 6.2: counted for 3 objects in 2 x 2 places."""
    states = set(itertools.product(itertools.product(range(2), range(2)), repeat=3))
    assert len(states) == (2 * 2) ** 3 != 3 ** (2 * 2)


def taught(k, steps, proved=False):
    """Return a model of steps (condition, value, increment) of one action and attribute."""
    model = Doormax(3, 1, [["increment", "assignment"]], k, proved)
    for condition, value, increment in steps:
        model.update(condition, np.array([value]), 0, np.array([value + increment]))
    return model


def told(model, condition, value):
    known, after = model.predict(np.array([condition]), np.array([[value]]), 0)
    return after[0, 0] if known[0] else None


def test_a_type_that_answers_alone_can_be_wrong():
    """diuk2008objectoriented, Algorithm 2: +1 where the first term holds, else +2."""
    steps = [(0b111, 4, 1), (0b011, 3, 2)]  # both make 5, and the first term seems not to matter
    assert told(taught(2, steps), 0b011, 1) is None  # increments say 3, assignments 5
    steps += [(0b100, 4, 1)]
    assert told(taught(2, steps), 0b000, 1) == 5 != 1 + 2
    assert told(taught(2, steps, proved=True), 0b000, 1) is None


def test_an_input_can_stay_unknown_for_ever():
    """diuk2008objectoriented, Algorithm 3: 1*1 and 11* meet, and neither contains the other."""
    steps = [(0b111, 4, 1), (0b101, 4, 1), (0b110, 3, 1)] + 9 * [(0b111, 3, 1)]
    for end in (4, 5, len(steps)):
        assert told(taught(2, steps[:end]), 0b111, 3) is None
    assert told(taught(2, steps[:4], proved=True), 0b111, 3) == 4
    assert told(taught(1, steps[:3]), 0b111, 3) == 4


def test_conditions_that_hold_at_once_remove_the_right_type():
    """diuk2008objectoriented, Assumption 2: +1 where the first term holds, +2 where the second."""
    model = taught(2, [(0b101, 0, 1), (0b100, 1, 1), (0b011, 0, 2), (0b010, 1, 2)])
    assert told(model, 0b100, 7) == 8
    model.update(0b110, np.array([0]), 0, np.array([3]))
    assert told(model, 0b100, 7) is None
