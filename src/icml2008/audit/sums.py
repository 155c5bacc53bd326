"""Sums, differences, ratios, means, formulas and orders of printed numbers."""

from __future__ import annotations

import ast
import math
import operator
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, StrictInt, model_validator

from icml2008.audit.findings import (
    CONSISTENT,
    IMPOSSIBLE,
    UNLIKELY,
    Declaration,
    Numbers,
    Outcome,
    Text,
    how,
    settle,
)
from icml2008.audit.numbers import (
    MIXED,
    NEAREST,
    AuditError,
    Interval,
    decimals,
    point,
    show,
    stands_for,
    value,
)

Pair = Annotated[list[Text], Field(min_length=2, max_length=2)]

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
}
_UNBOUNDED = Fraction(10) ** 300
_FUNCTIONS = {"factorial": math.factorial, "comb": math.comb}


def formula(expression: str) -> Fraction:
    """Return the exact value of an expression of numbers, ``+ - * / **``, factorial and comb.

    Raises
    ------
    AuditError
        If it holds anything else.

    Examples
    --------
    >>> formula("16 + 6 * (29 - 1)")
    Fraction(184, 1)
    >>> formula("comb(7, 2) / 2")
    Fraction(21, 2)
    """
    try:
        return Fraction(_evaluate(ast.parse(expression, mode="eval").body))
    except (SyntaxError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        msg = f"formula {expression!r}: {error}; allowed are numbers, + - * / **, factorial, comb"
        raise AuditError(msg) from None


def _evaluate(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() | float()):
            return Fraction(str(node.value))
        case ast.BinOp():
            return _OPERATORS[type(node.op)](_evaluate(node.left), _evaluate(node.right))
        case ast.UnaryOp():
            return _OPERATORS[type(node.op)](_evaluate(node.operand))
        case ast.Call(func=ast.Name(), keywords=[]):
            arguments = [_evaluate(argument) for argument in node.args]
            if any(argument.denominator != 1 for argument in arguments):
                msg = "factorial and comb take whole numbers"
                raise ValueError(msg)
            return Fraction(_FUNCTIONS[node.func.id](*map(int, arguments)))
    msg = f"{ast.unparse(node)!r} is not arithmetic"
    raise ValueError(msg)


def total(parts: list[str], convention: str = NEAREST) -> Interval:
    """Return what the sum of printed numbers can be.

    Examples
    --------
    >>> found = total(["0.1", "0.25"])
    >>> float(found.low), float(found.high)
    (0.295, 0.405)
    """
    return reduce(operator.add, (stands_for(text, convention) for text in parts))


def rises(earlier: str, later: str) -> bool:
    """Return whether the later number is above the earlier one, however both were rounded."""
    # Where the two meet in one point, a single convention would have printed them alike.
    return stands_for(later).low >= stands_for(earlier).high and value(later) > value(earlier)


class _Result(Declaration):
    """A printed number that follows from others."""

    printed: Text

    def _reach(self, text: str, convention: str) -> Interval:
        return stands_for(text, convention)

    def _follows(self, convention: str) -> Interval:
        raise NotImplementedError

    def _settle(self, sum_shown: str) -> Outcome:
        certainty, convention = settle(
            lambda way: self._follows(way).meets(self._reach(self.printed, way))
        )
        digits = decimals(self.printed) + 2
        ends = self._follows(MIXED if certainty == IMPOSSIBLE else convention or NEAREST)
        high = "or more" if ends.high >= _UNBOUNDED else f"to {show(ends.high, digits)}"
        reach = f"{show(ends.low, digits)} {high}"
        exact = "" if ends.low == ends.high else f", with rounding {reach}"
        verb = {CONSISTENT: "fits", UNLIKELY: "hardly fits"}.get(certainty, "does not fit")
        return Outcome(
            certainty, f"{sum_shown}{exact}; the printed {self.printed} {verb}{how(convention)}."
        )


class Sum(_Result):
    """A total and its parts.

    Attributes
    ----------
    parts : dict of str to str
    counts : bool
        Numbers without a decimal point are counts, to which no rounding was done.
    """

    rule: Literal["SUM"]
    parts: Numbers
    counts: bool = False

    def _reach(self, text: str, convention: str) -> Interval:
        exact = self.counts and not decimals(text)
        return point(value(text)) if exact else stands_for(text, convention)

    def _follows(self, convention: str) -> Interval:
        return reduce(operator.add, (self._reach(x, convention) for x in self.parts.values()))

    def check(self) -> Outcome:
        """Compare the sum with the printed total."""
        exact = sum(map(value, self.parts.values()))
        return self._settle(f"{' + '.join(self.parts.values())} = {show(exact)}")


class Mean(_Result):
    """A mean and the numbers that it is the mean of."""

    rule: Literal["MEAN"]
    numbers: Numbers

    def _follows(self, convention: str) -> Interval:
        numbers = list(self.numbers.values())
        return total(numbers, convention).times(Fraction(1, len(numbers)))

    def check(self) -> Outcome:
        """Compare the mean with the printed one."""
        numbers = list(self.numbers.values())
        exact = sum(map(value, numbers)) / len(numbers)
        return self._settle(f"The mean of {', '.join(numbers)} is {show(exact)}")


class Difference(_Result):
    """The first number less the second."""

    rule: Literal["DIFFERENCE"]
    of: Pair

    def _follows(self, convention: str) -> Interval:
        first, second = (stands_for(text, convention) for text in self.of)
        return first - second

    def check(self) -> Outcome:
        """Compare the difference with the printed one."""
        first, second = self.of
        return self._settle(f"{first} - {second} = {show(value(first) - value(second))}")


class Ratio(_Result):
    """The first number over the second, both positive, times ``scale``.

    Attributes
    ----------
    trials : int, optional
        How many trials both are means of. A mean of the trials' ratios may be printed then: it is
        at least the ratio of the means over that number, as no trial's divisor exceeds their sum.
    """

    rule: Literal["RATIO"]
    of: Pair
    scale: int = 1
    trials: Annotated[StrictInt, Field(gt=1)] | None = None

    @model_validator(mode="after")
    def _no_division_by_zero(self) -> Ratio:
        if not all(value(text) > 0 for text in self.of):
            msg = f"both numbers must be positive, found {self.of}"
            raise ValueError(msg)
        return self

    def _follows(self, convention: str) -> Interval:
        first, second = (stands_for(text, convention) for text in self.of)
        if self.trials or second.low <= 0:
            least = first.low / second.high / (self.trials or 1)
            return Interval(least, _UNBOUNDED).times(self.scale)
        return first.over(second).times(self.scale)

    def check(self) -> Outcome:
        """Compare the ratio with the printed one."""
        first, second = self.of
        exact = show(value(first) / value(second) * self.scale, decimals(self.printed) + 3)
        by = f"{self.scale} x " if self.scale != 1 else ""
        shown = f"{by}{first} / {second} = {exact}"
        if self.trials:
            shown += f"; a mean of {self.trials} ratios is at least 1/{self.trials} of that"
        return self._settle(shown)


class Formula(_Result):
    """A number that the paper's own formula gives exactly."""

    rule: Literal["FORMULA"]
    formula: Text

    def _follows(self, convention: str) -> Interval:
        return point(formula(self.formula))

    def check(self) -> Outcome:
        """Compare the value of the formula with the printed one."""
        exact = show(formula(self.formula), decimals(self.printed) + 3)
        return self._settle(f"{self.formula} = {exact}")


class Monotone(Declaration):
    """Numbers that a definition forces to rise or to fall, in order."""

    rule: Literal["MONOTONE"]
    numbers: Numbers
    direction: Literal["never rises", "never falls"]

    def check(self) -> Outcome:
        """Look for a step the wrong way that rounding does not explain."""
        steps = []
        for (first, number), (second, other) in pairwise(self.numbers.items()):
            pair = (number, other) if self.direction == "never rises" else (other, number)
            if rises(*pair):
                steps.append(f"{first} {number}, {second} {other}")
        if steps:
            return Outcome(
                IMPOSSIBLE, f"By definition the number {self.direction}: {'; '.join(steps)}."
            )
        return Outcome(
            CONSISTENT, f"{' , '.join(self.numbers.values())} {self.direction}.".replace(" ,", ",")
        )
