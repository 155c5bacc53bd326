"""What would simpler rules have decided? The same simulated claims, by rules that others use.

The rules are those of `icml2008.judge.fixed`. The tolerance is 5 % of the printed number; what that
means depends on how much runs vary: here by 1 % or by 5 % of the number.

The draws are those of calibration.py, and this project's rules are the judge's own code.

``python benchmarks/fixed_rules.py`` writes docs/fixed-rules.csv (seconds).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import calibration as judge
import numpy as np

from icml2008.judge import decide
from icml2008.judge.fixed import (
    INTERVAL,
    SEEDS,
    orders_by_interval,
    orders_by_seeds,
    values_by_interval,
    values_by_tolerance,
)
from icml2008.judge.formula import Formula

DRAWS = 10_000
FILE = Path(__file__).parents[1] / "docs" / "fixed-rules.csv"
OURS = (8, 32)
HOLDS = "holds"
FAILS = "does not hold"
EQUAL = "is equal"


@dataclass(frozen=True)
class Row:
    """What a rule decides in a situation of known truth, as shares of draws."""

    about: str
    situation: str
    truth: str
    rule: str
    repeats: int
    confirmed: float
    refuted: float
    draws: int


def simulate(draws: int = DRAWS) -> Iterator[Row]:
    """Yield what each rule decides in each situation."""
    rng = np.random.default_rng(2008)
    yield from values(rng, draws)
    yield from orders(rng, draws)


def values(rng: np.random.Generator, draws: int) -> Iterator[Row]:
    """Printed values: of the same truth as ours, or at a distance from it, as in calibration.py."""
    for n_paper, gap in ((1, 8.0), (10, 4.0)):
        what = "a single run" if n_paper == 1 else f"mean and spread of {n_paper} runs"
        for off, by, truth in (
            (0.0, "the same truth", HOLDS),
            (gap / 2, f"ours half the printed gap of {gap:g} spreads away", FAILS),
            (gap, f"ours the printed gap of {gap:g} spreads away", FAILS),
        ):
            paper = rng.normal(size=(draws, n_paper))
            printed = np.round(paper.mean(axis=1), 1)
            ours = rng.normal(size=(draws, max(OURS)))
            if off:
                ours += (printed + off)[:, None]
            where = f"{what} printed, {by}"
            decided = {}
            for n in OURS:
                theirs = None if n_paper == 1 else judge.spread(paper)
                error = decide.printed_error(judge.spread(ours[:, :n]), theirs, n_paper)
                decided["this project", n] = judge.near(
                    ours[:, :n], printed, error, gap=gap, one_run=n_paper == 1
                )
            decided[INTERVAL, 3] = values_by_interval(ours, printed)
            for vary in (1, 5):
                decided[f"{SEEDS}, runs vary by {vary} %", 3] = values_by_tolerance(
                    ours, printed, 5 / vary
                )
            yield from _rows("value", where, truth, decided)


def orders(rng: np.random.Generator, draws: int) -> Iterator[Row]:
    """Differences of two methods of a known truth."""
    shape = (draws, max(OURS))
    equal = judge.shares(rng, 0.99, 45, (*shape, 2))
    for where, truth, gains, formula in (
        ("no difference", EQUAL, rng.normal(size=shape), judge.DIFFERENCE),
        ("no difference, heavy tails", EQUAL, rng.standard_t(3, size=shape), judge.DIFFERENCE),
        (
            "no difference, both right on 99 % of 45 test cases",
            EQUAL,
            equal[..., 0] - equal[..., 1],
            Formula("difference", bounds=(0, 100), n_test=45),
        ),
        ("ahead by 0.6 spreads", HOLDS, rng.normal(0.6, size=shape), judge.DIFFERENCE),
        ("ahead by 2 spreads", HOLDS, rng.normal(2.0, size=shape), judge.DIFFERENCE),
        ("behind by 2 spreads", FAILS, rng.normal(-2.0, size=shape), judge.DIFFERENCE),
    ):
        both = equal if formula is not judge.DIFFERENCE else np.stack([gains, 0 * gains], axis=-1)
        decided = {
            ("this project", n): judge.above(formula.estimate(both[:, :n, :, None, None]))
            for n in OURS
        }
        decided[INTERVAL, 3] = orders_by_interval(gains)
        decided[SEEDS, 3] = orders_by_seeds(gains)
        yield from _rows("order", where, truth, decided)


def _rows(about: str, where: str, truth: str, decided: dict[tuple[str, int], np.ndarray]):
    for (rule, n), codes in decided.items():
        confirmed, refuted = (float((codes == code).mean()) for code in (1, -1))
        yield Row(about, where, truth, rule, n, confirmed, refuted, codes.size)


def main() -> int:
    """Write the table."""
    with FILE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(astuple(row) for row in simulate())
    return 0


if __name__ == "__main__":
    sys.exit(main())
