"""Errata of the paper that a small computation settles."""

import itertools


def test_putdown_is_wrong_in_sixty_states_of_the_landmarks():
    """jong2008hierarchical, Section 5: 12 wrong states need a passenger on board, else 60."""
    landmarks, on_board = [(0, 0), (4, 0), (0, 4), (3, 4)], 4
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
