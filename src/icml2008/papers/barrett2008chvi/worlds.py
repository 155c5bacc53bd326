"""The two worlds of the paper, and what a policy does in the second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import evaluate_policy

DISCOUNT = 0.9
ATTACK = 0.1
# Section 2: hay and carrot at the four stashes.
STASHES = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6], [0.7, 0.4]])

ENDINGS = ("never", "return", "return-and-attack")
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
COLUMNS = 5
AWAY, CARRIED, BROUGHT = range(3)  # where a resource is: at its place, on the agent, at home

# Figure 4
R1 = (0, 2)
E2 = (0, 3)
E1 = (1, 2)
R2 = (1, 4)
NAMES = ("R1", "R2")
ENEMIES = (E1, E2)

Cell = tuple[int, int]
# Resources brought home, entries into E1, entries into E2.
Route = tuple[frozenset[str], int, int]

TABLE_1 = {
    1: "R2, dodging both",
    2: "both, through both",
    3: "R1, through E1 twice",
    4: "both, through E2 only",
    5: "R1, dodging both",
    6: "R1, through E1 once",
}


def maze() -> MultiObjectiveMDP:
    """Return the guinea pig's maze: one choice among four stashes, then home."""
    return MultiObjectiveMDP(np.zeros((1, 4, 1)), STASHES[None], DISCOUNT)


@dataclass(frozen=True)
class ResourceWorld:
    """The resource-gathering world of Section 6.

    A state is a cell and, for each resource, where it is. Criteria: attack (negative), R1, R2.

    Parameters
    ----------
    rows : int
        Rows of the grid; Figure 4's places are counted from its top, home is in the last row.
    ending : one of `ENDINGS`
        What ends an episode.
    reappear : bool
        Whether a resource is there again once it was brought home.
    """

    rows: int = 5
    ending: str = "never"
    reappear: bool = True

    @classmethod
    def of(cls, choices: Mapping[str, str]) -> ResourceWorld:
        return cls(int(choices["rows"]), choices["ending"], choices["reappear"] == "yes")

    @property
    def home(self) -> Cell:
        return self.rows - 1, 2

    @property
    def states(self) -> list[tuple[Cell, tuple[int, int]]]:
        cells = product(range(self.rows), range(COLUMNS))
        places = range(2 if self.reappear else 3)
        return list(product(cells, product(places, repeat=2)))

    @property
    def start(self) -> int:
        return self.states.index((self.home, (AWAY, AWAY)))

    def step(self, cell: Cell, loads: tuple[int, int], action: int):
        """Return the next cell and loads without an attack, and the resources brought home."""
        row = cell[0] + MOVES[action][0]
        column = cell[1] + MOVES[action][1]
        if 0 <= row < self.rows and 0 <= column < COLUMNS:
            cell = row, column
        loads = tuple(
            CARRIED if cell == place and load == AWAY else load
            for place, load in zip((R1, R2), loads, strict=True)
        )
        brought = np.array([load == CARRIED and cell == self.home for load in loads])
        if brought.any():
            after = AWAY if self.reappear else BROUGHT
            loads = tuple(after if new else load for new, load in zip(brought, loads, strict=True))
        return cell, loads, brought

    def mdp(self) -> MultiObjectiveMDP:
        """Return the decision process."""
        states = self.states
        number = {state: i for i, state in enumerate(states)}
        transitions = np.zeros((len(states), len(MOVES), len(states)))
        rewards = np.zeros((len(states), len(MOVES), 3))
        for i, (cell, loads) in enumerate(states):
            for action in range(len(MOVES)):
                following, carried, brought = self.step(cell, loads, action)
                attack = ATTACK if following in (E1, E2) else 0.0
                rewards[i, action] = [-attack, *brought]
                if self.ending != "return-and-attack":
                    lost = tuple(AWAY if load == CARRIED else load for load in carried)
                    transitions[i, action, number[self.home, lost]] += attack
                if self.ending == "never" or not brought.any():
                    transitions[i, action, number[following, carried]] += 1 - attack
        return MultiObjectiveMDP(transitions, rewards, DISCOUNT)

    def routes(self, actions: np.ndarray) -> set[Route]:
        """Return what one can do from the start, if never attacked, by some actions.

        A route ends where something is brought home (if resources do not reappear and nothing ends
        an episode: where all is brought that will be).

        Parameters
        ----------
        actions : ndarray of shape (n_states, 4), bool
            Those that may be taken, such as all that are optimal.
        """
        states = self.states
        number = {state: i for i, state in enumerate(states)}
        one_trip = self.reappear or self.ending != "never"
        returns = set()
        seen = set()
        open_ends = [(self.start, frozenset(), 0, 0)]
        while open_ends:
            at = open_ends.pop()
            if at in seen or max(at[2:]) > len(TABLE_1):
                continue
            seen.add(at)
            state, brought, *entries = at
            for action in np.flatnonzero(actions[state]):
                cell, loads, new = self.step(*states[state], action)
                if cell != states[state][0]:
                    here = [n + (cell == at) for n, at in zip(entries, ENEMIES, strict=True)]
                else:
                    here = entries
                home = brought | {name for name, is_new in zip(NAMES, new, strict=True) if is_new}
                if home and (one_trip or len(home) == len(NAMES)):
                    returns.add((home, *here))
                else:
                    open_ends.append((number[cell, loads], home, *here))
        return returns


def optimal_actions(mdp: MultiObjectiveMDP, policy: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return which actions are as good as those of an optimal policy, (n_states, n_actions)."""
    values = evaluate_policy(mdp, policy) @ weights
    following = (mdp.transitions @ values).reshape(mdp.rewards.shape[:2])
    return mdp.rewards @ weights + mdp.discount * following >= values[:, None] - 1e-9


def number_in_table_1(route: Route) -> int:
    """Return the number of a route in Table 1, 0 if it is not there.

    The table does not say how often a tour for both resources enters an enemy's cell.

    Examples
    --------
    >>> number_in_table_1((frozenset({"R1"}), 1, 0))
    6
    """
    resources, first, second = route
    if resources == {"R1", "R2"} and second:
        return 2 if first else 4
    if resources == {"R2"} and not first and not second:
        return 1
    if resources == {"R1"} and not second:
        return {2: 3, 0: 5, 1: 6}.get(first, 0)
    return 0


def matched_with_table_1(numbers: list[set[int]]) -> list[int]:
    """Match policies with lines of Table 1, as many as can be; 0 where none is left.

    Parameters
    ----------
    numbers : list of set of int
        For each policy, the lines that describe it or another of the same value.

    Examples
    --------
    >>> matched_with_table_1([{1}, {2, 4}, {2}])
    [1, 4, 2]
    """
    fits = [[line in lines for line in TABLE_1] for lines in numbers]
    lines = maximum_bipartite_matching(csr_array(fits, dtype=int), perm_type="column")
    return [int(line) + 1 for line in lines]
