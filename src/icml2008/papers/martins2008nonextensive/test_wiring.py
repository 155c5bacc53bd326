"""What is measured of texts and kernels, and what each choice changes."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import SVC

from icml2008.papers.martins2008nonextensive import experiments
from icml2008.papers.martins2008nonextensive.experiments import Q
from icml2008.papers.martins2008nonextensive.method import heat_kernels, tsallis_kernels
from wiring import wire


@pytest.fixture
def bags(monkeypatch):
    """Return texts of two classes, of which each part takes a few."""
    monkeypatch.setattr(experiments, "N_TRAIN", 10)
    monkeypatch.setattr(experiments, "N_TEST", 8)
    rng = np.random.default_rng(1)
    y = np.tile(["earn", "acq"], 25)
    rates = np.where(y[:, None] == "earn", rng.random(12), rng.random(12)) + 0.1
    X = rng.poisson(rates)
    X[:, 0] += 1
    X[:, 11] = 0
    X[:2, 11] = 1
    words = SimpleNamespace(X=sparse.csr_array(X.astype(float)), y=y)
    return {"earn-acq-words": words, "stud-fac-words": words}


def sample(wired, idf, vocabulary="all", texts="training"):
    """Return distributions, lengths and classes, of the texts for training and for testing."""
    bags = wired.trial.data(f"{wired.trial.cell['task']}-words")
    X = bags.X.toarray().astype(float)
    y = np.where(bags.y == "earn", 1.0, -1.0)
    rng = wired.rng("sample", across=("idf",))
    first, second = (rng.permutation([i for i in range(50) if y[i] == sign]) for sign in (1, -1))
    train = [*first[:10], *second[:10]]
    test = [*first[10:18], *second[10:18]]
    if vocabulary == "three-texts":
        X = X[:, [j for j in range(12) if sum(X[:, j] > 0) >= 3]]
    lengths = X.sum(axis=1)
    if idf:
        seen = X if texts == "all" else X[train]
        among = [sum(column > 0) for column in seen.T]
        X = X * [math.log(len(seen) / n) if n else 0.0 for n in among]
    sums = X.sum(axis=1, keepdims=True)
    P = X / np.where(sums > 0, sums, 1.0)
    return [(P[part], lengths[part], y[part]) for part in (train, test)]


@pytest.mark.parametrize("idf", [0, 1])
@pytest.mark.parametrize(
    "choices",
    [{}, {"vocabulary": "three-texts"}, {"idf-texts": "all"}, {"ties": "smallest"}],
    ids=str,
)
def test_errors_are_of_the_drawn_texts_by_the_kernel_that_folds_prefer(
    monkeypatch, bags, idf, choices
):
    shown = []

    def outcome(family, train, test, y, y_test, ties):
        shown.append((family, train.toarray(), test.toarray(), y, y_test, ties))
        errors = np.array([3.0, 1, 2, 1, 5, 5, 5, 5, 5, 5, 5])
        return 10.0 + len(shown), errors

    monkeypatch.setattr(experiments, "outcome", outcome)
    wired = wire(experiments.run_text, {"task": "stud-fac", "idf": idf}, choices=choices, data=bags)
    (P, _, y), (R, _, y_test) = sample(
        wired, idf, choices.get("vocabulary", "all"), choices.get("idf-texts", "training")
    )
    for family, train, test, given, given_test, ties in shown:
        np.testing.assert_allclose(train, P)
        np.testing.assert_allclose(test, R)
        np.testing.assert_array_equal(given, y)
        np.testing.assert_array_equal(given_test, y_test)
        assert ties == choices.get("ties", "middle")
        assert family in experiments.FAMILIES.values()
    assert wired["Tsallis"] == {"error": 11.0, "best_q": pytest.approx((Q[1] + Q[3]) / 2)}
    assert (wired["linear"], wired["heat"]) == ({"error": 12.0}, {"error": 13.0})
    assert wired["q=0"] == {"error": 3.0}
    assert wired["q=0.6"] == {"error": 1.0}
    assert wired["q=2"] == {"error": 5.0}
    assert wired.n_test["q=2"]["error"] == 16


def test_a_kernel_is_chosen_by_its_errors_on_folds(monkeypatch):
    held_out = iter([4, 2, 2, 2, 2, 3])
    monkeypatch.setattr(experiments, "cross_validated", lambda K, y: (next(held_out), K[0, 0]))
    monkeypatch.setattr(experiments, "trained", lambda K, y, cost: cost)
    monkeypatch.setattr(experiments, "wrong", lambda machine, K, y: machine + K[0, 0])

    def family(P, R):
        first = 1.0 if P is R else 2.0
        return [np.full((2, 2), first * k) for k in range(6)]

    train = object()
    y_test = np.ones(30)
    how = family, train, object(), None, y_test
    held_out = iter([4, 2, 2, 2, 2, 3])
    middle, errors = experiments.outcome(*how)
    np.testing.assert_allclose(errors, [10.0 * k for k in range(6)])
    assert middle == 20.0  # the lower of the two in the middle of kernels 1 to 4
    held_out = iter([4, 2, 2, 2, 2, 3])
    assert experiments.outcome(*how, "smallest")[0] == 10.0


def test_folds_choose_the_smallest_c_of_fewest_errors():
    rng = np.random.default_rng(4)
    y = np.where(rng.random(40) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(40, 3)) + 0.4 * y[:, None]
    K = X @ X.T + 0.1
    costs = np.array([0.1, 1, 10, 100]) / np.mean(np.diag(K))
    errors = []
    for cost in costs:
        missed = 0
        for fold in range(5):
            held = np.arange(40) % 5 == fold
            machine = SVC(C=cost, kernel="precomputed").fit(K[~held][:, ~held], y[~held])
            missed += np.sum(machine.predict(K[held][:, ~held]) != y[held])
        errors.append(missed)
    assert experiments.cross_validated(K, y) == (min(errors), costs[np.argmin(errors)])
    assert min(errors) < max(errors)
    machine = SVC(C=costs[1], kernel="precomputed").fit(K, y)
    fitted = experiments.trained(K, y, costs[1])
    assert experiments.wrong(fitted, K, y) == np.sum(machine.predict(K) != y)
    assert fitted[2]  # some text is at its bound
    assert not experiments.trained(K + 50 * np.eye(40), y, 1e6)[2]


def test_families_are_of_distributions_at_their_settings(bags):
    rng = np.random.default_rng(2)
    P, R = (sparse.csr_array(rng.dirichlet(np.ones(5), 3)) for _ in range(2))
    np.testing.assert_allclose(experiments.tsallis(P, R), tsallis_kernels(P / 2, R / 2, Q))
    dense = [M.toarray() for M in (P, R)]
    cosine = [[a @ b / np.linalg.norm(a) / np.linalg.norm(b) for b in dense[1]] for a in dense[0]]
    np.testing.assert_allclose(experiments.linear(P, R), [cosine])
    times = [0.5, 1, 2, 4, 8, 16]
    np.testing.assert_allclose(experiments.heat(P, R), heat_kernels(P, R, times))


@pytest.mark.parametrize("kernel", ["weighted", "k"])
def test_words_weigh_as_the_method_says(monkeypatch, bags, kernel):
    shown = []

    def outcome(family, P, R, y, y_test):
        shown.append((P.toarray(), R.toarray(), family(P, R)))
        return 7.0, None

    monkeypatch.setattr(experiments, "outcome", outcome)
    wired = wire(experiments.run_weights, {"idf": 0}, choices={"kernel": kernel}, data=bags)
    (P, n, _), (R, m, y_test) = sample(wired, 0)
    weights = {
        "uniform": lambda n: 1.0,
        "counts": lambda n: n,
        "square roots": math.sqrt,
        "logarithms": lambda n: 1 + math.log(n),
    }
    for (name, weigh), (left, right, kernels) in zip(weights.items(), shown, strict=True):
        np.testing.assert_allclose(left, P * [[weigh(length)] for length in n])
        np.testing.assert_allclose(right, R * [[weigh(length)] for length in m])
        q = np.linspace(0, 1 if kernel == "k" else 2, 5)
        expected = tsallis_kernels(sparse.csr_array(left), sparse.csr_array(right), q)
        if kernel == "k":
            sums = left.sum(axis=1)[:, None] + right.sum(axis=1)
            expected = [K / sums**order for K, order in zip(expected, q, strict=True)]
        np.testing.assert_allclose(kernels, expected, rtol=1e-6, atol=1e-12)
        assert wired[name] == {"error": 7.0}
        assert wired.n_test[name]["error"] == len(y_test)


def test_a_statement_is_violated_by_the_most_of_ten_draws(monkeypatch):
    draws = iter([-3.0, 0.5, 0.25, *[0.0] * 7])

    def violations(rng):
        k = next(draws)
        return {name: k * (at + 1) for at, name in enumerate(experiments.STATEMENTS)}

    monkeypatch.setattr(experiments, "violations", violations)
    wired = wire(experiments.run_propositions)
    for at, name in enumerate(experiments.STATEMENTS):
        assert wired[name] == {"violation": 0.5 * (at + 1)}
        assert wired.n_test[name]["violation"] == 10
    points = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]]
    form = 0.0
    for a, v in zip(points, (-4, -4, 1, 7), strict=True):
        for b, w in zip(points, (-4, -4, 1, 7), strict=True):
            overlap = sum(math.sqrt(x * y) for x, y in zip(a, b, strict=True))
            form += v * w * (2 * math.acos(min(1.0, overlap))) ** 2
    assert wired["heat"]["form"] == pytest.approx(form / math.pi**2, abs=1e-6)
    assert wired["heat"]["form"] > 0 > wired["heat"]["least"]


def test_a_wrong_kernel_violates_what_is_stated_of_it(monkeypatch):
    usual = [experiments.violations(np.random.default_rng(seed)) for seed in range(8)]
    for name in experiments.STATEMENTS:
        assert max(violation[name] for violation in usual) < 1e-6, name

    def wrong(mu, nu, q):
        return [K + np.eye(len(K)) * 0.3 - 0.2 for K in tsallis_kernels(mu, nu, q)]

    monkeypatch.setattr(experiments, "tsallis_kernels", wrong)
    broken = [experiments.violations(np.random.default_rng(seed)) for seed in range(8)]
    for name in ("definition", "Boolean", "Jensen-Shannon", "linear"):
        assert min(violation[name] for violation in broken) > 0.05
    assert max(violation["weighted"] for violation in broken) > 0


def test_a_wrong_entropy_violates_what_is_stated_of_it(monkeypatch):
    entropy = experiments.entropy
    monkeypatch.setattr(experiments, "entropy", lambda mu, q: -entropy(mu, q))
    broken = [experiments.violations(np.random.default_rng(seed)) for seed in range(8)]
    for name in ("entropy", "information", "definition", "difference", "minimiser"):
        assert max(violation[name] for violation in broken) > 0.01, name
