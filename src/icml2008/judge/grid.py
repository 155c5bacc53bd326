"""Which cells a part of a claim speaks of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from ..errors import Icml2008Error, nearest
from .cells import Cell, cell_key, part_name
from .claims import Claim
from .measures import Statistic
from .recorded import Records


class ClaimError(Icml2008Error):
    """A claim that does not fit its records."""


@dataclass(frozen=True)
class Missing:
    """A part without evidence: the reason and what is known of it."""

    reason: str
    note: str


def cells_of(claim: Claim, part: Mapping[str, str], table: Records) -> set[Cell]:
    """Return the cells that a part is judged from; none where one is missing."""
    grid = grid_of(claim.statistic, part, table)
    return set() if isinstance(grid, Missing) else set(grid.flat)


def grid_of(statistic: Statistic, part: Mapping[str, str], table: Records) -> np.ndarray | Missing:
    """Return the cells that a part speaks of, shape (n_cells, n_points), each a key."""
    fixed = {k: str(v) for k, v in statistic.where.items()}
    fixed |= {k: v for k, v in part.items() if k != "method"}
    named = {*fixed, *statistic.across, *filter(None, [statistic.along])}
    _refuse_unknown(statistic, named, table)
    chosen = [cell for cell in table.cells if _lies_at(cell, fixed)]
    rows = []
    for place in _places(statistic, chosen):
        row = _row(statistic, [cell for cell in chosen if _lies_at(cell, place)])
        if not row:
            return _not_run(statistic, fixed | place)
        rows.append(row)
    if not rows:  # `across: all` of a part that was not run
        return _not_run(statistic, fixed)
    _refuse_several(statistic, part, rows, named)
    grid = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, j in np.ndindex(grid.shape):
        grid[i, j] = cell_key(rows[i][j])
    return grid


def _lies_at(cell: Mapping[str, str], place: Mapping[str, str]) -> bool:
    return all(cell.get(name) == value for name, value in place.items())


def _refuse_unknown(statistic: Statistic, named: Set[str], table: Records) -> None:
    """Raise if a coordinate is named that no cell has."""
    known = {name for cell in table.cells for name in cell}
    for name in sorted(named - known if table.cells else ()):
        msg = f"{statistic.experiment} has no coordinate {name!r}{nearest(name, known)}"
        raise ClaimError(msg)


def _places(statistic: Statistic, chosen: Sequence[Mapping[str, str]]) -> Iterator[dict[str, str]]:
    """Yield the coordinates of each row of the grid."""
    values = [
        sorted({cell[name] for cell in chosen}) if values_of == "all" else map(str, values_of)
        for name, values_of in statistic.across.items()
    ]
    for combination in itertools.product(*values):
        yield dict(zip(statistic.across, combination, strict=True))


def _row(statistic: Statistic, cells: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the cells of a row in the order of its points; none if one is missing."""
    if not statistic.along:
        return cells
    labels = {str(point) for point in statistic.points} or {c[statistic.along] for c in cells}
    row = [cell for cell in cells if cell[statistic.along] in labels]
    row.sort(key=lambda cell: _number(cell[statistic.along], statistic))
    return row if len(row) >= max(2, len(labels)) else []


def _not_run(statistic: Statistic, place: Mapping[str, str]) -> Missing:
    where = part_name(place.items()) or "this claim"
    return Missing("not yet", f"{statistic.experiment} has no records of {where}")


def _refuse_several(
    statistic: Statistic,
    part: Mapping[str, str],
    rows: Sequence[Sequence[Mapping[str, str]]],
    named: Set[str],
) -> None:
    """Raise if the claim leaves open which of several cells it means."""
    free = {name for cell in rows[0] for name in cell} - named
    open_ = any(len({tuple(cell.get(n) for n in free) for cell in row}) > 1 for row in rows)
    if open_ or (not statistic.along and any(len(row) > 1 for row in rows)):
        msg = (
            f"{statistic.experiment} has several cells for {part_name(part.items()) or 'the claim'}"
            f": fix {', '.join(sorted(free))} with `where`, `each` or `across`"
        )
        raise ClaimError(msg)


def _number(text: str, statistic: Statistic) -> float:
    try:
        return float(text)
    except ValueError:
        msg = f"`along: {statistic.along}` needs numbers, found {text!r}"
        raise ClaimError(msg) from None


def points_of(statistic: Statistic, grid: np.ndarray) -> tuple[tuple[float, ...], tuple[str, ...]]:
    if not statistic.along:
        return (0.0,), ("",)
    labels = tuple(dict(cell)[statistic.along] for cell in grid[0])
    points = np.array([float(label) for label in labels])
    return tuple((np.log(points) if statistic.log else points).tolist()), labels
