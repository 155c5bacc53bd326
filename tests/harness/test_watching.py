"""Methods of one's own: whatever they do wrong becomes their record, and never a number."""

import inspect
import re
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest
from scipy import sparse

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial, run_trial
from icml2008.harness.watching import MethodError, own_methods, watched

N = 6


class Learner(Protocol):
    """A classifier that keeps count."""

    n_mistakes_: int

    def fit(self, X: Any, y: np.ndarray) -> Any: ...

    def predict(self, X: Any) -> np.ndarray: ...


class Selector(Protocol):
    """A function."""

    def __call__(self, X: np.ndarray, y: np.ndarray) -> np.ndarray: ...


class Good:
    n_mistakes_ = 0

    def __init__(self, rate=1.0):
        self.rate = rate

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.ones(X.shape[0])


def predicting(result):
    return type("Bad", (Good,), {"predict": lambda self, X: result(X)})


def fitting(act):
    return type("Bad", (Good,), {"fit": lambda self, X, y: act(self, X, y) or self})


def raising(error):
    def act(*_):
        raise error

    return act


def filled(value):
    return lambda X: np.full(X.shape[0], value)


def one_bad(X):
    return [*[1.0] * (X.shape[0] - 1), float("nan")]


class Unready:
    def __init__(self, rate):
        self.rate = rate

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.ones(X.shape[0])


class NeedsMore(Good):
    def __init__(self, rate, more):
        self.rate = rate


class OpensNothing(Good):
    def __init__(self, rate=1.0):
        Path("/no/such/model").read_text()


PREDICTIONS = {
    "nan": (filled(np.nan), "6 of 6 numbers that are not finite"),
    "one nan": (one_bad, "1 of 6 numbers"),
    "infinite": (filled(np.inf), "not finite"),
    "minus infinite": (filled(-np.inf), "not finite"),
    "half precision": (lambda X: np.full(X.shape[0], np.inf, np.float16), "not finite"),
    "twice as many": (lambda X: np.ones(2 * X.shape[0]), r"shape \(12,\), due is \(6,\)"),
    "half as many": (lambda X: np.ones(X.shape[0] // 2), r"shape \(3,\)"),
    "one too few": (lambda X: np.ones(X.shape[0] - 1), r"shape \(5,\)"),
    "none at all": (lambda X: np.ones(0), r"shape \(0,\)"),
    "a column": (lambda X: np.ones((X.shape[0], 1)), r"shape \(6, 1\)"),
    "a row": (lambda X: np.ones((1, X.shape[0])), r"shape \(1, 6\)"),
    "probabilities": (lambda X: np.full((X.shape[0], 2), 0.5), r"shape \(6, 2\)"),
    "a scalar": (lambda X: 1.0, r"shape \(\)"),
    "None": (lambda X: None, "object where numbers"),
    "words": (lambda X: ["yes"] * X.shape[0], "where numbers are due"),
    "objects": (lambda X: np.array([None] * X.shape[0]), "object where numbers"),
    "bytes": (lambda X: np.array([b"1"] * X.shape[0]), "where numbers are due"),
    "complex": (lambda X: np.ones(X.shape[0], complex), "complex128 where numbers"),
    "dates": (lambda X: np.zeros(X.shape[0], "M8[s]"), "where numbers are due"),
    "a dictionary": (lambda X: dict.fromkeys(range(X.shape[0]), 1.0), "object where numbers"),
    "a generator": (lambda X: (1.0 for _ in range(X.shape[0])), "object where numbers"),
    "a set": (lambda X: set(range(X.shape[0])), "object where numbers"),
    "ragged": (lambda X: [[1.0], *[1.0] * (X.shape[0] - 1)], "ValueError"),
    "a class": (lambda X: Good, "object where numbers"),
    "a sparse column": (lambda X: sparse.csr_array(np.ones((X.shape[0], 1))), "object where"),
    "in place of X": (lambda X: X.__imul__(0), "read-only"),
}
FITS = {
    "value error": (raising(ValueError("no")), "ValueError: no"),
    "key error": (raising(KeyError("a")), "KeyError: 'a'"),
    "zero division": (lambda *_: 1 / 0, "ZeroDivisionError"),
    "assertion": (raising(AssertionError()), "AssertionError"),
    "lookup": (raising(LookupError("none such")), "LookupError: none such"),
    "type error": (lambda self, X, y: X + "a", "Error"),
    "missing file": (lambda *_: Path("/no/such/file").read_text(), "fit raised FileNotFoundError"),
    "full disk": (raising(OSError(28, "No space left")), "fit raised OSError"),
    "memory": (raising(MemoryError("16 TiB")), "fit raised MemoryError"),
    "exit": (raising(SystemExit(3)), "fit raised SystemExit"),
    "sys.exit": (lambda *_: sys.exit("done"), "fit raised SystemExit"),
    "stop": (raising(StopIteration()), "StopIteration"),
    "recursion": (raising(RecursionError("deep")), "RecursionError"),
    "no import": (lambda *_: __import__("nowhere_2008"), "ModuleNotFoundError"),
    "attribute": (lambda self, X, y: self.nothing, "AttributeError"),
    "timeout": (raising(TimeoutError("slow net")), "fit raised TimeoutError"),
    "writes to X": (lambda self, X, y: X.fill(0), "read-only"),
    "scales X": (lambda self, X, y: np.multiply(X, 2, out=X) is None, "read-only"),
    "writes to y": (lambda self, X, y: y.sort(), "read-only"),
    "never ends": (lambda *_: time.sleep(60), "fit took more than 0.05 seconds"),
    "counts nan": (lambda self, X, y: setattr(self, "n_mistakes_", np.nan), "n_mistakes_ has 1"),
    "unlearns": (lambda self, X, y: setattr(self, "n_mistakes_", [0.0, np.inf]), "1 of 1 numbers"),
}
BROKEN = {
    **{name: (predicting(result), text) for name, (result, text) in PREDICTIONS.items()},
    **{name: (fitting(act), text) for name, (act, text) in FITS.items()},
    "no attribute": (Unready, "fit left no n_mistakes_"),
    "wants more": (NeedsMore, "TypeError"),
    "no model": (OpensNothing, "__init__ raised FileNotFoundError"),
}


@experiment(
    "toy", cells=grid(size=[N]), repeats={"smoke": 1, "quick": 1, "full": 1}, cost=0.01,
    methods=lambda choices: {"plain": Good}, expects=Learner,
)  # fmt: skip
def toy(trial):
    X = np.ones((N, 2))
    y = np.arange(N)[::-1].copy()
    for name, method in trial.methods.items():
        with trial.attempt(name):
            learner = method(rate=2.0).fit(X, y)
            trial.measure(name, accuracy=learner.predict(X).mean() + X.sum() - y[0])


def lines_of(own):
    trial = Trial(
        "doe2008toy", toy, {"size": N}, 0, choices={}, load=None, own_methods={"own:Bad": own}
    )
    return {line["method"]: line for line in run_trial(trial)}


def test_there_are_fifty_ways_to_be_wrong():
    assert len(BROKEN) >= 50


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_method_gets_a_record_that_says_why_and_spoils_no_other(name):
    method, text = BROKEN[name]
    lines = lines_of(watched(method, Learner, seconds=0.05))
    assert lines["own:Bad"]["status"] == "failed"
    assert re.search(text, lines["own:Bad"]["error"])
    assert lines["plain"]["value"] == lines_of(watched(Good, Learner))["own:Bad"]["value"]


def test_a_good_method_is_used_as_it_is():
    method = watched(Good, Learner, seconds=5)
    assert issubclass(method, Good)
    assert list(inspect.signature(method).parameters) == ["rate"]
    assert method(rate=3.0).rate == 3.0


def test_what_is_sparse_cannot_be_changed_either():
    X = sparse.csr_array(np.eye(3))

    class Doubles(Good):
        def fit(self, X, y):
            X.data *= 2
            return self

    with pytest.raises(ValueError, match="read-only"):
        watched(Doubles, Learner)().fit(X, np.ones(3))
    assert X.sum() == 3
    assert watched(Good, Learner)().fit(X, np.ones(3)).predict(X).sum() == 3


def test_a_function_is_watched_too():
    bad = watched(lambda X, y: X[0] * np.nan, Selector)
    with pytest.raises(MethodError, match="not finite"):
        bad(np.ones((2, 2)), np.ones(2))


class Bound(Protocol):
    """Returns a number."""

    def __call__(self, X: np.ndarray) -> float: ...


class PostponedBound(Protocol):
    """Returns a number, and says so as a module does whose annotations are postponed."""

    def __call__(self, X: np.ndarray) -> "float": ...


@pytest.mark.parametrize("expects", [Bound, PostponedBound])
@pytest.mark.parametrize(
    ("result", "what"),
    [
        (np.ones(2), r"an array of shape \(2,\)"),
        (np.ones((2, 3)), r"an array of shape \(2, 3\)"),
        (1j, "complex128"),
        (None, "object"),
    ],
)
def test_what_came_instead_of_a_number_is_named_by_its_shape_or_else_its_type(
    result, what, expects
):
    with pytest.raises(MethodError, match=rf"returned {what} where one number is due$"):
        watched(lambda X: result, expects)(np.ones(2))


class PostponedSelector(Protocol):
    """A function of a module whose annotations are postponed."""

    def __call__(self, X: np.ndarray) -> "np.ndarray": ...


class PlainSelector(Protocol):
    """A function of a module whose annotations are not."""

    def __call__(self, X: np.ndarray) -> np.ndarray: ...


@pytest.mark.parametrize("expects", [PlainSelector, PostponedSelector])
def test_an_array_of_words_is_none_of_numbers(expects):
    with pytest.raises(
        MethodError, match=r"returned an array of shape \(2,\) where numbers are due$"
    ):
        watched(lambda X: np.array(["a", "b"]), expects)(np.ones(2))


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(text):
        name = f"own_method_of_a_test_{next(NUMBERS)}"
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


NUMBERS = count()
GOOD = "class A:\n    n_mistakes_ = 0\n    def fit(self, X, y): return self\n    predict = fit\n"


def test_own_methods_have_names_of_their_own(module):
    name = module(GOOD)
    assert list(own_methods([f"{name}:A"], Learner)) == ["own:A"]
    with pytest.raises(MethodError, match="two methods are called own:A"):
        own_methods([f"{name}:A", f"{name}:A"], Learner)


@pytest.mark.parametrize(
    ("text", "target", "expects", "message"),
    [
        ("", "{}", Learner, "package.module:Class"),
        ("", ":A", Learner, "package.module:Class"),
        ("", "{}:A", Learner, "has no attribute 'A'"),
        ("", "nowhere_at_all:A", Learner, "PYTHONPATH"),
        ("A = 3", "{}:A", Learner, "lacks fit, predict"),
        ("A = 3", "{}:A", Selector, "cannot be called"),
        ("class A: pass", "{}:A", Selector, "is a class. Selector: A function."),
        ("1 / 0", "{}:A", Learner, "its module raises ZeroDivisionError"),
        ("def", "{}:A", Learner, "its module raises SyntaxError"),
        ("raise SystemExit(1)", "{}:A", Learner, "its module raises SystemExit"),
        (GOOD, "{}:A", None, "takes no methods"),
    ],
)
def test_what_cannot_be_used_is_turned_away(module, text, target, expects, message):
    with pytest.raises(MethodError, match=message):
        own_methods([target.format(module(text))], expects)
