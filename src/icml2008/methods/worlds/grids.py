"""Squares to move between: gridworlds and mazes."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from icml2008.methods.worlds._checks import check_share
from icml2008.methods.worlds.world import World

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The actions, as (down, right): north, east, south, west."""


def grid_world(size, slip=0.3, rewards=None):
    """Return a square of `size` x `size` places with four moves; at a border one stays.

    Parameters
    ----------
    size : int
    slip : float in [0, 1]
        Probability that the direction is drawn instead, each of the four alike.
    rewards : array-like of shape (size, size), optional
        What a step from each place pays; by default nothing does.

    Returns
    -------
    World
        It never ends, and starts anywhere. State ``row * size + column`` has the label
        (row, column).

    References
    ----------
    P. Abbeel and A. Y. Ng. Apprenticeship learning via inverse reinforcement learning. ICML 2004;
    Syed, Bowling and Schapire (2008), Section 8.1.

    Examples
    --------
    >>> grid_world(2, slip=0.0, rewards=[[0, 0], [0, 1]]).rewards[3]
    array([1., 1., 1., 1.])
    """
    if not (isinstance(size, int) and size > 0):
        msg = f"size is {size!r}; it needs to be a whole number above 0"
        raise ValueError(msg)
    check_share(slip, "slip")
    paid = np.zeros((size, size)) if rewards is None else np.asarray(rewards, dtype=float)
    if paid.shape != (size, size):
        msg = f"rewards has shape {paid.shape}; a grid of size {size} needs {(size, size)}"
        raise ValueError(msg)
    labels = [divmod(state, size) for state in range(size * size)]

    def outcomes(state, action):
        row, column = labels[state]
        for direction, (down, right) in enumerate(MOVES):
            to = min(max(row + down, 0), size - 1) * size + min(max(column + right, 0), size - 1)
            yield slip / 4 + (1 - slip) * (direction == action), to, paid[row, column]

    return World.of(size * size, 4, outcomes, np.full(size * size, size**-2), labels)


def subgoal_maze(rng, size=50, blocked=0.2, punishing=0.2, slip=0.1):
    """Return a maze with a goal in the corner opposite to the start and lesser ones in the others.

    The outermost squares are blocked, and so are, drawn at random, a share of the others; as many
    as `punishing` says cost 10 to enter. A step costs 1, one against a blocked square 2 and leads
    nowhere. A goal pays 1,000, a lesser one 500, and all lead to the start. Mazes in which a goal
    cannot be reached are drawn again.

    Parameters
    ----------
    rng : numpy.random.Generator
    size : int
        At least 5; the outermost squares are counted.
    blocked, punishing : float
        Shares of the squares inside.
    slip : float in [0, 1]
        Probability that the action is drawn instead, each of the four alike.

    Returns
    -------
    World
        It never ends. States are the squares that one can be on, with labels (row, column) that
        count from 0; the start is (1, 1), the goal (size - 2, size - 2).

    Raises
    ------
    ValueError
        If the shares leave too little room, or 1,000 mazes in a row have a goal out of reach.

    References
    ----------
    M. A. Wiering and J. Schmidhuber. Efficient model-based exploration. SAB 1998; Szita and Lorincz
    (2008), Section 5.2.
    """
    check_share(slip, "slip")
    if not (isinstance(size, int) and size >= 5):
        msg = f"size is {size!r}; it needs to be a whole number from 5 on"
        raise ValueError(msg)
    last = size - 2
    start = (1, 1)
    goals = {(last, last): 1000.0, (1, last): 500.0, (last, 1): 500.0}
    inside = [
        (row, column)
        for row in range(1, size - 1)
        for column in range(1, size - 1)
        if (row, column) != start and (row, column) not in goals
    ]
    n_blocked, n_punishing = (round(share * (size - 2) ** 2) for share in (blocked, punishing))
    if min(n_blocked, n_punishing) < 0 or n_blocked + n_punishing > len(inside):
        msg = (
            f"blocked={blocked!r} and punishing={punishing!r} are {n_blocked + n_punishing} of "
            f"{len(inside)} squares; they need to fit"
        )
        raise ValueError(msg)
    for _ in range(1000):
        order = rng.permutation(len(inside))
        walls = {inside[at] for at in order[:n_blocked]}
        costly = {inside[at] for at in order[n_blocked : n_blocked + n_punishing]}
        open_squares = [start, *goals, *(square for square in inside if square not in walls)]
        if _all_reached(open_squares, [start, *goals]):
            break
    else:
        msg = f"with blocked={blocked!r}, no goal was in reach in 1,000 mazes; block less"
        raise ValueError(msg)
    labels = sorted(set(open_squares).difference(goals))
    number = {square: state for state, square in enumerate(labels)}
    home = number[start]

    def outcomes(state, action):
        row, column = labels[state]
        for direction, (down, right) in enumerate(MOVES):
            square = row + down, column + right
            p = slip / 4 + (1 - slip) * (direction == action)
            if square in goals:
                yield p, home, goals[square]
            elif square in number:
                yield p, number[square], -10.0 if square in costly else -1.0
            else:
                yield p, state, -2.0

    return World.of(len(labels), 4, outcomes, home, labels)


FLAG_MAP = (".#F.#.G", ".#..#..", ".......", "##...##", "......F", "F.....#")
"""Dearden's maze, from its start on: walls, flags and the goal."""


def flag_maze(slip=0.1):
    """Return Dearden's maze with three flags: the goal pays one for each flag that is brought.

    The goal leads to the start at once, with no flag. With probability `slip` a move goes to the
    left or the right of its direction instead, half and half; against a wall one stays.

    Returns
    -------
    World
        256 states, with labels (row, column, flags), `flags` a sorted tuple of their squares; it
        never ends.

    References
    ----------
    R. Dearden, N. Friedman and S. Russell. Bayesian Q-learning. AAAI 1998. Its map stands in a
    drawing; here it is as Guez, Silver and Dayan's BAMCP (2012) and Jeong et al.'s ADFQ (2019) have
    it in their public programs, which agree. The optimum of 20,000 steps is 1,884; Szita and
    Lorincz (2008) print approximately 1890.
    """
    check_share(slip, "slip")
    signs = {(i, j): sign for i, row in enumerate(FLAG_MAP) for j, sign in enumerate(row)}
    flags = [square for square, sign in signs.items() if sign == "F"]
    squares = [square for square, sign in signs.items() if sign in ".F"]
    sets = [tuple(f for k, f in enumerate(flags) if code >> k & 1) for code in range(8)]
    labels = [(*square, has) for square in squares for has in sets]
    number = {label: state for state, label in enumerate(labels)}

    def outcomes(state, action):
        row, column, has = labels[state]
        for turn, p in ((0, 1 - slip), (1, slip / 2), (3, slip / 2)):
            down, right = MOVES[(action + turn) % 4]
            to = row + down, column + right
            if signs.get(to, "#") == "#":
                to = row, column
            if signs[to] == "G":
                yield p, 0, float(len(has))
            else:
                yield p, number[(*to, tuple(sorted({*has, to} & {*has, *flags})))], 0.0

    return World.of(len(labels), 4, outcomes, 0, labels)


def _all_reached(squares, targets):
    """Return whether steps between squares join those that are wanted."""
    number = {square: at for at, square in enumerate(squares)}
    pairs = [
        (at, number[row + down, column + right])
        for (row, column), at in number.items()
        for down, right in MOVES[:2]
        if (row + down, column + right) in number
    ]
    rows, columns = np.array(pairs).reshape(-1, 2).T
    links = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(squares),) * 2)
    parts = connected_components(links, directed=False)[1]
    return len({parts[number[square]] for square in targets}) == 1
