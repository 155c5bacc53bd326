"""What a claim measures: metrics, how repeats differ, and statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

Text = Annotated[StrictStr, Field(min_length=1)]
Value = StrictStr | StrictInt | StrictFloat
Pair = Annotated[list[Text], Field(min_length=2, max_length=2)]
Count = Annotated[StrictInt, Field(gt=0)]

METHOD = "{method}"
ELSE = "else"

TRENDS = ("slope", "rank_correlation", "second_difference")
PLACES = ("crossing", "last_crossing", "argbest")
KINDS = ("mean", "difference", "ratio", "lead", *TRENDS, "crosses", *PLACES)


class Strict(BaseModel):
    """A mapping in which every key is known and text is text."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def fits(name: str, cell: Mapping[str, Any]) -> bool:
    """Return whether a name, coordinates with their values or ``else``, is of a cell."""
    return name == ELSE or set(name.split(",")) <= {f"{at}={value}" for at, value in cell.items()}


class Metric(Strict):
    """A metric: its unit, its bounds and which way is better.

    Records store values in this unit (a percent metric from 0 to 100), and printed numbers of
    another unit are refused, so that 60.3 and 0.603 cannot be confused. A metric that counts
    things is `whole`: its values are whole numbers from 0 on. One that tells whether a method tells
    things apart at all says at which value it does not (`degenerate`). One of which runs are
    broken off at a value (a cap of iterations) says at which (`cap`), where it differs by cell or
    method: of the first name that fits, ``dataset=digits`` or ``method=SVM,C=1`` or ``else``. Such
    a run is a floor, no value. One that comes in steps, and is neither a count nor a share of test
    cases, says how large they are (`step`), so that repeats that agree exactly decide.
    """

    unit: Text
    bounds: tuple[float | None, float | None] = (None, None)
    better: Literal["higher", "lower", "neither"] = "neither"
    whole: StrictBool = False
    degenerate: float | None = None
    cap: float | Annotated[dict[Text, float], Field(min_length=1)] | None = None
    step: Annotated[float, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Metric:
        low, high = self.limits
        if low >= high:
            msg = f"bounds are [smallest, largest], found [{low}, {high}]"
            raise ValueError(msg)
        return self

    @property
    def limits(self) -> tuple[float, float]:
        """The bounds, infinite where there is none."""
        low, high = self.bounds
        return -math.inf if low is None else low, math.inf if high is None else high

    @property
    def sign(self) -> int:
        """-1 where lower is better, else 1."""
        return -1 if self.better == "lower" else 1

    def cap_of(self, method: str, cell: Mapping[str, Any]) -> float:
        """Return the value at which runs of a method are broken off in a cell; else infinity."""
        if not isinstance(self.cap, dict):
            return math.inf if self.cap is None else self.cap
        at = {**cell, "method": method}
        return next((cap for name, cap in self.cap.items() if fits(name, at)), math.inf)


class Resampling(Strict):
    """How repeats differ, and what was really trained on and tested on.

    ``fresh``: new data each; ``resplit``: another split of the same data; ``folds``: another
    partition of the same data into folds, each tested once; ``fixed``: the same data and split.
    A sample that is drawn from one data set is a re-split: what is drawn is tested on, the rest
    of the data is trained on. `where` has the cells that differ, by coordinate
    (``dataset=digits``).

    ``search: shared`` says that all repeats run at settings which were tuned once; a number says
    that so many consecutive repeats share a search. What repeats of one search say is one number.
    """

    kind: Literal["fresh", "resplit", "folds", "fixed"]
    train: Annotated[float, Field(gt=0, lt=1)] | None = None
    test: Annotated[float, Field(gt=0, lt=1)] | None = None
    n_train: Count | None = None
    n_test: Count | None = None
    search: Literal["shared"] | Count | None = None
    where: dict[Text, Resampling] = {}

    @model_validator(mode="after")
    def _sizes(self) -> Resampling:
        shares = (self.train, self.test)
        counts = (self.n_train, self.n_test)
        if (None in shares) != (shares == (None, None)) or (None in counts) != (
            counts == (None, None)
        ):
            msg = "give both of train and test, or both of n_train and n_test"
            raise ValueError(msg)
        if self.kind in ("resplit", "folds") and self.overlap is None:
            msg = f"{self.kind} needs train and test (shares), or n_train and n_test (counts)"
            raise ValueError(msg)
        return self

    @property
    def overlap(self) -> float | None:
        """What the correction for overlapping data adds to 1 / n: n_test / n_train.

        A repeat of ``folds`` is the mean of k folds. Folds correlate as splits do, so that the
        variance of the repeats' mean is s^2 (1 / n + k n_test / n_train), with k = 1 / (share of
        the data that is tested).
        """
        train, test = (self.train, self.test) if self.train else (self.n_train, self.n_test)
        if not train or not test:
            return None
        return (train + test) / train if self.kind == "folds" else test / train

    def of(self, cells: Iterable[Iterable[tuple[str, str]]]) -> Resampling:
        """Return how repeats of some cells differ; of several ways, the one that overlaps most."""
        named = [[f"{name}={value}" for name, value in cell] for cell in cells]
        ways = [
            next((self.where[name] for name in names if name in self.where), self)
            for names in named
        ]
        return max(ways, key=lambda how: how.overlap or 0.0)


class Statistic(Strict):
    """What a claim measures: exactly one of the kinds, of a metric of an experiment."""

    mean: Text | None = None
    difference: Pair | None = None
    ratio: Pair | None = None
    lead: Text | None = None
    slope: Text | Pair | None = None
    rank_correlation: Text | Pair | None = None
    second_difference: Text | Pair | None = None
    crosses: Pair | None = None
    crossing: Pair | None = None
    last_crossing: Pair | None = None
    argbest: Text | None = None
    custom: Text | None = None

    metric: Text
    experiment: Text
    over: list[Text] = []
    methods: list[Text] = []
    along: Text | None = None
    points: list[Value] = []
    log: StrictBool = False
    where: dict[str, Value] = {}
    across: dict[str, list[Value] | Literal["all"]] = {}
    reduce: Literal["mean", "min", "max", "count"] = "mean"

    @model_validator(mode="after")
    def _one_kind(self) -> Statistic:
        kinds = [kind for kind in (*KINDS, "custom") if getattr(self, kind) is not None]
        if len(kinds) != 1:
            msg = f"a statistic is exactly one of {', '.join((*KINDS, 'custom'))}; found {kinds}"
            raise ValueError(msg)
        kind = kinds[0]
        if bool(self.over) != (kind == "lead"):
            msg = "`over` lists the rivals of `lead`, and only of it"
            raise ValueError(msg)
        if bool(self.methods) != (kind == "custom"):
            msg = "`methods` lists the methods of `custom`, and only of it"
            raise ValueError(msg)
        needs = kind in (*TRENDS, "crosses", *PLACES)
        if needs != (self.along is not None) and kind != "custom":
            msg = f"{kind} {'needs' if needs else 'has no'} `along`, a numeric coordinate"
            raise ValueError(msg)
        fixed_reduce = kind in ("ratio", "lead", "crosses", *PLACES, "custom")
        if self.reduce != "mean" and (fixed_reduce or not self.across):
            msg = f"reduce: {self.reduce} needs `across`, and a mean, difference or trend"
            raise ValueError(msg)
        return self

    @property
    def kind(self) -> str:
        """The kind, ``custom`` included."""
        return next(k for k in (*KINDS, "custom") if getattr(self, k) is not None)

    @property
    def has_placeholder(self) -> bool:
        """Whether a method is ``{method}``, to be filled in by the part."""
        return any(METHOD in name for name in self.method_names())

    def method_names(self, method: str | None = None) -> list[str]:
        """Return the methods, with the placeholder ``{method}`` replaced by `method`."""
        value = self.methods if self.kind == "custom" else getattr(self, self.kind)
        names = [*([value] if isinstance(value, str) else value), *self.over]
        return [name.replace(METHOD, method) if method else name for name in names]

    def unit(self, unit: str) -> str:
        """Return the unit of the statistic of a metric in `unit`; empty for a plain number."""
        if self.kind in PLACES:
            return str(self.along)
        if self.kind in ("ratio", "rank_correlation") or self.reduce == "count":
            return ""
        if self.kind in ("slope", "second_difference"):
            per = f"log {self.along}" if self.log else self.along
            return f"{unit} per {per}" + (" squared" if self.kind == "second_difference" else "")
        return unit

    def __str__(self) -> str:
        value = getattr(self, self.kind)
        text = f"{self.kind.replace('_', ' ')} of "
        text += value if isinstance(value, str) else f"{value[0]} and {value[1]}"
        text += f" over {', '.join(self.over)}" if self.over else ""
        text += f" along {'log ' if self.log else ''}{self.along}" if self.along else ""
        if self.across:
            text += f", {self.reduce} across {', '.join(self.across)}"
        return text
