"""How often learners that know what they know say that they do not.

A learner has ``predict(x)``, None for "I don't know", and ``learn(x, y)``.
"""

import copy
import itertools
import math

import numpy as np

from icml2008.harness.experiment import experiment, grid


class Memory:
    """Algorithm 1."""

    def __init__(self):
        self.seen = {}

    def predict(self, x):
        return self.seen.get(x)

    def learn(self, x, y):
        self.seen[x] = y


class Enumeration:
    """Algorithm 2; hypotheses are rows of answers, (n_hypotheses, n_inputs)."""

    def __init__(self, hypotheses):
        self.left = np.asarray(hypotheses)

    def predict(self, x):
        answers = np.unique(self.left[:, x])
        return answers[0] if len(answers) == 1 else None

    def learn(self, x, y):
        self.left = self.left[self.left[:, x] == y]


class Linear:
    """Section 2: a cost is known if its vector depends linearly on those that were seen."""

    def __init__(self, d):
        self.X = np.zeros((0, d))
        self.y = np.zeros(0)

    def predict(self, x):
        coef = np.linalg.lstsq(self.X.T, x, rcond=None)[0] if len(self.y) else np.zeros(0)
        return coef @ self.y if np.allclose(coef @ self.X, x) else None

    def learn(self, x, y):
        self.X = np.vstack([self.X, x])
        self.y = np.append(self.y, y)


class Distance:
    """Algorithm 3: once a first input is seen, squared distances are linear in the centre."""

    def __init__(self, d):
        self.first = None
        self.linear = Linear(d)

    def _square(self, x):
        return np.sum((x - self.first[0]) ** 2) + self.first[1] ** 2

    def predict(self, x):
        if self.first is None:
            return None
        along = self.linear.predict(x - self.first[0])
        return None if along is None else math.sqrt(max(self._square(x) - 2 * along, 0.0))

    def learn(self, x, y):
        if self.first is None:
            self.first = x, y
        else:
            self.linear.learn(x - self.first[0], (self._square(x) - y**2) / 2)


class Union:
    """Algorithm 6."""

    def __init__(self, learners):
        self.active = list(learners)

    def predict(self, x):
        answers = [learner.predict(x) for learner in self.active]
        same = all(a is not None and np.isclose(a, answers[0]) for a in answers)
        return answers[0] if answers and same else None

    def learn(self, x, y):
        answers = [learner.predict(x) for learner in self.active]
        pairs = list(zip(self.active, answers, strict=True))
        for learner in (learner for learner, answer in pairs if answer is None):
            learner.learn(x, y)
        self.active = [
            learner for learner, answer in pairs if answer is None or np.isclose(answer, y)
        ]


class Partition:
    """Algorithm 7; an input is (which, x)."""

    def __init__(self, learners):
        self.learners = learners

    def predict(self, x):
        return self.learners[x[0]].predict(x[1])

    def learn(self, x, y):
        self.learners[x[0]].learn(x[1], y)


class Product:
    """Algorithm 8; inputs and outputs are one of each learner's."""

    def __init__(self, learners):
        self.learners = learners

    def predict(self, x):
        answers = [learner.predict(part) for learner, part in zip(self.learners, x, strict=True)]
        return None if any(answer is None for answer in answers) else np.array(answers)

    def learn(self, x, y):
        for learner, part, answer in zip(self.learners, x, y, strict=True):
            if learner.predict(part) is None:
                learner.learn(part, answer)


class Lines(Linear):
    """Straight lines: linear with a 1 beside the input."""

    def predict(self, x):
        return super().predict(np.append(x, 1.0))

    def learn(self, x, y):
        super().learn(np.append(x, 1.0), y)


def memory(rng):
    return Memory(), list(range(8)), rng.normal(size=8).__getitem__, 8


def bar(rng, n=4):
    """Example 1: who starts fights, and who prevents them."""
    pairs = itertools.permutations(range(n), 2)
    groups = list(itertools.product((0, 1), repeat=n))
    fights = np.array([[g[f] and not g[p] for g in groups] for f, p in pairs])
    truth = fights[rng.integers(len(fights))]
    return Enumeration(fights), list(range(len(groups))), truth.__getitem__, len(fights) - 1


def points(rng, d):
    """Return points of a grid, of which many lie on a line."""
    return list(rng.integers(-2, 3, size=(12, d)).astype(float))


def linear(rng, d=3):
    w = rng.normal(size=d)
    return Linear(d), points(rng, d), lambda x: w @ x, d


def distance(rng, d=2):
    centre = rng.normal(size=d)
    return Distance(d), points(rng, d), lambda x: np.linalg.norm(x - centre), d + 1


def example_2(rng):
    """Example 2: distances on a line and straight lines, each with a bound of 2."""
    a, b = rng.normal(size=2)
    truth = (lambda x: abs(x[0] - a)) if rng.random() < 0.5 else (lambda x: a * x[0] + b)
    return Union([Distance(1), Lines(2)]), points(rng, 1), truth, 2 + 2 + 1


def singles(rng, k=5):
    """Classes of one hypothesis each, whose bounds are 0."""
    hypotheses = rng.permutation(np.eye(k))
    learner = Union([Enumeration(hypothesis[None]) for hypothesis in hypotheses])
    return learner, list(range(k)), hypotheses[rng.integers(k)].__getitem__, k - 1


def parts(rng):
    learners, pools, truths, bounds = zip(
        *(make(rng) for make in (memory, linear, distance)), strict=True
    )
    return list(learners), pools, truths, sum(bounds)


def partition(rng):
    learners, pools, truths, bound = parts(rng)
    inputs = [(which, x) for which, pool in enumerate(pools) for x in pool]
    return Partition(learners), inputs, lambda x: truths[x[0]](x[1]), bound


def product(rng):
    learners, pools, truths, bound = parts(rng)
    inputs = [tuple(pool[rng.integers(len(pool))] for pool in pools) for _ in range(15)]

    def truth(x):
        return np.array([part_truth(part) for part_truth, part in zip(truths, x, strict=True)])

    return Product(learners), inputs, truth, bound


CLASSES = {
    make.__name__: make
    for make in (memory, bar, linear, distance, example_2, singles, partition, product)
}
# The number of classes and the sum of their bounds, where a union is learnt.
UNIONS = {"example_2": (2, 4), "singles": (5, 0)}


def unknowns(learner, inputs):
    return [x for x in inputs if learner.predict(x) is None]


def asked(rng, make, adversary):
    """Return unknowns less their bound, and wrong answers.

    The adversary looks one step ahead and leaves as much unknown as it can.
    """
    learner, inputs, truth, bound = make(rng)
    count = wrong = 0
    while count <= len(inputs) and (left := unknowns(learner, inputs)):
        tried = [left[i] for i in rng.permutation(len(left))[: 3 if adversary else 1]]
        after = [copy.deepcopy(learner) for _ in tried]
        for learner_after, x in zip(after, tried, strict=True):
            learner_after.learn(x, truth(x))
        best = max(
            range(len(tried)), key=lambda i: len(unknowns(after[i], inputs) if adversary else ())
        )
        learner = after[best]
        count = count + 1
        answers = [(learner.predict(x), truth(x)) for x in inputs]
        wrong += sum(a is not None and not np.allclose(a, y) for a, y in answers)
    return count - bound, wrong


INSTANCES = 4


@experiment(
    "exact",
    cells=grid(hypotheses=list(CLASSES), nature=["random", "adversary"]),
    repeats=75,
    cost=0.05,  # seconds a trial, roughly; a literal
    methods={"KWIK": None},
)
def run_exact(trial):
    """Unknowns of Algorithms 1 to 3 and 6 to 8 beyond their bounds."""
    name = trial.cell["hypotheses"]
    rng = trial.rng("instances")
    adversary = trial.cell["nature"] == "adversary"
    n = INSTANCES
    counts = [asked(rng, CLASSES[name], adversary) for _ in range(n)]
    excess, wrong = np.max(counts, axis=0)
    trial.measure("KWIK", n_test=n, excess=excess, wrong=wrong)
    if name in UNIONS:
        k, total = UNIONS[name]
        trial.measure("KWIK", n_test=n, printed_excess=excess + (k - 1) - (1 - k))


RUNS = 1000
EPSILON = 0.1
DELTA = 0.05


def coin_failures(rng, p, delta):
    """Return which coins of chances p, (RUNS, n), Algorithm 4 tells wrongly."""
    tosses = math.ceil(math.log(2 / delta) / (2 * EPSILON**2))
    return np.abs(rng.binomial(tosses, p) / tosses - p) > EPSILON


def union_failures(rng, y):
    """Return in which runs Algorithm 9 removes the better of two learners 4 epsilon_0 apart."""
    near = EPSILON / 4
    rounds = math.ceil(math.log(3 / DELTA) / (2 * near**2))
    ones = rng.binomial(rounds, y, size=RUNS)
    losses = [
        ones * (1 - prediction) ** 2 + (rounds - ones) * prediction**2
        for prediction in (y + near, y - 3 * near)
    ]
    return losses[0] > losses[1]


@experiment(
    "noisy",
    cells=grid(algorithm=["coin", "mdp", "union"], chance=["even", "drawn"]),
    repeats=20,
    cost=0.01,
    methods={"KWIK": None},
)
def run_noisy(trial):
    """Failed runs of Algorithms 4, 7 (Example 3: three states, two actions) and 9."""
    algorithm = trial.cell["algorithm"]
    rng = trial.rng("runs")
    y = 0.5 if trial.cell["chance"] == "even" else rng.uniform(0.2, 0.8)
    if algorithm == "union":
        failed = union_failures(rng, y)
    else:
        n = 1 if algorithm == "coin" else 3 * 3 * 2
        failed = coin_failures(rng, np.full((RUNS, n), y), DELTA / n).any(axis=1)
    trial.measure("KWIK", failed=100 * np.mean(failed), n_test=RUNS)


W = np.array([1.0, 2.0, 0.0])
GUESS = np.ones(3)
COMMON = 4 * [(1, 1, 1)]
# Figure 1 is a drawing; these have the printed vectors and costs, but for the bottom path's 15.
PATHS = {
    "top": np.array([*COMMON, (0, 0, 1), (0, 0, 1)]),
    "middle": np.array([*COMMON, (1, 0, 0)]),
    "bottom": np.array([*COMMON, (0, 1, 1), (0, 0, 0)]),
}


@experiment(
    "paths",
    cells=[{"graph": "figure-1"}],
    repeats={"smoke": 2, "full": 2},
    cost=0.01,
    methods=PATHS,
)
def run_paths(trial):
    """Costs of the three paths by w, and by the guess that the middle one leaves."""
    for name, edges in trial.methods.items():
        trial.measure(name, cost=np.sum(edges @ W), estimate=np.sum(edges @ GUESS))


def walked(paths, w, knows, episodes=50):
    """Return in how many episodes a path is taken that is not the cheapest.

    Who knows what it knows hopes that the rest is free; who does not guesses the weights that fit
    and are nearest to ones.
    """
    learner = Linear(len(w))
    cost = [np.sum(path @ w) for path in paths]
    missed = 0
    for left in range(episodes, 0, -1):
        if knows:
            lengths = [[learner.predict(edge) or 0.0 for edge in path] for path in paths]
        else:
            off = np.linalg.pinv(learner.X) @ (learner.y - learner.X.sum(axis=1))
            lengths = [path @ (1 + off) for path in paths]
        taken = int(np.argmin(np.round([np.sum(path_lengths) for path_lengths in lengths], 9)))
        dear = cost[taken] > min(cost) + 1e-9
        new = unknowns(learner, paths[taken])
        if not new:  # and so for ever
            return missed + left * dear
        missed += dear
        for edge in new:
            learner.learn(edge, edge @ w)
    return missed


@experiment(
    "navigation",
    cells=grid(graph=["figure-1", "drawn"]),
    repeats={"smoke": 2, "full": 12},
    cost=0.1,
    methods={"KWIK": True, "guess": False},
)
def run_navigation(trial):
    """Episodes on a path that is not the cheapest, less the dimension."""
    rng = trial.rng("graphs")
    problems = []
    if trial.cell["graph"] == "figure-1":
        problems.append((list(PATHS.values()), W))
    else:
        for d in rng.integers(2, 6, size=25):
            paths = [rng.integers(2, size=(rng.integers(3, 7), d)) for _ in range(6)]
            problems.append((paths, rng.integers(4, size=d).astype(float)))
    for name, knows in trial.methods.items():
        missed = np.array([walked(paths, w, knows) for paths, w in problems])
        excess = np.max(missed - [len(w) for _, w in problems])
        trial.measure(name, n_test=len(problems), missed=missed.mean(), excess=excess)


@experiment(
    "conjunctions",
    cells=grid(n=list(range(2, 11))),
    quick=grid(n=list(range(2, 7))),
    smoke=grid(n=list(range(2, 5))),
    repeats={"smoke": 2, "full": 2},
    cost=0.1,
    methods={"KWIK": None},
)
def run_conjunctions(trial):
    """Unknowns of enumeration, which are those of any accurate learner that sees these labels.

    The truth is the conjunction of all n variables; inputs with fewer ones come first.
    """
    n = trial.cell["n"]
    # a conjunction is the set of its variables
    left = np.arange(2**n)
    unknown = 0
    for x in sorted(range(2**n), key=int.bit_count):
        answers = (left & ~x) == 0
        if answers.any() and not answers.all():
            unknown = unknown + 1
            left = left[answers == (x == 2**n - 1)]
    trial.measure("KWIK", doublings=np.log2(unknown) - n / 2)
