"""Steps until DOORMAX and its rivals have learnt Taxi, and the unknowns of its model."""

from functools import partial

import numpy as np
from numba import njit

from icml2008.harness.experiment import experiment, grid

from . import towns
from .doormax import EFFECTS, Doormax
from .towns import DROPOFF, PICKUP

MOST_STEPS = 50_000
BOTH = ["increment", "assignment"]
R, G, Y, B = range(4)
PROBES = [
    ((2, 2), Y, R),
    ((2, 2), Y, G),
    ((2, 2), Y, B),
    ((2, 2), R, B),
    ((0, 4), Y, R),
    ((0, 3), B, G),
]


class Objects:
    """DOORMAX in a town; like the other learners, it says what of an errand it knows."""

    def __init__(self, town, choices):
        k, _, assigned = choices["k"].partition("-")
        types = [BOTH, BOTH, BOTH[1:] if assigned else BOTH]
        self.model = Doormax(7, 6, types, int(k), choices["rules"] == "proved")

    def knows(self, errand, action):
        return self.model.predict(errand.conditions, errand.values, action)[0]

    def see(self, errand, state, action):
        then = errand.following[state, action]
        before = errand.values[state]
        after = errand.values[then] if then >= 0 else before * [1, 1, 0]
        self.model.update(errand.conditions[state], before, action, after)


class Tables:
    """Tables of what was seen: for each factor of an outcome, by the values of its parents."""

    def __init__(self, town, choices, parents):
        self.parents = partial(parents, choices, town)
        self.found = {}
        self.seen = np.zeros((6, 4, 2 * (town.size * town.n) ** 2), dtype=bool)

    def entries(self, errand, action):
        """Return for each factor what was seen of it and, by state, the number of its entry."""
        at = errand.passenger, errand.destination, action
        if at not in self.found:
            columns = self.parents(errand, action)
            self.found[at] = list(zip(self.seen[action], columns, strict=False))
        return self.found[at]

    def knows(self, errand, action):
        known = np.ones(len(errand.values), dtype=bool)
        for seen, column in self.entries(errand, action):
            known &= seen[column]
        return known

    def see(self, errand, state, action):
        for seen, column in self.entries(errand, action):
            seen[column[state]] = True


# What of the rival's tables is over the whole state: where all are, and where she wants to go.
WHOLE = {"stated": (), "dropoff-whole": (DROPOFF,), "both-whole": (PICKUP, DROPOFF)}


def factored(choices, town, errand, action):
    """Return what x, y and in-taxi depend on by the network of Factored-Rmax, as numbers."""
    x, y, inside = errand.values.T
    square = x * town.size + y
    on_passenger = errand.conditions & 4
    arrived = errand.conditions & 2
    columns = [square if action in (2, 3) else x, y, inside]
    place = square * (town.n + 1) + np.where(inside, town.n, errand.passenger)
    if action in WHOLE[choices["tables"]]:
        columns[2] = place * town.n + errand.destination
    elif action == DROPOFF:
        columns[2] = inside + arrived
    elif action == PICKUP and choices["network"] == "feature":
        columns[2] = inside + on_passenger
    elif action == PICKUP:
        columns[2] = place
    elif choices["network"] == "learnt":
        columns.append(square * town.n + errand.destination)
    return columns


def flat(choices, town, errand, action):
    """Return the number of each state, on which Rmax has everything depend."""
    first = (errand.passenger * town.n + errand.destination) * len(errand.values)
    return [first + np.arange(len(errand.values))]


class Given:
    """Knows everything."""

    def __init__(self, town, choices):
        pass

    def knows(self, errand, action):
        return np.ones(len(errand.values), dtype=bool)


@njit(cache=True)
def planned(errand, known, rewards_known, hoped, discount, V, draws):
    """Return the policy, (n_states,), and the number of sweeps of value iteration to it.

    What is not known is worth a reward, its own if that is told, and then what is hoped. V,
    (n_states,), is where values begin, and becomes them; ties go to the largest of the draws.
    """
    following, rewards = errand
    Q = np.empty_like(rewards)
    policy = np.zeros(len(V), np.int64)
    sweeps = 0
    change = 1.0
    while change > 1e-7:
        change = 0.0
        sweeps = sweeps + 1
        for s in range(len(V)):
            best = -np.inf
            for a in range(Q.shape[1]):
                then = following[s, a]
                if not known[s, a]:
                    # 20, for an arrival, is the largest reward: nothing unknown is underrated.
                    Q[s, a] = (rewards[s, a] if rewards_known else 20.0) + discount * hoped
                else:
                    Q[s, a] = rewards[s, a] + (discount * V[then] if then >= 0 else 0.0)
                best = max(best, Q[s, a])
            change = max(change, abs(best - V[s]))
            V[s] = best
    for s in range(len(V)):
        first = -1.0
        for a in range(Q.shape[1]):
            # Sweeps end within 1e-7: what differs by less than 1e-4 is a tie.
            if V[s] - Q[s, a] < 1e-4 and draws[s, a] > first:
                first = draws[s, a]
                policy[s] = a
    return policy, sweeps


class Agent:
    """Plans with what a learner knows, and takes for the best what it does not."""

    def __init__(self, learner, choices, rng):
        self.learner = learner
        self.choices = choices
        self.rng = rng
        self.backups = 0
        self.discount = float(choices["discount"])
        self.top = 20 / (1 - self.discount) if choices["s-max"] == "for-ever" else 20.0
        self.worst = -10 / (1 - self.discount)

    def policy(self, errand, known, V):
        """Return the action in each state, ties drawn; V, where values begin, becomes them."""
        rewards_known = self.choices["reward"] == "known"
        draws = self.rng.random(known.shape)
        hoped = self.top
        if self.choices["unknown"] == "twenty":
            rewards_known = False
            hoped = 0.0
        policy, sweeps = planned(errand[:2], known, rewards_known, hoped, self.discount, V, draws)
        self.backups += sweeps * known.size
        return policy

    def known(self, errand):
        return np.column_stack([self.learner.knows(errand, action) for action in range(6)])

    def solves(self, errand, state, length):
        """Return whether the policy takes as many steps to deliver as the shortest way has."""
        known = self.known(errand)
        if self.choices["probed"] == "known":
            V = np.full(len(known), self.worst)
            draws = self.rng.random(known.shape)
            policy, _ = planned(errand[:2], known, True, self.worst, self.discount, V, draws)
        else:
            policy = self.policy(errand, known, np.full(len(known), self.top))
        for _ in range(length):
            state = errand.following[state, policy[state]]
        return state < 0


def shortest(errand):
    """Return the number of steps from each state to the delivery, (n_states,)."""
    every = np.ones(errand.rewards.shape, dtype=bool)
    V = np.zeros(len(errand.values))
    steps = errand.following, np.full(every.shape, -1.0)
    planned(steps, every, True, 0.0, 1.0, V, np.zeros(every.shape))
    return -V


def learn(town, agent, rng, probes):
    """Return steps until all probes are solved, unknowns met, and how many of them were failures.

    Parameters
    ----------
    rng : numpy.random.Generator
        Of the start states.
    probes : list of (Errand, state, length)
    """
    steps = 0
    unknown = 0
    failures = 0
    n = town.n
    while steps < MOST_STEPS:
        passenger, other, state = rng.integers([n, n - 1, town.size**2])
        errand = town.errand(passenger, (passenger + 1 + other) % n)
        known = agent.known(errand)
        V = np.full(len(known), agent.top)
        policy = agent.policy(errand, known, V)
        while state >= 0 and steps < MOST_STEPS:
            action = policy[state]
            steps = steps + 1
            then = errand.following[state, action]
            if not known[state, action]:
                unknown = unknown + 1
                failures = failures + (then == state)
                agent.learner.see(errand, state, action)
                known[:, action] = agent.learner.knows(errand, action)
                policy = agent.policy(errand, known, V)
            state = then
        if all(agent.solves(*probe) for probe in probes):
            break
    return steps, unknown, failures


def probes_of(town, scaled):
    """Return errands, first states and shortest lengths of the six probes."""
    probes = []
    for (x, y), passenger, destination in PROBES:
        square = (x * town.size // 5, y * town.size // 5) if scaled else (x, y)
        errand = town.errand(passenger, destination)
        state = town.state(square)
        probes.append((errand, state, int(shortest(errand)[state])))
    return probes


LEARNERS = {
    "DOORMAX": Objects,
    "Factored-Rmax": partial(Tables, parents=factored),
    "Rmax": partial(Tables, parents=flat),
    "known model": Given,
}


@experiment(
    "taxi",
    cells=[{"size": 5}],
    repeats={"quick": 6, "full": 400},
    cost=0.07,  # seconds a trial, roughly; a literal
    methods=LEARNERS,
)
def run_taxi(trial):
    """Steps to a policy that is optimal from six states, in one town."""
    choices = trial.choices
    size = trial.cell["size"]
    town = towns.small() if size == 5 else towns.large(choices["walls"], trial.rng("walls"))
    probes = probes_of(town, size == 10 and choices["probes"] == "scaled")
    for name, make in trial.methods.items():
        with trial.attempt(name):
            agent = Agent(make(town, choices), choices, trial.rng("ties"))
            steps, unknown, failures = learn(town, agent, trial.rng("starts"), probes)
            trial.measure(name, steps=steps, log_steps=round(np.log(steps), 2))
            trial.measure(name, work=round(agent.backups / steps))
            trial.measure(name, failures=round(100 * failures / max(unknown, 1), 1))


run_scaling = experiment(
    "scaling",
    cells=grid(size=[5, 10]),
    smoke=grid(size=[10]),
    repeats=100,
    cost=0.05,
    methods={name: learner for name, learner in LEARNERS.items() if name != "Rmax"},
)(run_taxi.function)

INSTANCES = 100


def drawn(rng, k):
    """Return n, inputs and outcomes of at most k effects, whose conditions exclude each other.

    Inputs are every condition of n terms with every one of two to four values of the attribute.
    """
    n_effects = rng.integers(1, k + 1)
    n_values = rng.integers(2, 5)
    telling = (int(n_effects) - 1).bit_length()  # terms that tell the effects apart
    n = telling + int(rng.integers(2, 4))
    conditions, values = (part.ravel() for part in np.mgrid[: 2**n, :n_values])
    after = values.copy()
    increments = rng.permutation(np.arange(1, k + 3))
    for which in range(n_effects):
        others = rng.permutation(np.arange(telling, n))[: rng.integers(3)]
        care = 2**telling - 1 + int(np.sum(1 << others))
        bits = which + int(np.sum((1 << others) * rng.integers(2, size=len(others))))
        after[(conditions ^ bits) & care == 0] += increments[which]
    return n, conditions, values, after


def lost(model, conditions, values, after):
    """Return how many terms the model would give up, or more than all for a new effect."""
    total = np.zeros(len(values), dtype=int)
    for name, pairs in model.pairs[0][0].items():
        effects = EFFECTS[name][0](values, after)
        least = np.full(len(values), 99)
        for care, bits, effect in pairs:
            terms = np.bitwise_count((conditions ^ bits) & care)
            least = np.where(effects == effect, terms, least)
        total += least
    return total


def asked(rng, k, types, proved, nature):
    """Return the unknowns on effects over their bound, less 1, and states told wrongly.

    Of what is not known, an insistent adversary asks for what teaches the model nothing, if there
    is such an input, and a greedy one for what teaches it least.
    """
    n, conditions, values, after = drawn(rng, k)
    model = Doormax(n, 1, [list(EFFECTS)[:types]], k, proved)
    bound = types * (n * k + k + 1) + types - 1
    count = 0
    wrong = np.zeros(len(values), dtype=bool)
    while count <= 2 * bound:
        known, predicted = model.predict(conditions, values[:, None], 0)
        wrong |= known & (predicted[:, 0] != after)
        unknown = np.flatnonzero(~known & (values != after))
        if not len(unknown):
            break
        at = rng.permutation(unknown)
        if nature != "random":
            cost = lost(model, conditions, values, after)[at]
            at = at[np.argsort(cost if nature == "greedy" else cost > 0, kind="stable")]
        count += 1
        model.update(conditions[at[0]], values[at[0], None], 0, after[at[0], None])
    return count / bound - 1, wrong.sum()


@experiment(
    "unknowns",
    cells=grid(nature=["random", "insistent", "greedy"], types=[1, 2, 3], k=[1, 2, 4]),
    quick=grid(nature=["random", "insistent", "greedy"], types=[1, 2], k=[1, 2]),
    smoke=grid(nature=["random", "insistent", "greedy"], types=[1, 2], k=[1]),
    repeats=10,
    cost=0.05,
    methods={"as printed": False, "as proved": True},
)
def run_unknowns(trial):
    """Theorem 1 and Corollary 1, on the worst of 100 drawn instances."""
    nature, types, k = (trial.cell[name] for name in ("nature", "types", "k"))
    for name, proved in trial.methods.items():
        with trial.attempt(name):
            rng = trial.rng("instances")
            counts = [asked(rng, k, types, proved, nature) for _ in range(INSTANCES)]
            excess, wrong = np.max(counts, axis=0)
            trial.measure(name, n_test=INSTANCES, violation=excess, wrong=wrong)
