"""How often is the judge wrong? Simulated claims of a known truth, through the judge's own code.

Each situation draws experiments from a known truth, has the functions that judge real records
judge them, and compares the share of wrong (or right) verdicts with its nominal level by an exact
binomial test.

``python benchmarks/calibration.py`` takes some minutes, writes docs/calibration.csv and fails if a
rate misses its level. With names of situations it measures those alone, and leaves the other rows
as they are. Whole claims go through `judge_claim` in ``calibration_claims.py``.
"""

from __future__ import annotations

import csv
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from importlib import import_module
from pathlib import Path
from unittest import mock

import numpy as np
from scipy import stats

from icml2008.judge import combined, decide
from icml2008.judge.cases import case_variances, over_cases
from icml2008.judge.estimates import Estimate, mean_of
from icml2008.judge.formula import Formula

DRAWS = 10_000
# A rate fails if chance alone would bring it so far from its level once in a million times.
ALARM = 1e-6
DOCS = Path(__file__).parents[1] / "docs"

Owed = tuple[str, float]
FIVE_PERCENT: Owed = ("at most", 0.05)
AT_MOST: Owed = ("at most", 0.025)
EXACTLY: Owed = ("exactly", 0.025)
SHOWN: Owed = ("shown", 0.025)

DIFFERENCE = Formula("difference")
MEAN = Formula("mean")
GAP = 0.6  # the printed gap, in standard deviations of the paired difference


@dataclass(frozen=True)
class Row:
    """One measured rate.

    `demand` is what it owes to `nominal`: ``at most``, ``exactly``, ``at least``; or ``shown``
    where an assumption of the rule does not hold and the rate says what that costs.
    """

    rule: str
    situation: str
    repeats: int
    parts: int
    what: str
    demand: str
    nominal: float
    rate: float
    draws: int

    @property
    def ok(self) -> bool:
        """Whether the rate keeps to its demand, by the exact binomial test."""
        side = {"at most": "greater", "exactly": "two-sided", "at least": "less"}.get(self.demand)
        if side is None:
            return True
        hits = round(self.rate * self.draws)
        return stats.binomtest(hits, self.draws, self.nominal, side).pvalue >= ALARM


Situation = Callable[[np.random.Generator, int], Iterator[Row]]
SITUATIONS: dict[str, Situation] = {}


def situation(draw: Situation) -> Situation:
    """Register a function from a generator and a number of draws to rows."""
    SITUATIONS[draw.__name__] = draw
    return draw


def simulate(draws: int = DRAWS, only: Iterable[str] = ()) -> list[Row]:
    """Return the rows of all situations, or of those named."""
    rows: list[Row] = []
    for name in tuple(only) or SITUATIONS:
        rng = np.random.default_rng([2008, zlib.crc32(name.encode())])
        rows.extend(SITUATIONS[name](rng, draws))
    return rows


def errors(codes: np.ndarray, rule: str, where: str, n: int, *owed: Owed, parts: int = 1):
    """Yield the rates of false confirmations and false refutations."""
    for code, what, (demand, nominal) in zip(
        (decide.CONFIRMED, decide.REFUTED),
        ("false confirmation", "false refutation"),
        owed,
        strict=True,
    ):
        rate = float((codes == code).mean())
        yield Row(rule, where, n, parts, what, demand, nominal, rate, codes.size)


def power(codes: np.ndarray, rule: str, where: str, n: int, owed: Owed, *, parts: int = 1,
          code: int = decide.CONFIRMED):  # fmt: skip
    """Yield the rate of right decisions."""
    yield Row(rule, where, n, parts, "power", *owed, float((codes == code).mean()), codes.size)


def above(estimate: Estimate, floor: float = 0.0) -> np.ndarray:
    """Return the decisions on an order."""
    return decide.above(estimate, floor)[0]


def single(x: np.ndarray) -> np.ndarray:
    """Turn (draws, repeats) into the measurements of one method."""
    return x[..., None, None, None]


def pairs(gain: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Turn gains (..., repeats) into the measurements of two methods that share their repeats."""
    base = rng.normal(size=gain.shape)
    return np.stack([base + gain, base], axis=-1)[..., None, None]


def power_of_t(n: int, gap: float) -> float:
    """Return the power of the paired t-test at a gap in standard deviations."""
    return float(stats.nct.sf(stats.t.ppf(0.975, n - 1), n - 1, gap * math.sqrt(n)))


def shares(rng: np.random.Generator, p: float, n_test: int, shape: tuple[int, ...]) -> np.ndarray:
    """Draw shares of right test cases, in percent."""
    return 100 * rng.binomial(n_test, p, size=shape) / n_test


@situation
def normal(rng, draws):
    for n in (6, 8, 32, 128):
        gain = rng.normal(size=(draws, n))
        codes = above(DIFFERENCE.estimate(pairs(gain, rng)))
        yield from errors(codes, "above", "paired, normal", n, EXACTLY, EXACTLY)
        codes = above(DIFFERENCE.estimate(pairs(gain + GAP, rng)))
        yield from power(codes, "above", "paired, normal", n, ("exactly", power_of_t(n, GAP)))


@situation
def not_normal(rng, draws):
    for n in (6, 8, 32, 128):
        codes = above(DIFFERENCE.estimate(pairs(rng.standard_t(3, size=(draws, n)), rng)))
        yield from errors(codes, "above", "paired, heavy tails (t, 3 df)", n, AT_MOST, AT_MOST)
        codes = above(DIFFERENCE.estimate(pairs(rng.exponential(size=(draws, n)) - 1, rng)))
        yield from errors(codes, "above", "paired, skewed (exponential)", n, SHOWN, SHOWN)


@situation
def shares_near_their_bound(rng, draws):
    n_test = 45
    formula = Formula("mean", bounds=(0, 100), n_test=n_test)
    for p in (0.5, 0.9, 0.98, 0.99, 0.998):
        for n in (6, 8, 32, 128):
            codes = above(formula.estimate(single(shares(rng, p, n_test, (draws, n)))), 100 * p)
            where = f"{100 * p:g} % of 45 test cases"
            yield from errors(codes, "above", where, n, AT_MOST, AT_MOST)
    for p in (0.9, 0.98, 0.995):
        for n in (8, 32, 128):
            each = rng.beta(n_test * p, n_test * (1 - p), size=(draws, n))
            codes = above(formula.estimate(single(shares(rng, each, n_test, (draws, n)))), 100 * p)
            where = f"{100 * p:g} % of 45 test cases, twice the binomial variance"
            yield from errors(codes, "above", where, n, SHOWN, SHOWN)


@situation
def shares_by_plain_t(rng, draws):
    """What the exact limits are for: the same shares without them."""
    for n in (8, 32, 128):
        x = shares(rng, 0.99, 45, (draws, n))
        where = "99 % of 45 test cases, plain Student's t"
        codes = above(mean_of(x, bounds=(0, 100), case=100 / 45), 99.0)
        yield from errors(codes, "above", where, n, SHOWN, SHOWN)


@situation
def two_shares(rng, draws):
    n_test = 45
    formula = Formula("difference", bounds=(0, 100), n_test=n_test)
    for p in (0.9, 0.99, 0.998):
        for n in (6, 8, 32, 128):
            both = shares(rng, p, n_test, (draws, n, 2))[..., None, None]
            where = f"two methods, {100 * p:g} % of 45 test cases each"
            yield from errors(above(formula.estimate(both)), "above", where, n, AT_MOST, AT_MOST)


@situation
def zero_spread(rng, draws):
    """Only draws in which all repeats agree are decided; the truth is a few test cases off."""
    n_test = 45
    formula = Formula("difference", bounds=(0, 100), n_test=n_test)
    for n in (6, 32):
        for cases in (2.0, 3.7):
            lost = rng.poisson(cases / n, size=(draws, n)) * 100 / n_test
            both = np.stack([90 - lost, np.full_like(lost, 80)], axis=-1)[..., None, None]
            codes = above(formula.estimate(both), 10 - 100 / n_test * cases / n)
            codes = np.where(np.ptp(lost, axis=-1) == 0, codes, decide.INCONCLUSIVE)
            where = f"zero spread, truth {cases:g} test cases below in all repeats"
            yield from errors(codes, "above", where, n, AT_MOST, AT_MOST)


@situation
def resplits(rng, draws):
    for n in (8, 32):
        for correlation in (0.0, 0.1, 0.25, 0.5):
            gain = rng.normal(scale=math.sqrt(1 - correlation), size=(draws, n))
            where = f"re-splits, correlation {correlation:g}"
            codes = above(DIFFERENCE.estimate(pairs(gain, rng)))
            yield from errors(codes, "above", f"{where}, given the data", n, EXACTLY, EXACTLY)
            gain += rng.normal(scale=math.sqrt(correlation), size=(draws, 1))
            for overlap, share in ((1 / 3, 0.25), (1.0, 0.5)):
                codes = above(DIFFERENCE.estimate(pairs(gain, rng), overlap=overlap))
                owed = EXACTLY if correlation == share else AT_MOST
                owed = SHOWN if correlation > share else owed
                split = f"{where}, test / train {'1 / 3' if overlap < 1 else '1'}"
                yield from errors(codes, "generalises", split, n, owed, owed)


@situation
def folds(rng, draws):
    for n, k in ((8, 5), (10, 10), (32, 10)):
        data = rng.normal(scale=math.sqrt(1 / k), size=(draws, 1, 1))
        fold = rng.normal(scale=math.sqrt(1 - 1 / k), size=(draws, n, k))
        passes = pairs((data + fold).mean(axis=-1), rng)
        codes = above(DIFFERENCE.estimate(passes, overlap=k / (k - 1)))
        yield from errors(codes, "generalises", f"{k} folds", n, EXACTLY, EXACTLY)


@situation
def learners(rng, draws):
    """The training mean against the constant of the same risk, 60 to 20 of 100 cases."""
    train = 60
    test = 20
    n = 32
    constant = math.sqrt(1 / train)
    gains = np.empty((draws, n))
    for i in range(draws):
        split = rng.permuted(np.tile(rng.normal(size=100), (n, 1)), axis=1)
        asked = split[:, -test:]
        fitted = split[:, :train].mean(axis=1, keepdims=True)
        gains[i] = ((asked - constant) ** 2 - (asked - fitted) ** 2).mean(axis=1)
    codes = above(DIFFERENCE.estimate(pairs(gains, rng), overlap=test / train))
    where = "re-splits of 100 cases, training mean against a constant"
    yield from errors(codes, "generalises", where, n, AT_MOST, AT_MOST)
    codes = above(DIFFERENCE.estimate(pairs(gains, rng)))
    where += ", if taken as independent"
    yield from errors(codes, "generalises", where, n, SHOWN, SHOWN)


@situation
def new_cases(rng, draws):
    """Two methods on fixed test cases of varying difficulty, each run of varying luck."""
    formula = Formula("difference", bounds=(0, 100))
    for n, cases, luck in ((6, 100, 0.0), (6, 100, 0.05), (10, 400, 0.0), (10, 400, 0.05)):
        codes = np.empty(draws)
        for i in range(draws):
            easy = rng.beta(4, 2, size=(1, 2, cases)) + rng.uniform(-luck, luck, size=(n, 2, 1))
            hits = rng.random((n, 2, cases)) < easy
            gain = 100.0 * (hits[:, 0].astype(float) - hits[:, 1])
            estimate = over_cases(gain.mean(axis=1), case_variances(gain), cases, formula)
            codes[i] = above(estimate)
        where = f"fixed split, {cases} test cases, runs {'vary' if luck else 'alike'}"
        yield from errors(codes, "generalises", where, n, AT_MOST, AT_MOST)


@situation
def printed_with_spread(rng, draws):
    for n_paper, n in ((5, 20), (10, 40), (32, 32), (32, 128)):
        paper = rng.normal(size=(draws, n_paper))
        printed = np.round(paper.mean(axis=1), 1)
        ours = rng.normal(size=(draws, n))
        spreads = ours.std(axis=1, ddof=1), np.round(paper.std(axis=1, ddof=1), 2)
        limit = decide.tolerance(0.05, decide.printed_error(*spreads, n_paper))
        where = f"printed mean and spread of {n_paper}"
        codes = decide.near(MEAN.estimate(single(ours)), printed, limit)[0]
        rows = list(errors(codes, "near", f"{where}, same truth", n, SHOWN, FIVE_PERCENT))
        yield rows[1]
        owed = ("at least", 0.8) if n > n_paper else ("shown", 0.8)
        yield from power(codes, "near", f"{where}, same truth", n, owed)
        edge = single(ours + (printed + limit)[:, None])
        codes = decide.near(MEAN.estimate(edge), printed, limit)[0]
        where += ", truth at the tolerance"
        yield from errors(codes, "near", where, n, FIVE_PERCENT, AT_MOST)
    codes = decide.near(MEAN.estimate(single(ours + 1.2)), printed, limit)[0]
    where = "printed mean and spread of 32, truth 1.2 spreads off"
    yield from power(codes, "near", where, n, ("at least", 0.8), code=decide.REFUTED)


@situation
def printed_without_spread(rng, draws):
    """The tolerance takes our spread: it confirms, and a prediction test refutes."""
    for n_paper, n in ((1, 6), (1, 8), (1, 32), (10, 40)):
        printed = np.round(rng.normal(size=(draws, n_paper)).mean(axis=1), 1)
        ours = rng.normal(size=(draws, n))
        error = decide.printed_error(ours.std(axis=1, ddof=1), n=n_paper)
        limit = decide.tolerance(0.05, error)
        where = f"printed mean of {n_paper} without spread"
        codes = predicted(ours, printed, error)
        yield list(errors(codes, "near", f"{where}, same truth", n, SHOWN, AT_MOST))[1]
        edge = 0.05 + 3 / math.sqrt(n_paper)
        codes = predicted(ours + edge, np.zeros(draws), error)
        codes = np.where(edge <= limit, decide.INCONCLUSIVE, codes)
        where += ", truth about the tolerance"
        yield next(errors(codes, "near", where, n, FIVE_PERCENT, SHOWN))


def predicted(ours: np.ndarray, printed: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return the decisions on a printed value without a spread."""
    estimate = MEAN.estimate(single(ours))
    distance = np.abs(estimate.effect - printed) - 0.05
    p = decide.surprise(distance, estimate.se, error, ours.shape[1] - 1)
    return decide.near(estimate, printed, decide.tolerance(0.05, error), p)[0]


@situation
def printed_near_the_bound(rng, draws):
    n_test = 45
    formula = Formula("mean", bounds=(0, 100), n_test=n_test)
    for printed, spread in ((99.8, 0.53), (99.1, 1.8), (100.0, 0.0)):
        limit = float(decide.tolerance(0.05, spread / math.sqrt(32)))
        for n in (32, 128, 512):
            ours = single(shares(rng, (printed - limit) / 100, n_test, (draws, n)))
            codes = decide.near(formula.estimate(ours), printed, limit)[0]
            where = f"printed {printed:g} +- {spread:g} %, truth at the tolerance"
            yield from errors(codes, "near", where, n, FIVE_PERCENT, AT_MOST)
    for n in (32, 128):
        ours = single(shares(rng, 0.998, n_test, (draws, n)))
        limit = float(decide.tolerance(0.05, 0.53 / math.sqrt(32)))
        codes = decide.near(formula.estimate(ours), 99.8, limit)[0]
        owed = ("at least" if n > 32 else "shown", 0.8)
        yield from power(codes, "near", "printed 99.8 +- 0.53 %, same truth", n, owed)


@situation
def printed_without_any_spread(rng, draws):
    n_test = 1000
    formula = Formula("mean", bounds=(0, 100), n_test=n_test)
    for n in (8, 32):
        for limit in (0.005, 0.05):
            ours = single(shares(rng, 1 - limit / 100, n_test, (draws, n)))
            codes = decide.near(formula.estimate(ours), 100.0, limit)[0]
            where = f"printed 100 %, nearly all of 1000 test cases, tolerance {limit:g} %"
            yield from errors(codes, "near", where, n, FIVE_PERCENT, AT_MOST)


def spread(x: np.ndarray) -> np.ndarray:
    """Return the standard deviation of the last axis."""
    return x.std(axis=-1, ddof=1)


def near(ours, printed, error, *, gap=None, one_run=False) -> np.ndarray:
    """Return the decisions on a value printed to one digit, coarse tolerances included."""
    limit = decide.tolerance(0.05, error)
    codes = decide.near(MEAN.estimate(single(ours)), np.round(printed, 1), limit)[0]
    coarse = decide.too_coarse(limit, 0.05, gap, one_run=one_run)
    return np.where((codes == decide.CONFIRMED) & coarse, decide.INCONCLUSIVE, codes)


@situation
def printed_over_few_runs(rng, draws):
    for n_paper in (2, 3, 5):
        for n in (8, 32):
            paper = rng.normal(size=(draws, n_paper))
            ours = rng.normal(size=(draws, n))
            printed = paper.mean(axis=1)
            theirs = np.round(spread(paper), 1)
            where = f"printed mean and spread of {n_paper}, same truth"
            codes = near(ours, printed, decide.printed_error(spread(ours), theirs, n_paper))
            yield list(errors(codes, "near", where, n, SHOWN, FIVE_PERCENT))[1]
            codes = near(ours, printed, theirs / math.sqrt(n_paper))
            where += ", if their spread is believed"
            yield list(errors(codes, "near", where, n, SHOWN, ("shown", 0.05)))[1]


@situation
def printed_over_folds(rng, draws):
    """Ten passes of ten folds of one data set; a fold differs by 10, a pass by 0.3."""
    run = 0.3
    fold = 10.0
    for n in (6, 24):
        ours = rng.normal(scale=run, size=(draws, n))
        printed = rng.normal(scale=run, size=draws)
        theirs = fold * np.sqrt(rng.chisquare(99, size=draws) / 99)
        error = decide.printed_error(spread(ours), theirs, 100, "folds")
        where = "printed spread of 100 folds of one data set"
        codes = near(ours, printed, error, gap=4.0, one_run=True)
        yield list(errors(codes, "near", f"{where}, same truth", n, SHOWN, FIVE_PERCENT))[1]
        owed = ("at least" if n > 6 else "shown", 0.8)
        yield from power(codes, "near", f"{where}, same truth", n, owed)
        codes = near(ours + 2.0, np.zeros(draws), error, gap=4.0, one_run=True)
        yield next(
            errors(codes, "near", f"{where}, truth half the gap off", n, FIVE_PERCENT, SHOWN)
        )
        codes = near(ours + 2.0, np.zeros(draws), theirs / math.sqrt(100))
        where += ", truth half the gap off, if folds are taken for runs"
        yield next(errors(codes, "near", where, n, ("shown", 0.05), SHOWN))


@situation
def printed_over_splits_of_one_draw(rng, draws):
    """The paper splits one draw 20 times, each of our repeats draws and splits anew."""
    for share in (0.25, 0.5, 0.75):
        for n in (8, 32):
            split = math.sqrt(1 - share)
            draw = math.sqrt(share)
            paper = rng.normal(scale=split, size=(draws, 20)) + rng.normal(
                scale=draw, size=(draws, 1)
            )
            ours = rng.normal(size=(draws, n))
            printed = paper.mean(axis=1)
            where = f"printed spread of 20 splits of one draw, correlation {share:g}, same truth"
            error = decide.printed_error(spread(ours), spread(paper), 20, "folds")
            codes = near(ours, printed, error)
            yield list(errors(codes, "near", where, n, SHOWN, FIVE_PERCENT))[1]
            codes = near(ours, printed, decide.printed_error(spread(ours), spread(paper), 20))
            where += ", if splits are taken for runs"
            yield list(errors(codes, "near", where, n, SHOWN, ("shown", 0.05)))[1]


@situation
def printed_over_starts(rng, draws):
    """The paper has 20 starts on one draw, our repeats are draws; their starts may vary more."""
    for starts in (0.5, 2.0, 8.0):
        for n in (10, 40):
            ours = rng.normal(size=(draws, n))
            paper = rng.normal(size=(draws, 1)) + starts * rng.normal(size=(draws, 20))
            printed = paper.mean(axis=1)
            theirs = spread(paper)
            where = f"printed spread of 20 starts, {starts:g} times that of draws, same truth"
            error = decide.printed_error(spread(ours), theirs, 20, "starts")
            yield list(errors(near(ours, printed, error), "near", where, n, SHOWN, FIVE_PERCENT))[1]
            for what, alone in (("draws", spread(ours)), ("starts", theirs / math.sqrt(20))):
                codes = near(ours, printed, alone)
                label = f"{where}, by {what} alone"
                yield list(errors(codes, "near", label, n, SHOWN, ("shown", 0.05)))[1]


@situation
def printed_as_a_single_run(rng, draws):
    """Neither spread nor number of runs; what matters is a gap, or the digits."""
    for n in (8, 32):
        ours = rng.normal(size=(draws, n))
        error = decide.printed_error(spread(ours))
        for gap in (None, 4.0, 8.0):
            off = 2.0 if gap is None else gap / 2
            codes = near(ours + off, np.zeros(draws), error, gap=gap, one_run=True)
            where = f"single run printed, gap {gap or 'unsaid'}, truth {off:g} spreads off"
            yield next(errors(codes, "near", where, n, FIVE_PERCENT, SHOWN))
        codes = near(ours + 2.0, np.zeros(draws), error)
        where = "single run printed, truth 2 spreads off, if no gap is asked for"
        yield next(errors(codes, "near", where, n, ("shown", 0.05), SHOWN))


@situation
def skewed(rng, draws):
    """Differences with a long tail, and rare events that few repeats meet."""
    for n in (6, 32, 128):
        for sigma in (1.0, 2.0):
            gain = rng.lognormal(sigma=sigma, size=(draws, n)) - math.exp(sigma**2 / 2)
            codes = above(DIFFERENCE.estimate(pairs(gain, rng)))
            where = f"paired, lognormal, sigma {sigma:g}"
            yield from errors(codes, "above", where, n, SHOWN, SHOWN)
        gain = (rng.random((draws, n)) < 0.03) - 0.03 + 1e-3 * rng.normal(size=(draws, n))
        codes = above(DIFFERENCE.estimate(pairs(gain, rng)))
        where = "paired, a rare event (3 %) and little else"
        yield from errors(codes, "above", where, n, SHOWN, SHOWN)


@situation
def counts(rng, draws):
    """Counts that are small, and rare events as counts and as shares of all repeats."""
    formula = Formula("mean", bounds=(0, math.inf), whole=True)
    for n in (6, 32, 128):
        for expected in (0.03, 0.3, 3.0):
            x = rng.poisson(expected, size=(draws, n)).astype(float)
            codes = above(formula.estimate(single(x)), expected)
            where = f"counts of {expected:g} a repeat"
            yield from errors(codes, "above", where, n, AT_MOST, AT_MOST)
            if expected == 0.3:
                codes = above(mean_of(x, bounds=(0, math.inf)), expected)
                where += ", plain Student's t"
                yield from errors(codes, "above", where, n, SHOWN, SHOWN)
        codes = above(
            Formula("mean", bounds=(0, 100), n_test=1).estimate(
                single(100.0 * (rng.random((draws, n)) < 0.03))
            ),
            3.0,
        )
        where = "a rare event (3 %), as a share of repeats"
        yield from errors(codes, "above", where, n, AT_MOST, AT_MOST)


@situation
def counts_that_agree(rng, draws):
    """Only draws in which all 50 counts agree are decided; the truth is half a thing off."""
    n = 50
    formula = Formula("mean", bounds=(0, math.inf), whole=True)
    for size in (1, 5, 10):
        x = 1.0 + size * rng.poisson(0.5 / size, size=(draws, n))
        codes = decide.near(formula.estimate(single(x)), 1.0, 0.5 - 1e-6)[0]
        codes = np.where(np.ptp(x, axis=-1) == 0, codes, decide.INCONCLUSIVE)
        where = f"counts of 1 that all agree, truth half a thing off by {size} at a time"
        owed = FIVE_PERCENT if size < 10 else ("shown", 0.05)
        yield from errors(codes, "near", where, n, owed, AT_MOST)


@situation
def wholes(rng, draws):
    n = 32
    chunk = 500

    def decisions(m, correlation, shift):
        for _ in range(math.ceil(draws / chunk)):
            common = rng.normal(scale=math.sqrt(correlation), size=(chunk, 1, n))
            own = rng.normal(scale=math.sqrt(1 - correlation), size=(chunk, m, n))
            gain = common + own + np.asarray(shift)[:, None]
            yield decide.whole(*decide.above(DIFFERENCE.estimate(pairs(gain, rng)), 0.0))

    for m in (1, 5, 20, 40, 60):
        family = ("exactly", 1 - (1 - 0.025 / m) ** m)
        for correlation in (0.0, 0.5) if m > 1 else (0.0,):
            where = f"parts{', correlation 0.5' if correlation else ''}"
            codes = np.concatenate(list(decisions(m, correlation, np.zeros(m))))[:draws]
            owed = AT_MOST if correlation else family
            yield from errors(
                codes, "whole", f"{where}, all at the floor", n, AT_MOST, owed, parts=m
            )
            shift = np.r_[0.0, np.full(m - 1, 10.0)]
            codes = np.concatenate(list(decisions(m, correlation, shift)))[:draws]
            yield from errors(
                codes, "whole", f"{where}, one at the floor", n, EXACTLY, AT_MOST, parts=m
            )
        codes = np.concatenate(list(decisions(m, 0.0, np.full(m, 2 * GAP))))[:draws]
        owed = ("exactly", power_of_t(n, 2 * GAP) ** m)
        yield from power(codes, "whole", "parts, twice the printed gap", n, owed, parts=m)


@situation
def leads(rng, draws):
    formula = Formula("lead")
    for n in (8, 32):
        x = rng.normal(size=(draws, n, 6))[..., None, None]
        where = "lead over five rivals"
        codes = above(formula.estimate(x))
        yield from errors(codes, "above", f"{where}, all tied", n, AT_MOST, AT_MOST)
        x[:, :, 2:] -= 20
        codes = above(formula.estimate(x))
        yield from errors(codes, "above", f"{where}, one tied", n, EXACTLY, AT_MOST)


@situation
def cells(rng, draws):
    for n in (8, 32):
        x = rng.normal(size=(draws, n, 1, 8, 1))
        codes = above(Formula("mean", "max").estimate(x))
        yield from errors(codes, "above", "largest of 8 equal means", n, AT_MOST, AT_MOST)
        x[:, :, :, :5] += 1.5
        codes = above(Formula("mean", "count").estimate(x), 5)
        where = "count of means above 0, 5 of 8, the others at 0"
        yield from errors(codes, "above", where, n, AT_MOST, AT_MOST)


@situation
def ratios(rng, draws):
    for n in (8, 32):
        for below in (0.5, 1.0):
            shared = rng.normal(scale=0.3, size=(draws, n))
            b = below + shared + rng.normal(scale=0.2, size=(draws, n))
            a = 3 * below + shared + rng.normal(size=(draws, n))
            values = np.stack([a, b], axis=-1)[..., None, None]
            codes = above(Formula("ratio").estimate(values), 3.0)
            where = f"ratio 3 to a mean of {below:g}, spread 0.36"
            owed = AT_MOST if below < 1 else EXACTLY
            yield from errors(codes, "above", where, n, owed, owed)


@situation
def trends(rng, draws):
    points = (1.0, 2.0, 4.0, 8.0, 16.0)
    for n in (6, 8, 32):
        for kind in ("slope", "second_difference", "rank_correlation"):
            values = rng.normal(size=(draws, n, 1, 1, len(points)))
            codes = above(Formula(kind, points=points).estimate(values))
            owed = AT_MOST if kind == "rank_correlation" else EXACTLY
            yield from errors(codes, "above", kind.replace("_", " "), n, owed, owed)


@situation
def bootstrapped(rng, draws):
    """With fewer resamples than a verdict takes, which tails of 2.5 % do not need."""
    with mock.patch.object(combined, "RESAMPLES", 999):
        yield from crossings_and_peaks(rng, draws)


def crossings_and_peaks(rng, draws):
    """Yield the rates of statistics that are functions of all repeats."""
    points = (1.0, 2.0, 3.0, 4.0, 5.0)
    ahead = np.array([-2.0, -1.0, 0.5, 1.5, 2.0])
    peak = np.array([0.0, 1.0, 1.0, 0.0, 0.0])
    for n in (8, 32):
        curves = rng.normal(size=(draws, n, 2, 1, len(points)))
        curves[:, :, 0] += ahead
        formula = Formula("crossing", points=points)
        codes = np.array([above(formula.estimate(x), 2 + 2 / 3) for x in curves])
        yield from errors(codes, "above", "place of a crossing", n, AT_MOST, AT_MOST)
        curves[:, :, 0] += peak - ahead
        formula = Formula("argbest", points=points)
        codes = np.array([above(formula.estimate(x[:, :1]), 2.5) for x in curves])
        yield from errors(codes, "above", "best point, two tied about it", n, AT_MOST, AT_MOST)


def write_csv(rows: list[Row], path: Path) -> None:
    """Write all rates."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(field.name for field in fields(Row)), "ok"])
        writer.writerows([*astuple(row), "yes" if row.ok else "no"] for row in rows)


def updated(path: Path, rows: list[Row]) -> list[Row]:
    """Return the rows of a file, those that were measured anew in their place or at the end."""
    anew = {astuple(row)[:6]: row for row in rows}
    types = (str, str, int, int, str, str, float, float, int)
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    old_rows = [Row(*(to(text) for to, text in zip(types, line, strict=False))) for line in lines]
    return [*(anew.pop(astuple(row)[:6], row) for row in old_rows), *anew.values()]


def main(only: list[str]) -> int:
    """Simulate, write the table, and return 1 if a rate misses its level."""
    rows = simulate(only=only)
    if only:
        rows = updated(DOCS / "calibration.csv", rows)
    write_csv(rows, DOCS / "calibration.csv")
    for row in (bad := [row for row in rows if not row.ok]):
        sys.stderr.write(f"misses its level: {row}\n")
    return 1 if bad or not rows else 0


if __name__ == "__main__":
    # Situations are registered where they are imported, under the module's own name.
    import_module("calibration_claims")
    sys.exit(import_module("calibration").main(sys.argv[1:]))
