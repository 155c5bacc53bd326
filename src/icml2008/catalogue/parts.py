"""What a `paper.yaml` has beside its claims: experiments, choices, errata, notes, changes."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from icml2008.judge.controls import SIDES, Controls
from icml2008.judge.measures import Resampling
from icml2008.judge.totals import VERDICTS

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class Section(BaseModel):
    """A part of the file: what it has not is refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Chaotic(Section):
    """Measurements that another rounding makes others altogether, so that only repeats count."""

    methods: list[str] = Field(min_length=1)
    metrics: list[str] = Field(min_length=1)
    why: str


class ExperimentFacts(Section):
    """Which tables and figures an experiment feeds, how its repeats come about, its controls.

    `gauges` are claims on numbers of the paper that do not belong to its method (a baseline, a
    count, an eigenvalue) and must come out if the experiment is the paper's. Where one is missed,
    nothing that the experiment measures is refuted.
    """

    feeds: list[str] = Field(min_length=1)
    resampling: Resampling
    protocol: str
    controls: list[Controls] = []
    chaotic: list[Chaotic] = []
    gauges: list[str] = []

    @property
    def control_methods(self) -> frozenset[str]:
        """The methods that are floors or ceilings of the experiment."""
        ends = [getattr(control, side) for control in self.controls for side in SIDES]
        return frozenset(end for end in ends if isinstance(end, str))


class Choice(Section):
    """Something that the paper leaves unsaid and that can change a result.

    `touches` lists the experiments that it can change, `cells` the values of coordinates to which
    that is confined: the rest is shared with the default. `ruled_out` are values that were read
    once, each with the words or the printed numbers of the paper by which it is no reading.
    """

    question: str
    default: str
    alternatives: list[str] = []
    ruled_out: dict[str, str] = {}
    touches: list[str] = Field(min_length=1)
    cells: dict[str, list[str | int | float]] = {}
    why: str

    @field_validator("default", "alternatives")
    @classmethod
    def _can_name_a_folder(cls, given: str | list[str]) -> str | list[str]:
        for value in [given] if isinstance(given, str) else given:
            if not re.fullmatch(r"[A-Za-z0-9._-]+", value):
                msg = f"{value!r} names a folder of results: use letters, digits and . _ - only"
                raise ValueError(msg)
        return given

    @model_validator(mode="after")
    def _values_stand_once(self) -> Choice:
        if self.default in self.alternatives:
            msg = f"the default {self.default!r} stands among the alternatives"
            raise ValueError(msg)
        if not (self.alternatives or self.ruled_out):
            msg = "alternatives: none is given, and none is `ruled_out` by the text"
            raise ValueError(msg)
        for value in self.ruled_out:
            if value in (self.default, *self.alternatives):
                msg = f"ruled_out: {value!r} is read: it is the default or an alternative"
                raise ValueError(msg)
        return self


class Erratum(Section):
    """A misprint or contradiction in the paper, with its evidence.

    Attributes
    ----------
    key : str
        The name by which a claim that is judged as corrected (``misprint``) speaks of it.
    where, says, evidence : str
        The place, what is wrong there, and what shows it (empty where ``says`` has it already).
    status : {"as read", "kept", "checked", "dismissed"}
        Found by reading; read again beside the text and upheld; settled by a computation; or
        looked into and taken back.
    checked_by : str
        The test, by its name if it is in the paper's folder, else ``tests/...py::test_name``; or
        the entry of ``audit``, ``audit.name``.
    reason : str
        Why it was kept or dismissed.
    """

    key: str | None = None
    where: str
    says: str
    evidence: str = ""
    status: Literal["as read", "kept", "checked", "dismissed"] = "as read"
    checked_by: str | None = None
    reason: str | None = None

    @model_validator(mode="after")
    def _status_has_its_ground(self) -> Erratum:
        grounds = {"checked_by": ("checked",), "reason": ("kept", "dismissed")}
        for field, statuses in grounds.items():
            if (self.status in statuses) != (getattr(self, field) is not None):
                named = " or ".join(f"`status: {status}`" for status in statuses)
                msg = f"{named} and `{field}` go together"
                raise ValueError(msg)
        return self


class Answer(Section):
    """What a paper's main claims came to and on what they hang, in a sentence written by hand.

    Attributes
    ----------
    says : str
        The sentence, in words that a reader of the abstract understands.
    claims : dict of str to str
        The claims that it speaks of, each with the verdict for which it was written: where a
        verdict is another one, the sentence is not shown and has to be written anew.
    """

    says: str
    claims: dict[str, Literal[VERDICTS]] = Field(min_length=1)


class Note(Section):
    """Something learnt that a reader of the results must know."""

    title: str
    text: str


class Change(Section):
    """What was changed after it had been laid down, and why.

    Attributes
    ----------
    claim, choice, experiment : str
        Which of them; exactly one.
    date : date
    before, after : str or None
        What was judged or run; None before a thing was added and after one was removed.
    reason : str
    renamed : str
        What a claim that was taken out under this name is called since then.
    judged : str
        The hash of the claim as it is judged since then, until ``icml2008 changes`` keeps it.
    """

    claim: str | None = None
    choice: str | None = None
    experiment: str | None = None
    date: date
    before: str | None = None
    after: str | None = None
    reason: str
    renamed: str | None = None
    judged: str | None = None

    @model_validator(mode="after")
    def _of_one_thing(self) -> Change:
        named = [name for name in ("claim", "choice", "experiment") if getattr(self, name)]
        if len(named) != 1:
            msg = f"a change is of one claim, choice or experiment; found {named or 'none'}"
            raise ValueError(msg)
        if self.before is None and self.after is None:
            msg = "a change has `before`, `after` or both"
            raise ValueError(msg)
        if self.renamed and not (self.claim and self.after is None):
            msg = "`renamed` belongs to a claim that is no more under its name: without `after`"
            raise ValueError(msg)
        return self

    @property
    def kind(self) -> str:
        """Of what it is a change: ``claim``, ``choice`` or ``experiment``."""
        return "claim" if self.claim else "choice" if self.choice else "experiment"

    @property
    def what(self) -> str:
        """The name of what was changed."""
        return getattr(self, self.kind)


class Venue(Section):
    """Where a paper was published, or lectures were held."""

    kind: Literal["proceedings", "lectures"] = "proceedings"
    name: str
    booktitle: str
    year: int
    publisher: str | None = None
    address: str | None = None


class DataSet(Section):
    """Data that a paper's experiments need, and whether they can be had.

    `sets` names what the registry has of it, which says where that comes from and its size.
    """

    what: str
    access: Literal["public", "generated", "gone", "private", "unknown"] = "public"
    source: str = ""
    size: str = ""
    sets: list[str] = []

    @model_validator(mode="after")
    def _says_where_it_is(self) -> DataSet:
        missing = {"access", "source", "size"} - self.model_fields_set
        if missing and not self.sets:
            msg = f"without {', '.join(sorted(missing))}: say it, or name the registry's `sets`"
            raise ValueError(msg)
        return self

    @property
    def of_it(self) -> list[str]:
        """What is said of its source and size, and the registered sets that it is read from."""
        return [text for text in (self.source, self.size, ", ".join(self.sets)) if text]


class PlannedExperiment(Section):
    """An experiment that waits to be re-run, and the listed claims that it would judge."""

    where: str
    data: list[str]
    protocol: str
    compute: Literal["seconds", "minutes", "hours", "days"]
    claims: list[str] = Field(min_length=1)
