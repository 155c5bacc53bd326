"""Section 5 on simulated cohorts, and on census data; Eqs. 1 to 8 and weights on discrete toys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np
from scipy.stats import t as student

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.methods.multitask.task_kernels import drug_indicator_kernel, mutation_table_kernel
from icml2008.papers.bickel2008hiv.census import people_by_origin
from icml2008.papers.bickel2008hiv.cohort import PRINTED, simulate
from icml2008.papers.bickel2008hiv.contenders import Contender, contenders, tuned
from icml2008.papers.bickel2008hiv.drugs import RESISTANCE_TABLE
from icml2008.papers.bickel2008hiv.split import Examples, Split, hits
from icml2008.papers.bickel2008hiv.toys import (
    identity_gap,
    label_split_toy,
    random_toy,
    weight_errors,
)

# Nothing larger is fitted while tuning: the most recent of the examples before the tuning set.
MOST_TO_TUNE_ON = 800
# The exact kernel is too expensive with more training examples than this: landmarks carry it.
MOST_FOR_EXACT = 1000
LANDMARKS = 150
# Figure 2's first group: combinations with at most this many training records.
FEW = {"virus-load": 2, "multi-condition": 1}
KNOWLEDGE = {
    "drugs": drug_indicator_kernel,
    "mutations": partial(mutation_table_kernel, table=RESISTANCE_TABLE),
}
RIVALS = ("separate", "pooled", "hierarchical kernel", "Gaussian process")


class TaskLearner(Protocol):
    """A method of one's own: a class that learns a classifier for each task.

    It is made by ``Class()`` and fitted to the training examples as it is; it may tune itself.
    """

    def fit(self, X: np.ndarray, y: np.ndarray, *, task: np.ndarray, tasks: Iterable) -> Any:
        """Learn from X (n, n_features), y of -1 and 1; `tasks` will be asked for later."""

    def decision_function(self, X: np.ndarray, *, task: np.ndarray) -> np.ndarray:
        """Return a number for each example: above 0 for y = 1."""


def in_time(examples: Examples, share: float) -> tuple[Examples, Examples]:
    """Return the examples but the last share of them, and the last ones."""
    n_late = round(share * len(examples.y))
    rows = np.arange(len(examples.y))
    return examples.take(rows[:-n_late]), examples.take(rows[-n_late:])


def decisions(
    methods: Mapping[str, Any],
    train: Examples,
    test: Examples,
    trial: Trial,
) -> Iterable[tuple[str, np.ndarray]]:
    """Yield each method's name and its decisions on the test examples, tuned on the training ones.

    The last of the training examples (in the order given) choose the parameters.
    """
    seed = int(trial.rng("landmarks").integers(2**31))
    exact = trial.choices["kernel"] == "exact" and len(train.y) <= MOST_FOR_EXACT
    make = partial(Split, landmarks=None if exact else LANDMARKS, seed=seed)
    earlier, later = in_time(train, {"fifth": 0.2, "half": 0.5}[trial.choices["tuning-set"]])
    earlier = earlier.take(slice(-MOST_TO_TUNE_ON, None))
    tuning = make(earlier, later)
    final = make(earlier if trial.choices["retrain"] == "no" else train, test)
    chosen: dict[str, dict[str, float]] = {}
    for name in _in_turn(methods):
        method = methods[name]
        with trial.attempt(name):
            if isinstance(method, Contender):
                taken = chosen.get(method.width_of, {})
                width = {key: taken[key] for key in taken.keys() & {"gamma"}}
                chosen[name] = tuned(method, tuning, width)
                yield name, method.decide(final, chosen[name])
            else:
                model = method().fit(train.X, train.y, task=train.task, tasks=np.unique(test.task))
                yield name, np.asarray(model.decision_function(test.X, task=test.task))


def _in_turn(methods: Mapping[str, Any]) -> list[str]:
    """Return the names, a method that takes the width of another one after those that take none."""
    return sorted(methods, key=lambda name: getattr(methods[name], "width_of", None) is not None)


def paired_p(first: np.ndarray, second: np.ndarray) -> float:
    """Return the p-value of the paired t-test that `first` is not better, one-sided."""
    gap = first - second
    spread = gap.std(ddof=1)
    if spread == 0:
        return 0.5
    return float(student.sf(gap.mean() / (spread / np.sqrt(len(gap))), df=len(gap) - 1))


def groups(n_seen: np.ndarray, few: int) -> np.ndarray:
    """Return Figure 2's group of each test example by its task's training examples: 0 to 3.

    The first is printed (at most `few`); the others are made equal as far as ties allow.
    """
    rest = np.sort(n_seen[n_seen > few])
    edges = rest[[len(rest) // 3, 2 * len(rest) // 3]] if len(rest) else [few + 1, few + 1]
    return np.where(n_seen <= few, 0, 1 + np.searchsorted(edges, n_seen, side="right"))


def measure_by_group(trial: Trial, hits_of: Mapping[str, np.ndarray], group: np.ndarray) -> None:
    """Record the accuracy in each group, and how much more is gained in the first than in each."""
    present = [g for g in range(4) if (group == g).any()]
    for name, hit in hits_of.items():
        accuracy = {g: 100 * hit[group == g].mean() for g in present}
        trial.measure(name, **{f"accuracy_{g + 1}": value for g, value in accuracy.items()})
        if name == "separate" or "separate" not in hits_of:
            continue
        gain = {g: 100 * (hit - hits_of["separate"])[group == g].mean() for g in present}
        if 0 in gain:
            leads = {f"lead_{g + 1}": gain[0] - gain[g] for g in present if g}
            trial.measure(name, **leads)


def measure_knowledge(trial: Trial, hits_of: Mapping[str, np.ndarray]) -> None:
    """Record what each variant with prior knowledge gains over the one without."""
    for name, hit in hits_of.items():
        plain = hits_of.get(name.partition(",")[0])
        if "," in name and plain is not None:
            trial.measure(name, knowledge_gain=100 * (hit - plain).mean())


def share_significant(hits_of: Mapping[str, np.ndarray]) -> float:
    """Return the percent of Table 1's ten comparisons that distribution matching wins at 5 %."""
    compared = [
        (f"matching{known}", rival if rival in ("separate", "Gaussian process") else rival + known)
        for known in ("", *(f", {name}" for name in KNOWLEDGE))
        for rival in RIVALS
        if not (known and rival == "Gaussian process")
    ]
    wins = [paired_p(hits_of[ours], hits_of[rival]) < 0.05 for ours, rival in compared]
    return 100 * float(np.mean(wins))


@experiment(
    "cohorts",
    cells=grid(labelling=list(PRINTED), shrink=[1, 8]),
    quick=grid(labelling=["virus-load"], shrink=[8]),
    repeats={"quick": 1, "full": 10},
    cost=lambda cell: 40 if cell["shrink"] == 1 else 1.3,
    methods=lambda choices: contenders(choices, KNOWLEDGE),
    expects=TaskLearner,
)
def simulated_cohorts(trial: Trial) -> None:
    """Table 1 and Figure 2 on simulated cohorts, of the printed size or smaller by a factor."""
    labelling = trial.cell["labelling"]
    counts = PRINTED[labelling].shrunk(trial.cell["shrink"])
    cohort = simulate(counts, trial.rng("cohort"))
    train, test = in_time(Examples(cohort.X, cohort.y, cohort.task), 0.2)
    hits_of = {}
    for name, decision in decisions(trial.methods, train, test, trial):
        hits_of[name] = hits(decision, test.y)
        trial.measure(name, accuracy=100 * hits_of[name].mean(), n_test=len(test.y))
    seen = dict(zip(*np.unique(train.task, return_counts=True), strict=True))
    n_seen = np.array([seen.get(task, 0) for task in test.task])
    measure_by_group(trial, hits_of, groups(n_seen, FEW[labelling]))
    measure_knowledge(trial, hits_of)
    # Significance is over all rivals: without one that failed there is nothing to compare with.
    if trial.methods.keys() - hits_of.keys() == set():
        trial.measure("matching", significant=share_significant(hits_of))
    if trial.repeat == 0:
        _, sizes = np.unique(cohort.task, return_counts=True)
        trial.keep("records of each combination", np.sort(sizes)[::-1])
        trial.keep("share of successes", [np.mean(cohort.y > 0)])


@experiment(
    "sweep",
    cells=[*grid(own=[30], shrink=[20]), *grid(own=[0, 15, 30, 60, 90], shrink=[5])],
    quick=grid(own=[30], shrink=[20, 5]),
    smoke=grid(own=[30], shrink=[20]),
    repeats={"quick": lambda cell: 2 if cell["shrink"] == 5 else 1, "full": 12},
    cost=lambda cell: 2.0 if cell["shrink"] == 5 else 0.35,
    methods=lambda choices: contenders(choices, {"drugs": drug_indicator_kernel}),
    expects=TaskLearner,
)
def strength_of_own_effects(trial: Trial) -> None:
    """Small simulated cohorts whose combinations differ little or much in p(y | x)."""
    counts = PRINTED["virus-load"].shrunk(trial.cell["shrink"])
    cohort = simulate(counts, trial.rng("cohort", across=("own",)), own=trial.cell["own"] / 100)
    train, test = in_time(Examples(cohort.X, cohort.y, cohort.task), 0.2)
    for name, decision in decisions(trial.methods, train, test, trial):
        trial.measure(name, accuracy=100 * hits(decision, test.y).mean(), n_test=len(test.y))
    # Who knows the simulator's chances: no method can do better, and the figure shows how far they
    # are.
    best = test.y * (cohort.chance[-len(test.y) :] - 0.5) > 0
    trial.keep("best possible", [100 * best.mean()])


@experiment(
    "census",
    cells=grid(people=[300, 1500]),
    quick=grid(people=[300]),
    repeats={"quick": 1, "full": 10},
    cost=lambda cell: 20 if cell["people"] == 1500 else 2,
    methods=lambda choices: contenders(choices, {"parts": drug_indicator_kernel}),
    data=lambda cell: ("adult",),
    expects=TaskLearner,
)
def income_by_origin(trial: Trial) -> None:
    """Adult: income above 50,000 dollars; tasks are country of birth and occupation."""
    people = people_by_origin(trial.data("adult"))
    drawn = trial.rng("people").permutation(len(people.y))[: trial.cell["people"]]
    train, test = in_time(people.take(drawn), 0.2)
    for name, decision in decisions(trial.methods, train, test, trial):
        trial.measure(name, accuracy=100 * hits(decision, test.y).mean(), n_test=len(test.y))


IDENTITIES = ("Eq. 4", "Eq. 8")
TOYS = 100


@experiment(
    "identity",
    cells=grid(tasks=[2, 20]),
    repeats={"smoke": 2, "quick": 4, "full": 20},
    cost=0.02,
    methods=dict.fromkeys(IDENTITIES, identity_gap),
)
def density_ratio_identity(trial: Trial) -> None:
    """Eqs. 1 to 8: the weighted loss of the pool against the loss of each task, exactly known."""
    rng = trial.rng("toys")
    toys = [random_toy(trial.cell["tasks"], rng) for _ in range(TOYS)]
    for name, gap in trial.methods.items():
        with trial.attempt(name):
            gaps = [gap(joint, loss, posterior=name == "Eq. 8") for joint, loss in toys]
            trial.measure(name, gap=max(gaps), n_test=TOYS)


SIZES = (250, 1000, 4000)
WEIGHTINGS = ("matching", "covariate shift", "unweighted")


@experiment(
    "weights",
    cells=grid(examples=SIZES),
    quick=grid(examples=SIZES[:2]),
    smoke=grid(examples=SIZES[:1]),
    repeats={"quick": 6, "full": 20},
    cost=lambda cell: cell["examples"] / 8000,
    methods=dict.fromkeys(WEIGHTINGS, weight_errors),
)
def estimated_against_true_weights(trial: Trial) -> None:
    """Weights on toys whose densities are known, from more and more examples."""
    toy = label_split_toy(trial.rng("toy", across=("examples",)))
    drawn = toy.draw(trial.cell["examples"], trial.rng("examples"))
    for name, estimate in trial.methods.items():
        with trial.attempt(name):
            error, pairs = estimate(name, toy, *drawn)
            trial.measure(name, error=error)
            if trial.repeat == 0 and name != "unweighted":
                trial.keep(f"{name}: true and estimated", pairs)
