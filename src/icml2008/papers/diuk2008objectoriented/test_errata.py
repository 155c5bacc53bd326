"""Errata of the paper that a small computation settles."""

import itertools


def test_objects_have_places_to_the_power_of_their_number():
    """diuk2008objectoriented, Section 6.2: counted for 3 objects in 2 x 2 places."""
    states = set(itertools.product(itertools.product(range(2), range(2)), repeat=3))
    assert len(states) == (2 * 2) ** 3 != 3 ** (2 * 2)
