"""What an experiment is: a function of a trial, with its grid, its repeats and its methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from types import ModuleType
from typing import Any

from icml2008.errors import Icml2008Error, nearest

SCALES = ("smoke", "quick", "full")

# Repeats of a smaller scale that names none: a spread needs two.
FEWEST_REPEATS = {"smoke": 1, "quick": 2}

# Half as much again as the most that a process of any paper's trials has taken.
MEBIBYTES = 4096

Cell = Mapping[str, str | int | float]
Method = Callable[..., Any]
Methods = Mapping[str, Method]
Repeats = int | Callable[[Cell], int]
Cost = float | Callable[[Cell], float]


class ExperimentError(Icml2008Error):
    """An experiment is declared in a way that cannot be run."""


def grid(**coordinates: Sequence[str | int | float]) -> list[dict[str, str | int | float]]:
    """Return every cell of a grid, the last coordinate changing fastest.

    Examples
    --------
    >>> grid(dataset=["a", "b"], size=[10])
    [{'dataset': 'a', 'size': 10}, {'dataset': 'b', 'size': 10}]

    Raises
    ------
    ExperimentError
        If a coordinate's values are a text or a mapping, of which letters or keys would be taken.
    """
    for name, values in coordinates.items():
        if isinstance(values, str | Mapping):
            msg = (
                f"grid({name}={values!r}): {name} takes a list of values; cells that differ by "
                "scale are one grid a scale: cells=grid(...), quick=grid(...), smoke=grid(...)"
            )
            raise ExperimentError(msg)
    return [
        dict(zip(coordinates, values, strict=True)) for values in product(*coordinates.values())
    ]


def cell_name(cell: Cell) -> str:
    """Return the name of a cell, its coordinates sorted: ``dataset=a,size=10``."""
    return ",".join(f"{key}={cell[key]}" for key in sorted(cell))


def _no_data(cell: Cell) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Experiment:
    """One run with its own protocol; see `experiment`.

    Attributes
    ----------
    name : str
    function : callable
        Runs one trial.
    cells : dict of str to list of dict
        The cells of each scale.
    repeats : dict of str to int or callable
        The repeats of each scale, or a function from a cell to them.
    cost : float or callable
        Seconds that one trial takes, roughly, or a function from a cell to them.
    methods : callable
        From the choices to the methods: name to factory.
    data : callable
        From a cell to the names of the data sets that its trials read.
    expects : type or None
        Protocol class that a method of one's own must fit.
    mebibytes : int
        That a process of its trials may take: beyond them it is the trial that ends, with an error,
        and not the machine.
    repeats_together : bool
        Whether one job does all repeats of a cell.
    """

    name: str
    function: Callable[[Any], None]
    cells: Mapping[str, Sequence[Cell]]
    repeats: Mapping[str, Repeats]
    cost: Cost
    methods: Callable[[Mapping[str, str]], Methods]
    data: Callable[[Cell], Sequence[str]] = field(default=_no_data)
    expects: type | None = None
    mebibytes: int = MEBIBYTES
    repeats_together: bool = False

    @property
    def reads(self) -> list[str]:
        """The data sets that any cell reads at full scale, sorted."""
        return sorted({name for cell in self.cells["full"] for name in self.data(cell)})

    def seconds(self, cell: Cell) -> float:
        """Return what a trial of a cell takes, by the declared cost."""
        return _number(self.cost, cell)

    def trials(self, scale: str) -> list[tuple[Cell, int]]:
        """Return the (cell, repeat) pairs of a scale, in the order in which they are run."""
        if scale not in SCALES:
            msg = f"experiment {self.name}: no scale {scale!r}{nearest(scale, SCALES)}"
            raise ExperimentError(msg)
        return [
            (cell, repeat)
            for cell in self.cells[scale]
            for repeat in range(_number(self.repeats[scale], cell))
        ]


def _number(given: Repeats | Cost, cell: Cell) -> int | float:
    return given(cell) if callable(given) else given


def experiment(
    name: str,
    *,
    cells: Sequence[Cell] | Mapping[str, Sequence[Cell]],
    repeats: Repeats | Mapping[str, Repeats],
    cost: Cost,
    methods: Methods | Callable[[Mapping[str, str]], Methods],
    quick: Sequence[Cell] | None = None,
    smoke: Sequence[Cell] | None = None,
    data: Callable[[Cell], Sequence[str]] = _no_data,
    expects: type | None = None,
    mebibytes: int = MEBIBYTES,
    repeats_together: bool = False,
) -> Callable[[Callable[[Any], None]], Experiment]:
    """Declare the decorated function of a trial to be an experiment.

    Parameters
    ----------
    name : str
        As in ``paper.yaml``.
    cells : list of dict, or dict of scale to list of dict
        The grid of the full protocol, or those of all three scales.
    repeats : int, function from a cell to int, or dict of scale to either
        Those of the full protocol. Of a scale that is not named there are 1 at smoke and 2 at
        quick, or as many as the full protocol has, if these are fewer.
    cost : float, or a function from a cell to float
        Seconds a trial, roughly. Never measured: the partition into jobs follows from it, and a
        changed partition runs everything again.
    methods : mapping, or callable
        The methods, name to factory, or a function of the choices that returns them; the keyword
        arguments of a factory are the experiment's business.
    quick, smoke : list of dict, optional
        The grids of the smaller scales. A scale without one has that of the next larger.
    data : callable, optional
        Takes a cell and returns the names of the data sets that its trials read.
    expects : type, optional
        Protocol class, with a docstring, that says what a method must have.
    mebibytes : int
        Address space that a process of its trials may take beyond what the libraries have.
    repeats_together : bool
        Whether one job does all repeats of a cell, however long they take, since they share work
        by `Trial.once`: a search, say.

    Raises
    ------
    ExperimentError
        If a scale is missing, or is not contained in the larger one.
    """
    cells_of = _cells_by_scale(name, cells, quick, smoke)
    repeats_of = _repeats_by_scale(name, repeats)
    for small, large in zip(SCALES, SCALES[1:], strict=False):
        for cell in cells_of[small]:
            if _number(repeats_of[small], cell) > _number(repeats_of[large], cell):
                msg = f"experiment {name}: scale {small} has more repeats than {large}"
                raise ExperimentError(msg)
            if cell not in cells_of[large]:
                msg = (
                    f"experiment {name}: cell {cell_name(cell)} is in scale {small}, not in {large}"
                )
                raise ExperimentError(msg)

    def declare(function: Callable[[Any], None]) -> Experiment:
        return Experiment(
            name,
            function,
            cells_of,
            repeats_of,
            cost,
            methods if callable(methods) else lambda choices: methods,
            data,
            expects,
            mebibytes,
            repeats_together,
        )

    return declare


def _cells_by_scale(
    name: str,
    cells: Sequence[Cell] | Mapping[str, Sequence[Cell]],
    quick: Sequence[Cell] | None,
    smoke: Sequence[Cell] | None,
) -> dict[str, Sequence[Cell]]:
    if not isinstance(cells, Mapping):
        quick = cells if quick is None else quick
        return {"smoke": quick if smoke is None else smoke, "quick": quick, "full": cells}
    if quick is not None or smoke is not None:
        msg = f"experiment {name}: cells by scale leave nothing to quick= and smoke="
        raise ExperimentError(msg)
    for scale in SCALES:
        if scale not in cells:
            msg = f"experiment {name}: its cells lack the scale {scale!r}"
            raise ExperimentError(msg)
    _check_scales(name, "cells", cells)
    return dict(cells)


def _repeats_by_scale(name: str, repeats: Repeats | Mapping[str, Repeats]) -> dict[str, Repeats]:
    declared = repeats if isinstance(repeats, Mapping) else {"full": repeats}
    _check_scales(name, "repeats", declared)
    if "full" not in declared:
        msg = f"experiment {name}: its repeats lack the scale 'full'"
        raise ExperimentError(msg)
    full = declared["full"]
    fewest = {scale: _at_most(count, full) for scale, count in FEWEST_REPEATS.items()}
    return {scale: declared.get(scale, fewest.get(scale)) for scale in SCALES}


def _at_most(count: int, full: Repeats) -> Repeats:
    """Return `count`, or what the full protocol has where these are fewer."""
    return (lambda cell: min(count, full(cell))) if callable(full) else min(count, full)


def _check_scales(name: str, part: str, given: Mapping[str, Any]) -> None:
    for scale in given.keys() - set(SCALES):
        msg = f"experiment {name}: its {part} have an unknown scale {scale!r}"
        raise ExperimentError(msg + nearest(scale, SCALES))


def experiments_in(module: ModuleType) -> dict[str, Experiment]:
    """Return the experiments that a module declares, by name."""
    experiments = {}
    for value in vars(module).values():
        if isinstance(value, Experiment):
            if value.name in experiments:
                msg = f"{module.__name__}: two experiments are called {value.name!r}"
                raise ExperimentError(msg)
            experiments[value.name] = value
    return experiments
