"""Verdicts: what the findings under several readings of a paper come to.

A reading is one value for everything that the text leaves open. The default is our best guess; it
has no privilege against an author.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .evidence import Evidence
from .reasons import over_readings
from .verdict import CONFIRMED, DEPENDS, INCONCLUSIVE, REFUTED, UNTESTED, Verdict

Readings = Mapping[str, Sequence[str]]
"""By finding, the names of the readings that come to it."""


def verdict_over(
    finding: str, readings: Readings, barred: str | None = None
) -> tuple[str, str | None]:
    """Return a verdict, and what stands in the way of one that is open for its readings' sake.

    Parameters
    ----------
    finding : str
        Of the default reading.
    readings : mapping of str to sequence of str
        By finding, the readings that ran on the claim's own cells, the default among them.
    barred : str, optional
        What keeps a claim that every reading refutes from being refuted.

    Examples
    --------
    >>> verdict_over("refuted", {"refuted": ["default"], "confirmed": ["trace=diagonal"]})
    ('depends', None)
    >>> verdict_over("refuted", {"refuted": ["default"]}, barred="reading")
    ('inconclusive', 'reading')
    """
    if finding == UNTESTED:
        return UNTESTED, None
    confirming, refuting, open_ = (
        bool(readings.get(word)) for word in (CONFIRMED, REFUTED, INCONCLUSIVE)
    )
    if confirming and refuting:
        return DEPENDS, None
    if finding == CONFIRMED:
        return CONFIRMED, None
    if finding == INCONCLUSIVE:
        return INCONCLUSIVE, None
    if open_:
        return INCONCLUSIVE, "reading"
    return (INCONCLUSIVE, barred) if barred else (REFUTED, None)


def with_readings(verdict: Verdict, readings: Readings, barred: str | None) -> Verdict:
    """Return a finding of the default universe as the verdict over all readings."""
    word, hindrance = verdict_over(verdict.finding, readings, barred)
    judged = replace(
        verdict,
        verdict=word,
        readings={name: list(universes) for name, universes in readings.items()},
        barred=barred,
        hindrance=hindrance or verdict.hindrance,
    )
    return replace(judged, reason=over_readings(judged))


def missed(gauge: Verdict) -> bool:
    """Return whether a number that is not the method's misses its print.

    It does if it is refuted, or lies beyond its tolerance, decided or not.
    """
    if gauge.finding == REFUTED or gauge.hindrance in ("hedge", "skew"):
        return True
    if gauge.comparison != "near" or gauge.finding == CONFIRMED or gauge.effect is None:
        return False
    printed = Evidence.from_json(gauge.inputs).printed.value
    return abs(gauge.effect - printed) > gauge.tolerance


def fits(gauge: Mapping[str, str], part: Mapping[str, str]) -> bool:
    """Return whether a part of a gauge is about a part of a claim: what both name is equal.

    Methods are left out: a gauge is of another one.
    """
    shared = (gauge.keys() & part.keys()) - {"method"}
    return all(gauge[name] == part[name] for name in shared)


def barred_by(
    refuting: Iterable[str], *, tried: bool, gauges_missed: Mapping[str, Sequence[str]]
) -> str | None:
    """Return what bars a refutation; None if nothing does.

    Parameters
    ----------
    refuting : iterable of str
        The readings that refute.
    tried : bool
        Whether another reading ran, or the text leaves nothing unsaid.
    gauges_missed : mapping of str to sequence of str
        By reading, the gauges that it misses.
    """
    if not tried:
        return "reading"
    if all(gauges_missed.get(reading) for reading in refuting):
        return "gauge"
    return None
