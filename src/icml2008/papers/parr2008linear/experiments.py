"""Section 6: Bellman error, reward error and feature error of growing sets of features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from scipy.linalg import schur

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.parr2008linear.method.bases import (
    bellman_error_basis,
    eigenvector_dictionary,
    krylov_basis,
    matching_pursuit,
    model_error_basis,
    proto_value_functions,
)
from icml2008.papers.parr2008linear.method.growing import GrowingBasis
from icml2008.papers.parr2008linear.method.linear import (
    LinearFixedPoint,
    LinearModel,
    bellman_error,
)
from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
from icml2008.papers.parr2008linear.problems import Problem, blackjack, chain, two_room

REPEATS = {"smoke": 2, "quick": 4, "full": 20}
LATE = 0.95
EQUAL = 1e-8  # eigenvalues closer than this share of the largest, as `proto_value_functions` has it
NOTHING = 1e-8  # of the rewards: an error of which nothing can be said to cancel


class FeatureSource(Protocol):
    """A method of one's own: made by ``Class()``, it orders features for a process."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        """Return features in order, (n_states, k).

        `smooth` has the proto-value functions of the process's graph, (n_states, n_states).
        """


class ProtoValueFunctions:
    """PVF: the smoothest functions first."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        return smooth


class ProtoValuePursuit:
    """PVF-MP: the proto-value function that points most along the Bellman error."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        return smooth[:, matching_pursuit(process, smooth, process.n_states)]


class EigenvectorPursuit:
    """Eig-MP: the eigenvector of the transitions that points most along the Bellman error."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        dictionary, groups = eigenvector_dictionary(process.transitions)
        picked = matching_pursuit(process, dictionary, process.n_states, groups=groups)
        return dictionary[:, picked]


class BellmanErrorFeatures:
    """BEBF: the Bellman error itself."""

    def features(self, process: MarkovRewardProcess, smooth: np.ndarray) -> np.ndarray:
        return bellman_error_basis(process, process.n_states)


SOURCES = {
    "PVF": ProtoValueFunctions,
    "PVF-MP": ProtoValuePursuit,
    "BEBF": BellmanErrorFeatures,
}


def smooth_features(
    links: np.ndarray, rng: np.random.Generator, *, normalised: bool = False
) -> np.ndarray:
    """Return proto-value functions; where eigenvalues are equal, their basis is drawn at random."""
    features, eigenvalues = proto_value_functions(links, normalised=normalised)
    starts = np.flatnonzero(np.append(True, np.diff(eigenvalues) > EQUAL * eigenvalues[-1]))
    for space in np.split(np.arange(len(eigenvalues)), starts[1:]):
        turn, triangle = np.linalg.qr(rng.normal(size=(len(space), len(space))))
        features[:, space] = features[:, space] @ (turn * np.sign(np.diag(triangle)))
    return features


def path_of(process: MarkovRewardProcess, features: np.ndarray) -> np.ndarray:
    """Return four numbers for each number of features, 1 to n_states; shape (n_states, 4).

    Norms of Bellman, reward and feature error relative to that of the rewards, and the part of the
    features' expected next values that they do not predict. Where features run out, the last stay.
    """
    basis = GrowingBasis(process)
    rows = []
    scale = np.linalg.norm(process.rewards)
    for feature in features.T:
        if not basis.add(feature) and rows:
            rows.append(rows[-1])
            continue
        following = process.transitions @ basis.features
        missed = following - basis.features @ (basis.features.T @ following)
        share = np.linalg.norm(missed) / np.linalg.norm(following)
        rows.append([*(np.linalg.norm(error) / scale for error in basis.errors()), share])
    rows += [rows[-1]] * (process.n_states - len(rows))
    return np.array(rows)


def summary(path: np.ndarray) -> dict[str, float]:
    """Return what is judged of a path."""
    n = len(path)
    total, reward, feature, missed = path.T
    high = np.flatnonzero(total > 0.5)
    apart = reward[:-1] ** 2 + feature[:-1] ** 2
    left = apart > NOTHING**2
    return {
        "bellman_area": total.mean(),
        "reward_area": reward.mean(),
        "feature_area": feature.mean(),
        "reward_worst": reward.max(),
        "feature_worst": feature.max(),
        "reward_late": min(1.0, reward[int(LATE * n) - 1]),
        "needed": (high[-1] + 1 if len(high) else 0) / n,
        "cancelled": np.sum(1 - total[:-1][left] ** 2 / apart[left]) / len(apart),
        "unpredicted": missed.mean(),
    }


def measure_paths(trial: Trial, problem: Problem, *, normalised: bool = False) -> None:
    """Measure and keep the paths of all methods."""
    process = problem.process
    smooth = smooth_features(problem.links, trial.rng("ties"), normalised=normalised)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            path = path_of(process, make().features(process, smooth))
            trial.measure(name, n_test=len(path), **summary(path))
            if trial.repeat == 0:
                trial.keep(f"path {name}", path[:, :3].round(6))


@experiment(
    "figure-1a",
    cells=grid(problem=["chain"]),
    repeats=REPEATS,
    cost=0.03,
    methods={**SOURCES, "Eig-MP": EigenvectorPursuit},
    expects=FeatureSource,
)
def on_the_chain(trial: Trial) -> None:
    """Figure 1(a-c): the 50-state chain."""
    choices = trial.choices
    discount = float(choices["chain-discount"])
    ties = choices["chain-ties"]
    problem = chain(choices["chain-policy"], discount, ties=ties)
    measure_paths(trial, problem)
    smooth = summary(path_of(problem.process, smooth_features(problem.links, trial.rng("ties"))))
    ratio = smooth["feature_area"] / smooth["reward_area"]
    trial.measure("PVF", feature_of_reward=ratio)


@experiment(
    "figure-1d",
    cells=grid(problem=["two-room"]),
    repeats=REPEATS,
    cost=0.03,
    methods=SOURCES,
    expects=FeatureSource,
)
def in_two_rooms(trial: Trial) -> None:
    """Figure 1(d-f): two rooms, beside the chain."""
    choices = trial.choices
    linked = choices["reset-links"] == "yes"
    problem = two_room(choices["goal"], choices["ties"], reset_links=linked)
    measure_paths(trial, problem, normalised=True)
    # The text compares the areas of both problems by eye: each is divided by the chain's.
    other = chain()
    on_chain = summary(path_of(other.process, smooth_features(other.links, trial.rng("chain"))))
    smooth = smooth_features(problem.links, trial.rng("ties"), normalised=True)
    here = summary(path_of(problem.process, smooth))
    trial.measure(
        "PVF",
        **{
            f"{error}_of_chain": here[name] / on_chain[name]
            for error, name in (
                ("reward", "reward_area"),
                ("feature", "feature_area"),
                ("unpredicted", "unpredicted"),
            )
        },
    )


@experiment(
    "figure-1g",
    cells=grid(model=["ergodic", "book"]),
    repeats={"smoke": 2, "quick": 3, "full": 12},
    cost=0.3,
    methods=SOURCES,
    expects=FeatureSource,
)
def at_blackjack(trial: Trial) -> None:
    """Figure 1(g-i): blackjack, dealt again after each game, and as in the book."""
    choices = trial.choices
    linked = choices["reset-links"] == "yes"
    ergodic = trial.cell["model"] == "ergodic"
    problem = blackjack(choices["outcomes"], choices["deal"], ergodic=ergodic, reset_links=linked)
    measure_paths(trial, problem)


@experiment(
    "eigenvectors",
    cells=grid(problem=["two-room"]),
    repeats={"smoke": 2, "full": 2},
    cost=0.05,
    methods={"transition matrix": None},
)
def missing_eigenvectors(trial: Trial) -> None:
    """Section 6.2: how many eigenvectors the transitions of the two rooms lack.

    Moves that fail make 0.1 an eigenvalue. It lacks as many eigenvectors as the rank of P - 0.1 I
    exceeds that of its high powers.
    """
    P = two_room(trial.choices["goal"], trial.choices["ties"]).process.transitions
    shifted = (P - 0.1 * np.eye(len(P))) / 0.9
    ranks = [np.linalg.matrix_rank(np.linalg.matrix_power(shifted, k)) for k in (1, 20)]
    trial.measure("transition matrix", missing=ranks[0] - ranks[1])


def condition(process: MarkovRewardProcess, features: np.ndarray) -> float:
    """Return the condition number of the fixed point's equations, which rounding grows with."""
    system = features.T @ (features - process.discount * process.transitions @ features)
    return float(np.linalg.cond(system) * np.linalg.cond(features) ** 2)


def relative(difference: np.ndarray, size: np.ndarray) -> float:
    return float(np.linalg.norm(difference) / max(np.linalg.norm(size), 1e-300))


def theorem_3_1(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    features = rng.normal(size=(process.n_states, rng.integers(1, 6)))
    given = features, process.transitions @ features, process.rewards
    direct = LinearFixedPoint(process.discount).fit(*given).coef_
    by_model = LinearModel(process.discount).fit(*given).coef_
    return relative(direct - by_model, direct) / condition(process, features)


def theorem_4_1(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    features = rng.normal(size=(process.n_states, rng.integers(1, 6)))
    errors = bellman_error(
        features, process.transitions @ features, process.rewards, process.discount
    )
    gap = errors.total - errors.reward - errors.feature
    return relative(gap, errors.total) / condition(process, features)


def outside(vectors: np.ndarray, basis: np.ndarray) -> float:
    """Return the largest share of a vector that lies outside of an orthonormal basis' span."""
    rest = vectors - basis @ (basis.T @ vectors)
    return float(np.max(np.linalg.norm(rest, axis=0) / np.linalg.norm(vectors, axis=0)))


def powers(process: MarkovRewardProcess, k: int) -> np.ndarray:
    """Return R, PR, ..., P^(k-1) R as they stand."""
    columns = [process.rewards]
    for _ in range(k - 1):
        columns.append(process.transitions @ columns[-1])
    return np.column_stack(columns)


def same_span(process: MarkovRewardProcess, make: Callable[[int], np.ndarray]) -> float:
    """Return how far a basis of k features is from Krylov's, at most over k = 1 to 5."""
    gaps = []
    for k in range(1, 6):
        basis = make(k)
        krylov = krylov_basis(process, k)
        if basis.shape[1] != k or krylov.shape[1] != k:
            return 1.0
        gaps += [outside(powers(process, k), basis), outside(krylov, basis)]
    return max(gaps)


def theorem_5_1(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    return same_span(process, lambda k: bellman_error_basis(process, k))


def theorem_5_2(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    start = np.linalg.qr(rng.normal(size=(process.n_states, 3)))[0]
    larger = model_error_basis(process, 1, start=start)
    return outside(bellman_error_basis(process, 4, start=start), larger)


def theorem_5_3(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    return same_span(process, lambda k: model_error_basis(process, k - 1))


def invariant_features(process: MarkovRewardProcess, rng: np.random.Generator) -> np.ndarray:
    """Return a basis of the first columns of a Schur decomposition: an invariant subspace."""
    triangle, vectors = schur(process.transitions, output="real")
    k = int(rng.integers(1, process.n_states))
    k += triangle[k, k - 1] != 0  # the second of a complex pair
    return vectors[:, :k] @ np.linalg.qr(rng.normal(size=(k, k)))[0]


def theorem_5_4(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    features = invariant_features(process, rng)
    following = process.transitions @ features
    model = LinearModel(process.discount).fit(features, following, process.rewards)
    return relative(following - features @ model.transition_, following)


def theorem_5_5(process: MarkovRewardProcess, rng: np.random.Generator) -> float:
    features = invariant_features(process, rng)
    model = LinearModel(process.discount)
    model.fit(features, process.transitions @ features, process.rewards)
    projected = features @ model.reward_
    values = MarkovRewardProcess(process.transitions, projected, process.discount).values()
    return relative(model.predict(features) - values, values)


THEOREMS: Mapping[str, Callable[[MarkovRewardProcess, np.random.Generator], float]] = {
    "3.1": theorem_3_1,
    "4.1": theorem_4_1,
    "5.1": theorem_5_1,
    "5.2": theorem_5_2,
    "5.3": theorem_5_3,
    "5.4": theorem_5_4,
    "5.5": theorem_5_5,
}
DRAWS = 20


def random_process(rng: np.random.Generator) -> MarkovRewardProcess:
    """Draw a process of 15 states; rows of the transitions range from even to nearly certain."""
    n = 15
    transitions = rng.dirichlet(np.full(n, rng.choice([0.1, 0.3, 1.0])), n)
    return MarkovRewardProcess(transitions, rng.normal(size=n), rng.choice([0.5, 0.9, 0.99]))


@experiment(
    "theorems",
    cells=grid(theorem=list(THEOREMS), process=["random", "chain"]),
    repeats={"smoke": 2, "quick": 5, "full": 50},
    cost=0.015,
    methods={"linear algebra": None},
)
def check_theorem(trial: Trial) -> None:
    """Sections 3 to 5: by how much a theorem is violated, at most over 20 draws."""
    rng = trial.rng("draws")
    check = THEOREMS[trial.cell["theorem"]]
    violations = [
        check(chain().process if trial.cell["process"] == "chain" else random_process(rng), rng)
        for _ in range(DRAWS)
    ]
    trial.measure("linear algebra", violation=max(violations), n_test=DRAWS)
