"""Whether claims and choices speak of what their experiments have at full scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from icml2008.errors import nearest
from icml2008.harness.choices import around_the_default, choices_of
from icml2008.harness.experiment import Experiment, cell_name

if TYPE_CHECKING:
    from icml2008.catalogue.model import Paper
    from icml2008.judge.claims import Claim

Place = Mapping[str, str]


def misfits(paper: Paper, experiments: Mapping[str, Experiment]) -> list[str]:
    """Return what a paper's file names and its experiments lack, one line for each.

    Without this check such a claim would be untested for ever, and nobody would be told.

    Parameters
    ----------
    paper : Paper
    experiments : mapping of str to Experiment
        Those that the file names.
    """
    cells = {
        name: [{at: str(value) for at, value in cell.items()} for cell in experiment.cells["full"]]
        for name, experiment in experiments.items()
    }
    methods = {name: _methods(paper, experiment) for name, experiment in experiments.items()}
    lines = [
        f"claims.{name}: {misfit}"
        for name, claim in paper.claims.items()
        if claim.statistic
        for misfit in _of_claim(
            claim, cells[claim.statistic.experiment], methods[claim.statistic.experiment]
        )
    ]
    for name, choice in paper.choices.items():
        there = [cell for experiment in choice.touches for cell in cells[experiment]]
        lines += [
            f"choices.{name}.cells: {misfit}"
            for at, values in choice.cells.items()
            for value in values
            for misfit in _of_place({at: str(value)}, there)
        ]
    return list(dict.fromkeys(lines))


def _methods(paper: Paper, experiment: Experiment) -> set[str]:
    """Return the methods that an experiment has in any universe that changes one choice."""
    universes = ["default", *around_the_default(paper.choices)]
    chosen = [choices_of(universe, paper.choices, experiment.name) for universe in universes]
    return {method for choices in chosen for method in experiment.methods(choices)}


def _of_claim(claim: Claim, cells: Sequence[Place], methods: set[str]) -> Iterator[str]:
    measured = claim.statistic
    fixed = {name: str(value) for name, value in measured.where.items()}
    for part in claim.parts():
        at = fixed | {name: value for name, value in part.items() if name != "method"}
        yield from _of_place(at, cells)
        for method in measured.method_names(part.get("method")):
            if method not in methods:
                yield f"{measured.experiment} has no method {method!r}{nearest(method, methods)}"
    named = {name: values for name, values in measured.across.items() if values != "all"}
    if measured.along:
        named[measured.along] = measured.points
    known = {name for cell in cells for name in cell}
    for name in {*measured.across, *named}:
        if name not in known:
            yield f"there is no coordinate {name!r}{nearest(name, known)}"
        for value in named.get(name, ()) if name in known else ():
            yield from _of_place({name: str(value)}, cells)


def _of_place(at: Place, cells: Sequence[Place]) -> Iterator[str]:
    """Yield why no cell has these coordinates; nothing where one has."""
    if any(at.items() <= cell.items() for cell in cells):
        return
    known = {name for cell in cells for name in cell}
    unknown = []
    for name, value in at.items():
        values = {cell[name] for cell in cells if name in cell}
        if name not in known:
            unknown.append(f"there is no coordinate {name!r}{nearest(name, known)}")
        elif value not in values:
            unknown.append(f"{name} is never {value!r}{nearest(value, values)}")
    yield from unknown or [f"no cell has {cell_name(at)}"]
