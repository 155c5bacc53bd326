"""What a `paper.yaml` holds, and messages that say where it is wrong."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from icml2008.catalogue.parts import (
    NAME,
    Answer,
    Change,
    Choice,
    DataSet,
    Erratum,
    ExperimentFacts,
    Note,
    PlannedExperiment,
    Section,
    Venue,
)
from icml2008.catalogue.short import in_full
from icml2008.errors import nearest
from icml2008.harness.choices import UniverseError, changed_in
from icml2008.judge.claims import Claim
from icml2008.judge.controls import Controls
from icml2008.judge.measures import Metric, Value
from icml2008.judge.printed import leaves
from icml2008.judge.remarks import AuthorResponse
from icml2008.judge.standing import lacks

ICML_2008 = Venue(
    name="ICML 2008",
    booktitle="Proceedings of the 25th International Conference on Machine Learning (ICML 2008)",
    year=2008,
    publisher="ACM",
    address="Helsinki, Finland",
)


class Head(Section):
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
                if not NAME.fullmatch(name):
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
