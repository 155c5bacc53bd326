"""The three problems of Section 6: a process and the graph that its states form."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess

CARDS = np.array([0.0] + 9 * [1 / 13] + [4 / 13])  # probability of ace, 2, ..., 9, ten or face
GOAL = (8, 8)
DOOR = (5, 5)
SLIP = 0.1  # of a move in the two rooms, which then leaves the agent where it is


class Problem(NamedTuple):
    """A process under the policy that is evaluated, and links of states under any policy.

    Attributes
    ----------
    process : MarkovRewardProcess
    links : ndarray of shape (n_states, n_states)
        Symmetric, 1 between states of which one can follow the other, 0 elsewhere.
    """

    process: MarkovRewardProcess
    links: np.ndarray


def links_of(transitions: np.ndarray, resets: np.ndarray | None = None) -> np.ndarray:
    """Return the links of (n_states, n_actions, n_states) transitions, less those of `resets`."""
    steps = transitions if resets is None else transitions - resets
    linked = (steps > 1e-12).any(axis=1)
    linked |= linked.T
    np.fill_diagonal(linked, False)
    return linked.astype(float)


def chain(
    policy: str = "optimal", discount: float = 0.9, n: int = 50, ties: str = "left"
) -> Problem:
    """Return the 50-state chain of Lagoudakis and Parr (2003).

    Moves left and right succeed with probability 0.9 and else go the other way; states 10 and 41
    pay 1. There both moves are as good to nine digits: the policy goes left in both, "outward",
    "inward", or either way alike (`ties` "mixed").
    """
    transitions = np.zeros((n, 2, n))
    for s in range(n):
        left = max(s - 1, 0)
        right = min(s + 1, n - 1)
        for action, intended, other in ((0, left, right), (1, right, left)):
            transitions[s, action, intended] += 0.9
            transitions[s, action, other] += 0.1
    rewards = np.zeros((n, 2))
    rewards[[9, 40]] = 1
    number = np.arange(1, n + 1)
    right = (number < 10) | ((number > 25) & (number < 41))
    chosen = np.column_stack([~right, right]).astype(float)
    chosen[[9, 40], 1] = {"left": (0, 0), "outward": (0, 1), "inward": (1, 0), "mixed": 0.5}[ties]
    chosen[:, 0] = 1 - chosen[:, 1]
    if policy == "uniform":
        chosen[:] = 0.5
    process = MarkovRewardProcess.from_policy(transitions, rewards, chosen, discount)
    return Problem(process, links_of(transitions))


def two_room(
    goal: str = "resets", ties: str = "first", *, reset_links: bool = True, discount: float = 0.9
) -> Problem:
    """Return the two rooms of Mahadevan and Maggioni (2007) under an optimal policy.

    10 x 10 cells, 43 of them walls, one door, four moves that fail one time in ten; 100 is paid in
    the goal, a corner, from where the agent is put anywhere, or where it stays (`goal` "absorbs").
    Of several optimal moves the policy takes the first, or all alike (`ties` "all").
    """
    wall = np.ones((10, 10), dtype=bool)
    wall[1:-1, 1:-1] = False
    wall[:, DOOR[1]] = True
    wall[DOOR] = False
    cells = [tuple(cell) for cell in np.argwhere(~wall).tolist()]
    number = {cell: i for i, cell in enumerate(cells)}
    n = len(cells)
    end = number[GOAL]
    transitions = np.zeros((n, 4, n))
    resets = np.zeros((n, 4, n))
    for (row, column), i in number.items():
        for action, (down, right) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
            there = number.get((row + down, column + right), i)
            transitions[i, action, there] += 1 - SLIP
            transitions[i, action, i] += SLIP
    transitions[end] = 0
    resets[end] = np.full(n, 1 / n) if goal == "resets" else np.eye(n)[end]
    transitions += resets
    rewards = np.zeros((n, 4))
    rewards[end] = 100
    values = np.zeros(n)
    for _ in range(1000):  # 0.9^1000 is nothing
        action_values = rewards + discount * transitions @ values
        values = action_values.max(axis=1)
    best = action_values >= values[:, None] - 1e-9
    policy = best / best.sum(axis=1, keepdims=True) if ties == "all" else best.argmax(1)
    process = MarkovRewardProcess.from_policy(transitions, rewards, policy, discount)
    return Problem(process, links_of(transitions, None if reset_links else resets))


@cache
def dealer(total: int, ace: bool) -> tuple[float, ...]:
    """Return the probability of each final total of the dealer, 17 to 22; 22 stands for more.

    `ace` tells whether an ace counts 11 in `total`; the dealer draws up to 16.
    """
    if total > 21 and ace:
        return dealer(total - 10, False)
    if total >= 17:
        return tuple(float(final == min(total, 22)) for final in range(17, 23))
    finals = np.zeros(6)
    for card in range(1, 11):
        as_eleven = card == 1 and total + 11 <= 21
        after = dealer(total + (11 if as_eleven else card), ace or as_eleven)
        finals += CARDS[card] * np.array(after)
    return tuple(finals.tolist())


def draw(total: int, ace: bool) -> dict[tuple[int, bool] | str, float]:
    """Return the probability of each hand after a card, or of ``"lose"``."""
    after: dict[tuple[int, bool] | str, float] = {}
    for card in range(1, 11):
        as_eleven = card == 1 and total + 11 <= 21
        new = total + (11 if as_eleven else card)
        soft = ace or as_eleven
        if new > 21 and soft:
            new = new - 10
            soft = False
        hand = (new, soft) if new <= 21 else "lose"
        after[hand] = after.get(hand, 0.0) + CARDS[card]
    return after


def dealt() -> dict[tuple[int, bool], float]:
    """Return the probability of each first hand of 12 or more: cards are drawn until then."""
    chances: dict[tuple[int, bool], float] = {}

    def go_on(total: int, ace: bool, share: float) -> None:
        for (new, soft), p in draw(total, ace).items():
            if new < 12:
                go_on(new, soft, share * p)
            else:
                chances[new, soft] = chances.get((new, soft), 0.0) + share * p

    go_on(0, False, 1.0)
    return chances


def blackjack(
    outcomes: str = "states",
    deal: str = "dealt",
    *,
    ergodic: bool = True,
    reset_links: bool = True,
    discount: float = 0.999,
) -> Problem:
    """Return blackjack with an infinite deck, for the policy that sticks on 20 and 21.

    States are hands of 12 to 21, with a usable ace or without, against ten cards of the dealer;
    and, if outcomes are "states" and not "folded", three more that are paid for. After an outcome a
    new hand is dealt if the game is `ergodic` (or drawn, if the deal is "uniform"); else it ends.
    """
    hands = [
        (t, ace, card) for card in range(1, 11) for ace in (False, True) for t in range(12, 22)
    ]
    number = {hand: i for i, hand in enumerate(hands)}
    n = len(hands)
    outcome = np.zeros((n, 2, 3))  # probability of each outcome after drawing, sticking
    transitions = np.zeros((n, 2, n))
    for (total, ace, card), i in number.items():
        for hand, p in draw(total, ace).items():
            if hand == "lose":
                outcome[i, 0, 0] += p
            else:
                transitions[i, 0, number[*hand, card]] += p
        finals = np.array(dealer(11, True) if card == 1 else dealer(card, False))
        better = np.array([final > total and final < 22 for final in range(17, 23)])
        equal = np.arange(17, 23) == total
        outcome[i, 1] = finals @ np.column_stack([better, equal & ~better, ~(better | equal)])
    first = np.zeros(n)
    if deal == "uniform":
        first[:] = 1 / n
    else:
        for (total, ace), p in dealt().items():
            for card in range(1, 11):
                first[number[total, ace, card]] += p * CARDS[card]
    payments = np.array([-1.0, 0.0, 1.0])
    policy = np.array([int(total >= 20) for total, _, _ in hands])
    again = first if ergodic else np.zeros(n)
    if outcomes == "folded":
        resets = outcome.sum(axis=2)[:, :, None] * again
        transitions = transitions + resets
        rewards = outcome @ payments
    else:
        whole, resets = np.zeros((2, n + 3, 2, n + 3))
        whole[:n, :, :n] = transitions
        whole[:n, :, n:] = outcome
        resets[n:, :, :n] = again
        transitions = whole + resets
        policy = np.append(policy, [0, 0, 0])
        rewards = np.zeros((n + 3, 2))
        rewards[n:] = payments[:, None]
    process = MarkovRewardProcess.from_policy(transitions, rewards, policy, discount)
    return Problem(process, links_of(transitions, None if reset_links else resets))
