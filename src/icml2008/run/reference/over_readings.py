"""A claim over the readings of its paper: which of them ran on its own cells, and what they say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from icml2008.catalogue.model import Paper
from icml2008.harness.choices import DEFAULT, changed_in, projected
from icml2008.judge.cells import Cell
from icml2008.judge.claims import Claim
from icml2008.judge.grid import cells_of
from icml2008.judge.judgement import finding_of
from icml2008.judge.readings import barred_by, fits, missed, with_readings
from icml2008.judge.recorded import Records
from icml2008.judge.turning import is_another_reading, robustness, with_robustness
from icml2008.judge.verdict import CONFIRMED, REFUTED, Verdict

Judged = Mapping[str, Mapping[str, Sequence[Verdict]]]
"""By universe and claim: the whole, then its parts."""

Part = Mapping[str, str]


@dataclass(frozen=True)
class ClaimReadings:
    """The findings on one claim in all universes.

    Attributes
    ----------
    paper : Paper
    name : str
        Of the claim.
    judged : mapping
        The findings on all claims.
    table : Records
        Of the claim's experiment in the default universe.
    declared : mapping
        The cells of that experiment as they were declared, numbers as numbers.
    """

    paper: Paper
    name: str
    judged: Judged
    table: Records
    declared: Mapping[Cell, Mapping[str, Any]]

    @property
    def claim(self) -> Claim:
        """The claim."""
        return self.paper.claims[self.name]

    @property
    def default(self) -> Sequence[Verdict]:
        """Its findings in the default universe."""
        return self.judged[DEFAULT][self.name]

    @property
    def choices(self) -> list[str]:
        """The choices that touch its experiment."""
        experiment = self.claim.statistic.experiment
        return [name for name, choice in self.paper.choices.items() if experiment in choice.touches]

    @cached_property
    def parts(self) -> list[Verdict]:
        """The findings on its parts; on itself if it has none."""
        return list(self.default[1:] or self.default)

    @cached_property
    def universes(self) -> list[str]:
        """The universes that touch its experiment, the default left out."""
        return [name for name in self.judged if name != DEFAULT and self.name in self.judged[name]]

    def over_readings(self) -> list[Verdict]:
        """Return the verdicts over all readings: the whole first, then the parts."""
        places = range(len(self.parts))
        parts = [self._part_over_readings(place) for place in places]
        if not self.claim.each:
            return parts
        return [self._whole_over_readings(parts), *parts]

    def _others_of(self, place: int) -> dict[str, Verdict]:
        """Return the findings on a part in the universes that ran on a cell of its own.

        Elsewhere a universe's records are copies of the default's.
        """
        part = self.claim.parts()[place]
        experiment = self.claim.statistic.experiment
        cells = [self.declared[cell] for cell in cells_of(self.claim, part, self.table)]
        return {
            name: self.judged[name][self.name][place - len(self.parts)]
            for name in self.universes
            if any(projected(name, self.paper.choices, experiment, c) == name for c in cells)
        }

    @cached_property
    def others(self) -> list[dict[str, Verdict]]:
        """By part, the findings in the universes that ran on it."""
        return [self._others_of(place) for place in range(len(self.parts))]

    @cached_property
    def readings(self) -> list[dict[str, Verdict]]:
        """By part, the findings in which something that it measures differs from the default.

        Where the text leaves nothing unsaid, no other reading counts.
        """
        if self.claim.unsaid is not None:
            return [{} for _ in self.parts]
        return [
            {name: other for name, other in others.items() if is_another_reading(part, other)}
            for part, others in zip(self.parts, self.others, strict=True)
        ]

    def _by_choice(self, findings: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Return what universes find by the choices that they change, joined by ``+``."""
        by_choice = defaultdict(list)
        for name, finding in findings.items():
            changed = changed_in(name, self.paper.choices)
            by_choice["+".join(sorted(changed))].append(finding)
        return dict(by_choice)

    def _gauges_missed(self, place: int, universe: str) -> list[str]:
        """Return the gauges of the experiment that are missed where a part is."""
        part = self.claim.parts()[place]
        names = self.paper.experiments[self.claim.statistic.experiment].gauges
        return [name for name in names if self._is_missed(name, part, universe)]

    def _is_missed(self, gauge: str, part: Part, universe: str) -> bool:
        claim = self.paper.claims[gauge]
        findings = self.judged[universe].get(gauge) or self.judged[DEFAULT][gauge]
        if findings[0].finding is None:
            return False
        of_parts = zip(claim.parts(), findings[1:] or findings, strict=True)
        return any(missed(finding) for at, finding in of_parts if fits(at, part) and finding.inputs)

    def _part_over_readings(self, place: int) -> Verdict:
        part = self.parts[place]
        robust = robustness(part, self._by_choice(self.others[place]))
        part = with_robustness(part, robust, self.choices)
        if part.finding is None:
            return part
        findings = {DEFAULT: part.finding} | {
            name: other.finding for name, other in self.readings[place].items()
        }
        return with_readings(part, _by_finding(findings), self._part_barred(place, findings))

    def _part_barred(self, place: int, findings: Mapping[str, str | None]) -> str | None:
        refuting = [name for name, finding in findings.items() if finding == REFUTED]
        if not refuting:
            return None
        return barred_by(
            refuting,
            tried=len(findings) > 1 or self.claim.unsaid is not None,
            gauges_missed={name: self._gauges_missed(place, name) for name in refuting},
        )

    def _whole_over_readings(self, parts: Sequence[Verdict]) -> Verdict:
        whole = self.default[0]
        universes = dict.fromkeys(name for readings in self.readings for name in readings)
        others = {name: self.judged[name][self.name] for name in universes}
        decided = [part for part in parts if part.finding in (CONFIRMED, REFUTED)]
        fewest = min((len(part.tried) for part in decided), default=0)
        robust = robustness(
            self.default,
            self._by_choice(others),
            {choice for part in parts for choice in part.tried},
            fewest,
        )
        whole = with_robustness(whole, robust, self.choices)
        findings = {DEFAULT: whole.finding} | {n: other[0].finding for n, other in others.items()}
        return with_readings(whole, _by_finding(findings), self._whole_barred(parts, findings))

    def _whole_barred(
        self, parts: Sequence[Verdict], findings: Mapping[str, str | None]
    ) -> str | None:
        """Return what bars a refutation of the whole: it must be refuted without the barred parts.

        So in every reading that refutes it; the parts that refute may differ.
        """
        barred = {part.part: part.barred for part in parts if part.barred}
        for name, finding in findings.items():
            if finding != REFUTED:
                continue
            left = [
                row | {"p": 1.0} if row["part"] in barred else row
                for row in self.judged[name][self.name][0].parts
            ]
            if finding_of(left) != REFUTED:
                return next(iter(barred.values()), None)
        return None


def _by_finding(findings: Mapping[str, str | None]) -> dict[str, list[str]]:
    """Return the universes of each finding; one without is no reading."""
    universes = defaultdict(list)
    for name, finding in findings.items():
        if finding is not None:
            universes[finding].append(name)
    return dict(universes)
