"""A verdict: the decision on one part of a claim, with every number behind it."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .standing import stated

CONFIRMED = "confirmed"
DEPENDS = "depends"
REFUTED = "refuted"
INCONCLUSIVE = "inconclusive"
UNTESTED = "untested"


@dataclass(frozen=True)
class Verdict:
    """The decision on a claim (``part`` empty) or on one of its parts.

    Attributes
    ----------
    paper : str
        Key of the paper.
    claim : str
        Name of the claim within its paper.
    part : str
        Coordinates of the part, ``dataset=x,method=y``; empty for the whole claim.
    says : str
        What is claimed, in our words.
    page : int or None
        Where the paper says it.
    experiment : str
        Which experiment's records decide.
    comparison : {"above", "below", "near", "never_violated", "exactly", "holds"}
        Which rule applies; empty where nothing is judged.
    statistic : str
        What is computed of the records.
    metric : str
        What is measured.
    unit : str
        Of the statistic; empty for a plain number.
    verdict : {"confirmed", "depends", "refuted", "inconclusive", "untested"}
        Does it reproduce? In the default universe over all readings; in another one its finding.
    reason : str
        The decision in a sentence with its numbers.
    finding : {"confirmed", "refuted", "inconclusive"} or None
        What the records of this universe alone come to.
    readings : dict of str to list of str
        In the default universe: by finding, the universes that ran on the claim's own cells.
    barred : str or None
        What keeps a claim that every reading refutes from being refuted: see `hindrance`.
    robustness : str or None
        ``turns on: ...`` as soon as a choice turns the finding; ``robust`` where three were tried
        on each decided part and none does.
    tried : list of str
        Choices that were tried on the claim's own cells.
    turned_by : list of str
        Those of them that turn the finding, alone or, joined by ``+``, together.
    choices : list of str
        All choices that touch the claim's experiment.
    hindrance : str or None
        What stands in the way of a decision. ``repeats``: too few; ``failures``: trials that could
        turn it; ``coarse``: a tolerance that says little; ``hedge``: the paper's own word that
        softens its sentence; ``degenerate``: a compared method that does not work; ``cap``: runs
        that were broken off; ``search``: repeats that share one search for settings; ``between``:
        a number between two lines; ``skew``: single printed runs beside skewed repeats;
        ``reading``: nothing else was tried of what the text leaves open, or readings differ;
        ``gauge``: a number that is not the method's misses its print, too.
    effect : float or None
        The statistic; a difference, lead or ratio of methods is signed so that the first is better
        where it is larger.
    low : float or None
        Lower end of the interval of the effect; none where it is open.
    high : float or None
        Upper end of this interval; none where it is open.
    level : float or None
        Confidence of the interval; none where its ends are the extremes of the repeats.
    se : float or None
        Standard error of the effect, given the data.
    df : int or None
        Degrees of freedom of the interval.
    n : int or None
        Complete repeats.
    failed : int or None
        Repeats in which something failed.
    how : str or None
        How the interval comes about, with its numbers.
    confirm_low : float or None
        Lower end of the 90 % interval that confirms a printed value.
    confirm_high : float or None
        Upper end of this interval.
    confirm_how : str or None
        How it comes about.
    floor : float or None
        The limit that the effect must exceed, or of ``below`` stay under; of two lines, the one
        from which on the claim holds.
    fails : float or None
        Of two lines, the one from which on it fails.
    printed : str or None
        The printed number as it is printed.
    printed_sd : float or None
        Its printed standard deviation of a repeat.
    printed_n : int or None
        Its printed repeats, 1 where the paper does not say.
    half_unit : float or None
        Half a unit of the printed number's last digit.
    tolerance : float or None
        How far from the printed number ours may be; of an invariant, its numerical tolerance.
    p_refute : float or None
        One-sided p-value of the refutation, for Holm's correction over parts.
    generalises : {"confirmed", "refuted", "inconclusive"} or None
        Would it hold on new data of the kind? The same rule with the wider standard error.
    generalises_low : float or None
        Lower end of the interval for new data.
    generalises_high : float or None
        Upper end of this interval.
    generalises_se : float or None
        Standard error for new data.
    generalises_method : str or None
        How that comes about.
    generalises_p : float or None
        As `p_refute`, for new data.
    could_see : float or None
        Of an inconclusive verdict: the distance that these repeats decide four times in five.
    repeats_needed : int or None
        Of an inconclusive verdict: the repeats that so decide the distance found.
    skewness : float or None
        Of the repeats, bias-corrected; beyond 2 either way the reason warns of it.
    rate_bound : float or None
        Of an invariant without a violation: the rate of violations that its instances exclude.
    closest : float or None
        Of an invariant: how far the nearest instance stayed from its bound.
    loose : bool or None
        Of an invariant: whether no instance came near the bound.
    capped : int
        Measurements that were broken off at a cap: floors, no values.
    values : list
        The statistic in each complete repeat; empty where it is a function of all repeats.
    preliminary : bool
        Whether it stands below full scale.
    scale : str
        How much was run: ``smoke``, ``quick`` or ``full``.
    universe : str
        Which choices were changed, ``mic=balanced+standardise=no``, or ``default``.
    rulebook : str
        Version of the rules of judgement.
    status : {"headline", "supporting", "ours", "stand_in"} or None
        Whose claim it is: the paper's own (the first two), ours, or on data that stand in for those
        of the paper.
    quote : str or None
        Where the paper says it, in its own words.
    note : str or None
        What a reader of the verdict must know.
    same_as : str or None
        The claim whose verdict is equal by construction, so that this one is not counted.
    part_of : str or None
        The claim of whose sentence this is a part, so that this one is not counted.
    cause : str or None
        The reason that it shares with other claims, which totals count once.
    misprint : str or None
        The erratum by which it is judged as corrected.
    unsaid : str or None
        Why the text leaves nothing open that could change the claim.
    hedge : str or None
        Why a word of the quote does not soften it.
    disputed : bool
        Whether an author of the paper disputes the verdict, which no total counts then.
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
    finding: str | None = None
    readings: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    barred: str | None = None
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
    fails: float | None = None
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
    closest: float | None = None
    loose: bool | None = None
    capped: int = 0
    values: list[float] = dataclasses.field(default_factory=list)
    preliminary: bool = False
    scale: str = "full"
    universe: str = "default"
    rulebook: str = ""
    status: str | None = None
    quote: str | None = None
    note: str | None = None
    same_as: str | None = None
    part_of: str | None = None
    cause: str | None = None
    misprint: str | None = None
    unsaid: str | None = None
    hedge: str | None = None
    disputed: bool = False
    inputs: dict[str, Any] | None = None
    parts: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain data; a number that is not finite becomes None."""
        plain = {name: _plain(value) for name, value in vars(self).items() if name != "inputs"}
        # The measurements in them are plain, and by far the most of it.
        inputs = self.inputs and {
            name: value if name == "values" else _plain(value)
            for name, value in self.inputs.items()
        }
        return {name: inputs if name == "inputs" else plain[name] for name in vars(self)}

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
    """Return a number as reasons print it, or a word for one that is not finite or not known.

    Examples
    --------
    >>> number(0.123456), number(12573.5), number(-1234567.8), number(None)
    ('0.1235', '12574', '-1234568', 'none')
    """
    if value is None or not math.isfinite(value):
        return missing
    # No power of ten where digits before the point say it.
    return f"{value:.0f}" if 10**digits <= abs(value) < 1e9 else f"{value:.{digits}g}"
