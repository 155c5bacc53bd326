"""One trial: a pure function of experiment, cell, repeat, choices and data that returns records."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import numpy as np

from icml2008.errors import Icml2008Error, nearest
from icml2008.harness.experiment import Experiment, Method, cell_name
from icml2008.harness.seeds import stream

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


class TrialError(Icml2008Error):
    """A trial did something that would make its records wrong."""


class OnceError(TrialError):
    """What a trial makes once depends on more than on what it is kept by."""


# A full disk or exhausted memory says nothing about a method: these end the job, which is retried.
_NOT_THE_METHODS_FAULT = (MemoryError, OSError, OnceError)


class Trial:
    """What an experiment's function is given, and all that it may use.

    Attributes
    ----------
    cell : mapping
        Coordinates of the cell.
    repeat : int
    choices : mapping of str to str
        The value of each choice that touches the experiment.
    methods : mapping of str to callable
        Factories of the methods, one's own included.
    """

    def __init__(
        self,
        paper: str,
        experiment: Experiment,
        cell: Mapping[str, Any],
        repeat: int,
        *,
        choices: Mapping[str, str],
        load: Callable[[str], Any],
        own_methods: Mapping[str, Method] = MappingProxyType({}),
        memory: MutableMapping[Any, Any] | None = None,
    ) -> None:
        self.cell = MappingProxyType(dict(cell))
        self.repeat = repeat
        self.choices = MappingProxyType(dict(choices))
        self.methods = MappingProxyType({**experiment.methods(self.choices), **own_methods})
        self._paper = paper
        self._experiment = experiment
        self._load = load
        self._memory = {} if memory is None else memory
        self._shared: tuple[str, ...] | None = None  # what `once` is across, while it makes
        self._lines: list[dict[str, Any]] = []
        self._data_fault: Exception | None = None

    def __repr__(self) -> str:
        return f"{self._paper}/{self._experiment.name} {cell_name(self.cell)} repeat {self.repeat}"

    def data(self, name: str) -> Any:
        """Return a data set; the experiment must have declared that the cell reads it."""
        declared = self._experiment.data(self.cell)
        if name not in declared:
            msg = (
                f"{self}: reads the data set {name!r} without declaring it{nearest(name, declared)}"
            )
            raise TrialError(msg)
        try:
            return self._load(name)
        except Exception as error:
            self._data_fault = error
            raise

    def rng(self, name: str, across: Sequence[str] = ()) -> np.random.Generator:
        """Return the named random stream of this trial.

        `across` lists coordinates that the stream ignores: ``across=("repeat",)`` gives all
        repeats one draw.
        """
        if own := sorted(set(self._shared or ()) - set(across)):
            msg = (
                f"{self}: what is made once across {', '.join(self._shared)} draws from the stream "
                f"{name!r}, which {' and '.join(own)} would change; try: across={self._shared!r}"
            )
            raise OnceError(msg)
        return stream(self._paper, self._experiment.name, self.cell, self.repeat, name, across)

    def once(self, name: str, make: Callable[[], Any], across: Sequence[str] = ("repeat",)) -> Any:
        """Return what `make` makes, made once for the trials that differ in `across` alone.

        What a job's trials have made is kept by name, experiment, choices and cell, and forgotten
        with the job; of one name it is kept for one cell at a time, since matrices of all cells
        would fill the memory. `make` reads no coordinate that `across` lists, and draws from
        streams that are across them, too: then a trial's records are the same whether it was made
        before or not.

        Parameters
        ----------
        name : str
        make : callable
            Takes nothing.
        across : sequence of str
            Coordinates that it is shared across, as in `rng`.

        Raises
        ------
        OnceError
            If `make` draws from a stream that is not shared, or records something.
        """
        if self._shared is not None:
            msg = f"{self}: {name!r} is made once while another thing is"
            raise OnceError(msg)
        unknown = [shared for shared in across if shared not in {**self.cell, "repeat": 0}]
        if unknown:
            msg = f"{self}: {name!r}: no coordinate {unknown[0]!r}{nearest(unknown[0], self.cell)}"
            raise OnceError(msg)
        cell = cell_name({key: value for key, value in self.cell.items() if key not in across})
        place = (self._paper, self._experiment.name, name)
        at = (cell, tuple(sorted(self.choices.items())))
        kept_at, kept = self._memory.get(place, (None, {}))
        if kept_at != at:
            kept = {}
            self._memory[place] = (at, kept)
        repeat = None if "repeat" in across else self.repeat
        if repeat not in kept:
            self._shared = tuple(across)
            try:
                kept[repeat] = make()
            finally:
                self._shared = None
        return kept[repeat]

    def measure(self, method: str, *, n_test: int | None = None, **metrics: float) -> None:
        """Record what a method reached; `n_test` is the number of test cases behind the values."""
        self._check(method)
        for metric, given in metrics.items():
            value = float(given) + 0.0  # turns -0.0 into 0.0
            line = self._line("measurement", method=method, metric=metric, value=value)
            if not math.isfinite(value):
                line |= {"value": None, "status": "non-finite"}
            if n_test is not None:
                line["n_test"] = int(n_test)
            self._lines.append(line)

    def cases(self, method: str, hits: Sequence[bool]) -> None:
        """Record the outcome of each test case, for judgements about new cases."""
        self._check(method)
        self._lines.append(self._line("cases", method=method, cases=[int(hit) for hit in hits]))

    def keep(self, name: str, array: Any) -> None:
        """Keep an array of numbers for a figure."""
        values = np.asarray(array, dtype=float) + 0.0
        if not np.isfinite(values).all():
            msg = f"{self}: the array {name!r} that is to be kept is not finite"
            raise TrialError(msg)
        self._lines.append(self._line("array", keep=name, array=values.tolist()))

    @contextmanager
    def attempt(self, method: str) -> Iterator[None]:
        """Run the body for a method; if it raises, that becomes the method's record.

        Data that cannot be read are no method's fault, and end the trial.
        """
        self._check(method)
        before = len(self._lines)
        try:
            yield
        except _NOT_THE_METHODS_FAULT:
            raise
        except Exception as error:
            if error is self._data_fault:
                raise
            del self._lines[before:]
            text = _ADDRESS.sub("", f"{type(error).__name__}: {error}")
            line = self._line("failure", method=method, status="failed", error=text)
            self._lines.append(line)

    def _line(self, kind: str, **content: Any) -> dict[str, Any]:
        if self._shared is not None:
            msg = f"{self}: what is made once can record nothing: the next trial would not"
            raise OnceError(msg)
        return {"kind": kind, "cell": dict(self.cell), "repeat": self.repeat, **content}

    def _check(self, method: str) -> None:
        if method not in self.methods:
            msg = f"{self}: no method {method!r}{nearest(method, self.methods)}"
            raise TrialError(msg)


def run_trial(trial: Trial) -> list[dict[str, Any]]:
    """Run one trial and return its records.

    Raises
    ------
    TrialError
        If a method of the trial left neither a measurement nor a failure, or two of the same.
    """
    trial._experiment.function(trial)
    lines = trial._lines
    for method in trial.methods:
        if not any(line.get("method") == method and line["kind"] != "cases" for line in lines):
            msg = f"{trial}: nothing was measured for the method {method!r}"
            raise TrialError(msg)
    seen = [
        (line.get("method"), line.get("metric"), line.get("keep"), line["kind"] == "cases")
        for line in lines
    ]
    if len(set(seen)) < len(seen):
        twice = next(key for key in seen if seen.count(key) > 1)
        msg = f"{trial}: recorded twice: {', '.join(str(part) for part in twice[:3] if part)}"
        raise TrialError(msg)
    return lines


def run_with_own(
    make: Callable[[Mapping[str, Method]], Trial], own: Mapping[str, Method]
) -> list[dict[str, Any]]:
    """Run a trial with methods of one's own, and again without one that breaks it off.

    An experiment may use methods outside of `Trial.attempt`. The failure is then the method's
    record, and the others have the records that they have without it.

    Parameters
    ----------
    make : callable
        Takes methods of one's own and returns the trial that has them.
    own : mapping of str to callable
    """
    try:
        return run_trial(make(own))
    except _NOT_THE_METHODS_FAULT:
        raise
    except Exception:
        if not own:
            raise
    lines = run_trial(make({}))  # raises what is the experiment's own fault
    for name, method in own.items():
        trial = make({name: method})
        with trial.attempt(name):
            run_trial(trial)
        lines += [line for line in trial._lines if line.get("method") == name]
    return lines
