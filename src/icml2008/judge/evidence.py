"""Evidence: everything that one part of a claim is decided from, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .estimates import Array
from .formula import Formula
from .printings import PrintedSide

# Names of fields in files, where these are others.
_WRITTEN = {"due": "wanted"}
_READ = {name: field for field, name in _WRITTEN.items()}


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
    return np.where(np.isnan(values), None, (values + 0.0).astype(object)).tolist()
