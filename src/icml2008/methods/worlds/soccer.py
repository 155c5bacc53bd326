"""Soccer on a grid: an attacker with the ball, and a defender who runs at random."""

from __future__ import annotations

from itertools import product

import numpy as np

from icml2008.methods.worlds.world import World

MOVES = ((-1, 0), (0, 1), (0, -1), (1, 0), (0, 0))
"""The actions, as (down, right): north, east, west, south, hold."""


def soccer(start, n_rows=4, n_columns=5, symmetric=True):
    """Return soccer on a grid for one player, who has the ball and attacks to the west.

    Both players move at once, in an order that a coin decides; the defender does any of the five
    actions with equal chances. She stays where she is if she would run into the attacker; if the
    attacker runs into her, the game is set back to its start. To the west of the two middle rows is
    the goal: a move west into it pays 1 and ends the episode.

    Parameters
    ----------
    start : ((int, int), (int, int))
        Where the attacker and the defender begin, as (row, column). The paper has it in a drawing.
    n_rows, n_columns : int
        An even number of rows.
    symmetric : bool
        Whether the game is set back to the start or to its mirror image, half and half, which makes
        the world symmetric about its middle rows; else to the start alone.

    Returns
    -------
    World
        (n_rows n_columns)^2 - n_rows n_columns states, with labels (attacker, defender).

    References
    ----------
    Narayanamurthy and Ravindran (2008), Section 6.2, after M. Bowling. Multiagent learning in the
    presence of agents with limitations. PhD thesis, Carnegie Mellon, 2003.
    """
    squares = list(product(range(n_rows), range(n_columns)))
    labels = [(own, other) for own in squares for other in squares if own != other]
    number = {label: state for state, label in enumerate(labels)}
    begin = tuple(map(tuple, start))
    if n_rows < 2 or n_rows % 2 or n_columns < 2:
        msg = (
            f"{n_rows} rows and {n_columns} columns; it takes an even number of rows, and 2 of both"
        )
        raise ValueError(msg)
    if begin not in number:
        msg = f"start is {start!r}; it needs to be two squares of {n_rows} x {n_columns}"
        raise ValueError(msg)
    goal = {(row, 0) for row in (n_rows // 2 - 1, n_rows // 2)}
    mirrored = tuple((n_rows - 1 - row, column) for row, column in begin)
    resets = (begin, mirrored) if symmetric else (begin,)

    def moved(square, move):
        row = square[0] + MOVES[move][0]
        column = square[1] + MOVES[move][1]
        return min(max(row, 0), n_rows - 1), min(max(column, 0), n_columns - 1)

    def outcomes(state, action):
        attacker, defender = labels[state]
        scores = attacker in goal and MOVES[action] == (0, -1)
        target = moved(attacker, action)
        for run in range(len(MOVES)):
            p = 0.5 / len(MOVES)
            chased = moved(defender, run)
            # The attacker moves first.
            if scores:
                yield p, None, 1.0
            elif target == defender:
                yield from ((p / len(resets), number[back], 0.0) for back in resets)
            else:
                yield p, number[target, defender if chased == target else chased], 0.0
            # The defender moves first.
            there = defender if chased == attacker else chased
            if scores:
                yield p, None, 1.0
            elif target == there:
                yield from ((p / len(resets), number[back], 0.0) for back in resets)
            else:
                yield p, number[target, there], 0.0

    begins = np.zeros(len(labels))
    begins[number[begin]] = 1.0
    return World.of(len(labels), len(MOVES), outcomes, begins, labels)
