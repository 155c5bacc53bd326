"""What a part of a claim is decided from, collected from the records."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import nearest
from .cases import case_variances
from .cells import part_name
from .claims import Claim
from .degenerate import degenerate, give_one_number
from .estimates import Array
from .evidence import Evidence
from .formula import Formula
from .grid import ClaimError, Missing, grid_of, points_of
from .measures import Metric, Resampling, Statistic
from .printings import PrintedSide
from .recorded import RecordError, Records, Series
from .standing import softened

# How far beyond a bound, in units or of the bound, a sum of floating-point numbers may end.
_ROUNDING = 1e-9


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
    grid = grid_of(statistic, part, table)
    if isinstance(grid, Missing):
        return grid
    if gone := {note for cell in grid.flat if (note := table.missing(cell))}:
        return Missing("data not available", "; ".join(sorted(gone)))
    methods = statistic.method_names(part.get("method"))
    slots = list(itertools.product(methods, grid.flat))
    series = [table.series(cell, name, statistic.metric) for name, cell in slots]
    repeats, values = _align(series, (len(methods), *grid.shape))
    _refuse_beyond(metric, statistic.metric, values, table)
    points, labels = points_of(statistic, grid)
    caps = np.array([metric.cap_of(name, dict(cell)) for name, cell in slots])
    at_caps = values >= caps.reshape(values.shape[1:]) * (1 - _ROUNDING)
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
