"""Standard deviations against their greatest value, and tests against what they were made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt, model_validator

from icml2008.audit.findings import (
    CONSISTENT,
    IMPOSSIBLE,
    UNLIKELY,
    Declaration,
    Outcome,
    Text,
    how,
    settle,
)
from icml2008.audit.numbers import NEAREST, decimals, show, stands_for, value

Count = Annotated[StrictInt, Field(gt=1)]
Spread = Annotated[list[Text], Field(min_length=2, max_length=2)]


def greatest_variance(
    mean: str, n: int, bounds: tuple[str, str], convention: str = NEAREST
) -> Fraction | None:
    """Return the greatest sample variance of n numbers within bounds; None if no mean is.

    The numbers then lie on the bounds (Bhatia and Davis 2000): (b - m)(m - a) n / (n - 1), taken
    at the value of the mean within its rounding where it is greatest.

    Examples
    --------
    >>> greatest_variance("50", 2, ("0", "100"))
    Fraction(5000, 1)
    """
    low, high = map(value, bounds)
    reach = stands_for(mean, convention)
    if reach.low > high or reach.high < low:
        return None
    middle = min(max((low + high) / 2, reach.low, low), reach.high, high)
    return (high - middle) * (middle - low) * Fraction(n, n - 1)


def p_ends(
    groups: Sequence[Spread], n: Sequence[int], *, paired: bool, spread: str = "sd"
) -> tuple[float, float]:
    """Return the least and the greatest two-sided p of a t test that printed numbers allow.

    Parameters
    ----------
    groups : pair of (mean, spread)
    n : pair of int
    paired : bool
        The standard deviation of the differences is then between the difference and the sum of
        the two printed ones; all of that is allowed.
    spread : {"sd", "se"}
        Whether the spreads are standard deviations or standard errors.

    Notes
    -----
    Unpaired, the degrees of freedom are between the smaller n less 1 and the sum less 2, which
    covers the tests of Student and of Welch.
    """
    from scipy.stats import t

    (mean1, sd1), (mean2, sd2) = [[stands_for(text) for text in group] for group in groups]
    gap = mean1 - mean2
    least = max(gap.low, -gap.high, Fraction(0))
    most = max(abs(gap.low), abs(gap.high))
    root = [1.0, 1.0] if spread == "se" else [math.sqrt(count) for count in n]
    first, second = (
        [max(float(sd.low), 0.0) / by, float(sd.high) / by]
        for sd, by in zip((sd1, sd2), root, strict=True)
    )
    if paired:
        dofs = (n[0] - 1, n[0] - 1)
        errors = [max(first[0] - second[1], second[0] - first[1], 0.0), first[1] + second[1]]
    else:
        dofs = (min(n) - 1, sum(n) - 2)
        errors = [math.hypot(*pair) for pair in zip(first, second, strict=True)]

    def p(distance: Fraction, error: float, dof: int) -> float:
        if error == 0:
            return 0.0 if distance else 1.0
        return float(2 * t.sf(float(distance) / error, dof))

    return p(most, errors[0], dofs[1]), p(least, errors[1], dofs[0])


class Range(Declaration):
    """Means and standard deviations of n numbers within bounds; see `greatest_variance`."""

    rule: Literal["RANGE"]
    numbers: Annotated[dict[Text, Spread], Field(min_length=1)]
    n: Count
    bounds: Spread

    def check(self) -> Outcome:
        """Compare each standard deviation with the greatest possible one."""

        def misfits(convention: str) -> list[str]:
            names = []
            for name, (mean, sd) in self.numbers.items():
                most = greatest_variance(mean, self.n, tuple(self.bounds), convention)
                if most is None or max(stands_for(sd, convention).low, 0) ** 2 > most:
                    names.append(name)
            return names

        certainty, convention = settle(lambda way: not misfits(way))
        inside = f"{self.n} numbers within {' and '.join(self.bounds)}"
        if certainty == CONSISTENT:
            return Outcome(
                certainty, f"All {len(self.numbers)} can come from {inside}{how(convention)}."
            )
        parts = []
        for name in misfits(NEAREST):
            mean, sd = self.numbers[name]
            most = greatest_variance(mean, self.n, tuple(self.bounds))
            limit = "no such mean" if most is None else f"at most {show(math.sqrt(most))}"
            parts.append(f"{name} {mean} +- {sd} ({limit})")
        return Outcome(certainty, f"{inside} do not give {'; '.join(parts)}.")


class PValue(Declaration):
    """A t test between two printed means with their spreads.

    Attributes
    ----------
    groups : dict of str to (mean, spread)
        Two of them.
    n : list of int
        How many numbers each is the mean of.
    spread : {"sd", "se"}
    paired : bool, optional
        Left out where the paper does not say it: what only a paired test gives is then unlikely.
    level, significant : str and bool, optional
        Whether the difference is said to be significant at that level.
    printed : str, optional
        The p-value.
    """

    rule: Literal["PVALUE"]
    groups: Annotated[dict[Text, Spread], Field(min_length=2, max_length=2)]
    n: Annotated[list[Count], Field(min_length=2, max_length=2)]
    spread: Literal["sd", "se"] = "sd"
    paired: StrictBool | None = None
    level: Text | None = None
    significant: StrictBool | None = None
    printed: Text | None = None

    @model_validator(mode="after")
    def _one_statement(self) -> PValue:
        if (self.level is None) != (self.significant is None) or (
            (self.level is None) == (self.printed is None)
        ):
            msg = "give `printed`, a p-value, or both of `level` and `significant`"
            raise ValueError(msg)
        return self

    def check(self) -> Outcome:
        """Compare the statement with the p-values that the printed numbers allow."""
        kinds = [False, True] if self.paired is None else [self.paired]
        fits = [self._fits(*self._ends(paired)) for paired in kinds]
        certainty = CONSISTENT if fits[0] else UNLIKELY if any(fits) else IMPOSSIBLE
        reaches = [
            f"{'a paired' if paired else 'an unpaired'} t test gives p from {low:.2g} to {high:.2g}"
            for paired in kinds
            for low, high in [self._ends(paired)]
        ]
        if self.printed is not None:
            statement = f"the printed p is {self.printed}"
        else:
            statement = (
                f"said to be {'' if self.significant else 'not '}significant at {self.level}"
            )
        shown = "; ".join(f"{name} {' +- '.join(group)}" for name, group in self.groups.items())
        return Outcome(certainty, f"{shown}: {', '.join(reaches)}; {statement}.")

    def _ends(self, paired: bool) -> tuple[float, float]:
        return p_ends(list(self.groups.values()), self.n, paired=paired, spread=self.spread)

    def _fits(self, low: float, high: float) -> bool:
        if self.printed is not None:
            interval = stands_for(self.printed)
            return low <= float(interval.high) and high >= float(interval.low)
        level = float(value(self.level))
        return low <= level if self.significant else high >= level


class Sign(Declaration):
    """A sign test: so many wins in n, and whether that is said to be significant."""

    rule: Literal["SIGN"]
    wins: StrictInt
    n: Count
    level: Text
    significant: StrictBool

    def check(self) -> Outcome:
        """Compare the statement with the exact one-sided chance."""
        from scipy.stats import binomtest

        chance = binomtest(self.wins, self.n, alternative="greater").pvalue
        fits = (chance <= value(self.level)) == self.significant
        digits = decimals(self.level) + 3
        return Outcome(
            CONSISTENT if fits else IMPOSSIBLE,
            f"{self.wins} or more wins of {self.n} have chance {show(chance, digits)}, "
            f"one-sided; said to be {'' if self.significant else 'not '}significant at "
            f"{self.level}.",
        )
