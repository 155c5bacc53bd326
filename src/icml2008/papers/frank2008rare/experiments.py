"""REASA on random chains with a rare event, and what its equations say of exact models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numba
import numpy as np

from icml2008.harness.experiment import experiment, grid

EPSILON = 0.001
GAMMA = 0.7
LAMBDA = 0.7
STEP = 2300
N = 10
RARE = 10
RUNS = {1: 20, STEP: 8}  # by what a step is
RATES = {  # a b / (b + step)
    1: [
        (a, b) for a in (0.02, 0.05, 0.1, 0.2, 0.4, 0.8) for b in (10.0, 30.0, 100.0, 300.0, 1000.0)
    ],
    STEP: [(a, b) for a in (0.001, 0.003, 0.01, 0.03) for b in (1.0, 10.0, 100.0)],
}


NATURAL = np.append(np.full(N, EPSILON), 0.0)


@dataclass(frozen=True, eq=False)
class Chain:
    """Ten regular states and a rare one, the last, of which the rare event is the visit.

    Parameters
    ----------
    usual : ndarray of shape (11, 10)
        f of Equation 3: where a transition leads that is not the rare event.
    rewards : ndarray of shape (11, 11)
        Of pairs of states.
    """

    usual: np.ndarray
    rewards: np.ndarray

    def transitions(self, sampled):
        """Return the matrix, (11, 11), with these probabilities of the rare event, (11,)."""
        return np.column_stack([(1 - sampled)[:, None] * self.usual, sampled])

    @cached_property
    def values(self):
        """The exact values, (11,)."""
        P = self.transitions(NATURAL)
        return np.linalg.solve(np.eye(N + 1) - GAMMA * P, np.sum(P * self.rewards, axis=1))

    @cached_property
    def optimal(self):
        """Equation 6's probabilities of the rare event, (11,)."""
        return NATURAL * (self.rewards[:, RARE] + GAMMA * self.values[RARE]) / self.values


def positive(rng, mean, sd, size):
    """Return normal numbers; negative ones are drawn again."""
    draws = rng.normal(mean, sd, size)
    while (draws < 0).any():
        draws = np.where(draws < 0, rng.normal(mean, sd, size), draws)
    return draws


def random_chain(rng):
    """Return a chain of Section 8.1; from the rare state, too, seven regular ones follow."""
    usual = np.zeros((N + 1, N))
    for state, row in enumerate(usual):
        others = rng.choice([other for other in range(N) if other != state], 7, replace=False)
        row[others] = rng.random(7)
    rewards = positive(rng, 1.0, 0.5, (N + 1, N + 1))
    rewards[:, RARE] = positive(rng, 10 / EPSILON, 1 / EPSILON, N + 1)
    return Chain(usual / usual.sum(axis=1, keepdims=True), rewards)


@numba.njit(cache=True)
def learn(run, state, cumulative, rewards, delta, keeps, rate, first, per, uniforms):
    """Take a step of Algorithm 1 for each of the uniform numbers; return the last state.

    `run`, (7, n), is changed: values, traces, T, U, how often each was met, probabilities of the
    rare event. Those adapt unless `delta` is 0; if it `keeps`, only where T and U were met.
    """
    V, e, T, U, rares, usuals, sampled = run
    n = len(V)
    for t in range(len(uniforms)):
        e[state] += 1
        p = sampled[state]
        u = uniforms[t]
        # From the rare state only usual ones follow.
        eps = EPSILON if state < RARE else 0.0
        if u < p:
            after = RARE
            # Importance weights: the event is drawn by `sampled`, and counts as if by EPSILON.
            w = eps / p
        else:
            after = 0
            w = (1 - eps) / (1 - p)
            u = (u - p) / (1 - p)
            while after < RARE - 1 and cumulative[state, after] <= u:
                after += 1
        error = w * (rewards[state, after] + GAMMA * V[after]) - V[state]
        alpha = rate[0] * rate[1] / (rate[1] + (first + t) / per)
        for s in range(n):
            V[s] += alpha * e[s] * error
            e[s] *= GAMMA * LAMBDA * w
        if delta > 0 and state < RARE:
            target = rewards[state, after] + GAMMA * V[after]
            if after == RARE:
                rares[state] += 1
                T[state] += (eps * target - T[state]) / rares[state]
            else:
                usuals[state] += 1
                U[state] += ((1 - eps) * target - U[state]) / usuals[state]
            if not keeps or (rares[state] > 0 and usuals[state] > 0):
                # The rare event is drawn as often as it contributes to the value, and never left
                # out.
                share = abs(T[state]) / (abs(T[state]) + abs(U[state]))
                sampled[state] = min(max(delta, share), 1 - delta)
        state = after
    return state


class Learner(NamedTuple):
    """What of Algorithm 1 differs: what is sampled at first, from a chain, and how it adapts."""

    start: object
    delta: float = 0.0
    keeps: bool = False
    per: int = 1

    def run(self, chain, rate, steps, rng):
        """Return values and probabilities of the rare event, (11,) each, after so many steps."""
        run = np.zeros((7, N + 1))
        run[6, :N] = self.start(chain)[:N]
        cumulative = np.cumsum(chain.usual, axis=1)
        state = 0
        for first in range(0, steps * self.per, 10**6):
            uniforms = rng.random(min(10**6, steps * self.per - first))
            how = (self.delta, self.keeps, rate, float(first), self.per, uniforms)
            state = learn(run, state, cumulative, chain.rewards, *how)
        return run[0], run[6]


def natural(chain):
    """Return the true probabilities of the rare event, (11,)."""
    return NATURAL


def best(chain):
    """Return those of Equation 6."""
    return chain.optimal


def half(chain):
    """Return 1/2 for each regular state."""
    return np.where(NATURAL > 0, 0.5, 0.0)


def errors(learner, rate, steps, chain, rng):
    """Return relative errors, of the estimate for state 0 and the mean one of sampling.

    Those of Equation 6's probabilities in the regular states; infinite where it diverged.
    """
    estimates, sampled = learner.run(chain, rate, steps, rng)
    off = abs(estimates[0] / chain.values[0] - 1)
    sampling = np.mean(np.abs(sampled[:N] / chain.optimal[:N] - 1))
    return (off, sampling) if np.isfinite(off) else (np.inf, sampling)


def tuned(learner, steps, seed):
    """Return the schedule of the least RMS error after so many steps, each run on a new chain."""
    rng = np.random.default_rng(seed)
    squares = []
    runs = 4 if learner.per > 1 else 100 if steps <= 3000 else 10
    chains = [random_chain(rng) for _ in range(runs)]
    for rate in RATES[learner.per]:
        rng = np.random.default_rng(seed)
        chain_errors = [errors(learner, rate, steps, chain, rng)[0] for chain in chains]
        squares.append(np.mean(np.square(chain_errors)))
    return RATES[learner.per][int(np.argmin(squares))]


def decades(**metrics):
    """Return the logarithms of numbers, to four digits."""
    return {name: round(float(np.log10(value)), 4) for name, value in metrics.items()}


def learners(choices):
    """Return REASA, TD with 2300 and with one transition a step, a floor and a ceiling."""
    td = Learner(natural)
    return {
        "REASA": Learner(half, float(choices["delta"]), choices["start"] == "kept"),
        "TD": td._replace(per=STEP),
        "TD, same samples": td,
        "optimal sampling": Learner(best),
        "no learning": None,
    }


def measure_runs(trial):
    """Errors for state 0 of runs on a new chain, by schedules tuned on others."""
    steps = trial.cell["steps"]
    chain = random_chain(trial.rng("chain", across=("steps",)))
    seed = int(trial.rng("tuning").integers(2**32))
    for name, learner in trial.methods.items():
        with trial.attempt(name):
            if learner is None:
                trial.measure(name, log_rmse=0.0, log_median=0.0)
                continue
            rate = tuned(learner, steps, seed)
            rng = trial.rng("runs")
            run_errors = np.array(
                [errors(learner, rate, steps, chain, rng) for _ in range(RUNS[learner.per])]
            )
            rmse = np.sqrt(np.mean(run_errors[:, 0] ** 2))
            (median, sampling) = np.median(run_errors, axis=0)
            more = decades(log_rmse=rmse, log_median=median)
            trial.measure(name, **more, **(decades(log_sampling=sampling) if learner.delta else {}))


@experiment(
    "chains",
    cells=grid(steps=[30, 100, 300, 1000, 3000]),
    quick=grid(steps=[30, 100]),
    smoke=grid(steps=[30]),
    repeats={"quick": 4, "full": 10},
    cost=lambda cell: 7e-3 * cell["steps"],  # seconds a trial, roughly
    methods=learners,
)
def run_chains(trial):
    """Figure 2: the same number of steps for all, of which one of TD is 2300 transitions."""
    measure_runs(trial)


@experiment(
    "long-runs",
    cells=grid(steps=[1000, 10_000, 100_000]),
    quick=grid(steps=[1000]),
    repeats={"quick": 4, "full": 14},
    cost=lambda cell: 3e-5 * cell["steps"] + 0.3,
    methods=lambda choices: {
        name: learners(choices)[name] for name in ("REASA", "optimal sampling", "no learning")
    },
)
def run_long(trial):
    """Proposition 1: errors of values and of the probabilities of the rare event."""
    measure_runs(trial)


def variances(chain, sampled):
    """Return the variance of the weighted target in each regular state, (10,)."""
    V = chain.values
    usual = chain.usual[:N]
    rare = EPSILON * (chain.rewards[:N, RARE] + GAMMA * V[RARE])
    others = (1 - EPSILON) ** 2 * np.sum(
        usual * (chain.rewards[:N, :N] + GAMMA * V[:N]) ** 2, axis=1
    )
    best = rare / (rare + np.sqrt(others))
    at = best if sampled is None else np.broadcast_to(sampled(chain), N + 1)[:N]
    return rare**2 / at + others / (1 - at) - V[:N] ** 2


@experiment(
    "sampling",
    cells=grid(model=["exact"]),
    repeats=30,
    cost=0.01,
    methods={
        "natural": natural,
        "half": half,
        "Equation 6": best,
        "best": None,
    },
)
def compare_sampling(trial):
    """The variance of a step's target on a new chain, and by how much it exceeds the least."""
    chain = random_chain(trial.rng("chain"))
    for name, sampled in trial.methods.items():
        with trial.attempt(name):
            spreads = variances(chain, sampled)
            excess = np.max(spreads / variances(chain, None) - 1)
            log_variance = decades(log_variance=np.exp(np.mean(np.log(spreads))))
            trial.measure(name, n_test=N, excess=excess, **log_variance)


def limit(chain, features, sampled):
    """Return the values, (11,), in which TD(lambda) ends that samples so and corrects its steps.

    Weights correct targets and traces, which leaves in Q the share of visits alone.
    """
    P = chain.transitions(NATURAL)
    Q = chain.transitions(sampled)
    visits = np.linalg.matrix_power(Q, 500)[0]
    traced = features.T @ np.diag(visits) @ np.linalg.inv(np.eye(N + 1) - GAMMA * LAMBDA * P)
    A = traced @ (np.eye(N + 1) - GAMMA * P) @ features
    b = traced @ np.sum(P * chain.rewards, axis=1)
    return features @ np.linalg.solve(A, b)


FEATURES = {
    "a state each": np.eye(N + 1),
    "groups of states": np.eye(4)[[0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3]],
}


@experiment(
    "approximation",
    cells=grid(features=list(FEATURES)),
    repeats=60,
    cost=0.01,
    methods={
        "without 7i": lambda chain: chain.optimal,
        "on-policy": lambda chain: NATURAL,
    },
)
def compare_limits(trial):
    """How far the limit of Algorithm 2 without step 7i is from that of on-policy TD, relatively."""
    chain = random_chain(trial.rng("chain"))
    features = FEATURES[trial.cell["features"]]
    for name, sampled in trial.methods.items():
        with trial.attempt(name):
            shared = np.where(NATURAL > 0, sampled(chain)[:N].mean(), 0.0)
            shared_limit, natural_limit = (limit(chain, features, at) for at in (shared, NATURAL))
            trial.measure(
                name, n_test=1, violation=np.max(np.abs(shared_limit / natural_limit - 1))
            )
