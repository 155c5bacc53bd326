"""A million presentations of ranked bandits, against NumPy with one step after the other.

50 documents, 5 ranks, 20 users, clicks with chances 0.8 and 0.2. No maintained package has ranked
bandits; beside them is a loop of our own, for each presentation and each rank a vectorised choice
and an update (benchmarks/peers.py has a package's bandits). Both are timed in processor time, in
one process on one thread, the best of three; the loop runs a fiftieth of the presentations.
"""

from __future__ import annotations

import math
import time

import numpy as np

from icml2008.methods.bandits.ranked import RankedBandits

N_DOCUMENTS = 50
N_RANKS = 5
N_USERS = 20
PRESENTATIONS = 1_000_000
GAMMA = 0.05
CONSTANT = 2.0
PACKAGES = ("numpy", "numba")


def audience():
    rng = np.random.default_rng(0)
    return np.where(rng.random((N_USERS, N_DOCUMENTS)) < 0.1, 0.8, 0.2)


def plainly(bandit, clicks, n_presentations, seed=0):
    """Return the clicks of ranked bandits, one presentation after the other."""
    rng = np.random.default_rng(seed)
    total = 0
    weights = np.ones((N_RANKS, N_DOCUMENTS))
    wins = np.zeros((N_RANKS, N_DOCUMENTS))
    plays = np.zeros((N_RANKS, N_DOCUMENTS))
    for t in range(n_presentations):
        shown = []
        chosen = []
        chances = []
        for i in range(N_RANKS):
            if bandit == "exp3":
                chance = (1 - GAMMA) * weights[i] / weights[i].sum() + GAMMA / N_DOCUMENTS
                arm = int(np.searchsorted(np.cumsum(chance), rng.random()))
                chances.append(chance[arm := min(arm, N_DOCUMENTS - 1)])
            elif t < N_DOCUMENTS:
                arm = (t + i) % N_DOCUMENTS
            else:
                arm = int(
                    np.argmax(wins[i] / plays[i] + np.sqrt(CONSTANT * math.log(t) / plays[i]))
                )
            chosen.append(arm)
            while arm in shown:
                arm = int(rng.integers(N_DOCUMENTS))
            shown.append(arm)
        looked = rng.random(N_RANKS) < clicks[rng.integers(N_USERS), shown]
        clicked = int(np.argmax(looked)) if looked.any() else -1
        total += clicked >= 0
        for i, arm in enumerate(chosen):
            plays[i, arm] += 1
            if i == clicked and shown[i] == arm:
                wins[i, arm] += 1
                if bandit == "exp3":
                    weights[i, arm] *= math.exp(GAMMA / N_DOCUMENTS / chances[i])
    return total / n_presentations


def ours(bandit, clicks, n_presentations, seed=0):
    options = {"gamma": GAMMA} if bandit == "exp3" else {"constant": CONSTANT}
    ranker = RankedBandits(N_DOCUMENTS, N_RANKS, bandit=bandit, random_state=seed, **options)
    return ranker.simulate(clicks, n_presentations, random_state=seed).click_rate[0]


def seconds(run, bandit, n_presentations):
    """Return the processor time of the best of three runs for a million presentations, and rate."""
    clicks = audience()
    times = []
    run(bandit, clicks, 1000)  # compiles, and warms the caches
    for _ in range(3):
        start = time.process_time()
        rate = run(bandit, clicks, n_presentations)
        times.append(time.process_time() - start)
    return min(times) * PRESENTATIONS / n_presentations, rate


def rows():
    """Yield the rows of the table."""
    for bandit in ("exp3", "ucb1"):
        fast, rate = seconds(ours, bandit, PRESENTATIONS)
        slow, peer_rate = seconds(plainly, bandit, PRESENTATIONS // 50)
        _, short_rate = seconds(ours, bandit, PRESENTATIONS // 50)
        yield {
            "bandit": bandit,
            "ours_seconds_per_million": f"{fast:.2f}",
            "numpy_seconds_per_million": f"{slow:.0f}",
            "times_faster": f"{slow / fast:.0f}",
            "click_rate_million": f"{rate:.3f}",
            "click_rate_20000": f"{short_rate:.3f}",
            "numpy_click_rate_20000": f"{peer_rate:.3f}",
        }
