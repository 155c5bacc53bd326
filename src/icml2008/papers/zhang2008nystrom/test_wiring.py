"""What is measured of approximated kernels, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from icml2008.papers.zhang2008nystrom import experiments
from wiring import wire


@pytest.fixture
def german():
    X = np.random.default_rng(1).normal(size=(60, 4)) * [1, 5, 0.2, 1] + 3
    X[:, 3] = 7.0
    return {"german-numeric": SimpleNamespace(X=X)}


def scaled(X):
    """Return features between -1 and 1; one that is constant is 0."""
    rows = X.copy()
    for j in range(X.shape[1]):
        column = X[:, j]
        span = max(column) - min(column)
        rows[:, j] = 2 * (column - min(column)) / span - 1 if span else 0.0
    return rows


def kernel(A, B, width):
    return np.exp(-cdist(A, B, "sqeuclidean") / width)


def width_of(X):
    return np.mean(np.sum((X - X.mean(axis=0)) ** 2, axis=1))


def approximation(X, Z, width):
    return kernel(X, Z, width) @ np.linalg.pinv(kernel(Z, Z, width)) @ kernel(Z, X, width)


def first_rows(X, width, norms, m, rng):
    """Choose the first m rows as landmarks."""
    return X[:m]


def drawn_rows(X, width, norms, m, rng):
    """Choose m rows by chance."""
    return X[rng.choice(len(X), m, replace=False)]


METHODS = {"first": first_rows, "drawn": drawn_rows}


def test_errors_of_the_matrix_are_decades_of_its_norm(german):
    wired = wire(experiments.run_matrix, data=german, methods={**METHODS, "SVD": None})
    X = scaled(german["german-numeric"].X)
    width = width_of(X)
    K = kernel(X, X, width)
    whole = np.linalg.norm(K)
    values = np.linalg.eigvalsh(K)
    best = np.sqrt(np.sum(values[:-3] ** 2)) / whole  # 5 % of 60 rows
    assert 10 ** wired["SVD"]["error"] == pytest.approx(best, rel=2e-3)
    for name, Z in (
        ("first", X[:3]),
        ("drawn", X[wired.rng("drawn 0").choice(60, 3, replace=False)]),
    ):
        error = np.linalg.norm(K - approximation(X, Z, width)) / whole
        assert 10 ** wired[name]["error"] == pytest.approx(error, rel=2e-3)


def test_landmarks_are_drawn_as_their_names_say(monkeypatch):
    X = np.arange(12.0)[:, None]
    norms = np.r_[np.zeros(9), 1.0, 2, 3]
    asked = []
    monkeypatch.setattr(
        experiments, "centres", lambda X, m, rng, start: asked.append((m, start)) or X[:m]
    )
    monkeypatch.setattr(experiments, "pivots", lambda X, m, kernel: np.arange(m) + 5)
    for choice, start in (("random", "random"), ("spread-out", "k-means++")):
        made = experiments.schemes({"k-means-start": choice})
        made["k-means"](X, 1.0, norms, 3, None)
        assert asked.pop() == (3, start)
        chosen = made["random"](X, 1.0, norms, 12, np.random.default_rng(2))
        assert sorted(chosen.ravel()) == list(range(12))
        chosen = made["Drineas"](X, 1.0, norms, 5000, np.random.default_rng(2))
        shares = np.bincount(chosen.ravel().astype(int), minlength=12) / 5000
        np.testing.assert_allclose(shares, norms / 6, atol=0.03)
        np.testing.assert_array_equal(made["ICD"](X, 1.0, norms, 2, None), X[5:7])


@pytest.mark.parametrize("choices", [{}, {"scaling": "raw"}, {"embedding": "scaled"}])
def test_directions_are_apart_by_what_no_map_of_the_others_gives(german, choices):
    wired = wire(experiments.run_kpca, data=german, methods=METHODS, choices=choices)
    X = german["german-numeric"].X
    X = X if "scaling" in choices else scaled(X)
    width = width_of(X)
    H = np.eye(60) - 1 / 60
    values, U = np.linalg.eigh(H @ kernel(X, X, width) @ H)
    top = U[:, -3:] * (np.sqrt(values[-3:]) if "embedding" in choices else 1)
    Z = X[wired.rng("drawn 0").choice(60, 3, replace=False)]
    for name, landmarks in (("first", X[:3]), ("drawn", Z)):
        V = np.linalg.eigh(H @ approximation(X, landmarks, width) @ H)[1][:, -3:]
        # Where three landmarks give two directions alone, the third is of rounding.
        apart = np.linalg.norm(top - V @ V.T @ top)
        assert wired[name]["misalignment"] == pytest.approx(apart, rel=2e-3)


def test_correlations_are_of_both_errors_over_ten_draws(german):
    methods = {"drawn": drawn_rows, "some": drawn_rows, "all": None}
    wired = wire(experiments.run_correlation, data=german, methods=methods)
    X = scaled(german["german-numeric"].X)
    width = width_of(X)
    K = kernel(X, X, width)
    pairs = {"drawn": [], "some": []}
    for name, errors in pairs.items():
        for draw in range(10):
            Z = X[wired.rng(f"{name} {draw}").choice(60, 6, replace=False)]
            quantised = sum(min(np.sum((x - z) ** 2) for z in Z) for x in X)
            errors.append((np.linalg.norm(K - approximation(X, Z, width)), quantised))
    pairs["all"] = [*pairs["drawn"], *pairs["some"]]
    for name, errors in pairs.items():
        r = np.corrcoef(*zip(*errors, strict=True))[0, 1]
        assert wired[name]["correlation"] == pytest.approx(r, abs=2e-3)


def machine(K, y, K_test):
    """Return values of the least squares machine at C = 0.5, by its whole system."""
    n = len(y)
    system = np.block([[np.zeros((1, 1)), np.ones((1, n))], [np.ones((n, 1)), K + 2 * np.eye(n)]])
    b, *alpha = np.linalg.solve(system, np.append(0, y))
    return K_test @ alpha + b


@pytest.mark.parametrize("choices", [{}, {"scoring": "low-rank"}, {"digits-gamma": "256"}])
def test_error_rates_are_those_of_the_least_squares_system(choices):
    names = ["SVD", "LS-SVM", "larger class"]
    wired = wire(
        experiments.run_lssvm, choices=choices, methods={**METHODS, **dict.fromkeys(names)}
    )
    y = np.tile([1.0, 1.0, -1.0, -1.0], 60)
    rows = wired.rng("digits", across=("repeat",)).normal(size=(240, 5)) + 0.7 * y[:, None]
    X = rows[::2]
    T = rows[1::2]
    t = y[1::2]
    y = y[::2]
    width = 256.0 if "digits-gamma" in choices else width_of(X)
    K = kernel(X, X, width)
    K_test = kernel(T, X, width)
    values, U = np.linalg.eigh(K)
    V = U[:, -6:]  # 5 % of 120 rows
    low = "scoring" in choices

    def rate(decided):
        return pytest.approx(100 * np.mean(np.where(decided >= 0, 1, -1) != t), abs=1e-3)

    assert wired["LS-SVM"]["error_rate"] == rate(machine(K, y, K_test))
    assert wired["larger class"]["error_rate"] == rate(np.full(120, y.sum()))
    part = V * values[-6:] @ V.T
    assert wired["SVD"]["error_rate"] == rate(machine(part, y, K_test @ V @ V.T if low else K_test))
    Z = X[wired.rng("drawn 0").choice(120, 6, replace=False)]
    for name, chosen in (("first", X[:6]), ("drawn", Z)):
        nystrom = kernel(X, chosen, width) @ np.linalg.pinv(kernel(chosen, chosen, width))
        to = kernel(T, chosen, width) @ np.linalg.pinv(kernel(chosen, chosen, width))
        to = to @ kernel(chosen, X, width) if low else K_test
        decided = machine(nystrom @ kernel(chosen, X, width), y, to)
        assert wired[name]["error_rate"] == rate(decided)
        assert wired.n_test[name]["error_rate"] == 120


def test_a_pair_of_digits_is_told_apart_by_the_first():
    labels = np.array([1, 7, 3, 1, 7, 7, 1])
    images = np.arange(7.0)[:, None, None] * np.ones((7, 2, 2))
    table = SimpleNamespace(images=images, y=labels, n_train=4)
    trial = SimpleNamespace(cell={"pair": "1-7"}, data={"usps-zip": table}.__getitem__)
    X, y, T, t = experiments.digits(trial)
    assert (X[:, 0].tolist(), y.tolist()) == ([0, 1, 3], [1, -1, 1])
    assert (T[:, 0].tolist(), t.tolist()) == ([4, 5, 6], [-1, -1, 1])


def test_violations_are_the_largest_shares_beyond_the_right_sides(monkeypatch):
    ratios = iter(np.linspace(1, 3, 100))
    monkeypatch.setattr(experiments, "moved", lambda kernel, rng: (next(ratios), 2.0))
    Z = np.array([[1.0]])
    monkeypatch.setattr(experiments, "clustered", lambda rng: (Z, "samples"))

    def bounds(kernel, Z, samples, which):
        if samples is not None and isinstance(samples, str):
            left = np.array([[3.0, 4.0]])
            return left, np.array([[3.0, 8.0]]), np.array([[6.0, 2.0]]), 2.0 + which
        return np.array([[0.5]]), None, None, None

    monkeypatch.setattr(experiments, "bounds", bounds)
    wired = wire(experiments.run_bounds, {"kernel": "Gaussian"})
    # The kernel of the landmark with itself is 1.
    for name, constant, complete in (("printed", 0.5, 2.0), ("derived", 4 / np.e, 3.0)):
        assert wired[name] == pytest.approx(
            {
                "property": 3 / constant - 1,
                "partial": 3.0,
                "complete": 5 / complete - 1,
                "exact": 0.5,
            },
            rel=1e-3,
        )
        assert wired.n_test[name]["property"] == 100
