"""Walks through worlds: `World.walk` beside the loop that one writes with Gymnasium.

Both walk through the same table by the same stochastic policy; that they do so is told by the
reward of a step, which agrees within four standard errors of its batches. They take turns, and the
least of five runs counts; what compiles has run before.

All seconds are processor time on one thread. Run with ``python benchmarks/worlds.py``; writes
worlds.csv to results/ beside it.
"""

from __future__ import annotations

import time
from pathlib import Path

import gymnasium
import numpy as np

from icml2008.harness.benchmarks import write
from icml2008.methods.worlds import World

RESULTS = Path(__file__).parent / "results"
ENVIRONMENTS = ("Taxi-v4", "CliffWalking-v1", "FrozenLake-v1")
STEPS = {"icml2008": 1_000_000, "gymnasium": 50_000}
REPEATS = 5
BATCHES = 50
PACKAGES = ("icml2008", "numpy", "numba", "gymnasium")


def policy_of(world, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(world.n_actions), size=world.n_states)


def with_gymnasium(env, policy, n_steps, seed):
    """Return the rewards of a walk by the environment's own `step`."""
    uniforms = np.random.default_rng(seed).random(n_steps)
    totals = policy.cumsum(axis=1)
    last = policy.shape[1] - 1
    rewards = np.empty(n_steps)
    state, _ = env.reset(seed=seed)
    for step, u in enumerate(uniforms):
        action = min(int(np.searchsorted(totals[state], u, side="right")), last)
        state, rewards[step], ended, _, _ = env.step(action)
        if ended:
            state, _ = env.reset()
    return rewards


def timed(run, *args):
    start = time.process_time()
    answer = run(*args)
    return answer, time.process_time() - start


def measure():
    for name in ENVIRONMENTS:
        # Without a limit of time and the wrappers that check what is given: the bare dynamics.
        env = gymnasium.make(name).unwrapped
        world, making = timed(World.from_gymnasium, env)
        policy = policy_of(world)
        walks = {
            "icml2008": lambda n, seed, world=world, policy=policy: (
                world.walk(policy, n, np.random.default_rng(seed)).rewards
            ),
            "gymnasium": lambda n, seed, env=env, policy=policy: with_gymnasium(
                env, policy, n, seed
            ),
        }
        walks["icml2008"](10, 0)
        runs = {method: [] for method in walks}
        for seed in range(REPEATS):
            for method, walk in walks.items():
                runs[method].append(timed(walk, STEPS[method], seed))
        per_step = {
            method: min(seconds for _, seconds in batches) / STEPS[method]
            for method, batches in runs.items()
        }
        means = {}
        errors = {}
        for method, pairs in runs.items():
            batches = np.concatenate([rewards for rewards, _ in pairs]).reshape(BATCHES, -1)
            means[method] = batches.mean()
            errors[method] = batches.mean(axis=1).std(ddof=1) / np.sqrt(BATCHES)
        apart = abs(means["icml2008"] - means["gymnasium"])
        for method in walks:
            yield {
                "world": name,
                "states": world.n_states,
                "method": method,
                "steps": STEPS[method],
                "microseconds_a_step": f"{1e6 * per_step[method]:.3g}",
                "times_icml2008": f"{per_step[method] / per_step['icml2008']:.3g}",
                "reward_a_step": f"{means[method]:.5g}",
                "standard_error": f"{errors[method]:.2g}",
                "agrees": "yes" if apart <= 4 * np.hypot(*errors.values()) else "no",
                "seconds_to_read": f"{making:.2g}" if method == "icml2008" else "",
            }


if __name__ == "__main__":
    RESULTS.mkdir(exist_ok=True)
    write(measure(), RESULTS / "worlds.csv", PACKAGES)
