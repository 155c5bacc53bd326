"""Broken methods of one's own in the papers' experiments: each gets a record that says why.

What takes the time is left out: the papers' methods, and two experiments' own work, see `bare`.
"""

import re
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.data import load
from icml2008.harness.choices import DEFAULT
from icml2008.harness.trial import Trial, run_with_own
from icml2008.harness.watching import watched
from icml2008.methods.planning.envelope import Envelope
from icml2008.run.trials.own_methods import load_promises


class Sampler:
    def __init__(self, *, task, slopes, rng, settings):
        self.task = task
        self.rng = rng

    def point(self):
        return self.rng.uniform(*self.task.bounds.T)

    def ask(self):
        return self.point(), 0

    def tell(self, x, i, y):
        pass

    def predict_mean(self, X):
        return np.zeros(len(X))


class Ranker:
    def __init__(self, n_documents, n_ranks, *, random_state):
        self.n = n_documents
        self.k = n_ranks

    def ask(self):
        return np.arange(self.k)

    def tell(self, clicked):
        pass


class Features:
    def features(self, process, smooth):
        return smooth


class Planner:
    def __init__(self, start):
        self.start = start

    def fit(self, mdp):
        weights = np.eye(mdp.n_criteria)
        self.envelope_ = Envelope(np.zeros((1, len(weights))), weights, weights[:, :1] >= 0)
        self.policies_ = np.zeros((1, mdp.n_states), int)
        return self


class Support:
    def fit(self, X, y):
        self.n = X.shape[1]
        return self

    def get_support(self):
        return np.arange(self.n) < 10


class Booster:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.ones(len(X))


class Scorer:
    def fit(self, X, y, *, boxes, bags):
        return self

    def decision_function(self, X):
        return X.sum(axis=1)


class Counter:
    n_mistakes_ = 0

    def partial_fit(self, X, y, classes=None):
        return self


class Budgeted:
    def __init__(self, kernel, budget, random_state):
        pass

    def fit(self, X, y):
        self.mistakes_ = np.arange(3)
        self.stored_ = np.ones(len(y), int)
        return self


def solver(*steps):
    def solve(X, y, C, rng):
        for w, work in steps:
            yield np.full(X.shape[1], w), work

    return solve


def constant(result):
    return lambda *_, **__: result


def raising(error):
    def act(*_, **__):
        raise error

    return act


def leaving(part, **attributes):
    """Return what does its part, and leaves other attributes."""

    def both(self, *given, **named):
        part(self, *given, **named)
        vars(self).update(attributes)
        return self

    return both


def wide(X, y, r, seed):
    return np.ones(X.shape[1] + 1, bool)


BRYAN = "bryan2008composite/picture"
PARR = "parr2008linear/figure-1a"
RANKED = "radlinski2008diverse/no-noise"
PLANNED = "barrett2008chvi/guinea-pig"
BANDIT = "kakade2008efficient/streams"
KEPT = "palatucci2008chance/sparse-tasks"
EXACT = "bach2008bolasso/recovery"
REGIONS = "bach2008bolasso/consistency"
RACE = "hsieh2008dual/race"
BOOSTED = "long2008random/binary"
BAGS = "bergeron2008mirank/sensitivity"
ONLINE = "orabona2008projectron/online"

GOOD = {
    BRYAN: Sampler, PARR: Features, PLANNED: Planner, BANDIT: Counter, KEPT: Support,
    BOOSTED: Booster, BAGS: Scorer, ONLINE: Budgeted,
    EXACT: lambda X, y, r, seed: np.arange(X.shape[1]) < r,
    REGIONS: lambda X, y, mus, seed: np.ones((1, len(mus), X.shape[1]), bool),
    RACE: solver((0.0, 1.0), (0.0, 1e9)), RANKED: Ranker,
}  # fmt: skip

# where, what is other than in a good method (or a function instead), and what the record says
BROKEN = [
    (BRYAN, {"point": constant(np.full(2, np.nan))}, "2 of 2 numbers that are not finite"),
    (BRYAN, {"point": constant(np.array([0.5, np.inf]))}, "1 of 2 numbers"),
    (BRYAN, {"point": constant(np.full(2, 99.0))}, r"point \[99.0, 99.0\], outside the box"),
    (BRYAN, {"point": constant(np.full(2, -1e-3))}, "outside the box"),
    (BRYAN, {"point": constant(np.ones(3))}, r"point of shape \(3,\)"),
    (BRYAN, {"point": constant(np.ones((2, 1)))}, r"point of shape \(2, 1\)"),
    (BRYAN, {"point": constant("ab")}, r"point of shape \(\)"),
    (BRYAN, {"ask": constant(None)}, "ask returned None, due are a point and the number"),
    (BRYAN, {"ask": constant(np.ones(2))}, "ask returned array"),
    (BRYAN, {"ask": lambda self: (self.point(), 4)}, "the function 4, due is a number from 0 to 3"),
    (BRYAN, {"ask": lambda self: (self.point(), -1)}, "the function -1"),
    (BRYAN, {"ask": lambda self: (self.point(), 0.5)}, "the function 0.5"),
    (BRYAN, {"ask": lambda self: (self.point(), "a")}, "the function 'a'"),
    (BRYAN, {"predict_mean": constant(1.0)}, r"shape \(\), due is \(2500,\)"),
    (BRYAN, {"predict_mean": raising(ValueError("too early"))},
     "still raises ValueError after 100 samples: too early"),
    (BRYAN, {"predict_mean": lambda self, X: X.fill(0)}, "read-only|still raises"),
    (BRYAN, {"tell": raising(KeyError("x"))}, "KeyError: 'x'"),
    (BRYAN, {"__init__": lambda self, heuristic: None}, "unexpected keyword argument 'task'"),
    (BRYAN, {"ask": lambda self: time.sleep(60)}, "ask took more than 0.2 seconds"),
    (BRYAN, {"ask": lambda self: self.task.bounds.fill(0)}, "read-only"),
    (RANKED, {"ask": lambda self: np.full(self.k, np.nan)}, "not finite"),
    (RANKED, {"ask": lambda self: np.arange(self.n)}, r"shape \(50,\), int64; due is \(5,\), int"),
    (RANKED, {"ask": lambda self: [0]}, r"shape \(1,\)"),
    (RANKED, {"ask": lambda self: np.arange(self.k) + self.n}, "documents from 0 to 49"),
    (RANKED, {"ask": lambda self: -1 - np.arange(self.k)}, "documents from 0 to 49"),
    (RANKED, {"ask": lambda self: np.arange(self.k) / 2}, "float64; due"),
    (RANKED, {"ask": constant(None)}, "ask returned object where numbers are due"),
    (RANKED, {"__init__": lambda self, n, k: None}, "TypeError"),
    (PARR, {"features": lambda self, process, smooth: smooth * np.nan}, "not finite"),
    (PARR, {"features": lambda self, process, smooth: smooth[0]}, r"shape \(50,\), due is \(50, k"),
    (PARR, {"features": lambda self, process, smooth: smooth[:5]}, r"shape \(5, 50\)"),
    (PARR, {"features": lambda self, process, smooth: smooth[:, :0]}, r"shape \(50, 0\)"),
    (PARR, {"features": lambda self, process, smooth: smooth * 1j}, "where numbers are due"),
    (PARR, {"features": constant(None)}, "object where numbers"),
    (PARR, {"features": lambda self, process, smooth: smooth.__imul__(2)}, "read-only"),
    (PARR, {"features": lambda self, process, smooth: process.rewards.fill(0)}, "read-only"),
    (PLANNED, {"fit": lambda self, mdp: self}, "fit left no policies_"),
    (PLANNED, {"fit": constant(None)}, "fit returned NoneType, due is the method itself"),
    (PLANNED, {"fit": lambda self, mdp: mdp.rewards.__imul__(0)}, "read-only"),
    (PLANNED, {"fit": leaving(Planner.fit, envelope_=np.ones(3))},
     "envelope_ is ndarray"),
    (PLANNED, {"fit": leaving(Planner.fit, policies_=np.zeros(3))},
     "policies_ has shape"),
    (PLANNED, {"fit": leaving(Planner.fit, envelope_=Envelope(*np.full((3, 1, 2), np.nan)))},
     "envelope_ has 2 of 2 numbers that are not finite"),
    (KEPT, {"get_support": lambda self: np.arange(3)}, r"shape \(3,\), int64; due is \(40,\)"),
    (KEPT, {"get_support": lambda self: np.ones(self.n)}, "float64; due is"),
    (KEPT, {"get_support": lambda self: np.ones(5, bool)}, r"shape \(5,\), bool"),
    (EXACT, lambda X, y, r, seed: np.arange(r), r"shape \(8,\), due is \(64,\)"),
    (EXACT, lambda X, y, r, seed: np.ones(X.shape[1]), "float64, due is bool"),
    (EXACT, wide, r"shape \(65,\)"),
    (EXACT, lambda X, y, r: None, "TypeError"),
    (REGIONS, raising(RuntimeError("no luck")), "RuntimeError: no luck"),
    (REGIONS, lambda X, y, mus, seed: np.ones((2, X.shape[1]), bool), r"due is \(n_resamples, "),
    (RACE, solver(), "it made no iteration"),
    (RACE, solver((0.0, 0.0)), "work of an iteration is 0.0, after 0 before"),
    (RACE, solver((np.nan, 1.0)), "not finite"),
    (RACE, solver((0.0, np.nan)), "not finite"),
    (RACE, lambda X, y, C, rng: iter([(np.ones(3), 1.0)]), r"weights have shape \(3,\)"),
    (RACE, lambda X, y, C, rng: iter([np.ones(3)]), "due are weights and work"),
    (RACE, lambda X, y, C, rng: (time.sleep(60) for _ in "a"), "took more than 0.2 seconds"),
    (BOOSTED, {"predict": lambda self, X: np.zeros(len(X))}, "the label 0, due are -1 and 1"),
    (BOOSTED, {"predict": lambda self, X: ["yes"] * len(X)}, "where numbers are due"),
    (BOOSTED, {"fit": lambda self, X, y: None}, "return self"),
    (BAGS, {"decision_function": lambda self, X: np.ones(2 * len(X))}, "a number a row"),
    (BAGS, {"fit": lambda self, X, y: self}, "unexpected keyword argument 'boxes'"),
    (BANDIT, {"partial_fit": raising(ValueError("no sparse X"))}, "ValueError: no sparse X"),
    (BANDIT, {"partial_fit": leaving(Counter.partial_fit, n_mistakes_=-5)},
     "n_mistakes_ went from 0 to -5"),
    (BANDIT, {"partial_fit": leaving(Counter.partial_fit, n_mistakes_="a")},
     "TypeError"),
    (ONLINE, {"fit": leaving(Budgeted.fit, mistakes_=[1, 1])},
     "each at most once"),
    (ONLINE, {"fit": leaving(Budgeted.fit, stored_=[1])}, r"shape \(1,\)"),
]  # fmt: skip


def use_solver(trial):
    X = csr_array(np.eye(6, 4))
    y = np.array([1.0, -1.0] * 3)
    for name, solve in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, work=[work for _, work in solve(X, y, 1.0, None)][-1])


def use_selector(trial):
    X = np.zeros((6, 40))
    y = np.arange(6) % 2
    for name, make in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, kept=make().fit(X, y).get_support().sum())


def bare(experiment):
    """Return an experiment without the paper's methods, but for a name that it measures itself."""
    named = ["PVF"] if experiment.name == "figure-1a" else []
    short = {"race": use_solver, "sparse-tasks": use_selector}
    return replace(
        experiment,
        methods=lambda choices: dict.fromkeys(named),
        function=short.get(experiment.name, experiment.function),
    )


def records_of(where, method, *, seconds=None):
    """Return the records of a method of one's own in an experiment's first trial, as `bare`."""
    key, _, name = where.partition("/")
    experiment = library.load_experiment(key, name)
    promise = getattr(load_promises(Entry(key)), experiment.expects.__name__, None)
    own = {"own:It": watched(method, experiment.expects, seconds=seconds, promise=promise)}
    make = partial(
        Trial, key, bare(experiment), *experiment.trials("smoke")[0],
        choices=library.trial_choices(key, name, DEFAULT), load=load,
    )  # fmt: skip
    lines = run_with_own(lambda methods: make(own_methods=methods), own)
    return [line for line in lines if line.get("method") == "own:It"]


def test_there_are_fifty_of_them_over_ten_interfaces():
    assert len(BROKEN) >= 50
    assert len({where for where, _, _ in BROKEN}) >= 10


@pytest.mark.parametrize(("where", "parts", "says"), BROKEN)
def test_a_broken_method_has_one_record_and_it_says_why(where, parts, says):
    method = type("It", (GOOD[where],), parts) if isinstance(parts, dict) else parts
    (record,) = records_of(where, method, seconds=0.2 if "took" in says else None)
    assert record["status"] == "failed"
    assert re.search(says, record["error"])


@pytest.mark.parametrize("where", sorted(GOOD.keys() - {RANKED, BANDIT, PLANNED}))
def test_a_good_method_is_measured(where):
    records = records_of(where, GOOD[where])
    assert {record["kind"] for record in records} == {"measurement"}
