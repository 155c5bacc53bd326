"""Claims of a known truth: runs that are drawn, and what rule book and simpler rules make of them.

A claim is an order of two methods or a printed value, under one reading (the text leaves nothing
open) or two (the second is what the text allows as well).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from . import fixed
from .claims import Claim
from .judgement import judge_claim
from .measures import Metric, Resampling
from .readings import verdict_over
from .recorded import Records

Truth = Literal["holds", "fails", "depends", "equal"]
WORDS = {"confirmed": "holds", "refuted": "fails", "depends": "depends", "inconclusive": "open"}

SIMPLER = (fixed.INTERVAL, fixed.SEEDS)
DRAWS = 40
REPEATS = (8, 32)
# Runs vary by 1, by 2 % of the number, so that 5 % of it is two and a half spreads.
_NUMBER = 50.0
_TOLERANCE = 0.05
_METRIC = Metric(unit="points", better="higher")


@dataclass(frozen=True)
class Simulated:
    """A claim of a known truth.

    Attributes
    ----------
    name, situation : str
    truth : {"holds", "fails", "depends", "equal"}
        Of two equal methods neither order is true.
    readings : tuple of array
        Under each reading, the runs of the methods A and B (of A alone for a value).
    printed : dict or None
        Of a value: ``value``, ``gap``, and where they are printed ``sd`` and ``n``.
    """

    name: str
    situation: str
    truth: Truth
    readings: tuple[np.ndarray, ...]
    printed: dict[str, Any] | None = None

    @property
    def of_one_reading(self) -> tuple[np.ndarray, float | None]:
        """What a rule is given that knows one reading: gains, or runs and the printed value."""
        a, *b = self.readings[0].T
        return (a - b[0], None) if self.printed is None else (a, float(self.printed["value"]))


def simulated(draws: int = DRAWS) -> Iterator[Simulated]:
    """Yield claims: all situations, each at 8 and 32 repeats, the same ones each time."""
    for about, situations in ((_order, _ORDERS), (_value, _VALUES)):
        for place, (situation, truth, *how) in enumerate(situations):
            for repeats in REPEATS:
                rng = np.random.default_rng([2008, about is _value, place, repeats])
                for draw in range(draws):
                    readings, printed = about(rng, repeats, *how)
                    name = f"{about.__name__[1:]}-{place + 1}-{repeats}-{draw + 1}"
                    where = f"{situation}, {repeats} repeats"
                    yield Simulated(name, where, truth, readings, printed)


# Situation, truth, and by how many spreads of the difference A is ahead under each reading.
_ORDERS: Sequence[tuple[str, Truth, tuple[float, ...]]] = (
    ("two equal methods", "equal", (0.0,)),
    ("A ahead by 0.6 spreads", "holds", (0.6,)),
    ("A ahead by 2 spreads", "holds", (2.0,)),
    ("A behind by 0.6 spreads", "fails", (-0.6,)),
    ("A behind by 2 spreads", "fails", (-2.0,)),
    ("A ahead by 2 spreads under one reading, behind under the other", "depends", (2.0, -2.0)),
    ("A behind by 2 spreads under one reading, ahead under the other", "depends", (-2.0, 2.0)),
    ("A behind by 2 spreads under both readings", "fails", (-2.0, -2.0)),
)
# Situation, truth, printed repeats, and by how many spreads ours is off under each reading.
_VALUES: Sequence[tuple[str, Truth, int, tuple[float, ...]]] = (
    ("a single run printed, the same truth", "holds", 1, (0.0,)),
    ("a single run printed, ours 4 spreads off", "fails", 1, (4.0,)),
    ("mean and spread of 10 runs printed, the same truth", "holds", 10, (0.0,)),
    ("mean and spread of 10 runs printed, ours 2 spreads off", "fails", 10, (2.0,)),
    ("mean and spread of 10 runs printed, met under the other reading", "depends", 10, (4.0, 0.0)),
)


def _order(rng: np.random.Generator, repeats: int, leads: tuple[float, ...]):
    readings = []
    for lead in leads:
        # The spread of the difference is 1.
        runs = rng.normal(_NUMBER, np.sqrt(0.5), size=(repeats, 2))
        readings.append(runs + [lead, 0.0])
    return tuple(readings), None


def _value(rng: np.random.Generator, repeats: int, printed_n: int, offs: tuple[float, ...]):
    paper = rng.normal(_NUMBER, 1.0, size=printed_n)
    printed = {"value": f"{paper.mean():.1f}", "gap": "8" if printed_n == 1 else "4"}
    if printed_n > 1:
        printed |= {"sd": f"{paper.std(ddof=1):.1f}", "n": printed_n}
    return tuple(rng.normal(_NUMBER + off, 1.0, size=(repeats, 1)) for off in offs), printed


def by_rule_book(claim: Simulated) -> str:
    """Return what the rule book makes of a claim, through the entry of real ones."""
    statistic = {"difference": ["A", "B"]} if claim.printed is None else {"mean": "A"}
    declared = {"statistic": statistic | {"metric": "score", "experiment": "runs"}}
    declared |= {"above": "0"} if claim.printed is None else {"near": claim.printed}
    judged = Claim(says="A simulated claim.", **declared)
    findings: dict[str, list[str]] = {}
    for place, runs in enumerate(claim.readings):
        lines = [{"schema": 2, "paper": "simulated", "experiment": "runs"}]
        lines += [
            {"kind": "measurement", "cell": {}, "repeat": repeat, "method": method}
            | {"metric": "score", "value": float(value)}
            for repeat, row in enumerate(runs)
            for method, value in zip("AB", row, strict=False)
        ]
        (verdict,) = judge_claim(
            "simulated",
            claim.name,
            judged,
            {"runs": Records(lines)},
            metrics={"score": _METRIC},
            resampling={"runs": Resampling(kind="fresh")},
        )
        findings.setdefault(verdict.verdict, []).append(f"reading-{place + 1}")
    default = next(word for word, names in findings.items() if "reading-1" in names)
    word, _ = verdict_over(default, findings)
    return WORDS[word]


def by_simpler_rule(rule: str, runs: np.ndarray, printed: float | None) -> str:
    """Return what one of `SIMPLER` makes of gains, or of runs beside a printed value."""
    if printed is None:
        code = (fixed.orders_by_interval if rule == fixed.INTERVAL else fixed.orders_by_seeds)(runs)
    elif rule == fixed.INTERVAL:
        code = fixed.values_by_interval(runs, np.asarray(printed))
    else:
        tolerance = _TOLERANCE * abs(printed)
        code = fixed.values_by_tolerance(runs, np.asarray(printed), tolerance)
    return {1: "holds", -1: "fails", 0: "open"}[int(code)]
