"""What other arithmetics did to the means and verdicts of the reference."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from icml2008.harness.choices import DEFAULT
from icml2008.store import Shelf, read_json

if TYPE_CHECKING:
    from icml2008.run.reference.grades import At


@dataclass(frozen=True)
class Recorded:
    """What other arithmetics did to a paper.

    Attributes
    ----------
    runs : mapping
        By arithmetic what was run: scale, date, what was found to compute, and of how many means
        compared the shift was none, within the resolution, or beyond it; how many parts of claims
        were judged.
    means : list of mapping
        The shifts beyond the resolution, one for each mean and arithmetic.
    flips : list of mapping
        The verdicts that are others under an arithmetic.
    alternatives : list of mapping
        As `means`, of other universes than the default, each with its ``universe``; `runs`, `means`
        and `flips` are the default's.
    """

    runs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    means: Sequence[Mapping[str, Any]] = ()
    flips: Sequence[Mapping[str, Any]] = ()
    alternatives: Sequence[Mapping[str, Any]] = ()

    @cached_property
    def _at(self) -> Mapping[tuple, Sequence[Mapping[str, Any]]]:
        table = defaultdict(list)
        for shift in (*self.means, *self.alternatives):
            at = shift["cell"], shift["method"], shift["metric"]
            table[shift["experiment"], shift.get("universe", DEFAULT), *at].append(shift)
        return table

    def of(self, experiment: str, universe: str, at: At) -> dict[str, float] | None:
        """Return the most that any arithmetic did to a mean: ``change``, ``largest``, ``rms``."""
        here = experiment, universe, *at
        shifts = [shift for shift in self._at.get(here, ()) if "rms" in shift]
        if not shifts:
            return None
        return {
            part: max(abs(shift[part]) for shift in shifts) for part in ("change", "largest", "rms")
        }

    def without(self, name: str) -> Recorded:
        """Return the same without one arithmetic."""
        runs = {other: run for other, run in self.runs.items() if other != name}
        means, flips, alternatives = (
            [row for row in rows if row["arithmetic"] != name]
            for rows in (self.means, self.flips, self.alternatives)
        )
        return Recorded(runs, means, flips, alternatives)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, without alternatives where none shifted."""
        content = {"runs": self.runs, "means": list(self.means), "flips": list(self.flips)}
        others = {"alternatives": list(self.alternatives)} if self.alternatives else {}
        return content | others


def read_recorded(shelf: Shelf) -> Recorded:
    """Return what is recorded of a paper on a shelf; nothing where nothing is."""
    return Recorded(**(read_json(shelf.arithmetic_file) or {}))


def with_arithmetic(rows: Iterable[Mapping[str, Any]], recorded: Recorded) -> list[dict[str, Any]]:
    """Return verdicts with ``arithmetic``, the arithmetics that give another one.

    None where no other arithmetic was tried, and in other universes than the default.
    """
    flips = defaultdict(list)
    for flip in recorded.flips:
        flips[flip["claim"], flip["part"]].append(flip["arithmetic"])
    tried = bool(recorded.runs)
    return [
        {
            **row,
            "arithmetic": sorted(flips[row["claim"], row["part"]])
            if tried and row["universe"] == DEFAULT
            else None,
        }
        for row in rows
    ]


def with_run(
    recorded: Recorded,
    name: str,
    scale: str,
    compared: Mapping[str, Any],
    computed: Mapping[str, Sequence[str]],
    elsewhere: Sequence[Mapping[str, Any]] | None = None,
) -> Recorded:
    """Return the record with one more run, in place of an older one by the same arithmetic.

    Parameters
    ----------
    recorded : Recorded
    name, scale : str
        Those of the run.
    compared : mapping
        What `check.compare_paper` returned for the default of the run and the reference.
    computed : mapping
        What was found to compute.
    elsewhere : list of mapping, optional
        The means that it shifts beyond their resolution in other universes. None if these did not
        run; then what is recorded of them stays.
    """
    rest = recorded.without(name)
    run = {
        "scale": scale,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "found": computed,
        "judged": compared["judged"],
        **compared["means"],
    }
    beyond = compared["moved"] + compared["arithmetic"]
    means = [{"arithmetic": name, **shift} for shift in beyond]
    flips = [{"arithmetic": name, **flip} for flip in compared["flipped"]]
    alternatives = recorded.alternatives
    if elsewhere is not None:
        others = [{"arithmetic": name, **shift} for shift in elsewhere]
        alternatives = [*rest.alternatives, *others]
    order = sorted({**rest.runs, name: run}.items())
    return Recorded(dict(order), [*rest.means, *means], [*rest.flips, *flips], alternatives)
