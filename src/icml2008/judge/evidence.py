"""Evidence: everything that one part of a claim is decided from, and nothing else."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import Icml2008Error, nearest
from .cases import case_variances
from .cells import Cell, cell_key, part_name
from .claims import Claim, PrintedSide
from .degenerate import degenerate, give_one_number
from .estimates import Array
from .measures import Metric, Resampling, Statistic
from .series import RecordError, Records, Series
from .standing import softened
from .statistics import Formula

# How far beyond a bound, in units or of the bound, a sum of floating-point numbers may end.
_ROUNDING = 1e-9
# Names of fields in files, where these are others.
_WRITTEN = {"due": "wanted"}
_READ = {name: field for field, name in _WRITTEN.items()}


class ClaimError(Icml2008Error):
    """A claim that does not fit its records."""


@dataclass(frozen=True)
class Missing:
    """A part without evidence: the reason and what is known of it."""

    reason: str
    note: str


@dataclass(frozen=True)
class Evidence:
    """The inputs of one decision.

    Attributes
    ----------
    formula : Formula
        How a number is made of the measurements.
    comparison : str
        Which rule applies.
    repeats : tuple of int
        The repeats.
    methods, cells, points : tuple of str
        Names along the axes of `values`.
    values : ndarray of shape (n_repeats, n_methods, n_cells, n_points)
        The measurements, NaN where a method failed or has no record.
    printed : PrintedSide or None
        The printed side.
    due, tolerance : int, float
        Instances and numerical tolerance of ``never_violated``.
    instances : int
        Instances behind `values`.
    deterministic : bool
        Whether repeats are declared to agree.
    resampling : str or None
        How repeats differ.
    overlap : float or None
        What the correction for overlapping data adds to 1 / n.
    errors : tuple of str
        The failures, each kind once.
    cases_seen : tuple of float or None
        For ``fixed``: the variances that test cases add, and their number; see `over_cases`.
    hedge : str or None
        By which words the paper softens its sentence.
    degenerate : tuple of str
        Of several methods that are compared: those that tell nothing apart in most repeats, are
        broken off at a cap in most, or give one number in all.
    capped : tuple of int
        By method, the measurements that were broken off at the metric's cap.
    search : {"shared"}, int or None
        ``shared`` if all repeats run at settings of one search; else how many of them did, which
        are one value here.
    """

    formula: Formula
    comparison: str
    repeats: tuple[int, ...]
    methods: tuple[str, ...]
    cells: tuple[str, ...]
    points: tuple[str, ...]
    values: Array
    printed: PrintedSide | None = None
    due: int = 0
    tolerance: float = 0.0
    instances: int = 0
    deterministic: bool = False
    resampling: str | None = None
    overlap: float | None = None
    errors: tuple[str, ...] = ()
    cases_seen: tuple[float, ...] | None = None
    hedge: str | None = None
    degenerate: tuple[str, ...] = ()
    capped: tuple[int, ...] = ()
    search: str | int | None = None

    @property
    def complete(self) -> Array:
        """The measurements of the repeats in which nothing failed."""
        return self.values[~np.isnan(self.values).any(axis=(1, 2, 3))]

    @property
    def failed(self) -> int:
        """The number of repeats in which something failed."""
        return len(self.values) - len(self.complete)

    def to_json(self) -> dict[str, Any]:
        """Return the evidence as plain data, NaN as None and infinite bounds as None."""
        plain = {_WRITTEN.get(name, name): value for name, value in vars(self).items()}
        plain["formula"] = _bounds_as_none(vars(self.formula))
        plain["printed"] = vars(self.printed) if self.printed else None
        plain["values"] = _nested(self.values)
        for name in ("degenerate", "capped", "search"):
            if not plain[name]:
                del plain[name]
        if plain["formula"]["step"] is None:
            del plain["formula"]["step"]
        return {k: list(v) if isinstance(v, tuple) else v for k, v in plain.items()}

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Evidence:
        """Return the evidence that `to_json` wrote."""
        fields = {_READ.get(k, k): tuple(v) if isinstance(v, list) else v for k, v in plain.items()}
        formula = dict(plain["formula"])
        low, high = formula["bounds"]
        bounds = (-np.inf if low is None else low, np.inf if high is None else high)
        formula |= {"bounds": bounds, "points": tuple(formula["points"])}
        fields["formula"] = Formula(**formula)
        fields["printed"] = PrintedSide(**plain["printed"]) if plain["printed"] else None
        shape = [len(plain[name]) for name in ("repeats", "methods", "cells", "points")]
        fields["values"] = np.array(plain["values"], dtype=float).reshape(shape)
        return cls(**fields)


def _bounds_as_none(formula: Mapping[str, Any]) -> dict[str, Any]:
    bounds = [float(b) if np.isfinite(b) else None for b in formula["bounds"]]
    return {**formula, "bounds": bounds, "points": list(formula["points"])}


def _nested(values: Array) -> list[Any]:
    return [
        _nested(item) if isinstance(item, np.ndarray) else None if np.isnan(item) else float(item)
        for item in values
    ]


def gather(
    claim: Claim,
    part: Mapping[str, str],
    records: Mapping[str, Records],
    metrics: Mapping[str, Metric],
    resampling: Mapping[str, Resampling],
    controls: Collection[str] = (),
) -> Evidence | Missing:
    """Collect what one part of a claim is decided from; `controls` are methods meant as such.

    Raises
    ------
    ClaimError, RecordError
        If the claim names a metric, experiment, coordinate or method that does not exist, prints
        a number in another unit, or leaves open which cells it means; if a value lies beyond the
        bounds of its metric.
    """
    statistic = claim.statistic
    metric = _metric(statistic, metrics)
    printed = claim.printed_side(part)
    _refuse_other_unit(printed, metric, statistic)
    if statistic.experiment not in records:
        return Missing("not yet", f"{statistic.experiment} has no records")
    table = records[statistic.experiment]
    grid = _cells(statistic, part, table)
    if isinstance(grid, Missing):
        return grid
    if gone := {note for cell in grid.flat if (note := table.missing(cell))}:
        return Missing("data not available", "; ".join(sorted(gone)))
    methods = statistic.method_names(part.get("method"))
    slots = list(itertools.product(methods, grid.flat))
    series = [table.series(cell, name, statistic.metric) for name, cell in slots]
    repeats, values = _align(series, (len(methods), *grid.shape))
    _refuse_beyond(metric, statistic.metric, values, table)
    points, labels = _points(statistic, grid)
    at_caps = np.zeros(values.shape, dtype=bool)
    if metric.cap is not None:
        at_caps = values >= metric.cap * (1 - _ROUNDING)
    how = resampling.get(statistic.experiment)
    how = how.of(grid.flat) if how else None
    alike = give_one_number(methods, values, how, metric, controls)
    search = how.search if how else None
    if isinstance(search, int):
        repeats, values = _by_search(repeats, values, search)
    never = claim.never_violated
    instances = sum(map(_instances, series[: grid.size]))
    if never and never.by == "repeat":
        instances = int(np.isfinite(values).all(axis=(1, 2, 3)).sum())
    evidence = Evidence(
        formula=Formula(
            statistic.custom or statistic.kind,
            statistic.reduce,
            metric.sign,
            points,
            metric.limits,
            _smallest_test(series),
            metric.whole,
            metric.step,
        ),
        comparison=claim.comparison,
        repeats=repeats,
        methods=tuple(methods),
        cells=tuple(part_name(row[0]) for row in grid),
        points=labels,
        values=values,
        printed=printed,
        due=never.instances if never else 0,
        tolerance=float(never.tolerance) if never else 0.0,
        instances=instances,
        deterministic=claim.deterministic,
        resampling=how.kind if how else None,
        overlap=how.overlap if how else None,
        errors=_errors([name for name, _ in slots], series, repeats),
        hedge=claim.best_obtained or softened(claim),
        degenerate=degenerate(methods, grid, table, metrics, at_caps, alike),
        capped=tuple(at_caps.sum(axis=(0, 2, 3)).tolist()) if at_caps.any() else (),
        search=search,
    )
    if evidence.resampling != "fixed":
        return evidence
    return _with_cases(evidence, [table.cases(cell, name) for name, cell in slots])


def _by_search(repeats: tuple[int, ...], values: Array, size: int) -> tuple[tuple[int, ...], Array]:
    """Return one value for the repeats that share a search: what they say is one number."""
    searches = np.array(repeats) // size
    names = np.unique(searches)
    means = [values[searches == name].mean(axis=0) for name in names]
    return tuple(names.tolist()), np.array(means)


def _metric(statistic: Statistic, metrics: Mapping[str, Metric]) -> Metric:
    if statistic.metric not in metrics:
        msg = f"no metric {statistic.metric!r}{nearest(statistic.metric, metrics)}"
        raise ClaimError(msg)
    return metrics[statistic.metric]


def _refuse_other_unit(printed: PrintedSide | None, metric: Metric, statistic: Statistic) -> None:
    if printed and printed.unit not in (None, metric.unit):
        msg = f"{printed.text!r} is printed in {printed.unit}, {statistic.metric} is in "
        raise ClaimError(msg + f"{metric.unit}: write the number in that unit")


def _smallest_test(series: Sequence[Series]) -> int | None:
    sizes = [single.n_test for single in series]
    return None if None in sizes else min(sizes)


def _instances(series: Series) -> int:
    return (series.n_test or 1) * sum(value is not None for value in series.values.values())


def _errors(
    methods: Sequence[str], series: Sequence[Series], repeats: Sequence[int]
) -> tuple[str, ...]:
    """Return the failures, each kind once; `methods` are those of the series."""
    failures = {error for single in series for error in single.errors}
    for name, single in zip(methods, series, strict=True):
        if single.values.keys() < set(repeats):
            failures.add(f"no record of {name}")
    return tuple(sorted(failures))


def cells_of(claim: Claim, part: Mapping[str, str], table: Records) -> set[Cell]:
    """Return the cells that a part is judged from; none where one is missing."""
    grid = _cells(claim.statistic, part, table)
    return set() if isinstance(grid, Missing) else set(grid.flat)


def _cells(statistic: Statistic, part: Mapping[str, str], table: Records) -> np.ndarray | Missing:
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


def _points(statistic: Statistic, grid: np.ndarray) -> tuple[tuple[float, ...], tuple[str, ...]]:
    if not statistic.along:
        return (0.0,), ("",)
    labels = tuple(dict(cell)[statistic.along] for cell in grid[0])
    points = np.array([float(label) for label in labels])
    return tuple((np.log(points) if statistic.log else points).tolist()), labels


def _align(series: list[Series], shape: tuple[int, ...]) -> tuple[tuple[int, ...], Array]:
    """Return the repeats that any series has, and their values, NaN for failed and lacking ones."""
    repeats = sorted(set().union(*(s.values for s in series)))
    aligned = [[s.values.get(r) for s in series] for r in repeats]
    rows = [[np.nan if value is None else value for value in row] for row in aligned]
    return tuple(repeats), np.array(rows, dtype=float).reshape(len(repeats), *shape)


def beyond_bounds(metric: Metric, values: Array) -> Array:
    """Return the values beyond the bounds of their metric by more than rounding."""
    low, high = metric.limits
    slack = [_ROUNDING * max(1.0, abs(bound)) for bound in (low, high)]
    with np.errstate(invalid="ignore"):
        return values[(values < low - slack[0]) | (values > high + slack[1])]


def _refuse_beyond(metric: Metric, name: str, values: Array, table: Records) -> None:
    """Raise if a value lies beyond the bounds of its metric by more than rounding."""
    if (strange := beyond_bounds(metric, values)).size:
        low, high = metric.limits
        msg = (
            f"{table.paper}/{table.experiment} records {name} {strange[0]:.10g}, beyond its bounds "
            f"[{low:g}, {high:g}]: correct the experiment or the metric's bounds and unit"
        )
        raise RecordError(msg)


def _with_cases(evidence: Evidence, cases: list[dict[int, Array]]) -> Evidence:
    """Add what the test cases say.

    Outcomes have to be of the same test cases in all methods and repeats of one cell, and to
    average to the metric as shares of its range; otherwise nothing is said about new cases.
    """
    kept = ~np.isnan(evidence.values).any(axis=(1, 2, 3))
    repeats = [r for r, keep in zip(evidence.repeats, kept, strict=True) if keep]
    rows = [[c.get(r) for c in cases] for r in repeats]
    sizes = {None if outcome is None else outcome.size for row in rows for outcome in row}
    low, high = evidence.formula.bounds
    simple = evidence.formula.kind in ("mean", "difference")
    single = len(evidence.cells) == len(evidence.points) == 1
    if not (simple and single and len(sizes) == 1 and np.isfinite(high - low)) or None in sizes:
        return evidence
    outcomes = low + (high - low) * np.array(rows)  # (n_repeats, n_methods, n_cases)
    if not np.allclose(outcomes.mean(axis=-1), evidence.complete[..., 0, 0], atol=1e-6):
        return evidence
    by_case = np.moveaxis(outcomes, -1, 0)[..., None, None]
    each = evidence.formula.per_repeat(by_case)[..., 0].T
    if each.shape[1] < 2:
        return evidence
    return replace(evidence, cases_seen=(*map(float, case_variances(each)), each.shape[1]))
