"""Worlds along a line or around a ring."""

from __future__ import annotations

from icml2008.methods.worlds._checks import check_share
from icml2008.methods.worlds.world import World


def chain(n_states=5, slip=0.2):
    """Return the chain: one step ahead (action 0), or back to the beginning (1).

    Going back pays 2, staying at the end 10; with probability `slip` the other action is done.

    Returns
    -------
    World
        It never ends.

    References
    ----------
    M. Strens. A Bayesian framework for reinforcement learning. ICML 2000. Szita and Lorincz (2008),
    Section 5.3, print 3,677 as the optimum of 1,000 steps, which a slip of 0.2 gives.

    Examples
    --------
    >>> chain().rewards.T
    array([[0.4, 0.4, 0.4, 0.4, 8.4],
           [1.6, 1.6, 1.6, 1.6, 3.6]])
    """
    _more_than(n_states, 1, "n_states of a chain")
    check_share(slip, "slip")

    def outcomes(state, action):
        ahead = min(state + 1, n_states - 1), 10.0 if state == n_states - 1 else 0.0
        back = 0, 2.0
        meant, other = (ahead, back) if action == 0 else (back, ahead)
        return [(1 - slip, *meant), (slip, *other)]

    return World.of(n_states, 2, outcomes)


def loop():
    """Return the two loops: five steps around either, from and to state 0.

    Action 0 enters the first, whose way neither action can leave; it pays 1 at its end. Action 1
    enters the second, in which action 0 leads back to state 0 at once; it pays 2 at its end.

    Returns
    -------
    World
        9 states, 2 actions; it never ends. States 1 to 4 are the first loop's, 5 to 8 the second's.

    References
    ----------
    C. J. C. H. Watkins. Learning from delayed rewards. PhD thesis, Cambridge, 1989; Strens (2000).
    Szita and Lorincz (2008), Section 5.3, print 400 as the optimum of 1,000 steps.
    """

    def outcomes(state, action):
        if state == 0:
            return [(1.0, 5 if action else 1, 0.0)]
        if state < 5:
            return [(1.0, (state + 1) % 5, 1.0 if state == 4 else 0.0)]
        if not action:
            return [(1.0, 0, 0.0)]
        return [(1.0, 0 if state == 8 else state + 1, 2.0 if state == 8 else 0.0)]

    return World.of(9, 2, outcomes)


def ring(n_states=8):
    """Return the ring: one step to the left (action 0) or to the right (1), for nothing.

    Its labels are what is observed: 1 in state 0, 0 elsewhere.

    Returns
    -------
    World
        It never ends.

    References
    ----------
    B. Tanner and R. S. Sutton. TD(lambda) networks: temporal-difference networks with eligibility
    traces. ICML 2005; Makino and Takagi (2008), Section 4.
    """
    _more_than(n_states, 2, "n_states of a ring")

    def outcomes(state, action):
        return [(1.0, (state + (1 if action else -1)) % n_states, 0.0)]

    return World.of(n_states, 2, outcomes, labels=[1] + [0] * (n_states - 1))


def boyan_chain(n_states=13):
    """Return Boyan's chain: one or two steps on, each with probability 1/2, for a reward of -3.

    From the last state but one it goes to the last for -2, from which it ends for 0. There is one
    action; state 0 is the start.

    Returns
    -------
    World

    References
    ----------
    J. A. Boyan. Least-squares temporal difference learning. ICML 1999; Yao and Liu (2008),
    Section 5, whose N is `n_states` - 1.

    Examples
    --------
    Each place costs 2 on average:

    >>> from icml2008.methods import MultiObjectiveMDP, value_iteration
    >>> mdp = MultiObjectiveMDP(*boyan_chain(5).model(), discount=1.0)
    >>> value_iteration(mdp, [1.0]).values
    array([-8., -6., -4., -2.,  0.])
    """
    _more_than(n_states, 2, "n_states of Boyan's chain")

    def outcomes(state, action):
        if state == n_states - 1:
            return [(1.0, None, 0.0)]
        if state == n_states - 2:
            return [(1.0, state + 1, -2.0)]
        return [(0.5, state + 1, -3.0), (0.5, state + 2, -3.0)]

    return World.of(n_states, 1, outcomes)


def _more_than(count, least, name):
    if not (isinstance(count, int) and count > least):
        msg = f"{name} is {count!r}; it needs to be a whole number above {least}"
        raise ValueError(msg)
