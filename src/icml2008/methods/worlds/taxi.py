"""Taxi: fetch a passenger and bring her where she wants to go."""

from __future__ import annotations

import numpy as np

from icml2008.methods.worlds._checks import check_share
from icml2008.methods.worlds.world import World

SIZE = 5
LANDMARKS = ((0, 0), (0, 4), (4, 0), (4, 3))  # red, green, yellow, blue
WALLS = frozenset({(0, 1), (1, 1), (3, 0), (3, 2), (4, 0), (4, 2)})  # to the right of these squares
MOVES = ((1, 0), (-1, 0), (0, 1), (0, -1))  # south, north, east, west
IN_TAXI = len(LANDMARKS)


def taxi(slip=0.0):
    """Return Taxi: a 5 x 5 town with four landmarks, at one of which a passenger waits.

    Actions are south, north, east, west, pick up and put down. A step costs 1, a pickup or putdown
    that cannot be 10; bringing the passenger to her destination pays 20 and ends the episode. A
    passenger may be put down at any other landmark. With probability `slip` a move goes to its
    left or its right instead, half and half.

    Returns
    -------
    World
        500 states, each with the label (row, column, passenger, destination); `passenger` is a
        landmark or, in the taxi, 4. It starts in any of the 300 in which the passenger waits
        elsewhere than she wants to go.

    References
    ----------
    T. G. Dietterich. Hierarchical reinforcement learning with the MAXQ value function
    decomposition. JAIR 13, 2000, Figure 1. Numbers of states and actions are Gymnasium's.
    """
    check_share(slip, "slip")
    labels = [
        (row, column, passenger, destination)
        for row in range(SIZE)
        for column in range(SIZE)
        for passenger in range(IN_TAXI + 1)
        for destination in range(IN_TAXI)
    ]
    number = {label: state for state, label in enumerate(labels)}

    def outcomes(state, action):
        row, column, passenger, destination = labels[state]
        here = row, column
        if action < 4:
            # To the left and to the right of a move to the south are east and west.
            aside = (2, 3) if action < 2 else (0, 1)
            for p, direction in ((1 - slip, action), (slip / 2, aside[0]), (slip / 2, aside[1])):
                yield p, number[(*_moved(here, direction), passenger, destination)], -1.0
        elif action == 4:
            waits = passenger < IN_TAXI and here == LANDMARKS[passenger]
            new = IN_TAXI if waits else passenger
            yield 1.0, number[row, column, new, destination], -1.0 if waits else -10.0
        elif passenger == IN_TAXI and here == LANDMARKS[destination]:
            yield 1.0, None, 20.0
        elif passenger == IN_TAXI and here in LANDMARKS:
            yield 1.0, number[row, column, LANDMARKS.index(here), destination], -1.0
        else:
            yield 1.0, state, -10.0

    start = np.array([p < IN_TAXI and p != d for _, _, p, d in labels], dtype=float)
    return World.of(len(labels), 6, outcomes, start / start.sum(), labels)


def _moved(here, direction):
    """Return the square that a move leads to; walls hold."""
    (row, column) = here
    (down, right) = MOVES[direction]
    if right and (row, column + min(right, 0)) in WALLS:
        return here
    return min(max(row + down, 0), SIZE - 1), min(max(column + right, 0), SIZE - 1)
