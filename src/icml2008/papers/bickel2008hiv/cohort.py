"""A simulator of HIV therapy histories, in place of the EuResist records that are not public.

A stand-in, and no more: what section 5.1 prints of the data is met (how many records, combinations
of drugs, combinations with one and with fewer than five records, share of successes, 65 mutations
and 17 drugs of the history, order by date), and everything else is made up, once, before any method
was run on it:

- Combinations have two to four drugs, after the patterns of the time. Each is used from the year in
  which its last drug was approved.
- A patient has had earlier regimens, drawn from the combinations in use before; doctors avoid drugs
  that were given before. Drugs of the history select the mutations that make them fail.
- The log-odds of success have three parts, with shares of their variance: one that is
  the same for all combinations (mutations and earlier drugs), one that combinations share as far as
  they share drugs (a drug's potency, and what its own mutations take from it), and one that is the
  combination's *own*, drawn anew for each. The share of the third is the strength of task-specific
  effects; half of it is an intercept, half are effects of the features. The other two have equal
  weights.
- The log-odds have standard deviation 2.5. The best possible accuracy is then some points above the
  best printed one, 79.4 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from icml2008.papers.bickel2008hiv.drugs import DRUGS, MUTATIONS, POLYMORPHISMS


@dataclass(frozen=True)
class Counts:
    """What section 5.1 prints of a data set.

    Attributes
    ----------
    records, tasks : int
        Treatments, and distinct combinations of drugs.
    single, few : int
        Combinations with one treatment, and with fewer than five.
    success : float
        Share of successful treatments.
    """

    records: int
    tasks: int
    single: int
    few: int
    success: float

    def shrunk(self, factor: float) -> Counts:
        """Return the counts of a data set of the same shape, smaller by a factor."""
        sizes = (round(n / factor) for n in (self.records, self.tasks, self.single, self.few))
        return Counts(*sizes, self.success)


PRINTED = {
    "virus-load": Counts(3260, 545, 253, 411, 0.657),
    "multi-condition": Counts(2011, 433, 213, 331, 0.641),
}
# Share of the log-odds' variance that is a combination's own: about a third, as of three parts.
OWN = 0.3
SPREAD = 2.5
STUDY = (1996.0, 2008.0)

# Patterns of combinations (drugs of each family) and how common they were.
PATTERNS = {(2, 0, 0): 1, (3, 0, 0): 1, (2, 1, 0): 4, (2, 0, 1): 5, (2, 0, 2): 4, (1, 1, 1): 0.5,
            (2, 1, 1): 1, (1, 0, 2): 0.5}  # fmt: skip
FAMILIES = ("NRTI", "NNRTI", "PI")


@dataclass(frozen=True)
class Cohort:
    """Treatments in order of their dates.

    Attributes
    ----------
    X : ndarray of shape (n_records, 82)
        0/1: mutations of the virus, then drugs of the history.
    y : ndarray of shape (n_records,)
        1 for a success, -1 for a failure.
    task : ndarray of str, shape (n_records,)
        Drugs joined by "+".
    date : ndarray of shape (n_records,)
        In years.
    chance : ndarray of shape (n_records,)
        The true p(y = 1 | x, task), which no method is told.
    """

    X: NDArray[np.float64]
    y: NDArray[np.float64]
    task: NDArray[np.str_]
    date: NDArray[np.float64]
    chance: NDArray[np.float64]


def task_sizes(counts: Counts) -> NDArray[np.intp]:
    """Return the number of records of each combination, the largest first.

    Sizes of 2 to 4 are as frequent as their inverse square, those from 5 on are 5 and a squared
    exponential variable whose scale makes the sum right; the largest one takes what rounding
    leaves.

    Examples
    --------
    >>> task_sizes(Counts(50, 9, 4, 7, 0.5))
    array([33,  6,  3,  2,  2,  1,  1,  1,  1])
    """
    short = np.arange(2, 5)
    share = short**-2.0 / (short**-2.0).sum()
    ends = np.round(np.cumsum(share) * (counts.few - counts.single)).astype(int)
    few = np.repeat(short, np.diff(ends, prepend=0))[::-1]
    many = counts.tasks - counts.few
    rest = counts.records - counts.single - few.sum()
    excess = np.log((np.arange(many) + 0.5) / many) ** 2
    large = np.round(5 + excess * (rest - 5 * many) / excess.sum()).astype(int)
    large[0] += rest - large.sum()
    return np.concatenate([large, few, np.ones(counts.single, dtype=int)])


def drug_combinations() -> list[frozenset[str]]:
    """Return all combinations of drugs of the known patterns, with two to four drugs.

    A second protease inhibitor is ritonavir, which boosts the first.
    """
    families = [[n for n, drug in DRUGS.items() if drug.family == f] for f in FAMILIES]
    drug_sets = []
    for nrtis, nnrtis, pis in PATTERNS:
        inhibitors = combinations(families[2], pis)
        third = [pair for pair in inhibitors if pis < 2 or "RTV" in pair]
        drug_sets += [
            frozenset(a + b + c)
            for a in combinations(families[0], nrtis)
            for b in combinations(families[1], nnrtis)
            for c in third
        ]
    return drug_sets


def simulate(counts: Counts, rng: np.random.Generator, own: float = OWN) -> Cohort:
    """Draw drugs' effects, patients and treatments.

    Parameters
    ----------
    counts : Counts
        Met exactly, the share of successes in expectation.
    rng : numpy.random.Generator
    own : float
        Share of the log-odds' variance that is each combination's own, in [0, 1].

    Returns
    -------
    Cohort
    """
    names = list(DRUGS)
    sizes = task_sizes(counts)
    drugs = _popular(counts.tasks, rng)
    holds = np.array([[name in drug_set for name in names] for drug_set in drugs], dtype=float)
    approved = np.array([drug.approved for drug in DRUGS.values()])
    first_use = np.maximum(np.max(holds * approved, axis=1), STUDY[0])

    task = np.repeat(np.arange(counts.tasks), sizes)
    date = first_use[task] + (STUDY[1] - first_use[task]) * rng.beta(1.5, 1.5, size=counts.records)
    order = np.argsort(date, kind="stable")
    task = task[order]
    date = date[order]

    history = _history(date, holds, sizes, first_use, rng)
    # a drug that was given before is given again in one of two cases that would have it
    history[(holds[task] > 0) & (rng.random(history.shape) < 0.5)] = 0
    X = np.hstack([_mutations(history, rng), history])
    score = _log_odds(X, task, holds, own, rng)
    level = brentq(lambda b: expit(score + b).mean() - counts.success, -20, 20)
    chance = expit(score + level)
    y = np.where(rng.random(counts.records) < chance, 1.0, -1.0)
    labels = np.array(["+".join(sorted(drug_set)) for drug_set in drugs])
    return Cohort(X, y, labels[task], date, chance)


def _popular(n_tasks: int, rng: np.random.Generator) -> list[frozenset[str]]:
    """Draw combinations without replacement, the most used first."""
    known = drug_combinations()
    weight = []
    for drug_set in known:
        kinds = [DRUGS[name].family for name in drug_set]
        pattern = PATTERNS[tuple(kinds.count(family) for family in FAMILIES)]
        weight.append(pattern * np.prod([DRUGS[name].use for name in drug_set]))
    # the order of log-weights with Gumbel noise is that of drawing by weight
    place = np.argsort(-np.log(weight) - rng.gumbel(size=len(known)), kind="stable")
    return [known[i] for i in place[:n_tasks]]


def _history(date, holds, sizes, first_use, rng) -> NDArray[np.float64]:
    """Draw earlier regimens of each patient from the combinations in use at their time."""
    begin = np.maximum(first_use.min() - 4, date - 12 * rng.random(len(date)))
    regimens = rng.poisson(0.35 * (date - begin))
    by_start = np.argsort(first_use, kind="stable")
    weight = np.cumsum(sizes[by_start])
    history = np.zeros((len(date), holds.shape[1]))
    for turn in range(regimens.max(initial=0)):
        when = begin + (date - begin) * rng.random(len(date))
        in_use = np.searchsorted(first_use[by_start], when, side="right")
        ceiling = np.where(in_use > 0, weight[np.maximum(in_use, 1) - 1], 0)
        drawn = np.searchsorted(weight, rng.random(len(date)) * ceiling, side="right")
        had = (regimens > turn) & (in_use > 0)
        history[had] = np.maximum(history[had], holds[by_start[drawn[had]]])
    return history


def _relevance() -> NDArray[np.float64]:
    """Return, for each drug and mutation, whether the mutation makes the drug fail."""
    rows = [[name in drug.mutations for name in MUTATIONS] for drug in DRUGS.values()]
    return np.array(rows, dtype=float)


def _mutations(history, rng) -> NDArray[np.float64]:
    """Draw mutations: polymorphisms, and those that earlier drugs select in this patient."""
    selected = rng.beta(1, 4, size=(len(DRUGS), len(MUTATIONS))) * _relevance()
    background = np.array([POLYMORPHISMS.get(name, 0.01) for name in MUTATIONS])
    # how strongly a patient's virus evolves: mutations come together
    pace = rng.gamma(2, 0.5, size=(len(history), 1))
    spared = (1 - background) * np.exp(pace * (history @ np.log1p(-selected)))
    return (rng.random(spared.shape) >= spared).astype(float)


def _log_odds(X, task, holds, own, rng) -> NDArray[np.float64]:
    """Return the log-odds of success up to a constant: three parts of given variance."""
    n_mutations = len(MUTATIONS)
    n_tasks = len(holds)
    mutations = X[:, :n_mutations]
    history = X[:, n_mutations:]
    given = holds[task]
    common = -X @ np.abs(rng.normal(size=X.shape[1]))
    potency = rng.normal(size=len(DRUGS))
    failing = np.abs(rng.normal(size=(len(DRUGS), 1)))
    resistance = failing * np.abs(rng.normal(size=(len(DRUGS), n_mutations))) * _relevance()
    earlier = np.abs(rng.normal(size=len(DRUGS)))
    drug = given @ potency
    drug -= np.einsum("id,id->i", given, mutations @ resistance.T + history * earlier)
    effects = rng.normal(size=(n_tasks, X.shape[1]))
    slopes = np.einsum("ij,ij->i", X - X.mean(axis=0), effects[task])
    level = rng.normal(size=n_tasks)[task]
    shared = _standard(_standard(common) + _standard(drug))
    alone = _standard(_standard(slopes) + _standard(level))
    whole = np.sqrt(1 - own) * shared + np.sqrt(own) * alone
    return SPREAD * _standard(whole)


def _standard(values) -> NDArray[np.float64]:
    return (values - values.mean()) / values.std()
