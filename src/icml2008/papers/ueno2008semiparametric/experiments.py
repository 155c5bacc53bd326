"""Section 4's four-state chain, its asymptotic variances, and the theorems on random chains."""

from __future__ import annotations

from functools import partial
from itertools import count, islice
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.lstd import LSTD, optimal_shift
from icml2008.methods.worlds.world import World

EPISODES = 100
CHAINS = 100
FEATURES = np.arange(1.0, 5)[:, None] ** np.arange(1, 4)
PAID = np.array([0.0, 1.0, 0.5, 0.0])


class Chain(NamedTuple):
    """A chain in which values are linear in the features, up to a constant without discount.

    Attributes
    ----------
    P : ndarray of shape (n, n)
    d : ndarray of shape (n,)
        Its stationary distribution.
    x : ndarray of shape (n, n, m)
        Regressors of each step.
    residuals : ndarray of shape (n, n)
    """

    P: np.ndarray
    d: np.ndarray
    x: np.ndarray
    residuals: np.ndarray

    def mean(self, of_steps):
        """Return the expectation of what each step has, (n, n, ...)."""
        return np.einsum("s,st,st...->...", self.d, self.P, of_steps)


def stationary(P):
    """Return the distribution that P leaves as it is."""
    n = len(P)
    return np.linalg.lstsq(np.vstack([P.T - np.eye(n), np.ones(n)]), np.eye(1, n + 1, n)[0])[0]


def precision(chain, z):
    """Return the inverse of Lemma 2's asymptotic covariance (times N), for an instrument (n, m)."""
    steps = np.broadcast_to(z[:, None], chain.x.shape)
    A = chain.mean(steps[..., None] * chain.x[:, :, None])
    M = chain.mean((chain.residuals**2)[..., None, None] * steps[..., None] * steps[:, :, None])
    return A.T @ np.linalg.solve(M, A)


def best_instrument(chain):
    """Return Theorem 1's instrument, (n, m)."""
    variances = np.einsum("st,st->s", chain.P, chain.residuals**2)
    return np.einsum("st,sti->si", chain.P, chain.x) / variances[:, None]


def best_shift(chain, z):
    """Return Theorem 2's constant for an instrument, (m,)."""
    steps = np.broadcast_to(z[:, None], chain.x.shape)
    square = chain.residuals**2
    return optimal_shift(
        chain.mean(square),
        chain.mean(square[..., None] * steps),
        chain.mean(square[..., None, None] * steps[..., None] * steps[:, :, None]),
        chain.mean(chain.x[..., None] * steps[:, :, None]),
        chain.mean(chain.x),
    )


def four_states(paid):
    """Return Section 4's chain, its world, rewards, (4, 4), and coefficients; by who is paid."""
    world = World.of(
        4,
        1,
        lambda s, a: [
            (0.5, after, PAID[after if paid == "arrival" else s])
            for after in (max(s - 1, 0), min(s + 1, 3))
        ],
        np.full(4, 0.25),
    )
    P = world.transitions.toarray()
    x = FEATURES[:, None] - FEATURES
    rewards = np.broadcast_to(PAID if paid == "arrival" else PAID[:, None], (4, 4)) - PAID.mean()
    coef = np.linalg.lstsq(np.einsum("st,sti->si", P, x), np.sum(P * rewards, axis=1))[0]
    return Chain(P, np.full(4, 0.25), x, rewards - x @ coef), world, coef


def asymptotic_error(chain, z):
    """Return N times the squared error of values by an instrument, as N grows (Lemma 2)."""
    weights = FEATURES.T @ (chain.d[:, None] * FEATURES)
    return np.trace(np.linalg.solve(precision(chain, z), weights))


INSTRUMENTS = {
    "LSTD": lambda chain: FEATURES,
    "LSTDc": lambda chain: FEATURES + best_shift(chain, FEATURES),
    "gLSTD": best_instrument,
}


def known_model(paid):
    """Return an estimator that is told Theorem 1's instrument."""
    chain, *_ = four_states(paid)
    z = best_instrument(chain)

    def fit(states, rewards, average):
        x = FEATURES[states[:-1]] - FEATURES[states[1:]]
        return np.linalg.solve(z[states[:-1]].T @ x, z[states[:-1]].T @ (rewards - average))

    return fit


def estimated(instrument, average_reward):
    """Return an estimator of coefficients from a walk."""

    def fit(states, rewards, average):
        known = average if average_reward == "known" else "mean"
        model = LSTD(instrument, average_reward=known)
        before = FEATURES[states[:-1]]
        after = FEATURES[states[1:]]
        return model.fit(before, rewards, after, states[:-1]).coef_

    return fit


def estimators(choices):
    """Return the three estimators, LSTD with the sample's mean, a floor and a ceiling."""
    average = choices["average-reward"]
    return {
        "LSTD": partial(estimated, "features", average),
        "LSTDc": partial(estimated, "shifted", average),
        "gLSTD": partial(estimated, "optimal", average),
        "LSTD, sample mean": partial(estimated, "features", "estimated"),
        "best instrument": partial(known_model, choices["paid"]),
        "all zero": lambda: lambda states, rewards, average: np.zeros(3),
    }


# What the lemma supposes: it is of a known average reward, and of any rewards.
KNOWN = {"average-reward": "known", "paid": "arrival"}


def six_digits(value):
    """Return a number as it is worth keeping: thousands of errors make the evidence large."""
    return float(f"{value:.6g}")


@experiment(
    "episodes",
    cells=grid(steps=[100, 1000, 10_000]),
    quick=grid(steps=[100, 1000]),
    smoke=grid(steps=[100]),
    repeats={"quick": 4, "full": 100},
    cost=0.3,
    methods=estimators,
)
def run_episodes(trial):
    """Figure 2: squared errors of values in 100 episodes, and N times their mean over Lemma 2's."""
    chain, world, coef = four_states(trial.choices["paid"])
    rng = trial.rng("walks")
    n_steps = trial.cell["steps"]
    walks = []
    while len(walks) < EPISODES:
        walk = world.walk(np.zeros(4, dtype=int), n_steps, rng)
        # LSTD has no solution for a state that was never seen: such walks are drawn again.
        if np.bincount(walk.states[:-1], minlength=4).all():
            walks.append(walk)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            fit = make()
            coefs = np.array([fit(walk.states, walk.rewards, PAID.mean()) for walk in walks])
            errors = ((coefs - coef) @ FEATURES.T) ** 2 @ chain.d
            trial.measure(
                name,
                n_test=EPISODES,
                error=six_digits(errors.mean()),
                median=six_digits(np.median(errors)),
                log_error=six_digits(np.log10(errors.mean())),
            )
            if name in INSTRUMENTS:
                expected = asymptotic_error(chain, INSTRUMENTS[name](chain))
                trial.measure(name, relative=six_digits(n_steps * errors.mean() / expected))
            if trial.repeat == 0 and n_steps == 100 and name in INSTRUMENTS:
                trial.keep(name, [six_digits(error) for error in errors])


@experiment(
    "long-episodes",
    cells=grid(steps=[1000, 30_000]),
    quick=grid(steps=[1000]),
    repeats={"quick": 2, "full": lambda cell: 160 if cell["steps"] == 30_000 else 2},
    cost=lambda cell: 0.05 + 7e-5 * cell["steps"],
    methods=lambda choices: {
        name: make for name, make in estimators(KNOWN).items() if name in INSTRUMENTS
    },
)
def run_long_episodes(trial):
    """Lemma 2: N times the mean squared error of values in 100 longer episodes over the lemma's."""
    chain, world, coef = four_states(KNOWN["paid"])
    rng = trial.rng("walks")
    start = np.zeros(4, dtype=int)
    n_steps = trial.cell["steps"]
    walks = [world.walk(start, n_steps, rng) for _ in range(EPISODES)]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            fit = make()
            coefs = np.array([fit(walk.states, walk.rewards, PAID.mean()) for walk in walks])
            error = np.mean(((coefs - coef) @ FEATURES.T) ** 2 @ chain.d)
            expected = asymptotic_error(chain, INSTRUMENTS[name](chain))
            trial.measure(name, n_test=EPISODES, relative=six_digits(n_steps * error / expected))


@experiment(
    "asymptotics",
    cells=grid(model=["four-states"]),
    repeats=2,
    cost=0.01,
    methods=INSTRUMENTS,
)
def compare_variances(trial):
    """Lemma 2 for Section 4's chain: N times the squared error of values, from the model."""
    chain, *_ = four_states(trial.choices["paid"])
    for name, instrument in trial.methods.items():
        with trial.attempt(name):
            z = instrument(chain)
            if trial.choices["average-reward"] == "estimated":
                z = z - chain.d @ z
            trial.measure(name, scaled=asymptotic_error(chain, z))


def random_chain(rng, values):
    """Return a chain of four to eight states with random features, values and rewards."""
    n = int(rng.integers(4, 9))
    m = int(rng.integers(1, n))
    discount = 1.0 if values == "average" else rng.uniform(0.5, 0.99)
    P = rng.dirichlet(np.ones(n), size=n)
    features = rng.normal(size=(n, m))
    # What a residual is beside the chance of rewards: the next value is not yet known.
    residuals = rng.normal(size=(n, n)) + discount * features @ rng.normal(size=m)
    residuals -= np.sum(P * residuals, axis=1, keepdims=True)
    return Chain(P, stationary(P), features[:, None] - discount * features[None], residuals)


def excess(other, best):
    """Return by how much, relatively, one precision exceeds another in some direction.

    It is not a number where rounding alone could reach 1e-9.
    """
    if np.linalg.cond(best) > 1e6:
        return np.nan
    return eigh(other, best, eigvals_only=True)[-1] - 1


def rounded_less(chain, z):
    """Return the precision by orthonormal columns, which are the same instrument (Lemma 3)."""
    return precision(chain, np.linalg.qr(z)[0])


def another(rng, best, nature):
    """Return something like what is said to be best, drawn anew or next to it."""
    noise = rng.normal(size=best.shape)
    return noise if nature == "random" else best * (1 + 1e-3 * noise)


def theorem_1(rng, values, nature):
    """Return how much some instrument beats the optimal one."""
    chain = random_chain(rng, values)
    best = best_instrument(chain)
    return excess(*(rounded_less(chain, z) for z in (another(rng, best, nature), best)))


def theorem_2(rng, values, nature):
    """Return how much some constant shift of an instrument beats the optimal one."""
    chain = random_chain(rng, values)
    z = rng.normal(size=chain.x.shape[1:])
    best = best_shift(chain, z)
    return excess(*(rounded_less(chain, z + c) for c in (another(rng, best, nature), best)))


def lemma_4(rng, values, nature):
    """Return how much an instrument of two states beats its mean given the later one."""
    chain = random_chain(rng, values)
    n, m = chain.x.shape[1:]
    before = chain.d[:, None] * chain.P / chain.d  # share of each state before a state
    z = another(rng, np.broadcast_to(rng.normal(size=(n, m)), (n, n, m)), nature)
    square = np.sum(chain.P * chain.residuals**2, axis=1)
    A = np.einsum("rs,s,st,rsi,stj->ij", before, chain.d, chain.P, z, chain.x)
    M = np.einsum("rs,s,s,rsi,rsj->ij", before, chain.d, square, z, z)
    mean = np.einsum("rs,rsi->si", before, z)
    return excess(A.T @ np.linalg.solve(M, A), rounded_less(chain, mean))


def corollary_1(rng, values, nature):
    """Return how far values by LSTD and by another basis and instrument differ, relatively."""
    n = int(rng.integers(4, 9))
    P = rng.dirichlet(np.ones(n), size=n)
    rewards = rng.normal(size=(n, n))
    world = World.of(n, 1, lambda s, a: zip(P[s], range(n), rewards[s], strict=True))
    walk = world.walk(np.zeros(n, dtype=int), 50 * n, rng)
    basis, z = rng.normal(size=(2, n, n))
    before = walk.states[:-1]
    after = walk.states[1:]
    values = LSTD(discount=0.9).fit(np.eye(n)[before], walk.rewards, np.eye(n)[after]).coef_
    x = basis[before] - 0.9 * basis[after]
    other = basis @ np.linalg.solve(z[before].T @ x, z[before].T @ walk.rewards)
    return np.abs(other - values).max() / np.abs(values).max()


STATEMENTS = {
    "theorem-1": theorem_1,
    "theorem-2": theorem_2,
    "lemma-4": lemma_4,
    "corollary-1": corollary_1,
}


@experiment(
    "theorems",
    cells=[
        *grid(
            statement=["theorem-1", "theorem-2", "lemma-4"],
            values=["discounted", "average"],
            nature=["random", "near"],
        ),
        *grid(statement=["corollary-1"], values=["discounted"], nature=["random"]),
    ],
    repeats=8,
    cost=0.1,
    methods={"best": STATEMENTS},
)
def check_theorems(trial):
    """The largest relative lead over what is said to be best, on 100 random chains."""
    values = trial.cell["values"]
    nature = trial.cell["nature"]
    for name, statements in trial.methods.items():
        with trial.attempt(name):
            check = statements[trial.cell["statement"]]
            rng = trial.rng("chains")
            drawn = (check(rng, values, nature) for _ in count())
            # A statement that does not apply to a chain is none of the hundred, and no success.
            violations = list(islice(filter(np.isfinite, drawn), CHAINS))
            trial.measure(name, n_test=CHAINS, violation=max(violations))
