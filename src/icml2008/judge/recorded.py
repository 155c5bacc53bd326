"""Record files as the judge reads them: values, failures and missing data by cell and method."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Icml2008Error, nearest
from .cells import Cell, cell_key, part_name

SCHEMA = 2


class RecordError(Icml2008Error):
    """A record file that does not say what a record file has to say."""


@dataclass(frozen=True)
class Series:
    """What one method did in one cell, by repeat: a number, or None where it failed."""

    values: dict[int, float | None]
    n_test: int | None = None
    errors: tuple[str, ...] = ()


@dataclass
class Records:
    """The records of one experiment in one universe.

    Parameters
    ----------
    lines : iterable of mapping
        The parsed lines, the header first: ``{"schema": 2, "paper": ..., "experiment": ...,
        "universe": ...}``, then one mapping for each, with ``cell``, ``repeat`` and ``kind``: a
        measurement has ``method``, ``metric``, ``value`` (None and a ``status`` if it is not
        finite) and, where there are test cases behind the value, their number ``n_test``; a
        failure has ``method`` and ``error``; cases have ``method`` and the outcome of each test
        case; ``no data`` has a ``reason``; an array is for a figure.

    Raises
    ------
    RecordError
        If the header is missing or of another schema, or if a line says the same thing twice.

    Examples
    --------
    >>> records = Records([
    ...     {"schema": 2, "paper": "p", "experiment": "e", "universe": "default"},
    ...     {"kind": "measurement", "cell": {"size": 10}, "repeat": 0,
    ...      "method": "A", "metric": "loss", "value": 0.5},
    ... ])
    >>> records.series(cell_key({"size": 10}), "A", "loss").values
    {0: 0.5}
    """

    lines: Iterable[Mapping[str, Any]]
    paper: str = field(init=False)
    experiment: str = field(init=False)
    universe: str = field(init=False)

    def __post_init__(self) -> None:
        lines = iter(self.lines)
        self.lines = ()
        header = next(lines, {})
        if header.get("schema") != SCHEMA:
            msg = (
                f"a record file starts with a header of schema {SCHEMA}, found {header}: "
                "collect the records again with this version"
            )
            raise RecordError(msg)
        self.paper = header["paper"]
        self.experiment = header["experiment"]
        self.universe = header.get("universe", "default")
        self._values: dict[tuple[Cell, str, str], dict[int, float | None]] = defaultdict(dict)
        self._n_test: dict[tuple[Cell, str, str], list[int]] = defaultdict(list)
        self._failed: dict[tuple[Cell, str], dict[int, str]] = defaultdict(dict)
        self._missing: dict[Cell, dict[int, str]] = defaultdict(dict)
        self._cases: dict[tuple[Cell, str], dict[int, np.ndarray]] = defaultdict(dict)
        self._cells: dict[Cell, set[str]] = defaultdict(set)
        for line in lines:
            self._add(line)

    def _add(self, line: Mapping[str, Any]) -> None:
        if line["kind"] == "array":  # for a figure
            return
        cell = cell_key(line["cell"])
        repeat = int(line["repeat"])
        methods = self._cells[cell]
        if line["kind"] == "no data":
            self._missing[cell][repeat] = line["reason"]
            return
        method = line["method"]
        methods.add(method)
        if line["kind"] == "cases":
            self._cases[cell, method][repeat] = np.asarray(line["cases"], dtype=float)
        elif line["kind"] == "failure":
            self._failed[cell, method][repeat] = line["error"]
        else:
            series = self._values[cell, method, line["metric"]]
            if repeat in series:
                where = f"{part_name(cell)}, repeat {repeat}, {method}, {line['metric']}"
                msg = f"{self.paper}/{self.experiment} records {where} twice: collect it again"
                raise RecordError(msg)
            series[repeat] = None if line["value"] is None else float(line["value"])
            if line.get("n_test") is not None:
                self._n_test[cell, method, line["metric"]].append(int(line["n_test"]))

    @property
    def cells(self) -> list[dict[str, str]]:
        """The cells that have any line, as mappings of text to text, in order of their names."""
        return [dict(cell) for cell in sorted(self._cells)]

    @property
    def measured(self) -> Set[tuple[Cell, str, str]]:
        """What has values: cell, method and metric."""
        return self._values.keys()

    def missing(self, cell: Cell) -> str | None:
        """Return why there are no data for a cell, or None if a trial of it ran."""
        reasons = self._missing.get(cell, {})
        return None if self._cells.get(cell) or not reasons else reasons[min(reasons)]

    def series(self, cell: Cell, method: str, metric: str) -> Series:
        """Return a method's values of a metric in a cell, None at the repeats that failed.

        Raises
        ------
        RecordError
            If the method or the metric never occurs in that cell.
        """
        if method not in self._cells[cell]:
            msg = (
                f"{self.paper}/{self.experiment} has no method {method!r} at "
                f"{part_name(cell) or 'its only cell'}{nearest(method, self._cells[cell])}"
            )
            raise RecordError(msg)
        values = dict(self._values.get((cell, method, metric), {}))
        failed = self._failed.get((cell, method), {})
        if not values and not failed:
            known = {name for c, m, name in self._values if (c, m) == (cell, method)}
            msg = (
                f"{self.paper}/{self.experiment} has no metric {metric!r} of {method!r}"
                f"{nearest(metric, known)}"
            )
            raise RecordError(msg)
        errors = [failed[r] for r in sorted(failed)]
        errors += [f"{metric} is not finite" for v in values.values() if v is None]
        values |= dict.fromkeys(failed)
        sizes = self._n_test.get((cell, method, metric))
        return Series(
            {r: values[r] for r in sorted(values)}, min(sizes) if sizes else None, tuple(errors)
        )

    def share_at(self, cell: Cell, method: str, metric: str, value: float) -> float:
        """Return in which share of its repeats a method has this value; 0 where it has none."""
        values = list(self._values.get((cell, method, metric), {}).values())
        return values.count(value) / len(values) if values else 0.0

    def cases(self, cell: Cell, method: str) -> dict[int, np.ndarray]:
        """Return the outcomes of the test cases by repeat; empty where none were kept."""
        return dict(self._cases.get((cell, method), {}))


def read_records(path: str | Path) -> Records:
    """Read a record file (JSON lines).

    Raises
    ------
    RecordError
        If a line is not JSON or the header is not one of ours; the message names the file.
    """
    lines = []
    for number, text in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError as error:
            msg = f"{path}, line {number}: not JSON ({error}); collect the records again"
            raise RecordError(msg) from None
    try:
        return Records(lines)
    except (KeyError, RecordError) as error:
        msg = f"{path}: {error}"
        raise RecordError(msg) from None
