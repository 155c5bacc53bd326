"""Plain loops from the text, liblinear, and closed forms against the solvers."""

from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import check_estimator

from .experiments import documents, passes_until, problem, rate_bound
from .method import LOSSES, DualCoordinateDescentSVC, dual, last, outer_iterations, primal
from .rivals import cutting_planes, pegasos, primal_coordinates, trust_region_newton


def examples(n=120, seed=0):
    return documents(np.random.default_rng(seed), n_rows=n, n_words=200)


def optimum(X, y, C, loss):
    """Return the least objective by liblinear."""
    how = {"dual": True, "fit_intercept": False, "max_iter": 10**5, "random_state": 0}
    model = LinearSVC(C=C, loss=loss, tol=1e-10, **how)
    return primal(X, y, model.fit(X, y).coef_[0], C, loss)


def shuffled(order, rng):
    """Shuffle a list as the kernel does, so that both visit the rows alike."""
    for k in range(len(order)):
        other = k + int(rng.random() * (len(order) - k))
        order[k], order[other] = order[other], order[k]
    return order


def by_the_text(X, y, C, loss, passes, rng=None):
    """Run Algorithm 1 or, with a generator, Section 3.1: the loop of a second reader."""
    upper, ridge = (C, 0.0) if loss == "hinge" else (np.inf, 1 / (2 * C))
    Q = X.multiply(X).sum(axis=1) + ridge
    order = list(range(len(y)))
    alpha = np.zeros(len(y))
    w = np.zeros(X.shape[1])
    values = []
    for _ in range(passes):
        for i in order if rng is None else shuffled(order, rng):
            s = slice(X.indptr[i], X.indptr[i + 1])
            j = X.indices[s]
            x = X.data[s]
            old = alpha[i]
            G = y[i] * (x @ w[j]) - 1 + ridge * old
            PG = min(G, 0) if old == 0 else max(G, 0) if old == upper else G
            if PG != 0:
                alpha[i] = min(max(old - G / Q[i], 0), upper) if Q[i] > 0 else upper
                w[j] += (alpha[i] - old) * y[i] * x
        h = np.maximum(1 - y * (X @ w), 0)
        values.append(w @ w / 2 + C * (h.sum() if loss == "hinge" else (h**2).sum()))
    return alpha, w, np.array(values)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("order", ["cyclic", "permuted"])
def test_outer_iterations_are_those_of_a_second_reader(loss, order):
    X, y = examples(60)
    rng = np.random.default_rng(7) if order == "permuted" else None
    alpha, w, values = by_the_text(X, y, 0.8, loss, 25, rng)
    steps = outer_iterations(X, y, 0.8, loss, order=order, rng=np.random.default_rng(7))
    ours = [primal(X, y, state.w, 0.8, loss) for state in islice(steps, 24)]
    state = next(steps)
    assert np.allclose(state.alpha, alpha, atol=1e-12)
    assert np.allclose(state.w, w, atol=1e-12)
    assert np.allclose(ours, values[:-1])
    assert X.nnz * 25 < state.work <= X.nnz * 50
    # The headline number: how many outer iterations until within 1 % (20).
    within = 1.01 * optimum(X, y, 0.8, loss)
    assert np.argmax(np.array(ours) <= within) == np.argmax(values <= within) > 0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    "options",
    [{"order": "cyclic"}, {}, {"shrinking": True}, {"shrinking": True, "aggressive": 0.5}],
)
def test_the_optimum_is_liblinears(loss, options):
    X, y = examples()
    best = optimum(X, y, 1.0, loss)
    state = last(outer_iterations(X, y, 1.0, loss, tol=1e-10, **options))
    assert abs(primal(X, y, state.w, 1.0, loss) / best - 1) < 1e-10
    assert abs(dual(state.alpha, state.w, 1.0, loss) / best + 1) < 1e-10


def test_the_online_algorithm_and_the_rivals_find_the_optimum():
    X, y = examples()
    for loss, steps, number, error in (
        ("hinge", outer_iterations(X, y, 1.0, "hinge", order="random"), 500, 1e-6),
        ("hinge", cutting_planes(X, y, 1.0), 80, 1e-3),
        ("hinge", pegasos(X, y, 1.0, np.random.default_rng(0)), 2000, 1e-2),
        ("squared_hinge", primal_coordinates(X, y, 1.0, np.random.default_rng(0)), 400, 1e-10),
        ("squared_hinge", primal_coordinates(X, y, 1.0, None, permuted=False), 400, 1e-10),
        ("squared_hinge", trust_region_newton(X, y, 1.0), 20, 1e-10),
    ):
        iteration = next(islice(steps, number - 1, None))
        w = iteration[0]
        assert -1e-10 < primal(X, y, w, 1.0, loss) / optimum(X, y, 1.0, loss) - 1 < error


@pytest.mark.parametrize("project", [True, False])
def test_pegasos_is_a_plain_loop(project):
    X, y = examples(50)
    rng = np.random.default_rng(3)
    dense = X.toarray()
    w = np.zeros(X.shape[1])
    rate = 1 / 50 / 4.0
    for t in range(1, 151):
        i = int(rng.random() * 50)
        violated = y[i] * (w @ dense[i]) < 1
        w = (1 - 1 / t) * w + violated * y[i] * dense[i] / (rate * t)
        if project:
            w = w * min(1, 1 / np.sqrt(rate) / np.linalg.norm(w))
    steps = pegasos(X, y, 4.0, np.random.default_rng(3), project)
    assert np.allclose(next(islice(steps, 2, None))[0], w)


def test_a_row_without_features_is_at_its_upper_bound():
    X = csr_array(np.array([[0.0, 0.0], [1.0, 2.0], [-1.0, 0.0]]))
    y = np.array([1.0, 1.0, -1.0])
    state = last(outer_iterations(X, y, 0.3, "hinge", tol=1e-9))
    assert state.alpha[0] == 0.3


def test_no_order_contracts_less_than_the_bound_on_the_rate():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(20):
        X, y, C = problem(rng)
        free = rng.random(len(y)) < 0.3
        rows = y[free, None] * X[free].toarray()
        Q = rows @ rows.T + 0.5 / C * np.eye(free.sum())
        order = rng.permutation(free.sum())
        Q = Q[np.ix_(order, order)]
        root = np.linalg.cholesky(Q)
        sweep = np.eye(len(Q)) - np.linalg.solve(np.tril(Q), Q)
        exact = np.linalg.norm(root.T @ sweep @ np.linalg.inv(root.T), 2) ** 2
        assert exact <= rate_bound(X, y, free, 0.5 / C) < 1
        hits += exact > 0.1
    assert hits


def test_within_a_level_first_or_to_the_end():
    passes = np.arange(1.0, 6.0)
    errors = np.array([3.0, 0.5, 2.0, 0.5, 0.1])
    assert passes_until(passes, errors, 1.0, 100, "first") == 2
    assert passes_until(passes, errors, 1.0, 100, "stays") == 4
    assert passes_until(passes, errors, 0.01, 100, "first") == 100


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_estimator_keeps_the_conventions():
    check_estimator(DualCoordinateDescentSVC(random_state=0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": 0}, "C is above 0, found 0"),
        ({"loss": "log"}, "loss is 'hinge' or 'squared_hinge', found 'log'"),
        ({"max_iter": 0}, "max_iter is above 0, found 0"),
    ],
)
def test_a_parameter_out_of_range_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        DualCoordinateDescentSVC(**options).fit(*examples(20))
