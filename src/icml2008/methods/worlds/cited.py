"""Worlds whose tables stand in a paper that the proceedings cite.

A. L. Strehl and M. L. Littman. An analysis of model-based interval estimation for Markov decision
processes. Journal of Computer and System Sciences 74(8), 1309-1331, 2008, Figures 1 and 2.
"""

from __future__ import annotations

from icml2008.methods.worlds.world import World

UPSTREAM = {-1: 0.1, 0: 0.6, 1: 0.3}
"""How far a swimmer against the current comes, in the middle of the river."""

WINS = (1.0, 0.15, 0.1, 0.05, 0.03, 0.01)
"""The probability that each of the six arms wins."""

PAYOFFS = (50.0, 133.0, 300.0, 800.0, 1660.0, 6000.0)
"""What the state behind each arm pays a step."""


def river_swim():
    """Return RiverSwim: six places in a river, with the current (action 0) or against it (1).

    With the current it always goes one place down, and pays 5 at the lowest one. Against it the
    swimmer comes one place up with probability 0.3 and slips down with 0.1; at the highest place
    she is carried down with 0.7, and holding it pays 10,000. She starts at the second or the third.

    Returns
    -------
    World
        6 states, 2 actions; it never ends.

    References
    ----------
    Strehl and Littman (2008), Figure 1. Szita and Lorincz (2008), Section 5.1, have the shares of
    the middle and the payoffs; that the 10,000 are paid for holding the place, and not for coming
    there, is what their totals of 5,000 steps agree with.
    """

    def outcomes(place, against):
        if not against:
            return [(1.0, max(place - 1, 0), 5.0 if place == 0 else 0.0)]
        if place == 0:
            return [(0.7, 0, 0.0), (0.3, 1, 0.0)]
        if place == 5:
            return [(0.7, 4, 0.0), (0.3, 5, 10_000.0)]
        return [(p, place + far, 0.0) for far, p in UPSTREAM.items()]

    return World.of(6, 2, outcomes, start=[0, 0.5, 0.5, 0, 0, 0])


def six_arms():
    """Return SixArms: six one-armed bandits, and behind each a state that pays.

    State 0 is the hall. Arm k wins with ``WINS[k]`` and leads to state k + 1, in which action k
    pays ``PAYOFFS[k]`` and stays; every other action leads back to the hall. In state 1 it is the
    other way round: action 4 leads back, all others pay and stay.

    Returns
    -------
    World
        7 states, 6 actions; it never ends.

    References
    ----------
    Strehl and Littman (2008), Figure 2; Szita and Lorincz (2008), Section 5.1.
    """

    def outcomes(state, action):
        if state == 0:
            return [(WINS[action], action + 1, 0.0), (1 - WINS[action], 0, 0.0)]
        arm = state - 1
        stays = action != 4 if arm == 0 else action == arm
        return [(1.0, state, PAYOFFS[arm])] if stays else [(1.0, 0, 0.0)]

    return World.of(7, 6, outcomes)
