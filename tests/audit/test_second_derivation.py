"""No accusation rests on one derivation: each is derived again here, without the rules' code."""

import ast
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from icml2008.audit.auditing import declarations
from icml2008.audit.findings import IMPOSSIBLE, OVERSTATED
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry


def read(text):
    """Return a printed number and the unit of its last digit."""
    digits, _, power = text.replace(",", "").removesuffix("%").lower().partition("e")
    unit = Fraction(1, 10 ** len(digits.partition(".")[2])) * Fraction(10) ** int(power or 0)
    return Fraction(digits) * Fraction(10) ** int(power or 0), unit


def prints_as(exact, text):
    """Say whether a number, rounded down or up, is printed so."""
    number, unit = read(text)
    return number / unit in (math.floor(exact / unit), math.ceil(exact / unit))


def within(gap, slack):
    """Say whether a gap is bridged by numbers that each move by less than a unit."""
    return gap == 0 or abs(gap) < slack


def grim(entry):
    """Print every count that comes near."""
    if entry.splits:
        sums, whole = sums_of_splits(entry.splits, *entry.sizes)
        cases = [(sums, Fraction(entry.scale, whole))]
    else:
        step = Fraction(entry.step) * entry.scale
        cases = [(None, step / n) for n in entry.n.values()]

    def printed(text, reached, each):
        number, unit = read(text)
        near = range(max(0, math.floor((number - unit) / each)), math.ceil((number + unit) / each))
        return any(prints_as(k * each, text) for k in near if reached is None or reached[k])

    return any(all(printed(text, *case) for text in entry.numbers.values()) for case in cases)


def sums_of_splits(splits, small, large):
    """Go from split to split, and mark every sum of shares that can come about."""
    whole = splits * small * large
    sums = np.arange(whole + 1) == 0
    for _ in range(splits):
        before = sums
        sums = np.zeros_like(sums)
        for share in (*range(0, small * large + 1, large), *range(0, small * large + 1, small)):
            sums[share:] |= before[: len(before) - share]
    return sums, whole


def add_up(entry):
    """Compare the gap with the sum of all units."""
    parts = [read(text) for text in entry.parts.values()]
    total, unit = read(entry.printed)
    units = [u for _, u in (*parts, (total, unit)) if not (entry.counts and u >= 1)]
    return within(sum(x for x, _ in parts) - total, sum(units))


def average(entry):
    """Compare n means with the sum, and the gap with the sum of all units."""
    numbers = [read(text) for text in entry.numbers.values()]
    mean, unit = read(entry.printed)
    gap = sum(x for x, _ in numbers) - len(numbers) * mean
    return within(gap, sum(u for _, u in numbers) + len(numbers) * unit)


def subtract(entry):
    """Compare the gap with the sum of the three units."""
    (first, a), (second, b), (result, c) = map(read, (*entry.of, entry.printed))
    return within(first - second - result, a + b + c)


def compute(entry):
    """Evaluate the formula in floating-point numbers, with Python's own evaluator."""
    assert not {type(node) for node in ast.walk(ast.parse(entry.formula))} & {ast.Attribute}
    names = {"factorial": math.factorial, "comb": math.comb, "__builtins__": {}}
    number, unit = map(float, read(entry.printed))
    value = float(eval(entry.formula, names))  # noqa: S307
    return abs(value - number) < unit - 1e-12 * value


def toss(entry):
    """Count the outcomes of n fair coins one by one."""
    outcomes = itertools.product((0, 1), repeat=entry.n)
    tail = sum(sum(outcome) >= entry.wins for outcome in outcomes) / 2**entry.n
    return (tail <= float(entry.level)) == entry.significant


def hidden(text):
    """Return numbers that are rounded to a printed one."""
    number, unit = read(text)
    return [number + unit * Fraction(k, 22) for k in range(-10, 11)]


def outcomes(first, second, better):
    """Return which of two printed numbers can be better, by trying hidden ones."""
    sign = 1 if better == "higher" else -1
    return {
        (sign * (a - b) > 0) - (sign * (a - b) < 0) for a in hidden(first) for b in hidden(second)
    }


def count(entry):
    """Count which outcomes of each pair are possible, and which are certain."""
    pairs = [outcomes(*pair, entry.better) for pair in entry.pairs.values()]
    return all(
        printed is None
        or sum(signs == {sign} for signs in pairs)
        <= printed
        <= sum(sign in signs for signs in pairs)
        for sign, printed in ((1, entry.wins), (0, entry.ties), (-1, entry.losses))
    )


def beat(entry):
    """Look for rows in which hidden numbers can have the named entry best."""
    lost = {
        name
        for name, row in entry.rows.items()
        if any(
            other != entry.best and outcomes(row[entry.best], text, entry.better) == {-1}
            for other, text in row.items()
        )
    }
    allowed = (len(entry.rows) - 1) // 2 if entry.hedge else 0
    return len(lost) <= allowed or lost <= entry.exceptions.keys()


CORRELATIONS = np.linspace(-1, 1, 41)


def differ(entry):
    """Run the tests on summaries at the corners of the rounding, for many correlations."""
    corners = [
        [(float(x - u / 2), float(x), float(x + u / 2)) for x, u in map(read, group)]
        for group in entry.groups.values()
    ]
    p_values = []
    for mean1, sd1, mean2, sd2 in itertools.product(*corners[0], *corners[1]):
        first, second = (
            (mean, max(sd, 0) * (math.sqrt(n) if entry.spread == "se" else 1), n)
            for mean, sd, n in ((mean1, sd1, entry.n[0]), (mean2, sd2, entry.n[1]))
        )
        if entry.paired is not True:
            p_values += [
                stats.ttest_ind_from_stats(*first, *second, equal_var=way).pvalue
                for way in (True, False)
            ]
        if entry.paired is not False:
            n = first[2]
            variance = first[1] ** 2 + second[1] ** 2 - 2 * CORRELATIONS * first[1] * second[1]
            error = np.sqrt(np.maximum(variance, 1e-30)) / math.sqrt(n)
            p_values += list(2 * stats.t.sf(abs(mean1 - mean2) / error, n - 1))
    if entry.printed:
        return any(prints_as(Fraction(float(p)), entry.printed) for p in p_values) or (
            min(p_values) <= read(entry.printed)[0] <= max(p_values)
        )
    level = float(entry.level)
    return (min(p_values) <= level) if entry.significant else (max(p_values) >= level)


SECOND = {
    "GRIM": grim,
    "SUM": add_up,
    "MEAN": average,
    "DIFFERENCE": subtract,
    "FORMULA": compute,
    "SIGN": toss,
    "COUNT": count,
    "BEST": beat,
    "PVALUE": differ,
}


@pytest.mark.parametrize("key", library.paper_keys())
def test_what_a_rule_accuses_is_derived_again(key):
    for name, entry in declarations(Entry(key)).items():
        accused = entry.check().certainty in (IMPOSSIBLE, OVERSTATED)
        if entry.rule in SECOND:
            assert SECOND[entry.rule](entry) is not accused, name
        else:
            assert not accused, f"{name}: derive {entry.rule} a second time, in SECOND"
