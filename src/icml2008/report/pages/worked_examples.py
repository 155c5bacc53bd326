"""Verdicts of each kind worked through, step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import DEFAULT
from icml2008.judge.standing import OWN, stated
from icml2008.report import wording
from icml2008.report.pages.lines import part_labels
from icml2008.report.results import Verdict
from icml2008.store import Shelf

Row = dict[str, Any]

# Letters of a sentence that says a claim by itself.
_SENTENCE = 80

# A mean's interval by Student's t, as a person would compute it.
_PLAIN = re.compile(r"(\S+) ± (\S+) × (\S+), df = (\d+)")

ABOUT = {"value": "Printed values", "order": "One method against another"}


def examples(shelves: Iterable[Shelf]) -> dict[str, Row]:
    """Return a worked example of each of the `_EXAMPLES` that the evidence has one of.

    Of several, one that is said in a sentence neither short nor long; of these one without parts,
    then a headline claim.
    """
    best: dict[str, tuple[tuple, Verdict]] = {}
    for shelf in shelves:
        paper = shelf.entry.digest
        if not paper.proceedings:
            continue
        default = [stated(row, paper.claims) for row in shelf.rows(universe=DEFAULT)]
        for verdict in _own_rows(default):
            rank = (
                abs(len(verdict["says"]) - _SENTENCE) // 20,
                bool(verdict["part"]),
                verdict["status"] != OWN[0],
                *(shelf.key, verdict["claim"], verdict["part"]),
            )
            for name, (fits, _) in _EXAMPLES.items():
                if fits(verdict) and (name not in best or rank < best[name][0]):
                    best[name] = rank, verdict
    return {name: _example(name, *best[name][1:]) for name in _EXAMPLES if name in best}


def _own_rows(rows: Sequence[Verdict]) -> Iterator[Verdict]:
    """Yield the measured rows of a paper's own claims that came out as the whole claim did."""
    whole = {row["claim"]: row["verdict"] for row in rows if not row["part"]}
    for row in rows:
        own = row["status"] in OWN and not (row["same_as"] or row["disputed"] or row["hindrance"])
        if own and not row["parts"] and row["verdict"] == whole.get(row["claim"]):
            yield row


def _plain(row: Verdict) -> bool:
    return bool(row["se"]) and _PLAIN.fullmatch(row["how"] or "") is not None


def _is_order(row: Verdict) -> bool:
    return row["comparison"] == "above" and row["floor"] == 0 and _plain(row)


def _is_confirmed_order(row: Verdict) -> bool:
    difference = row["statistic"].startswith("difference of")
    return row["verdict"] == "confirmed" and difference and _is_order(row)


def _is_refuted_value(row: Verdict) -> bool:
    # A printed spread of folds or starts takes more words than an example has.
    of_runs = row["printed_sd"] is None or ", printed spread)" in row["reason"]
    return row["comparison"] == "near" and row["verdict"] == "refuted" and of_runs and _plain(row)


def _is_open(row: Verdict) -> bool:
    known = row["could_see"] is not None and row["repeats_needed"] is not None
    return row["verdict"] == "inconclusive" and known and _is_order(row)


def _is_invariant(row: Verdict) -> bool:
    return row["comparison"] == "never_violated" and row["rate_bound"] is not None


def _example(name: str, row: Verdict) -> Row:
    paper = Entry(row["paper"]).paper
    claim = paper.claims.get(row["claim"])
    return {
        "says": row["says"],
        "part": part_labels(claim).get(row["part"], ""),
        "quote": row["quote"],
        "verdict": row["verdict"],
        "title": paper.title,
        "address": f"{row['paper']}/{row['claim']}.html",
        "steps": list(_EXAMPLES[name][1](row)),
    }


def _interval(row: Verdict) -> Iterator[str]:
    """Yield what was measured, and the interval by Student's t."""
    unit = f" {row['unit']}" if row["unit"] else ""
    mean, times, se, df = map(_signs, _PLAIN.fullmatch(row["how"]).groups())
    yield (
        f"The statistic is the {row['statistic']}. In {row['n']} repeats its mean is "
        f"{mean}{unit}, with a standard error of {se}."
    )
    yield (
        f"The 95\N{NO-BREAK SPACE}% interval is {mean} ± {times} × {se} = {wording.interval(row)}, "
        f"by Student's t with {df} degrees of freedom."
    )


def _order_steps(row: Verdict) -> Iterator[str]:
    yield from _interval(row)
    yield "All of it lies above 0: the claim is confirmed."


def _value_steps(row: Verdict) -> Iterator[str]:
    value = wording.printed_value(row)
    tolerance = row["tolerance"]
    yield from _interval(row)
    sum_ = re.search(r"tolerance \S+ \((.+?)\): ", row["reason"])
    how = f", {_signs(sum_[1])}" if sum_ else ""
    yield (
        f"Printed is {wording.printed(row)}. That is rounded, and a mean of repeats itself, so "
        f"ours may be {_short(tolerance)} away{how}: "
        f"from {_short(value - tolerance)} to {_short(value + tolerance)}."
    )
    yield "The two do not meet: the claim is refuted."


def _open_steps(row: Verdict) -> Iterator[str]:
    yield from _interval(row)
    unit = f" {row['unit']}" if row["unit"] else ""
    yield "It holds 0, so the repeats say neither that the claim holds nor that it does not."
    yield (
        f"So many repeats find a true difference of {_short(row['could_see'])}{unit} four times in "
        f"five; to decide the one that they found takes about {row['repeats_needed']}."
    )


def _invariant_steps(row: Verdict) -> Iterator[str]:
    instances = re.search(r"of (\d+) instances", row["reason"])
    yield (
        f"No instance may violate it by more than {_short(row['tolerance'])}, which leaves room "
        "for rounding. One that did would refute the claim."
    )
    if instances:
        yield (
            f"The largest excess among {int(instances[1]):,} instances is {_short(row['effect'])}"
            f"{', below the bound' if row['effect'] < 0 else ''}: the claim is confirmed."
        )
    yield (
        f"If {100 * row['rate_bound']:.2g}\N{NO-BREAK SPACE}% of all instances violated it, so "
        "many would show none with a probability of 5\N{NO-BREAK SPACE}%: exceptions that are more "
        "frequent are excluded, rarer ones are not."
    )


_EXAMPLES: dict[str, tuple[Callable[[Verdict], bool], Callable[[Verdict], Iterator[str]]]] = {
    "order": (_is_confirmed_order, _order_steps),
    "value": (_is_refuted_value, _value_steps),
    "open": (_is_open, _open_steps),
    "invariant": (
        lambda row: row["verdict"] == "confirmed" and _is_invariant(row),
        _invariant_steps,
    ),
}


def _short(number: float) -> str:
    return _signs(f"{number + 0.0:.4g}")


def _signs(text: str) -> str:
    """Return arithmetic with proper signs."""
    text = re.sub(r"(?<![\w)])-(?=\d)|(?<=\de)-(?=\d)", wording.MINUS, text)
    return text.replace("sqrt", "√").replace("^2", "²")
