"""REASA beside what it can be replaced by: count transitions, put in the known rate, and solve.

The peer samples the rare event half the time, too, knows its true rate as REASA does, and solves
Equation 1 with the frequencies and rewards that it saw; it has no learning rate. Medians over 20
chains of errors of state 0 over its value; least processor time of five turns on one thread, a
chain's steps and estimate. REASA's schedules are tuned beforehand.
"""

from __future__ import annotations

import numpy as np

from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.frank2008rare.experiments import (
    GAMMA,
    NATURAL,
    RARE,
    Learner,
    N,
    half,
    random_chain,
    tuned,
)

PACKAGES = ("numpy", "numba")


def counted(chain, steps, rng):
    """Return values by frequencies and rewards seen on a walk that meets the rare event often."""
    cumulative = np.cumsum(chain.usual, axis=1)
    uniforms = rng.random(steps)
    counts = np.zeros((N + 1, N))
    rewards = np.zeros((N + 1, N + 1))
    state = 0
    for u in uniforms.tolist():
        if state < RARE and u < 0.5:
            after = RARE
        else:
            u = 2 * u - 1 if state < RARE else u
            after = min(int(np.searchsorted(cumulative[state], u, side="right")), N - 1)
            counts[state, after] += 1
        rewards[state, after] = chain.rewards[state, after]
        state = after
    usual = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    P = np.column_stack([(1 - NATURAL)[:, None] * usual, NATURAL])
    return np.linalg.solve(np.eye(N + 1) - GAMMA * P, np.sum(P * rewards, axis=1))


def rows():
    """Yield the rows of the table."""
    reasa = Learner(half, 0.05)
    for steps in (100, 300, 1000, 3000, 10_000):
        rate = tuned(reasa, steps, 0)
        chain = random_chain(np.random.default_rng(0))
        ways = {
            "REASA": lambda c, rng, steps=steps, rate=rate: reasa.run(c, rate, steps, rng)[0],
            "counts": lambda c, rng, steps=steps: counted(c, steps, rng),
        }
        rngs = [np.random.default_rng(100 + i) for i in range(20)]
        tasks = {
            name: lambda way=way, c=chain: way(c, np.random.default_rng(0))
            for name, way in ways.items()
        }
        seconds = {name: timed[0] for name, timed in least_seconds(tasks).items()}
        chains = [random_chain(rng) for rng in rngs]
        for name, way in ways.items():
            errors = [
                way(c, np.random.default_rng(i))[0] / c.values[0] - 1 for i, c in enumerate(chains)
            ]
            yield {
                "steps": steps,
                "method": name,
                "median_error": f"{np.median(np.abs(errors)):.2g}",
                "milliseconds": f"{1e3 * seconds[name]:.2g}",
            }
