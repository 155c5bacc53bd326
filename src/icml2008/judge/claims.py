"""Claims as `paper.yaml` writes them: a statistic, a comparison and the parts that it speaks of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, model_validator

from .measures import METHOD, Count, Statistic, Strict, Text, Value
from .part_tables import part_names, products_of, tabulated
from .printed import PrintedError, leaves
from .printings import Near, Nears, Never, PrintedSide, near_numbers, printed_number
from .remarks import AuthorResponse, Status, Untested

COMPARISONS = ("above", "below", "near", "never_violated", "exactly", "holds")
QUOTED_WORDS = 20


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
            known = self.model_copy(update={"derived": None}).numbers
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
            msg = "`same_as` (by construction) and `part_of` (one sentence) exclude each other"
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
            known = [part_names(part) for part in self._products()]
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

    @property
    def numbers(self) -> list[str]:
        """Its numbers that count as printed, as they are written.

        They are what it is compared with, spreads and repeats included, and what is only listed. A
        floor or a ceiling of 0 stands for an order or a sign, a gap is a difference of printed
        numbers, a margin is ours, and what is marked as derived is left out.
        """
        texts = [*leaves(self.printed), *self._compared()]
        if isinstance(self.derived, str):
            return []
        return [text for text in dict.fromkeys(texts) if text not in (self.derived or ())]

    def _compared(self) -> Iterator[str]:
        if self.comparison == "near":
            near = self.near if isinstance(self.near, dict) else {"": self.near}
            for printing in near.values():
                yield from near_numbers(printing)
            yield from [str(self.n)] if self.n else []
        elif self.comparison in ("above", "below", "exactly"):
            for text in leaves(getattr(self, self.comparison)):
                if text != "-" and (text != "0" or self.comparison == "exactly"):
                    yield text

    def _products(self) -> list[dict[str, str]]:
        return products_of(self.each)

    def _said(self, part: Mapping[str, str], name: str = "") -> Any:
        of_parts = getattr(self, name or self.comparison)
        if not isinstance(of_parts, dict):
            return of_parts
        return next(of_parts[name] for name in part_names(part) if name in of_parts)

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
            number = printed_number(printing, where, {"above": ">", "below": "<"}[self.comparison])
            return PrintedSide(printing, number.value, 0.0, unit=number.unit)
        if self.comparison == "holds":
            line = printed_number(printing, where)
            other = printed_number(self._said(part, "fails"), where.replace("holds", "fails"))
            if line.value == other.value:
                msg = f"{where}: both lines are {printing!r}; between them the claim is open"
                raise PrintedError(msg)
            return PrintedSide(printing, line.value, 0.0, unit=line.unit, fails=other.value)
        if self.comparison == "exactly":
            number = printed_number(printing, where)
            return PrintedSide(printing, number.value, number.half_unit, unit=number.unit)
        near = printing if isinstance(printing, Near) else Near(value=printing)
        number = printed_number(near.value, where)
        n = near.n or self.n or 1
        sd = near.sd or near.se
        is_se = near.se is not None
        spread = printed_number(sd, where).value if sd else number.spread
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
            printed_number(margin, where).value if margin else None,
            printed_number(gap, where).value if gap else None,
            number.unit,
            self.sd_of,
        )
