"""Figures 1 and 2 by plain loops, written from the text before the code was read."""

from collections import Counter
from functools import partial
from math import acos, exp, log, sqrt
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.svm import SVC

from icml2008.data import DataUnavailable, load
from icml2008.harness.trial import Trial, run_trial

from . import experiments

KEY = "martins2008nonextensive"
DEFAULTS = {"vocabulary": "all", "idf-texts": "training", "ties": "middle"}


def entropy(q, p):
    """Return Equation 2 of the probabilities that are not 0."""
    return -sum(x * log(x) for x in p) if q == 1 else (1 - sum(x**q for x in p)) / (q - 1)


def tsallis(q, p, r):
    """Return Equation 23, of texts as mappings from words to probabilities."""
    log_2 = log(2) if q == 1 else (2 ** (1 - q) - 1) / (1 - q)
    middle = [(p.get(word, 0) + r.get(word, 0)) / 2 for word in p.keys() | r.keys()]
    both = entropy(q, p.values()) + entropy(q, r.values())
    return log_2 - entropy(q, middle) + both / 2**q


def heat(tau, p, r):
    """Return Equation 28 without its constant factor."""
    return exp(
        -((2 * acos(min(1, sum(sqrt(p[w] * r[w]) for w in p.keys() & r.keys())))) ** 2) / (4 * tau)
    )


def linear(_, p, r):
    """Return the inner product of both texts, each of length 1."""
    squares = [sum(x * x for x in text.values()) for text in (p, r)]
    return sum(p[w] * r[w] for w in p.keys() & r.keys()) / sqrt(squares[0] * squares[1])


def probabilities(counts, among, idf):
    """Return each text's shares of its words, times log(n / texts that have one) for tf-idf."""
    frequency = Counter(word for i in among for word in counts[i])
    texts = []
    for text in counts:
        mass = {
            word: n * log(len(among) / frequency[word]) if idf else n
            for word, n in text.items()
            if not idf or 0 < frequency[word] < len(among)
        }
        texts.append({word: x / sum(mass.values()) for word, x in mass.items()})
    return texts


def misses(K, y, train, test, C):
    """Return how many test texts a machine gets wrong."""
    machine = SVC(C=C, kernel="precomputed", tol=1e-3).fit(K[np.ix_(train, train)], y[train])
    return int(np.sum(machine.predict(K[np.ix_(test, train)]) != y[test]))


def tuned(kernel, parameters, texts, y, train, test):
    """Return percent wrong with the parameter and C of fewest errors in five folds."""
    settings = []
    for parameter in parameters:
        K = np.array([[kernel(parameter, p, texts[j]) for j in train] for p in texts])
        costs = [C / np.mean(np.diag(K[train])) for C in (0.1, 1, 10, 100)]
        folds = [(np.setdiff1d(train, train[i::5]), train[i::5]) for i in range(5)]
        missed = [sum(misses(K, y, *fold, C) for fold in folds) for C in costs]
        best = costs[np.argmin(missed)]
        settings.append((min(missed), 100 * misses(K, y, train, test, best) / len(test)))
    fewest = [error for missed, error in settings if missed == min(settings)[0]]
    return fewest[(len(fewest) - 1) // 2]


def generated(_):
    """Return short texts of two classes, whose words have frequencies that differ a little."""
    rng = np.random.default_rng(0)
    frequencies = [[0.7, 0.3], [0.3, 0.7]] @ rng.dirichlet(np.full(40, 0.3), size=2)
    y = np.repeat(["acq", "earn"], 20)
    counts = [rng.multinomial(rng.integers(5, 20), frequencies[int(kind == "earn")]) for kind in y]
    return SimpleNamespace(X=csr_array(np.array(counts, dtype=float)), y=y)


def registered(name):
    try:
        return load(name)
    except DataUnavailable as why:
        pytest.skip(str(why))


@pytest.mark.parametrize(
    ("task", "idf", "read", "sizes"),
    [
        ("earn-acq", 0, generated, (8, 8)),
        ("stud-fac", 1, generated, (8, 8)),
        pytest.param("earn-acq", 0, registered, (200, 250), marks=pytest.mark.thorough),
        pytest.param("stud-fac", 1, registered, (50, 60), marks=pytest.mark.thorough),
    ],
)
def test_errors_of_texts_are_those_of_plain_loops(task, idf, read, sizes, monkeypatch):
    n_train, n_test = sizes
    monkeypatch.setattr(experiments, "N_TRAIN", n_train)
    monkeypatch.setattr(experiments, "N_TEST", n_test)
    cell = {"task": task, "idf": idf}
    bags = read(f"{task}-words")
    trial = Trial(KEY, experiments.run_text, cell, 0, choices=DEFAULTS, load=lambda name: bags)
    error_of = {
        line["method"]: line["value"] for line in run_trial(trial) if line["metric"] == "error"
    }

    rng = trial.rng("sample", across=("idf",))
    rows = []
    for kind in sorted(set(bags.y), key=lambda kind: kind != bags.y[0]):
        rows.append(rng.permutation(np.flatnonzero(bags.y == kind))[: n_train + n_test])
    chosen = np.concatenate([part[:n_train] for part in rows] + [part[n_train:] for part in rows])
    X = bags.X.tocsr()[chosen]
    parts = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    counts = [dict(zip(X.indices[a:b], X.data[a:b], strict=True)) for a, b in parts]
    train, test = np.split(np.arange(len(chosen)), [2 * n_train])
    texts = probabilities(counts, train, idf)
    again = partial(tuned, texts=texts, y=bags.y[chosen], train=train, test=test)
    assert error_of["Tsallis"] == again(tsallis, [m / 5 for m in range(11)])
    assert error_of["q=0.4"] == again(tsallis, [2 / 5])
    assert error_of["heat"] == again(heat, [0.5, 1, 2, 4, 8, 16])
    assert error_of["linear"] == again(linear, [None])
