"""The loops of the ranked bandits, compiled; ranks as rows, documents as columns."""

from __future__ import annotations

import numpy as np
from numba import njit

EXP3 = 0
UCB1 = 1
_LARGE = 1e100


@njit(cache=True)
def choose(kind, parameter, state, order, time, rng, arms, chances):
    """Let the bandit of each rank choose an arm.

    Parameters
    ----------
    kind : {EXP3, UCB1}
    parameter : float
        EXP3's gamma, UCB1's constant.
    state : tuple of ndarray
        Two of shape (n_ranks, n_arms) and one of shape (n_ranks,). EXP3: weights, nothing, their
        sums. UCB1: mean rewards, 1 / sqrt(plays), nothing.
    order : ndarray of shape (n_ranks, n_arms)
        The document of each arm: ties go to the first arm, and each rank has an order of its own.
    time : int
        Presentations so far.
    arms, chances : ndarrays of shape (n_ranks,)
        Are filled with the arms and, by EXP3, with the chances that they had.
    """
    n_ranks, n_arms = order.shape
    values, roots, sums = state
    # An index needs a play: each arm has one before any index is asked.
    if kind == UCB1 and time < n_arms:
        arms[:] = time
        return
    scale = np.sqrt(parameter * np.log(max(time, 1)))
    for i in range(n_ranks):
        arm = 0
        if kind == EXP3:
            u = rng.random()
            # One uniform number decides whether to explore and, stretched again, what.
            if u < parameter:
                arm = min(int(u / parameter * n_arms), n_arms - 1)
            else:
                left = (u - parameter) / (1 - parameter) * sums[i]
                while arm < n_arms - 1 and left >= values[i, arm]:
                    left -= values[i, arm]
                    arm += 1
            chances[i] = (1 - parameter) * values[i, arm] / sums[i] + parameter / n_arms
        else:
            highest = -1.0
            for a in range(n_arms):
                index = values[i, a] + scale * roots[i, a]
                if index > highest:
                    highest = index
                    arm = a
        arms[i] = arm


@njit(cache=True)
def fill(order, arms, replace_at_random, rng, shown):
    """Fill `shown` with the documents of the arms, repeats replaced by ones not shown above."""
    n_ranks, n_documents = order.shape
    for i in range(n_ranks):
        document = order[i, arms[i]]
        if not _among(document, shown, i):
            shown[i] = document
            continue
        document = 0
        if replace_at_random:
            document = int(rng.random() * n_documents)
            while _among(document, shown, i):
                document = int(rng.random() * n_documents)
        else:
            while _among(document, shown, i):
                document += 1
        shown[i] = document


@njit(cache=True)
def _among(document, shown, n):
    for i in range(n):  # noqa: SIM110
        if shown[i] == document:
            return True
    return False


@njit(cache=True)
def learn(kind, parameter, state, order, time, arms, chances, shown, clicked):
    """Tell each rank's bandit its reward: 1 if its own document was clicked there, else 0."""
    n_ranks, n_arms = order.shape
    values, roots, sums = state
    for i in range(n_ranks):
        arm = arms[i]
        won = i == clicked and order[i, arm] == shown[i]
        if kind == UCB1:
            # The first plays are all of different arms, so that plays count from 1.
            before = 0.0 if time < n_arms else round(1 / roots[i, arm] ** 2)
            # From whole numbers of wins and plays: equal arms have equal indices, to the last bit.
            wins = round(values[i, arm] * before) + won
            roots[i, arm] = 1 / np.sqrt(before + 1)
            values[i, arm] = wins / (before + 1)
        elif won:
            values[i, arm] *= np.exp(parameter / (n_arms * chances[i]))
            sums[i] = values[i].sum()
            # Weights only grow, and only their shares count: they are scaled before they
            # overflow.
            if sums[i] > _LARGE:
                values[i] /= sums[i]
                sums[i] = values[i].sum()


@njit(cache=True)
def click(clicks, user, shown, rng):
    """Return the rank that a user clicks, looking from the top, or -1.

    A document that was passed over is passed over again.
    """
    for i in range(len(shown)):
        if not _among(shown[i], shown, i) and rng.random() < clicks[user, shown[i]]:
            return i
    return -1


@njit(cache=True)
def _relevant_shown(relevant, user, shown):
    for document in shown:  # noqa: SIM110
        if relevant[user, document]:
            return True
    return False


@njit(cache=True)
def run_bandits(
    kind,
    parameter,
    state,
    order,
    time,
    at_random,
    clicks,
    relevant,
    size,
    counts,
    n_relevant,
    rng,
    users,
):
    """Present rankings to users drawn at random; count clicks by window and rank."""
    n_ranks = len(order)
    arms = np.zeros(n_ranks, dtype=np.int64)
    chances = np.ones(n_ranks)
    shown = np.zeros(n_ranks, dtype=np.int64)
    for window in range(len(n_relevant)):
        for _ in range(size):
            choose(kind, parameter, state, order, time, rng, arms, chances)
            fill(order, arms, at_random, rng, shown)
            user = int(users.random() * len(clicks))
            clicked = click(clicks, user, shown, users)
            learn(kind, parameter, state, order, time, arms, chances, shown, clicked)
            if clicked >= 0:
                counts[window, clicked] += 1
            n_relevant[window] += _relevant_shown(relevant, user, shown)
            time += 1


@njit(cache=True)
def run_explore(ranking, counts, step, n_tries, clicks, relevant, size, by_rank, n_relevant, users):
    """Present rankings to users drawn at random, exploring and committing rank by rank."""
    n_ranks = len(ranking)
    n_documents = len(counts)
    shown = ranking.copy()
    for window in range(len(n_relevant)):
        for _ in range(size):
            rank = explored_rank(step, n_tries, n_documents)
            shown[:] = ranking
            if rank < n_ranks:
                shown[rank] = step % n_documents
            user = int(users.random() * len(clicks))
            clicked = click(clicks, user, shown, users)
            commit(ranking, counts, step, n_tries, clicked)
            if clicked >= 0:
                by_rank[window, clicked] += 1
            n_relevant[window] += _relevant_shown(relevant, user, shown)
            step += 1


@njit(cache=True)
def explored_rank(step, n_tries, n_documents):
    """Return the rank that is explored, n_ranks or more after the last one."""
    return step // (n_tries * n_documents)


@njit(cache=True)
def commit(ranking, counts, step, n_tries, clicked):
    """Count the click of an exploring step; after the last one of a rank, fill the rank."""
    n_documents = len(counts)
    rank = explored_rank(step, n_tries, n_documents)
    if rank >= len(ranking):
        return
    if clicked == rank:
        counts[step % n_documents] += 1
    if (step + 1) % (n_tries * n_documents) == 0:
        ranking[rank] = np.argmax(counts)
        counts[:] = 0
