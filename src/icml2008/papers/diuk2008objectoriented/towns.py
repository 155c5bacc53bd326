"""The towns of Taxi, by objects and their relations, and errands in them."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from icml2008.methods.worlds.taxi import LANDMARKS, WALLS

MOVES = ((0, 1), (0, -1), (1, 0), (-1, 0))  # north, south, east, west, as (x, y)
PICKUP = 4
DROPOFF = 5
SMALL = 5
# Squares (x, y) with a wall to their east, and R, G, Y, B; y grows to the north, as in Section 4.2.
WALLS_5 = frozenset((x, SMALL - 1 - row) for row, x in WALLS)
PLACES_5 = tuple((x, SMALL - 1 - row) for row, x in LANDMARKS)
PLACES_10 = ((0, 9), (9, 9), (0, 0), (8, 0), (3, 0), (5, 9), (0, 5), (9, 4))


class Errand(NamedTuple):
    """Where one passenger is to be brought; states are squares, before and after the pickup.

    Attributes
    ----------
    following : ndarray of shape (n_states, 6), int
        The next state; -1 once the passenger is delivered.
    rewards : ndarray of shape (n_states, 6)
    conditions : ndarray of shape (n_states,), int
        Truth values of touch N, S, E, W, on(passenger), on(destination) and in-taxi, from the
        highest bit to the lowest, as in Section 4.2.
    values : ndarray of shape (n_states, 3), int
        x, y and in-taxi.
    passenger, destination : int
    """

    following: np.ndarray
    rewards: np.ndarray
    conditions: np.ndarray
    values: np.ndarray
    passenger: int
    destination: int


class Town:
    """A square town of Taxi.

    Parameters
    ----------
    size : int
    walls : collection of (int, int)
        Squares (x, y) with a wall to their east.
    places : sequence of (int, int)
        Where passengers wait and want to go; the first four are R, G, Y and B.
    """

    def __init__(self, size, walls, places):
        self.size = size
        self.walls = walls
        self.places = places
        self.n = len(places)
        self._errands = {}

    def state(self, square, in_taxi=False):
        return in_taxi * self.size**2 + square[0] * self.size + square[1]

    @cached_property
    def moves(self):
        """The square that each move leads to from each, (n_squares, 4)."""
        following = []
        for x, y in product(range(self.size), repeat=2):
            for dx, dy in MOVES:
                hits = dx and (x + min(dx, 0), y) in self.walls
                hits |= not (0 <= x + dx < self.size and 0 <= y + dy < self.size)
                following.append(self.state((x, y) if hits else (x + dx, y + dy)))
        return np.array(following).reshape(-1, 4)

    def errand(self, passenger, destination):
        """Return the errand from a place to another, by their numbers."""
        if (passenger, destination) in self._errands:
            return self._errands[passenger, destination]
        n = self.size**2
        squares = np.tile(np.arange(n), 2)
        inside = np.repeat([False, True], n)
        following = np.tile(np.arange(2 * n)[:, None], 6)
        following[:, :4] = self.moves[squares] + n * inside[:, None]
        touching = following[:, :4] == np.arange(2 * n)[:, None]
        rewards = np.full((2 * n, 6), -1.0)
        rewards[:, PICKUP:] = -10.0
        waits = self.state(self.places[passenger])
        arrives = self.state(self.places[destination])
        following[waits, PICKUP] = n + waits
        rewards[waits, PICKUP] = -1.0
        following[n + arrives, DROPOFF] = -1
        rewards[n + arrives, DROPOFF] = 20.0
        on = [~inside & (squares == waits), squares == arrives, inside]
        conditions = np.column_stack([touching, *on]) @ (1 << np.arange(6, -1, -1))
        values = np.column_stack([*divmod(squares, self.size), inside])
        built = Errand(following, rewards, conditions, values, passenger, destination)
        return self._errands.setdefault((passenger, destination), built)

    @property
    def connected(self):
        reached = {0}
        while more := set(self.moves[list(reached)].ravel().tolist()) - reached:
            reached |= more
        return len(reached) == self.size**2


def small():
    """Return Dietterich's town, 5 x 5."""
    return Town(SMALL, WALLS_5, PLACES_5)


def large(layout, rng):
    """Return a town of 10 x 10 whose walls are ``drawn``, as many to a square as in the small one.

    Or they are those of the small town, each twice as long (``stretched``), or four times
    (``tiled``).
    """
    if layout == "stretched":
        walls = {(2 * x + 1, 2 * y + up) for x, y in WALLS_5 for up in (0, 1)}
    elif layout == "tiled":
        walls = {(x + 5 * i, y + 5 * j) for x, y in WALLS_5 for i in (0, 1) for j in (0, 1)}
    else:
        lower = list(product(range(9), range(9)))
        while True:
            picked = [lower[at] for at in rng.choice(len(lower), size=12, replace=False)]
            walls = {(x, y + up) for x, y in picked for up in (0, 1)}
            if len(walls) == 24 and Town(10, walls, PLACES_10).connected:
                break
    return Town(10, walls, PLACES_10)
