"""A verdict: the decision on one part of a claim, with every number behind it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .standing import stated

CONFIRMED, REFUTED, INCONCLUSIVE, UNTESTED = "confirmed", "refuted", "inconclusive", "untested"


@dataclass(frozen=True)
class Verdict:
    """The decision on a claim (``part`` empty) or on one of its parts.

    Attributes
    ----------
    paper, claim, part, says, page, experiment, comparison, statistic, metric, unit
        What was claimed.
    verdict : {"confirmed", "refuted", "inconclusive", "untested"}
        Does it reproduce?
    robustness : str or None
        ``robust``, ``depends: ...`` or ``fragile: ...`` once three choices have been tried.
    tried, turned_by, choices : list of str
        Choices that were tried on the claim's own cells; those of them that turn the verdict, alone
        or, joined by ``+``, together; and all that touch its experiment.
    reason : str
        The decision in a sentence with its numbers.
    hindrance : {"repeats", "failures", "coarse", "hedge", "degenerate"} or None
        What keeps the interval from deciding: too few repeats, failed trials that could turn it,
        a tolerance that says little, the paper's word that it is the best that could be obtained, a
        compared method that told nothing apart.
    effect, low, high, level, se, df, n, failed
        The statistic, its interval at `level`, standard error, degrees of freedom, complete and
        failed repeats.
    how : str or None
        How the interval comes about, with its numbers.
    confirm_low, confirm_high, confirm_how
        The 90 % interval that confirms a printed value.
    floor, printed, printed_sd, printed_n, half_unit, tolerance
        What it was compared with.
    p_refute : float
        One-sided p-value of the refutation, for Holm's correction over parts.
    generalises, generalises_low, generalises_high, generalises_se, generalises_method,
    generalises_p
        Would it hold on new data of the kind? The same rule with the wider standard error.
    could_see, repeats_needed
        Of an inconclusive verdict: the distance that these repeats decide four times in five, and
        the repeats that so decide the distance found.
    skewness : float or None
        Of the repeats, bias-corrected; beyond 2 either way the reason warns of it.
    rate_bound : float or None
        Of an invariant without a violation: the rate of violations that its instances exclude.
    values : list
        The statistic in each complete repeat; empty where it is a function of all repeats.
    preliminary, scale, universe, rulebook
        Where it stands.
    status, quote, note, same_as, disputed
        What the claim says of itself; see `Claim`.
    inputs : dict or None
        All that the verdict was computed from; see `rejudge`.
    parts : list of dict
        Of a whole: name, verdict and p-value of each part.
    """

    paper: str
    claim: str
    part: str
    says: str
    page: int | None
    experiment: str
    comparison: str
    statistic: str
    metric: str
    unit: str
    verdict: str
    reason: str
    robustness: str | None = None
    tried: list[str] = dataclasses.field(default_factory=list)
    turned_by: list[str] = dataclasses.field(default_factory=list)
    choices: list[str] = dataclasses.field(default_factory=list)
    hindrance: str | None = None
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    se: float | None = None
    df: int | None = None
    n: int | None = None
    failed: int | None = None
    how: str | None = None
    confirm_low: float | None = None
    confirm_high: float | None = None
    confirm_how: str | None = None
    floor: float | None = None
    printed: str | None = None
    printed_sd: float | None = None
    printed_n: int | None = None
    half_unit: float | None = None
    tolerance: float | None = None
    p_refute: float | None = None
    generalises: str | None = None
    generalises_low: float | None = None
    generalises_high: float | None = None
    generalises_se: float | None = None
    generalises_method: str | None = None
    generalises_p: float | None = None
    could_see: float | None = None
    repeats_needed: int | None = None
    skewness: float | None = None
    rate_bound: float | None = None
    values: list[float] = dataclasses.field(default_factory=list)
    preliminary: bool = False
    scale: str = "full"
    universe: str = "default"
    rulebook: str = ""
    status: str | None = None
    quote: str | None = None
    note: str | None = None
    same_as: str | None = None
    disputed: bool = False
    inputs: dict[str, Any] | None = None
    parts: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain data; a number that is not finite becomes None."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Verdict:
        """Return the verdict that `to_json` wrote."""
        return cls(**stated(plain, {}))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # of NumPy, which reading verdicts does without
        value = value.tolist()
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def number(value: float | None, digits: int = 4, missing: str = "none") -> str:
    """Return a number as reasons print it, or a word for one that is not finite or not known."""
    return missing if value is None or not math.isfinite(value) else f"{value:.{digits}g}"
