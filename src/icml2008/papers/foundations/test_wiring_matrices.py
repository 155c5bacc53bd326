"""What trials on matrices, networks and components record, of answers that are off by a known part.

Of a matrix that is scaled by 1 + e, the relative error is e.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.pipeline import Pipeline

from wiring import wire

from . import experiments, linear, networks, recovery
from .samples import orthonormal


@pytest.mark.parametrize(
    ("off", "recovered", "roughly"), [(5e-4, 100, 100), (5e-3, 0, 100), (0.5, 0, 0)]
)
def test_a_matrix_is_recovered_within_a_thousandth_and_roughly_within_a_hundredth(
    off, recovered, roughly
):
    cell = {"rank": 2, "observed": 30}
    shown = []
    plain = wire(experiments.completion, cell, methods={"mine": lambda: as_given})
    true = recovery.low_rank(plain.rng("matrix"), 30, 30, 2)

    def completed(X, observed, *, tol, max_iter):
        shown.append((X, observed))
        return (1 + off) * true

    seen = wire(experiments.completion, cell, methods={"mine": lambda: completed})
    assert seen["mine"] == pytest.approx(
        {"relative_error": off, "recovered": recovered, "recovered_roughly": roughly}
    )
    ((X, observed),) = shown
    assert observed.sum() == 270
    np.testing.assert_array_equal(X[observed], true[observed])
    assert np.isnan(X[~observed]).all()
    assert np.linalg.matrix_rank(true) == 2


def as_given(X, observed, **_):
    """Return what is observed, and 0 elsewhere."""
    return np.where(observed, X, 0.0)


@pytest.mark.parametrize("entries", ["fixed", "bernoulli"])
def test_the_number_of_entries_grows_with_n_log_n_and_is_fixed_or_drawn(entries):
    shown = []

    def completed(X, observed, **_):
        shown.append(observed)
        return as_given(X, observed)

    cell = {"n": 40, "constant": 1.5}
    choices = {"entries": entries}
    methods = {"mine": lambda: completed}
    seen = wire(experiments.completion_by_size, cell, choices=choices, methods=methods)
    m = round(1.5 * 2 * 40 * np.log(40))
    X = recovery.low_rank(seen.rng("matrix"), 40, 40, 2)
    (observed,) = shown
    error = np.linalg.norm(X[~observed]) / np.linalg.norm(X)
    assert seen["mine"]["relative_error"] == pytest.approx(error)
    if entries == "fixed":
        assert observed.sum() == m
    else:
        np.testing.assert_array_equal(observed, seen.rng("entries").random((40, 40)) < m / 1600)


@pytest.mark.parametrize("kind", ["incoherent", "sparse", "missing row"])
def test_matrices_are_spread_out_or_have_two_entries_or_an_unseen_row(kind):
    shown = []

    def completed(X, observed, **_):
        shown.append((X, observed))
        return as_given(X, observed)

    methods = {"mine": lambda: completed}
    wire(experiments.coherence, {"matrix": kind}, methods=methods)
    ((X, observed),) = shown
    unseen = np.flatnonzero(~observed.any(axis=1))
    assert len(unseen) == (kind == "missing row")
    if kind != "missing row":
        assert observed.sum() == 960
    if kind == "sparse":
        assert np.count_nonzero(X[observed]) <= 2


@pytest.mark.parametrize("corrupted", [2, 40])
def test_so_many_percent_of_the_entries_are_off_by_one(corrupted):
    shown = []

    def pursued(spoilt, *, tol, max_iter):
        shown.append(spoilt)
        return 0 * spoilt, spoilt

    cell = {"rank": 2, "corrupted": corrupted}
    seen = wire(experiments.separation, cell, methods={"mine": lambda: pursued})
    X = recovery.low_rank(seen.rng("matrix"), 40, 40, 2) / np.sqrt(40)
    errors = np.abs(shown[0] - X)
    assert np.sum(errors > 0.5) == 16 * corrupted
    assert sorted(set(errors.round(9).ravel().tolist())) == [0, 1]
    # The first of what a pursuit returns is the matrix: here, nothing.
    assert seen["mine"]["relative_error"] == pytest.approx(1)


def test_lambda_is_one_over_the_root_of_the_side_that_a_method_is_called_by(monkeypatch):
    shown = []

    def pursued(spoilt, *, sparsity, **_):
        shown.append((spoilt.shape, sparsity))
        return spoilt, None

    monkeypatch.setattr(recovery, "robust_pca", pursued)
    seen = wire(experiments.weight_of_the_sparse_part, {"columns": 160})
    assert shown == [((40, 160), pytest.approx(40**-0.5)), ((40, 160), pytest.approx(160**-0.5))]
    X = recovery.low_rank(seen.rng("matrix"), 40, 160, 2) / np.sqrt(40)
    # A twentieth of the entries are off by 1.
    error = np.sqrt(0.05 * 40 * 160) / np.linalg.norm(X)
    assert seen["smaller side"]["relative_error"] == pytest.approx(error)


def test_the_angle_is_the_largest_between_the_planes_of_rows():
    shown = []
    cell = {"size": 100}

    def tilted(X):
        shown.append(X)
        V = np.linalg.svd(X)[2]
        return np.column_stack([V[0], np.cos(0.3) * V[1] + np.sin(0.3) * V[7]])

    seen = wire(experiments.one_bad_entry, cell, methods={"mine": lambda: tilted})
    rng = seen.rng("matrix", across=("size",))
    U = orthonormal(rng, 60, 2)
    V = orthonormal(rng, 40, 2)
    X = (U * [30.0, 20.0]) @ V.T
    gap = shown[0] - X
    assert gap.max() == pytest.approx(100)
    assert np.sum(np.abs(gap) > 1e-9) == 1
    basis = np.linalg.qr(tilted(shown[0]))[0]
    cosine = np.linalg.svd(basis.T @ V)[1].min()
    assert seen["mine"]["angle"] == pytest.approx(np.degrees(np.arccos(cosine)))


# networks


def test_the_error_of_a_width_is_the_least_of_three_starts():
    errors = iter([0.3, 0.01, 0.2])
    asked = []

    class Net:
        def __init__(self, random_state, **how):
            asked.append((random_state, how["hidden_layer_sizes"], how["alpha"]))
            self.off = next(errors)

        def fit(self, X, y):
            self.y = y
            return self

        def predict(self, X):
            return self.y - self.off

    seen = wire(experiments.approximation, {"units": 4}, methods={"one hidden layer": Net})
    assert seen["one hidden layer"]["log_error"] == pytest.approx(-2)
    assert len({state for state, *_ in asked}) == 3
    assert {(sizes, alpha) for _, sizes, alpha in asked} == {((4,), 0)}


def test_squared_errors_are_against_the_sine_without_noise():
    class Wave:
        def fit(self, X, y):
            assert np.abs(X).max() <= 3
            return self

        def predict(self, X):
            return np.sin(2 * np.pi * X[:, 0] / 3) + 0.2

    seen = wire(experiments.overfitting, methods={"mine": lambda rng: Wave()})
    assert seen["mine"]["squared_error"] == pytest.approx(0.04)


def test_stopping_keeps_the_step_that_meets_the_held_out_fifth_best(monkeypatch):
    """Of steps 1 to 5 the fourth predicts best; the start is 9 and no step."""

    class Line:
        def __init__(self, X, Y, units, output):
            assert (len(X), units, output) == (16, 30, "identity")

        def start(self, rng):
            return 9.0

        def error_and_gradient(self, theta):
            raise AssertionError

        def outputs(self, theta, X):
            return np.full(len(X), 1.0 + abs(theta - 4))

    def minimize(train, start, *, jac, callback, **how):
        for theta in (1.0, 2.0, 3.0, 4.0, 5.0):
            callback(np.float64(theta))

    monkeypatch.setattr(networks, "Network", Line)
    monkeypatch.setattr(networks, "minimize", minimize)
    stopped = networks.Stopped(np.random.default_rng(0)).fit(np.zeros((20, 1)), np.ones(20))
    assert stopped.theta_ == 4.0
    assert stopped.predict(np.zeros((3, 1))).tolist() == [1.0] * 3


def test_lines_and_networks_are_tested_where_they_did_not_learn():
    class Half:
        """Is right where the first feature is above 0."""

        def fit(self, X, y):
            self.shown = (len(X), len(y))
            return self

        def score(self, X, y):
            assert self.shown == (200, 200)
            return np.mean((X[:, 1] > 0) == y)

    seen = wire(experiments.exclusive_or, methods={"linear": lambda rng: Half()})
    X = seen.rng("samples").uniform(-1, 1, size=(1200, 2))[200:]
    assert seen["linear"]["accuracy"] == pytest.approx(100 * np.mean(X[:, 0] > 0))
    assert seen.n_test["linear"]["accuracy"] == 1000


# components


def test_accuracy_is_that_on_the_other_half_and_kept_the_percent_of_features():
    fitted = []

    class Plain:
        def fit(self, X, y):
            fitted.append((X, y))
            return self

        def score(self, X, y):
            assert len(X) == len(y) == 285
            assert not set(map(tuple, X)) & set(map(tuple, fitted[0][0]))
            return 0.75

    class Fewer(Plain, Pipeline):
        def __init__(self):
            self.steps = [("pca", SimpleNamespace(n_components_=6))]

        def __getitem__(self, at):
            return self.steps[at][1]

    methods = {"all features": Plain, "fewer": Fewer}
    cell = {"dataset": "breast-cancer"}
    seen = wire(experiments.least_squares_on_components, cell, methods=methods)
    assert seen["all features"] == {"accuracy": 75, "kept": 100}
    assert seen["fewer"] == {"accuracy": 75, "kept": pytest.approx(20)}
    assert seen.n_test["fewer"]["accuracy"] == 285
    assert {len(X) for X, _ in fitted} == {284}


def test_signs_of_columns_are_free_and_nothing_else_is():
    A = np.array([[1.0, 2.0], [3.0, -4.0]])
    assert linear.apart(A * [1, -1], A) == 0
    assert linear.apart(A + [[0, 0], [0, 1]], A) == pytest.approx(1 / 4)


def test_rows_that_are_rebuilt_lose_what_lies_off_the_basis():
    X = np.array([[1.0, 2.0, 2.0], [0.0, 3.0, 0.0]])
    assert linear.lost(X, np.eye(3)[:, :1]) == 17
    assert linear.lost(X, np.eye(3)) == 0
