"""Claims as `paper.yaml` writes them: a statistic, a comparison and the parts that it speaks of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, StrictBool, StrictInt, Tag, model_validator

from .measures import METHOD, Count, Metric, Resampling, Statistic, Strict, Text, Value
from .printed import Printed, PrintedError, parse
from .standing import Status, numbers

__all__ = ["Claim", "Metric", "Near", "Never", "Resampling", "Statistic", "Untested"]

COMPARISONS = ("above", "below", "near", "never_violated", "exactly", "holds")
QUOTED_WORDS = 20


class Near(Strict):
    """A printed value with its spread (``sd`` or ``se``) and its number of repeats.

    An unsaid ``n`` is read as 1: a number printed without one is taken for a single run. What the
    spread is over is the claim's ``sd_of``.
    """

    value: Text
    sd: Text | None = None
    se: Text | None = None
    n: Count | None = None
    margin: Text | None = None
    gap: Text | None = None

    @model_validator(mode="after")
    def _one_spread(self) -> Near:
        if (self.sd is not None) + (self.se is not None) + ("+-" in self.value) > 1:
            msg = "give one spread: sd, se, or `+-` in the value"
            raise ValueError(msg)
        return self


class Never(Strict):
    """No instance, of at least that number, exceeds the numerical tolerance.

    The number is stated before the run, from the rate of violations that is to be excluded: see
    `icml2008.judge.rates.instances_for`. Where exceptions come by repeat (one draw of the data
    that all instances of a repeat share), the instance is the repeat: ``by: repeat``.
    """

    instances: Count
    tolerance: Text
    by: Literal["instance", "repeat"] = "instance"

    @model_validator(mode="after")
    def _is_a_number(self) -> Never:
        try:
            tolerance = float(self.tolerance)
        except ValueError:
            tolerance = math.nan
        if not 0 <= tolerance < math.inf:
            msg = f"`tolerance` is {self.tolerance!r}, not a number from 0 on"
            raise ValueError(msg)
        return self


class Untested(Strict):
    """Why a claim is not tested."""

    reason: Literal[
        "data not available", "private", "licensed", "needs hardware", "seconds of 2008", "not yet"
    ]
    note: Text | None = None


class AuthorResponse(Strict):
    """What an author of the paper answers, in the author's own words."""

    author: Text
    date: date
    text: Text


def _form(value: Any) -> str:
    """Tell the forms of `near` apart, so that an error speaks of the one that was meant."""
    if isinstance(value, Mapping):
        return "printed" if "value" in value else "parts"
    return "printed" if isinstance(value, Near) else "text"


Printing = Annotated[
    Annotated[Text, Tag("text")] | Annotated[Near, Tag("printed")], Discriminator(_form)
]
Nears = Annotated[
    Annotated[Text, Tag("text")]
    | Annotated[Near, Tag("printed")]
    | Annotated[dict[str, Printing], Tag("parts")],
    Discriminator(_form),
]


@dataclass(frozen=True)
class PrintedSide:
    """The printed side of one part, as numbers.

    Attributes
    ----------
    text : str
        As printed.
    value, half_unit : float
        The number and half a unit of its last digit.
    spread : float or None
        Printed standard deviation of a repeat; None if none is printed.
    n : int
        Printed repeats, 1 if unsaid.
    sd_of : {"runs", "folds", "starts"}
        What spread and repeats are of; see `Claim`.
    fails : float or None
        Of two lines, the one from which on the claim fails; `value` is the other.
    margin, gap : float or None
        The claim's tolerance; the printed gap that the experiment is about.
    unit : str or None
        The unit that the string itself names.
    """

    text: str
    value: float
    half_unit: float
    spread: float | None = None
    n: int = 1
    margin: float | None = None
    gap: float | None = None
    unit: str | None = None
    sd_of: str = "runs"
    fails: float | None = None


class Claim(Strict):
    """One testable assertion of a paper.

    Attributes
    ----------
    says : str
        The assertion, in our words.
    statistic : Statistic
        What is measured; absent from a claim that is only recorded so far.
    each : dict of list
        One part per value of these coordinates of the cells, or of ``method``.
    above, below, near, never_violated, exactly
        One comparison, or the two lines of ``holds`` and ``fails``. All but ``never_violated`` may
        be a mapping from parts, named by their
        value (``census-16h``) or, with several coordinates, in full (``dataset=x,method=y``) or as
        a table, a mapping of mappings by the values of one coordinate after the other;
        ``-`` takes out a part of which nothing is printed.
    holds, fails : str or dict of str
        For a sentence without a number ("close to", "little effect"): from the first line on nobody
        would deny it, from the second on nobody could uphold it. The lines are ours, the sentence
        stays the paper's.
    lines : str
        Why these two lines.
    unsaid : str
        ``nothing: ...``, why the text leaves no choice open that could change the claim.
    hedge : str
        ``none: ...``, why a word that looks like one does not soften the quoted sentence.
    cause : str
        The key in the paper's ``causes`` of the one reason for which several claims fail or hang;
        totals count it once.
    misprint : str
        The key of the erratum that corrects the print; the claim is judged as corrected.
    n, spread, margin, gap
        Of all parts of ``near``: printed repeats; what ``+-`` gives (``sd`` or ``se``); the claim's
        own tolerance; the printed gap that the experiment is about, which may be a mapping or a
        table, too, by fewer coordinates than the parts have.
    sd_of : {"runs", "folds", "starts"}
        What the printed spread is over: whole runs, as our repeats are; folds or splits of one data
        set, which are parts of a single run; or starts on one draw of the data, where our repeats
        are draws.
    deterministic : bool
        Repeats are expected to agree, so that two of them decide.
    best_obtained : str
        Where the paper says that a result is the best its authors could obtain, in fewer than 20
        of its own words: the value of a parameter that they did not print cannot refute that.
    untested : Untested
        Why nothing is judged.
    status : {"headline", "supporting", "ours", "stand_in"}
        Whose claim it is: the paper's own (of its abstract, its conclusions or the table that
        carries it; or said elsewhere in it), ours (a setting, size or threshold that the paper
        does not have), or on data that stand in for those of the paper. Absent from a claim that
        is only listed.
    quote : str
        Where the paper says it, in fewer than 20 of its own words; ``...`` joins two pieces.
    same_as : str
        The claim whose verdict is equal to this one's by construction, so that this is not counted.
    part_of : str
        The claim that judges the same sentence by another statistic or experiment: both are parts
        of one, and only that one is counted.
    author_response : AuthorResponse
        An author's answer to the verdict.
    disputed : bool
        Whether that answer disputes the verdict, which no total counts until it is settled.
    derived : str or dict of str
        How its numbers follow from printed ones: all of them, or by number.
    """

    says: Text
    status: Status | None = None
    page: StrictInt | None = None
    quote: Text | None = None
    same_as: Text | None = None
    part_of: Text | None = None
    cause: Text | None = None
    misprint: Text | None = None
    unsaid: Annotated[Text, Field(pattern=r"^nothing: \S")] | None = None
    hedge: Annotated[Text, Field(pattern=r"^none: \S")] | None = None
    derived: Text | dict[Text, Text] | None = None
    kind: Literal["value", "order", "trend", "invariant"] | None = None
    where: Text | None = None
    printed: Any = None
    statistic: Statistic | None = None
    each: dict[str, Annotated[list[Value], Field(min_length=1)]] = {}
    above: Text | dict[str, Text] | None = None
    below: Text | dict[str, Text] | None = None
    near: Nears | None = None
    never_violated: Never | None = None
    exactly: Text | dict[str, Text] | None = None
    holds: Text | dict[str, Text] | None = None
    fails: Text | dict[str, Text] | None = None
    lines: Text | None = None
    n: Count | None = None
    spread: Literal["sd", "se"] = "sd"
    margin: Text | None = None
    gap: Text | None = None
    sd_of: Literal["runs", "folds", "starts"] = "runs"
    deterministic: StrictBool = False
    best_obtained: Text | None = None
    untested: Untested | None = None
    note: Text | None = None
    author_response: AuthorResponse | None = None
    disputed: StrictBool = False

    @model_validator(mode="before")
    @classmethod
    def _tables_are_of_parts(cls, given: Any) -> Any:
        return tabulated(given) if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _says_where_from(self) -> Claim:
        for name in ("quote", "best_obtained"):
            words = (getattr(self, name) or "").split()
            if len(words) >= QUOTED_WORDS:
                msg = f"`{name}` has {len(words)} words; quote fewer than {QUOTED_WORDS}"
                raise ValueError(msg)
        if self.disputed and self.author_response is None:
            msg = "`disputed` needs `author_response`, which says what is disputed"
            raise ValueError(msg)
        if isinstance(self.derived, dict):
            known = numbers(self.model_copy(update={"derived": None}))
            if strange := [text for text in self.derived if text not in known]:
                msg = f"`derived` speaks of {strange}, which the claim does not have: {known}"
                raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _consistent(self) -> Claim:
        comparisons = [name for name in COMPARISONS if getattr(self, name) is not None]
        if len(comparisons) > 1 or bool(comparisons) != (self.statistic is not None):
            msg = (
                f"a judged claim has a statistic and one of {', '.join(COMPARISONS)}; found "
                f"{'a' if self.statistic else 'no'} statistic and {comparisons or 'none of them'}"
            )
            raise ValueError(msg)
        if self.comparison != "near" and (
            self.n or self.margin or self.gap or self.sd_of != "runs"
        ):
            msg = "n, margin, gap and sd_of belong to `near`"
            raise ValueError(msg)
        lines = {name: getattr(self, name) is not None for name in ("holds", "fails", "lines")}
        if len(set(lines.values())) > 1:
            absent = [name for name, given in lines.items() if not given]
            msg = (
                "a sentence without a number has two lines, `holds` and `fails`, and in `lines` "
                f"why these; missing: {', '.join(absent)}"
            )
            raise ValueError(msg)
        if self.same_as and self.part_of:
            msg = (
                "`same_as` (equal by construction) and `part_of` (one sentence) exclude each other"
            )
            raise ValueError(msg)
        if self.best_obtained and self.comparison not in ("above", "below", "near"):
            msg = "`best_obtained` belongs to above, below or near"
            raise ValueError(msg)
        if self.statistic is None:
            return self
        if self.statistic.has_placeholder != ("method" in self.each):
            msg = f"`each: {{method: [...]}}` and {METHOD!r} in the statistic go together"
            raise ValueError(msg)
        self._check_parts()
        return self

    def _check_parts(self) -> None:
        of_parts = getattr(self, self.comparison)
        for table in (self.holds, self.fails):
            if isinstance(table, dict) and set(table) != set(
                of_parts if isinstance(of_parts, dict) else ()
            ):
                msg = "`holds` and `fails` are two numbers, or two mappings of the same parts"
                raise ValueError(msg)
        if isinstance(of_parts, dict):
            known = [_names(part) for part in self._products()]
            if strange := set(of_parts) - set(itertools.chain.from_iterable(known)):
                msg = (
                    f"`{self.comparison}` speaks of {sorted(strange)}, which is no part; parts: "
                    f"{[names[-1] for names in known]}"
                )
                raise ValueError(msg)
            if silent := [names[-1] for names in known if not of_parts.keys() & set(names)]:
                msg = (
                    f"`{self.comparison}` says nothing of {silent}; "
                    "write '-' where nothing is printed"
                )
                raise ValueError(msg)
        if not self.parts():
            msg = f"`{self.comparison}` leaves no part to judge"
            raise ValueError(msg)
        for part in self.parts():
            self.printed_side(part)

    @property
    def comparison(self) -> str:
        """The name of the comparison; empty for a claim that is only recorded."""
        return next((name for name in COMPARISONS if getattr(self, name) is not None), "")

    def _products(self) -> list[dict[str, str]]:
        return _products_of(self.each)

    def _said(self, part: Mapping[str, str], name: str = "") -> Any:
        of_parts = getattr(self, name or self.comparison)
        if not isinstance(of_parts, dict):
            return of_parts
        return next(of_parts[name] for name in _names(part) if name in of_parts)

    def parts(self) -> list[dict[str, str]]:
        """Return the coordinates of each part; a single empty one for a claim without parts."""
        if not self.comparison:
            return [{}]
        return [part for part in self._products() if self._said(part) != "-"]

    def printed_side(self, part: Mapping[str, str]) -> PrintedSide | None:
        """Return the printed side of a part, None for ``never_violated``.

        Raises
        ------
        PrintedError
            If a printed string cannot be read or is no number.
        """
        printing = self._said(part)
        if isinstance(printing, Never):
            return None
        where = " of ".join(filter(None, [f"`{self.comparison}`", ",".join(part.values())]))
        if self.comparison in ("above", "below"):
            number = _number(printing, where, {"above": ">", "below": "<"}[self.comparison])
            return PrintedSide(printing, number.value, 0.0, unit=number.unit)
        if self.comparison == "holds":
            line = _number(printing, where)
            other = _number(self._said(part, "fails"), where.replace("holds", "fails"))
            if line.value == other.value:
                msg = f"{where}: both lines are {printing!r}; between them the claim is open"
                raise PrintedError(msg)
            return PrintedSide(printing, line.value, 0.0, unit=line.unit, fails=other.value)
        if self.comparison == "exactly":
            number = _number(printing, where)
            return PrintedSide(printing, number.value, number.half_unit, unit=number.unit)
        near = printing if isinstance(printing, Near) else Near(value=printing)
        number = _number(near.value, where)
        n = near.n or self.n or 1
        sd = near.sd or near.se
        is_se = near.se is not None
        spread = _number(sd, where).value if sd else number.spread
        if spread is not None and (is_se or (not near.sd and self.spread == "se")):
            spread *= math.sqrt(n)
        margin = near.margin or self.margin
        gap = near.gap or self.gap
        return PrintedSide(
            near.value,
            number.value,
            number.half_unit,
            spread,
            n,
            _number(margin, where).value if margin else None,
            _number(gap, where).value if gap else None,
            number.unit,
            self.sd_of,
        )


def tabulated(given: dict[str, Any]) -> dict[str, Any]:
    """Return a claim as it is written with the parts of its tables named in full.

    Examples
    --------
    >>> each = {"method": ["A", "B"], "size": [10, 20]}
    >>> near = {"A": {10: "1.2", 20: "2.4"}, "B": {10: "1.1", 20: "-"}}
    >>> found = tabulated({"each": each, "near": near, "gap": {20: "0.2"}})
    >>> found["near"]["method=A,size=10"], found["near"]["method=A,size=20"]
    ('1.2', {'value': '2.4', 'gap': '0.2'})
    """
    each = given.get("each")
    if not isinstance(each, dict) or not all(isinstance(values, list) for values in each.values()):
        return given
    known = {str(name): set(map(str, values)) for name, values in each.items()}
    claim = dict(given)
    for name in ("above", "below", "near", "exactly", "holds", "fails"):
        by_part = given.get(name)
        if isinstance(by_part, Mapping) and any(map(_is_table, by_part.values())):
            rows = _rows(by_part, known, name)
            claim[name] = {_names(dict(part))[-1]: text for part, text in rows.items()}
    gaps = given.get("gap")
    near = claim.get("near")
    if isinstance(gaps, Mapping) and isinstance(near, Mapping) and not _is_printing(near):
        rows = _rows(gaps, known, "gap")
        for part in _products_of(each):
            gap = [text for among, text in rows.items() if among <= part.items()]
            for name in {*_names(part)} & {*near} if gap else ():
                by_part = near[name] if isinstance(near[name], Mapping) else {"value": near[name]}
                if by_part["value"] != "-":
                    claim["near"] = near = {**near, name: {**by_part, "gap": gap[0]}}
        del claim["gap"]
    return claim


def _is_printing(printing: Any) -> bool:
    return isinstance(printing, Mapping) and "value" in printing


def _is_table(printing: Any) -> bool:
    return isinstance(printing, Mapping) and "value" not in printing


def _rows(table: Any, known: Mapping[str, Container[str]], what: str) -> dict[frozenset, Any]:
    """Return what stands in a table by the coordinates of its place."""
    if not _is_table(table):
        return {frozenset(): table}
    by_place = {}
    for value, below in table.items():
        names = [name for name, values in known.items() if str(value) in values]
        if len(names) != 1:
            of = f"of {' and '.join(names)}" if names else f"of none of {sorted(known)}"
            msg = f"`{what}`: {value!r} is a value {of}"
            raise ValueError(msg)
        others = {name: values for name, values in known.items() if name != names[0]}
        for part, text in _rows(below, others, what).items():
            by_place[part | {(names[0], str(value))}] = text
    return by_place


def _products_of(each: Mapping[str, Sequence[Any]]) -> list[dict[str, str]]:
    names = sorted(each)
    values = itertools.product(*(dict.fromkeys(map(str, each[name])) for name in names))
    return [dict(zip(names, row, strict=True)) for row in values]


def _names(part: Mapping[str, str]) -> list[str]:
    """Return the names of a part: the value of its only coordinate, and in full."""
    full = ",".join(f"{name}={value}" for name, value in sorted(part.items()))
    return [*part.values(), full] if len(part) == 1 else [full]


def _number(text: str, where: str, bound: str | None = None) -> Printed:
    number = parse(text, where=where)
    if number.value is None and number.fraction is None:
        msg = f"{where}: {text!r} is not one number; make each a part of its own"
        raise PrintedError(msg)
    if number.bound and number.bound[0] != bound:
        msg = f"{where}: {text!r} is a bound; judge it with `above` (>) or `below` (<)"
        raise PrintedError(msg)
    if number.value is None:
        return Printed(text, number.fraction, 0.0, unit=number.unit)
    return number
