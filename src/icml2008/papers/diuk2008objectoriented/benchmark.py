"""Milliseconds a step of the agents, beside the printed ones and simple_rl's Rmax.

Ours learn a town until the six probes are solved, with the planning after each step that taught
something; the steps of ten runs count. simple_rl's agent looks three steps ahead and does not plan
on; it takes 2000 steps of the same errands. Least processor time of three runs on one thread.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from simple_rl.agents.RMaxAgentClass import RMaxAgent

from icml2008.catalogue import library
from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.diuk2008objectoriented import experiments, towns

PACKAGES = ("numpy", "numba")

CHOICES = library.trial_choices("diuk2008objectoriented", "scaling", "default")
PRINTED = {
    (5, "DOORMAX"): "13.88",
    (10, "DOORMAX"): "293.72",
    (5, "Factored-Rmax"): "43.59",
    (10, "Factored-Rmax"): "306.71",
}


class Place(namedtuple("Place", "passenger destination state")):
    def is_terminal(self):
        return self.state < 0


def ours(town, name):
    """Return the steps of ten runs."""
    probes = experiments.probes_of(town, scaled=False)
    steps = 0
    for seed in range(10):
        learner = experiments.LEARNERS[name](town, CHOICES)
        agent = experiments.Agent(learner, CHOICES, np.random.default_rng(seed))
        steps += experiments.learn(town, agent, np.random.default_rng(seed), probes)[0]
    return steps


def theirs(town, steps=2000):
    """Return the steps of simple_rl's agent."""
    agent = RMaxAgent(list(range(6)), s_a_threshold=1)
    rng = np.random.default_rng(0)
    taken = 0
    while taken < steps:
        passenger, other, state = rng.integers([town.n, town.n - 1, town.size**2])
        at = Place(passenger, (passenger + 1 + other) % town.n, state)
        reward = 0.0
        errand = town.errand(*at[:2])
        while not at.is_terminal() and taken < steps:
            action = agent.act(at, reward)
            taken = taken + 1
            reward = errand.rewards[at.state, action]
            at = at._replace(state=errand.following[at.state, action])
        agent.update(agent.prev_state, agent.prev_action, reward, at)
        agent.prev_state = agent.prev_action = None
    return taken


def rows():
    """Yield the rows of the table."""
    for size in (5, 10):
        town = towns.small() if size == 5 else towns.large("drawn", np.random.default_rng(0))
        names = ["DOORMAX", "Factored-Rmax", *(["Rmax"] if size == 5 else [])]
        tasks = {name: lambda town=town, name=name: ours(town, name) for name in names}
        tasks["simple_rl Rmax"] = lambda town=town: theirs(town)
        for name, (seconds, steps) in least_seconds(tasks, times=3).items():
            yield {
                "size": size,
                "agent": name,
                "steps": steps,
                "milliseconds_a_step": f"{1000 * seconds / steps:.2g}",
                "printed": PRINTED.get((size, name), ""),
            }
