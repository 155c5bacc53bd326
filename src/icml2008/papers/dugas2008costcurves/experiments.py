"""Section 5: coverage of the intervals on binormal scores, and their moments."""

from __future__ import annotations

import numpy as np
from scipy.special import logit, ndtr, ndtri

from icml2008.harness.counting import merge_comparisons
from icml2008.harness.experiment import experiment, grid
from icml2008.papers.dugas2008costcurves.method import bootstrap_moments, only_first

SIMULATIONS = 1000
LEVEL = 0.9
Z = ndtri((1 + LEVEL) / 2)
COUNTED = 100  # simulations, at least, that a coverage is of
N_CONDITIONS = {"percent": 100, "per-mille": 1000}
DEVIATIONS = {"deviation": 3.0, "variance": 3.0**0.5}


def thresholds(w, positive, negative, deviation):
    """Return the thresholds of least expected cost: there w f+(t) equals (1 - w) f-(t)."""
    return (positive + negative) / 2 - deviation**2 / (positive - negative) * logit(w)


# A method takes sums of errors and of their squares, (2, n_simulations, n_conditions), class sizes,
# (2, n_simulations, 1), and w, (n_conditions,), and returns the ends of the intervals.


def stratified(sums, squares, sizes, w):
    """Return the paper's intervals by stratified sampling."""
    mean, variance = bootstrap_moments(sums, squares, sizes, w)
    return mean - Z * np.sqrt(variance), mean + Z * np.sqrt(variance)


def full(sums, squares, sizes, w):
    """Return the paper's intervals by full sampling, on the scale of the others."""
    mean, variance = bootstrap_moments(sums, squares, sizes, w, sampling="full", positive_rate=0.5)
    scale = 2 * np.maximum(w, 1 - w)
    half = Z * np.sqrt(variance)
    return scale * (mean - half), scale * (mean + half)


def known(sums, squares, sizes, w):
    """Return intervals by the spread of all simulations, which no test set shows: the ceiling."""
    mean, _ = bootstrap_moments(sums, squares, sizes, w)
    half = Z * mean.std(axis=0)
    return mean - half, mean + half


def widest(sums, squares, sizes, w):
    """Return intervals by the largest possible variance, whatever the errors: the floor."""
    mean, _ = bootstrap_moments(sums, squares, sizes, w)
    most = 0.25 if sums is squares else 1.0  # of an error, and of a difference of two
    half = Z * np.sqrt(most * (w**2 / sizes[0] + (1 - w) ** 2 / sizes[1]))
    return mean - half, mean + half


def wilson(sums, squares, sizes, w):
    """Return Wilson's intervals of both error rates, combined by Zou and Donner's rule."""
    rates = sums / sizes
    weights = np.array([w, 1 - w])[:, None]
    middle = (rates + Z**2 / (2 * sizes)) / (1 + Z**2 / sizes)
    half = np.sqrt(rates * (1 - rates) / sizes + Z**2 / (4 * sizes**2)) * Z / (1 + Z**2 / sizes)
    mean = np.sum(weights * rates, axis=0)
    down, up = (
        np.sqrt(np.sum((weights * (end - rates)) ** 2, axis=0))
        for end in (middle - half, middle + half)
    )
    return mean - down, mean + up


METHODS = {"stratified": stratified, "full": full, "known": known, "widest": widest}


def measure(trial, name, covers, w, counted, metrics):
    """Measure coverage over w by the simulations that are counted; keep the curves of figures.

    In percent, to three decimals: its spread over repeats is hundreds of times that.
    """
    enough = counted.sum(axis=0) >= COUNTED
    coverage = 100 * (covers & counted).sum(axis=0)[enough] / counted.sum(axis=0)[enough]
    off = np.abs(coverage - 100 * LEVEL)
    middle = coverage[np.abs(w[enough] - 0.5) < 0.2501].mean()
    summary = {
        "coverage_error": off.mean(),
        "width": 100 * np.sum(off < 2.501) / len(w),
        "middle": middle,
        "end_drop": middle - (coverage[0] + coverage[-1]) / 2,
        "lowest": coverage.min(),
    }
    trial.measure(name, **{metric: summary[metric].round(3) for metric in metrics})
    if name in ("stratified", "full", "wilson") and "rho" not in trial.cell:
        trial.keep(name, coverage.round(2))


def measure_all(trial, sums, squares, sizes, w, truth, metrics):
    """Measure every method on the same simulations."""
    sizes = sizes[:, :, None]
    for name, interval in trial.methods.items():
        with trial.attempt(name):
            low, high = interval(sums, squares, sizes, w)
            covers = (low < truth) & (truth < high)
            if trial.choices.get("no-length") == "covers":
                covers |= (low == truth) & (truth == high)
            inside = name != "inside" or among_scores(sums, sizes, trial.choices["range"])
            measure(trial, name, covers, w, np.broadcast_to(inside, covers.shape), metrics)


def among_scores(errors, sizes, of):
    """Return where a threshold lies within the range of all scores, or of those of each class."""
    above = np.array([sizes[0] - errors[0], errors[1]])
    if of == "all-scores":
        above = above.sum(axis=0, keepdims=True)
        sizes = sizes.sum(axis=0, keepdims=True)
    return np.all((above > 0) & (above < sizes), axis=0)


def setting(trial, n):
    """Return w, the scores' deviation and the numbers of positives and negatives, (2, sets)."""
    steps = N_CONDITIONS[trial.choices["conditions"]]
    positives = np.full(SIMULATIONS, n)
    if trial.choices["class-counts"] == "binomial":
        positives = trial.rng("classes").binomial(2 * n, 0.5, SIMULATIONS)
    sizes = np.array([positives, 2 * n - positives])
    return np.arange(1, steps) / steps, DEVIATIONS[trial.choices["scale"]], sizes


def cover_cost(trial, theta, n, metrics):
    """Simulate test sets and measure how often the cost of one classifier is covered.

    How many scores fall between thresholds is multinomial, and drawn as such.
    """
    w, deviation, sizes = setting(trial, n)
    cuts = thresholds(w, theta, -theta, deviation)
    rng = trial.rng("scores")
    errors = np.empty((2, SIMULATIONS, len(w)))
    rates = np.empty((2, len(w)))
    for label, mean in enumerate((theta, -theta)):
        beyond = ndtr((mean - cuts) / deviation)
        between = rng.multinomial(sizes[label], np.diff(beyond, prepend=0.0, append=1.0))
        errors[label] = between.cumsum(axis=1)[:, :-1]
        rates[label] = beyond
    errors[0] = sizes[0][:, None] - errors[0]
    rates[0] = 1 - rates[0]
    measure_all(trial, errors, errors, sizes, w, w * rates[0] + (1 - w) * rates[1], metrics)


REPEATS = {"smoke": 1, "quick": 6, "full": 12}


@experiment(
    "spread",
    cells=grid(theta=[0.75, 1.5, 3.0, 5.0]),
    smoke=grid(theta=[0.75, 3.0]),
    repeats=REPEATS,
    cost=0.08,
    methods={**METHODS, "wilson": wilson, "inside": stratified},
)
def coverage_over_spreads(trial):
    """Figures 2 and 5: coverage of the cost, for classes that overlap more or less."""
    metrics = ["coverage_error", "width", "middle", "end_drop", "lowest"]
    cover_cost(trial, trial.cell["theta"], 1000, metrics)


@experiment(
    "size",
    cells=grid(n=[25, 250, 2500, 10000]),
    quick=grid(n=[25, 250, 2500]),
    smoke=grid(n=[25]),
    repeats=REPEATS,
    cost=0.07,
    methods={**METHODS, "wilson": wilson},
)
def coverage_over_sizes(trial):
    """Figure 3: coverage of the cost, for small and large test sets."""
    cover_cost(trial, 3.0, trial.cell["n"], ["coverage_error", "width"])


PAIRS = grid(theta=[1.0, 3.0], shift=[0.0, 2.0, 4.0], rho=[0.3, 0.6, 0.9])


@experiment(
    "difference",
    cells=PAIRS,
    quick=PAIRS[4:5],
    repeats=REPEATS,
    cost=0.4,
    methods=METHODS,
)
def coverage_of_differences(trial):
    """Figures 4 and 6: coverage of the difference in cost of two classifiers."""
    theta, shift, rho = (trial.cell[name] for name in ("theta", "shift", "rho"))
    w, deviation, sizes = setting(trial, 1000)
    means = [(theta, -theta), (theta + shift, -theta)]  # of a classifier's positives and negatives
    cuts = [thresholds(w, *both, deviation) for both in means]
    rng = trial.rng("scores")
    sums = []
    squares = []
    rates = []
    for label, sign in enumerate((1, -1)):  # to label it positive spares a positive's error
        sets = np.repeat(np.arange(SIMULATIONS), sizes[label])
        first, second = rng.standard_normal((2, len(sets)))
        second = rho * first + np.sqrt(1 - rho**2) * second
        at = [
            np.searchsorted(-cuts[k], -(means[k][label] + deviation * normal))
            for k, normal in enumerate((first, second))
        ]
        only = [only_first(*pair, sets, SIMULATIONS, len(w)) for pair in (at, at[::-1])]
        sums.append(sign * (only[0] - only[1]))
        squares.append(only[0] + only[1])
        beyond = [ndtr((means[k][label] - cuts[k]) / deviation) for k in (0, 1)]
        rates.append(sign * (beyond[0] - beyond[1]))
    truth = w * rates[0] + (1 - w) * rates[1]
    metrics = ["coverage_error", "width", "end_drop"]
    measure_all(trial, np.array(sums), np.array(squares), sizes, w, truth, metrics)


INSTANCES = 6
SETS = 20


def resampled_sums(values, strata):
    """Return the sum of a value over each bootstrap sample; those of all strata are combined."""
    sums = np.zeros(1)
    for members in strata:
        k = len(members)
        draws = values[members][np.indices((k,) * k).reshape(k, -1)]
        sums = np.add.outer(sums, draws.sum(axis=0)).ravel()
    return sums


@experiment(
    "moments",
    cells=grid(of=["cost", "difference"]),
    repeats={"quick": 4, "full": 15},
    cost=0.03,
    methods={"stratified": "stratified", "full": "full"},
)
def moments_by_enumeration(trial):
    """Equations 4 to 13 against all bootstrap samples of tiny test sets."""
    rng = trial.rng("sets")
    least = 0 if trial.cell["of"] == "cost" else -1
    worst = dict.fromkeys(trial.methods, 0.0)
    for _ in range(SETS):
        positive = rng.permutation(np.arange(INSTANCES) < rng.integers(1, INSTANCES))
        errors = rng.integers(least, 2, size=INSTANCES)
        w = rng.random()
        sizes = np.array([positive.sum(), (~positive).sum()])
        sums, squares = (
            np.array([power[positive].sum(), power[~positive].sum()])
            for power in (errors, errors**2)
        )
        costs = np.where(positive, w / sizes[0], (1 - w) / sizes[1]) * errors
        for how in trial.methods:
            everybody = np.arange(INSTANCES)
            strata = [everybody] if how == "full" else [everybody[positive], everybody[~positive]]
            costs_drawn = resampled_sums(costs, strata)
            if how == "full":  # in shares of the larger cost of an error
                costs_drawn = costs_drawn / (INSTANCES * max(w / sizes[0], (1 - w) / sizes[1]))
            mean, variance = bootstrap_moments(sums, squares, sizes, w, sampling=how)
            worst[how] = max(
                worst[how], abs(mean - costs_drawn.mean()), abs(variance - costs_drawn.var())
            )
    for how, violation in worst.items():
        trial.measure(how, violation=violation, n_test=SETS)


def switches(scores, cuts):
    """Return from which threshold on each score is labelled positive, and the steps that took.

    As Section 3 has it: scores are sorted, then met with the falling thresholds in one pass.
    Comparisons of a merge sort, which no release of a library changes, and moves of the pass are
    counted.
    """
    position = 0
    at = np.empty(len(scores), dtype=int)
    for i in np.argsort(-scores, kind="stable"):
        while position < len(cuts) and cuts[position] > scores[i]:
            position += 1
        at[i] = position
    return at, merge_comparisons(scores) + len(scores) + len(cuts)


def counted_costs(scores, cuts, y, w):
    """Return cost and variance of a classifier, or of two, at each w, and the steps that took."""
    n = len(y)
    (at, *others) = [switches(*both) for both in zip(scores, cuts, strict=True)]
    second, more = others[0] if others else (np.where(y, 0, len(w)), 0)
    sums = []
    squares = []
    for label, sign in ((True, 1), (False, -1)):
        mine = at[0][y == label]
        theirs = second[y == label]
        sets = np.zeros(len(mine), dtype=int)
        only = [only_first(*pair, sets, 1, len(w))[0] for pair in ((mine, theirs), (theirs, mine))]
        sums.append(sign * (only[1] - only[0]))
        squares.append(only[0] + only[1])
    sizes = np.array([[y.sum()], [n - y.sum()]])
    # An instance is counted once, where it begins to be an error or ends; a sum is one for each w.
    return *bootstrap_moments(sums, squares, sizes, w), at[1] + more + 2 * n + 2 * len(w)


SAMPLES = 10  # that resampling draws: an order of magnitude more


@experiment(
    "work",
    cells=grid(of=["cost", "difference"], n=[100, 1000, 10000]),
    quick=grid(of=["cost", "difference"], n=[100, 1000]),
    smoke=grid(of=["cost"], n=[100]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 5e-5 * cell["n"],
    methods=dict.fromkeys(("formula", "naive", "resampled")),
)
def work_of_intervals(trial):
    """Sections 3 and 6: steps for n instances and as many w, by formula, naively, by resampling."""
    n = trial.cell["n"]
    rng = trial.rng("scores")
    y = np.arange(n) % 2 == 0
    w = np.arange(1, n + 1) / (n + 1)
    count = 1 if trial.cell["of"] == "cost" else 2
    scores = 3 * rng.standard_normal((count, n)) + np.where(y, 3.0, -3.0)
    cuts = [thresholds(w, 3.0, -3.0, 3.0)] * count
    _, variance, steps = counted_costs(scores, cuts, y, w)
    drawn = []
    resampled = 0
    for _ in range(SAMPLES):
        rows = np.concatenate(
            [rng.choice(np.flatnonzero(y == label), n // 2) for label in (True, False)]
        )
        mean, _, more = counted_costs(scores[:, rows], cuts, y[rows], w)
        drawn.append(mean)
        resampled += more
    for name, work in {"formula": steps, "naive": count * n * n, "resampled": resampled}.items():
        trial.measure(name, log_work=np.log(work / (n * np.log(n))).round(4))
    varied = variance > 0
    off = np.abs(np.std(drawn, axis=0, ddof=1)[varied] / np.sqrt(variance[varied]) - 1)
    trial.measure("resampled", imprecision=100 * off.mean().round(4))
