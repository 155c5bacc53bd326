"""Theorems 1 and 2 on random processes of few states, by the ordinary differential equations."""

from itertools import product
from typing import NamedTuple

import numpy as np

from icml2008.harness.experiment import experiment, grid

PROBLEMS = 20
PAIRS = 50
EXPLORED = 0.1


class Process(NamedTuple):
    """A finite decision process, features and a learning policy.

    Attributes
    ----------
    P : ndarray of shape (n_states, n_actions, n_states)
    rewards, policy : ndarray of shape (n_states, n_actions)
    features : ndarray of shape (n_states, n_actions, n_features)
    """

    P: np.ndarray
    rewards: np.ndarray
    policy: np.ndarray
    features: np.ndarray


def drawn(rng, law, n_features, n_states=4, n_actions=2):
    """Return a random Process with features of this law."""
    shape = (n_states, n_actions)
    features = rng.normal(size=(*shape, n_features))
    if law == "positive":
        features = rng.uniform(size=features.shape)
    P = rng.dirichlet(np.full(n_states, 0.5), size=shape)
    return Process(P, rng.normal(size=shape), rng.dirichlet(np.full(2, 2.0), n_states), features)


def opposed(rng):
    """Return a Process, and two weights at which greedy actions differ from those in between.

    Each of two lasting states has one feature that matters, and these lean to either side: the
    weights each make one of them greedy, their mean both.
    """
    # States that last, each with one feature that matters: drawn processes have no such pair.
    stay = rng.uniform(0.95, 1)
    likely = rng.uniform(0.9, 1)
    P = np.repeat([[[stay, 1 - stay]], [[1 - stay, stay]]], 2, axis=1)
    up = rng.uniform(8.0, 9.5)
    features = np.array([[[10.0, up], [0, 0]], [[-10.0, up], [0, 0]]])
    process = Process(P, np.zeros((2, 2)), np.array([[likely, 1 - likely]] * 2), features)
    return process, np.array([1.0, 1.0]), np.array([-1.0, 1.0])


def stationary(P, policy):
    """Return the invariant law, (..., n_states), of processes under policies."""
    walk = np.einsum("...xa,...xay->...xy", policy, P)
    n = walk.shape[-1]
    system = np.swapaxes(walk, -1, -2) - np.eye(n)
    system[..., -1, :] = 1
    return np.linalg.solve(system, np.broadcast_to(np.eye(n)[:, -1:], (*walk.shape[:-1], 1)))[
        ..., 0
    ]


def covariance(process):
    """Return Sigma_pi and the invariant law of the learning policy."""
    mu = stationary(process.P, process.policy)
    weighed = mu[:, None, None] * process.policy[..., None] * process.features
    return np.einsum("xai,xaj->ij", weighed, process.features), mu


def greedy(process, theta):
    """Return the features of the greedy actions, (n_states, n_features)."""
    values = process.features @ theta
    return process.features[np.arange(len(values)), values.argmax(axis=1)]


def selections(process, rng=None):
    """Yield features of every choice of actions or, with rng, those greedy for 400 weights."""
    n_states, n_actions, n_features = process.features.shape
    chosen = product(range(n_actions), repeat=n_states)
    if rng is not None:
        values = process.features @ rng.normal(size=(n_features, 400))
        chosen = np.unique(values.argmax(axis=1).T, axis=0)
    for actions in chosen:
        yield process.features[np.arange(n_states), list(actions)]


def largest_discount(process, rng=None):
    """Return the discount below which condition (7) holds for `selections`."""
    sigma, mu = covariance(process)
    root = np.linalg.inv(np.linalg.cholesky(sigma))
    halves = (np.sqrt(mu)[:, None] * rows @ root.T for rows in selections(process, rng))
    return 1 / max(np.linalg.norm(half, 2) for half in halves)


def drift(process, mu, discount, theta):
    """Return the right-hand side of Equation 8."""
    ahead = process.P @ (greedy(process, theta) @ theta)
    errors = process.rewards + discount * ahead - process.features @ theta
    return np.einsum("x,xa,xa,xai->i", mu, process.policy, errors, process.features)


def equilibria(process, discount):
    """Return the weights that solve Equation 9, one of each selection that is greedy for them."""
    sigma, mu = covariance(process)
    weighed = mu[:, None, None] * process.policy[..., None] * process.features
    zeros = []
    b = np.einsum("xai,xa->i", weighed, process.rewards)
    for rows in selections(process):
        after = np.einsum("xai,xay,yj->ij", weighed, process.P, rows)
        theta = np.linalg.solve(sigma - discount * after, b)
        lacks = (process.features @ theta).max(axis=1) - rows @ theta
        # Two choices of actions that tie at a weight give the same zero: it counts once.
        near = 1e-9 * (1 + np.abs(theta).max())
        if lacks.max() <= near and all(np.abs(theta - zero).max() > near for zero in zeros):
            zeros.append(theta)
    return zeros


@experiment(
    "theorem-1",
    cells=grid(nature=["drawn", "opposed"], features=[2]) + grid(nature=["drawn"], features=[4]),
    repeats=150,
    cost=0.25,
    methods={"Q-learning": None},
)
def run_theorem_1(trial):
    """20 processes just within condition (7), each with 50 pairs of weights."""
    rng = trial.rng("processes")
    m = trial.cell["features"]
    law = trial.choices["law"]
    growths = []
    beyond = []
    counts = []
    for _ in range(PROBLEMS):
        if trial.cell["nature"] == "opposed":
            process, *pair = opposed(rng)
            pairs = [np.array(pair) * rng.uniform(0.1, 10) for _ in range(PAIRS)]
        else:
            process = drawn(rng, law, m)
            pairs = rng.normal(size=(PAIRS, 2, m)) * np.exp(rng.normal(size=(PAIRS, 1, 1)))
        (sigma, mu) = covariance(process)
        # Just below the bound of Theorem 1, where the theorem says most.
        discount = 0.999 * min(largest_discount(process), 1)
        for first, other in pairs:
            gap = first - other
            change = drift(process, mu, discount, first) - drift(process, mu, discount, other)
            own = gap @ sigma @ gap
            most = max(mu @ (greedy(process, theta) @ gap) ** 2 for theta in (first, other))
            growths.append(2 * gap @ change / own)
            beyond.append(growths[-1] + 2 - 2 * discount * np.sqrt(most / own))
        counts.append(len(equilibria(process, discount)))
    extra = float(np.max(np.abs(np.array(counts) - 1)))
    n_test = PROBLEMS
    trial.measure("Q-learning", growth=max(growths), beyond=max(beyond), extra=extra, n_test=n_test)


@experiment(
    "condition",
    cells=grid(features=[2, 3, 5]),
    repeats=30,
    cost=0.03,
    methods={"Q-learning": None},
)
def run_condition(trial):
    """How many of 20 processes of 6 states meet condition (7) at a discount of 0.9."""
    rng = trial.rng("processes")
    law = trial.choices["law"]
    discounts = [
        largest_discount(drawn(rng, law, trial.cell["features"], n_states=6), rng)
        for _ in range(PROBLEMS)
    ]
    trial.measure("Q-learning", largest=np.median(discounts))
    trial.measure("Q-learning", met=100 * np.mean(np.array(discounts) > 0.9), n_test=PROBLEMS)


def softmax(features, theta, temperature):
    """Return policies, (..., n_states, n_actions), a tenth of the time any action alike."""
    values = np.einsum("...xai,...i->...xa", features, theta) / temperature
    shares = np.exp(values - values.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return EXPLORED / values.shape[-1] + (1 - EXPLORED) * shares


def on_policy(process, theta, temperature, discount=0.9):
    """Return A_theta and b_theta of Equation 13, for a batch of processes and weights."""
    policy = softmax(process.features, theta, temperature)
    weights = stationary(process.P, policy)[..., None] * policy
    mean = np.einsum("...yb,...ybi->...yi", policy, process.features)
    after = discount * np.einsum("...xay,...yi->...xai", process.P, mean) - process.features
    A = np.einsum("...xa,...xai,...xaj->...ij", weights, process.features, after)
    return A, np.einsum("...xa,...xai,...xa->...i", weights, process.features, process.rewards)


@experiment(
    "theorem-2",
    cells=grid(temperature=[100.0, 10.0, 1.0, 0.3, 0.1, 0.03]),
    quick=grid(temperature=[100.0, 0.03]),
    repeats={"quick": 1, "full": 30},
    cost=0.5,
    methods={"SARSA": None},
)
def run_theorem_2(trial):
    """The equation of 10 processes of 3 states from 3 starts each, by Euler's steps of 0.3."""
    rng = trial.rng("processes", across=("temperature",))
    law = trial.choices["law"]
    several = [drawn(rng, law, 2, n_states=3) for _ in range(10)]
    batch = Process(*(np.array(part)[:, None] for part in zip(*several, strict=True)))
    theta = 3 * rng.normal(size=(10, 3, 2))
    curved = -np.inf
    # A smooth policy has one limit, by its theorem, and slow features take their time to it.
    n_steps = 15_000 if trial.cell["temperature"] == 100.0 else 3000
    for _ in range(n_steps):
        A, b = on_policy(batch, theta, trial.cell["temperature"])
        moves = np.einsum("...ij,...j->...i", A, theta) + b
        theta = theta + 0.3 * moves
        curved = max(curved, np.linalg.eigvalsh(A + np.swapaxes(A, -1, -2)).max())
    apart = np.ptp(theta, axis=1).max(axis=-1) / (1 + np.abs(theta).max(axis=(1, 2)))
    restless = np.abs(moves).max(axis=(1, 2))
    trial.measure("SARSA", apart=float(max(apart.max(), restless.max())), n_test=10)
    trial.measure("SARSA", several=100 * np.mean((apart > 1e-3) | (restless > 1e-3)), n_test=10)
    trial.measure("SARSA", curved=curved, n_test=10)
