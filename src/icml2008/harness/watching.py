"""Methods of one's own: imported by name, and watched while an experiment uses them.

What an experiment is given of them is checked, so that a mistake becomes the method's record and
never a number: results that are not finite or of another shape, a change of what was handed in, a
call that takes too long. What else an experiment's methods promise is held against what they do by
its paper's ``promises.py``, under the name of the protocol: a class that stands before a method of
one's own, or a function that wraps one.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import is_dataclass
from functools import wraps
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from scipy import sparse

from icml2008.errors import Icml2008Error
from icml2008.harness.experiment import Method

# What scikit-learn calls so has one number for each row of X.
_ONE_A_ROW = {"predict", "decision_function", "score_samples", "predict_mean"}
# What the annotation of a result means, by its last name.
_NUMERIC = {"ndarray": "numbers are", "float": "one number is"}
# These speak of the machine or of the program elsewhere; of an own method they are its mistake.
_ITS_FAULT = (MemoryError, OSError, SystemExit)


class MethodError(Icml2008Error):
    """A method of one's own cannot be found, does not fit the experiment, or breaks its promise."""


class TwoLabels:
    """Promise of a classifier whose labels are -1 and 1."""

    def predict(self, X: Any) -> np.ndarray:
        labels = np.asarray(super().predict(X))
        if others := set(np.unique(labels).tolist()) - {-1, 1}:
            msg = f"predict returned the label {min(others):g}, due are -1 and 1"
            raise MethodError(msg)
        return labels


def own_methods(
    targets: Sequence[str],
    expects: type | None,
    *,
    seconds: float | None = None,
    promises: ModuleType | None = None,
) -> dict[str, Method]:
    """Import methods of one's own, each given as ``package.module:Class``.

    Parameters
    ----------
    targets : sequence of str
    expects : type or None
        Protocol class that says what a method must have; None if the experiment takes none.
    seconds : float, optional
        That one call of a method may take, as far as Python can interrupt it.
    promises : module, optional
        Of the paper: what is more to be held against what a method does.

    Returns
    -------
    methods : dict
        By name, ``own:Class``.

    Raises
    ------
    MethodError
        If one cannot be imported or lacks what is expected, or two have one name.
    """
    methods: dict[str, Method] = {}
    for target in targets:
        if expects is None:
            msg = f"--method {target!r}: this experiment takes no methods of one's own"
            raise MethodError(msg)
        method = _imported(target, expects)
        name = f"own:{target.rpartition(':')[2]}"
        if name in methods:
            msg = f"--method {target!r}: two methods are called {name}; give one another name"
            raise MethodError(msg)
        promise = getattr(promises, expects.__name__, None)
        methods[name] = watched(method, expects, seconds=seconds, promise=promise)
    return methods


def _imported(target: str, expects: type) -> Method:
    module, _, name = target.partition(":")
    if not (module and name):
        msg = f"--method {target!r}: write it as package.module:Class"
        raise MethodError(msg)
    try:
        method = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        msg = f"--method {target!r}: {error}; is its folder on PYTHONPATH?"
        raise MethodError(msg) from None
    except (Exception, SystemExit) as error:
        msg = f"--method {target!r}: its module raises {type(error).__name__}: {error}"
        raise MethodError(msg) from error
    if "__call__" in vars(expects) and isinstance(method, type):
        msg = f"--method {target!r} is a class. {expects.__name__}: {expects.__doc__}"
        raise MethodError(msg)
    lacking = [part for part in _parts(expects) if not callable(getattr(method, part, None))]
    if lacking or not callable(method):
        lacks = f"lacks {', '.join(lacking)}" if lacking else "cannot be called"
        msg = f"--method {target!r} {lacks}. {expects.__name__}: {expects.__doc__}"
        raise MethodError(msg)
    return method


def _parts(expects: type) -> list[str]:
    return [name for name, part in vars(expects).items() if callable(part) and name[0] != "_"]


def watched(
    method: Method,
    expects: type,
    *,
    seconds: float | None = None,
    promise: Callable | None = None,
) -> Method:
    """Return a method that gets read-only arrays and whose results are checked.

    Raises
    ------
    MethodError
        When it is used: if it changes what it was given, returns what is not finite or not of the
        shape that is asked for, leaves an attribute out, takes too long, or ends the program.
    """
    due = {name: _due(getattr(expects, name)) for name in ("__call__", *_parts(expects))}
    if not isinstance(method, type):
        name = getattr(method, "__name__", "it")
        guard = _watched(method, name, (), seconds, due["__call__"])
        return promise(guard) if promise else guard
    attributes = [name for name in getattr(expects, "__annotations__", {}) if name[0] != "_"]
    inside = {
        name: _watched(getattr(method, name), name, attributes, seconds, due[name])
        for name in _parts(expects)
    }
    if method.__init__ is not object.__init__:
        inside["__init__"] = _watched(method.__init__, "__init__", (), seconds)
    try:
        guard = type(method)(method.__name__, (method,), inside | {"__module__": method.__module__})
        return type(guard)(method.__name__, (promise, guard), {}) if promise else guard
    except TypeError as error:
        msg = f"{method.__name__} cannot be watched: {error}"
        raise MethodError(msg) from error


def _due(part: Callable) -> str:
    """Return the last name of what a part of a protocol says that it returns."""
    result = getattr(part, "__annotations__", {}).get("return", "")
    # Without ``from __future__ import annotations`` it is the class itself.
    return result.__name__ if isinstance(result, type) else str(result).rpartition(".")[2]


def _watched(
    function: Callable, name: str, attributes: Sequence[str], seconds: float | None, due: str = ""
) -> Callable:
    @wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        given = tuple(map(_read_only, given))
        named = {key: _read_only(value) for key, value in named.items()}
        try:
            with _limit(name, seconds):
                result = function(*given, **named)
        except _ITS_FAULT as error:
            msg = f"{name} raised {type(error).__name__}: {error}"
            raise MethodError(msg) from error
        if name in _ONE_A_ROW:
            result = _one_a_row(name, result, named.get("X", given[1] if given[1:] else None))
        elif due in _NUMERIC:
            result = _numeric(name, result, due)
        elif isinstance(result, Iterator):
            return _watched_steps(result, name, seconds)
        elif name == "fit" and result is not given[0]:
            msg = f"fit returned {type(result).__name__}, due is the method itself: return self"
            raise MethodError(msg)
        _check_finite(name, result)
        for attribute in attributes if name in ("fit", "partial_fit") else ():
            if not hasattr(given[0], attribute):
                msg = f"{name} left no {attribute}"
                raise MethodError(msg)
            _check_finite(attribute, getattr(given[0], attribute))
        return result

    return run


def _watched_steps(steps: Iterator, name: str, seconds: float | None) -> Iterator:
    """Yield what a method yields: each step is checked and timed as a call."""
    following = _watched(steps.__next__, name, (), seconds)
    while True:
        try:
            step = following()
        except StopIteration:
            return
        yield step


def _read_only(value: Any) -> Any:
    """Return what a method may be given: its own changes stay its own, or are refused."""
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    elif sparse.issparse(value) and hasattr(value, "indptr"):
        arrays = [_read_only(part) for part in (value.data, value.indices, value.indptr)]
        value = type(value)(tuple(arrays), shape=value.shape, copy=False)
    elif is_dataclass(value) and hasattr(value, "__dict__"):
        value = copy(value)
        for name, part in vars(value).items():
            object.__setattr__(value, name, _read_only(part))
    elif type(value) is dict:
        value = {key: _read_only(part) for key, part in value.items()}
    elif type(value) in (list, tuple):
        value = type(value)(map(_read_only, value))
    return value


def _numeric(name: str, result: Any, due: str) -> np.ndarray | float:
    numbers = np.asarray(result)
    if numbers.dtype.kind not in "biuf" or (due == "float" and numbers.ndim):
        of = f"an array of shape {numbers.shape}" if numbers.ndim else numbers.dtype
        msg = f"{name} returned {of} where {_NUMERIC[due]} due"
        raise MethodError(msg)
    return float(numbers) if due == "float" else numbers


def _one_a_row(name: str, result: Any, X: Any) -> np.ndarray:
    numbers = np.asarray(result)
    if numbers.dtype.kind not in "biuf":
        msg = f"{name} returned {numbers.dtype} where numbers are due"
        raise MethodError(msg)
    shape = (np.shape(X)[0],) if np.ndim(X) or sparse.issparse(X) else numbers.shape
    if numbers.shape != shape:
        msg = f"{name} returned an array of shape {numbers.shape}, due is {shape}, a number a row"
        raise MethodError(msg)
    return numbers


def _check_finite(name: str, result: Any) -> None:
    for value in _numbers(result):
        if bad := np.count_nonzero(~np.isfinite(value)):
            msg = f"{name} has {bad} of {np.size(value)} numbers that are not finite"
            raise MethodError(msg)


def _numbers(result: Any) -> Iterator[Any]:
    """Yield the numbers and arrays of numbers in what a method returned."""
    if isinstance(result, tuple | list):
        for inner in result:
            yield from _numbers(inner)
    elif isinstance(result, Mapping):
        yield from _numbers(list(result.values()))
    elif is_dataclass(result) and hasattr(result, "__dict__"):
        yield from _numbers(list(vars(result).values()))
    elif isinstance(result, np.ndarray | np.generic | float | complex) and (
        np.asarray(result).dtype.kind in "fc"
    ):
        yield result


@contextmanager
def _limit(name: str, seconds: float | None) -> Iterator[None]:
    """Raise after so many seconds; the call of a call keeps the limit of the outer one."""
    here = threading.current_thread() is threading.main_thread()
    if seconds is None or not here or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def stop(*_: Any) -> None:
        msg = f"{name} took more than {seconds:g} seconds"
        raise MethodError(msg)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
