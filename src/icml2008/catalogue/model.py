"""What a `paper.yaml` holds, and messages that say where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Container
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from icml2008 import strict_yaml
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.short import in_full
from icml2008.errors import nearest
from icml2008.harness.choices import UniverseError, changed_in
from icml2008.judge.claims import Claim
from icml2008.judge.controls import SIDES, Controls
from icml2008.judge.measures import Metric, Resampling, Value
from icml2008.judge.printed import leaves
from icml2008.judge.remarks import AuthorResponse
from icml2008.judge.standing import lacks
from icml2008.judge.totals import VERDICTS

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Chaotic(_Strict):
    """Measurements that another rounding makes others altogether, so that only repeats count."""

    methods: list[str] = Field(min_length=1)
    metrics: list[str] = Field(min_length=1)
    why: str


class ExperimentFacts(_Strict):
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


class Choice(_Strict):
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


class Erratum(_Strict):
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


class Answer(_Strict):
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


class Note(_Strict):
    """Something learnt that a reader of the results must know."""

    title: str
    text: str


class Change(_Strict):
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


class Venue(_Strict):
    """Where a paper was published, or lectures were held."""

    kind: Literal["proceedings", "lectures"] = "proceedings"
    name: str
    booktitle: str
    year: int
    publisher: str | None = None
    address: str | None = None


ICML_2008 = Venue(
    name="ICML 2008",
    booktitle="Proceedings of the 25th International Conference on Machine Learning (ICML 2008)",
    year=2008,
    publisher="ACM",
    address="Helsinki, Finland",
)


class DataSet(_Strict):
    """Data that a paper's experiments need, and whether they can be had."""

    what: str
    access: Literal["public", "generated", "gone", "private", "unknown"]
    source: str
    size: str


class PlannedExperiment(_Strict):
    """An experiment that waits to be re-run, and the listed claims that it would judge."""

    where: str
    data: list[str]
    protocol: str
    compute: Literal["seconds", "minutes", "hours", "days"]
    claims: list[str] = Field(min_length=1)


class Head(_Strict):
    """What lists of papers show, and BibTeX needs.

    Attributes
    ----------
    rerunnable : {"all", "part", "stand-in", "private data", "hardware or people", "theory"}
        Which of the main experiments can be re-run: all, a part, all but on other data of the
        kind; or what stands in the way.
    """

    key: str
    title: str
    authors: list[str] = Field(min_length=1)
    pages: tuple[int, int] | None = Field(default=None, strict=False)
    venue: Venue = ICML_2008
    topic: str
    rerunnable: Literal[
        "all", "part", "stand-in", "private data", "hardware or people", "theory"
    ] = "all"

    @property
    def proceedings(self) -> bool:
        """Whether it is a paper of the proceedings that the catalogue is about."""
        return self.venue == ICML_2008

    @property
    def published(self) -> str:
        """The venue and the pages, as a list of papers cites them."""
        pages = dict.fromkeys(self.pages or ())
        return self.venue.booktitle + (f", pages {'–'.join(map(str, pages))}" if pages else "")

    @model_validator(mode="after")
    def _proceedings_have_pages(self) -> Head:
        if self.proceedings and self.pages is None:
            msg = f"pages: missing; a paper of {self.venue.name} has them"
            raise ValueError(msg)
        return self


class Paper(Head):
    """One entry of the catalogue.

    `groups` are lists of values that several claims are about: a claim whose `each` has a group's
    name in place of a list has its values. `together` names universes that change several choices;
    they are run beside those that change one. `causes` say for what one reason several claims
    fail or hang; those that name it are counted once.
    """

    why: str = ""
    effort: Literal["S", "M", "L", "XL"] | None = None
    idea: str
    answer: Answer | None = None
    methods: list[str] = []
    today: str = ""
    data: dict[str, DataSet] = {}
    planned: dict[str, PlannedExperiment] = {}
    metrics: dict[str, Metric] = {}
    experiments: dict[str, ExperimentFacts] = {}
    groups: dict[str, Annotated[list[Value], Field(min_length=1)]] = {}
    claims: dict[str, Claim] = {}
    causes: dict[str, str] = {}
    changes: list[Change] = []
    choices: dict[str, Choice] = {}
    together: list[str] = []
    gaps: list[str] = []
    notes: list[Note] = []
    errata: list[Erratum] = []
    audit: dict[str, dict[str, Any]] = {}
    author_response: AuthorResponse | None = None

    @property
    def controls(self) -> dict[str, list[Controls]]:
        """The controls of each experiment."""
        return {name: facts.controls for name, facts in self.experiments.items()}

    @model_validator(mode="before")
    @classmethod
    def _short_forms_stand_for_long_ones(cls, given: Any) -> Any:
        return in_full(given) if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _names_can_name_files(self) -> Paper:
        for kind in ("experiments", "planned", "claims", "choices"):
            for name in getattr(self, kind):
                if not _NAME.fullmatch(name):
                    msg = f"{kind}: {name!r} names a file: use letters, digits and . _ - only"
                    raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _names_meet(self) -> Paper:
        uses = [
            (f"choices.{name}.touches", "experiment", choice.touches, self.experiments)
            for name, choice in self.choices.items()
        ]
        uses += [
            (f"experiments.{name}.controls", "metric", control.metrics, self.metrics)
            for name, facts in self.experiments.items()
            for control in facts.controls
        ]
        uses += [
            (f"experiments.{name}.gauges", "claim", facts.gauges, self.claims)
            for name, facts in self.experiments.items()
        ]
        errata = {erratum.key for erratum in self.errata if erratum.status in ("checked", "kept")}
        if self.answer:
            uses.append(("answer.claims", "claim", list(self.answer.claims), self.claims))
        for name, planned in self.planned.items():
            uses.append((f"planned.{name}.data", "data set", planned.data, self.data))
            uses.append((f"planned.{name}.claims", "claim", planned.claims, self.claims))
        for name, claim in self.claims.items():
            if claim.statistic:
                measured = claim.statistic
                uses += [
                    (
                        f"claims.{name}.statistic",
                        "experiment",
                        [measured.experiment],
                        self.experiments,
                    ),
                    (f"claims.{name}.statistic", "metric", [measured.metric], self.metrics),
                ]
            # What a claim repeats is counted, so that it must not repeat another one itself.
            counted = {
                other
                for other, there in self.claims.items()
                if not (there.same_as or there.part_of) and other != name
            }
            for key in ("same_as", "part_of"):
                named = filter(None, [getattr(claim, key)])
                uses.append((f"claims.{name}.{key}", "counted claim", named, counted))
            corrected = filter(None, [claim.misprint])
            uses.append((f"claims.{name}.misprint", "erratum with the key", corrected, errata))
            cause = filter(None, [claim.cause])
            uses.append((f"claims.{name}.cause", "cause", cause, self.causes))
        removed = {(change.kind, change.what) for change in self.changes if change.after is None}
        for place, change in enumerate(self.changes):
            gone = (change.kind, change.what) in removed
            known = [change.what] if gone else getattr(self, f"{change.kind}s")
            uses.append((f"changes.{place}", change.kind, [change.what], known))
            called = filter(None, [change.renamed])
            uses.append((f"changes.{place}.renamed", "claim", called, self.claims))
        for where, what, names, known in uses:
            for used in names:
                if used not in known:
                    msg = f"{where}: no {what} {used!r}{nearest(used, known)}"
                    raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _universes_change_several_choices(self) -> Paper:
        for universe in self.together:
            try:
                changed = changed_in(universe, self.choices)
            except UniverseError as error:
                msg = f"together: {error}"
                raise ValueError(msg) from error
            if len(changed) < 2:
                msg = f"together: {universe!r} changes fewer than two choices"
                raise ValueError(msg)
        return self

    @model_validator(mode="after")
    def _claims_say_whose_they_are(self) -> Paper:
        lacking = [
            f"claims.{name}: {lack}"
            for name, claim in self.claims.items()
            if (lack := lacks(claim, quoted=self.venue.kind == "proceedings"))
        ]
        if lacking:
            raise ValueError("\n".join(lacking))
        return self

    @model_validator(mode="after")
    def _printed_numbers_are_text(self) -> Paper:
        for name, claim in self.claims.items():
            for value in leaves(claim.printed):
                if not isinstance(value, str):
                    msg = (
                        f"claims.{name}.printed: {value!r} is a {type(value).__name__}; "
                        "put it in quotes (zeros at the end count)"
                    )
                    raise ValueError(msg)
        return self


Entry = TypeVar("Entry", bound=Head)


def _describe(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    value = error["input"]
    match error["type"]:
        case "extra_forbidden":
            return f"{where}: unknown key"
        case "missing":
            return f"{where}: missing"
        case "string_type":
            hint = (
                "yes and no are booleans" if isinstance(value, bool) else "zeros at the end count"
            )
            return f"{where}: {value!r} is a {type(value).__name__}; put it in quotes ({hint})"
    text = error["msg"].removeprefix("Value error, ")
    return ": ".join(filter(None, [where, text])) + (
        "" if isinstance(value, dict | BaseModel) else f", found {value!r}"
    )


def read_paper(path: str | Path) -> Paper:
    """Read and check a ``paper.yaml``.

    Raises
    ------
    PaperError
        If it is not YAML, or not what `Paper` describes; one line for each mistake.
    """
    return _read(Path(path), Paper)


def read_head(path: str | Path) -> Head:
    """Read and check the head of a ``paper.yaml``, many times faster than all of it.

    Raises
    ------
    PaperError
        As `read_paper`, for the keys of `Head`.
    """
    return _read(Path(path), Head, only=Head.model_fields)


def _read(path: Path, model: type[Entry], only: Container[str] | None = None) -> Entry:
    try:
        text = strict_yaml.read_text(path)
        if only is not None:
            # A line that begins with a letter begins a key of the document: the rest is indented.
            blocks = re.split(r"(?m)^(?=[a-z])", text)
            text = "".join(block for block in blocks if block.partition(":")[0] in only)
        paper = model.model_validate(strict_yaml.load(text, path))
    except strict_yaml.YamlError as error:
        raise PaperError(str(error)) from None
    except ValidationError as error:
        lines = []
        for item in error.errors():
            line = _describe(item)
            if item["type"] == "extra_forbidden" and len(item["loc"]) == 1:
                line += nearest(str(item["loc"][0]), model.model_fields)
            lines += [f"{path}: {part}" for part in line.splitlines()]
        raise PaperError("\n".join(lines)) from None
    if paper.key != path.parent.name:
        msg = (
            f"{path}: key: {paper.key!r} in the folder {path.parent.name!r}; they must be the same"
        )
        raise PaperError(msg)
    return paper
