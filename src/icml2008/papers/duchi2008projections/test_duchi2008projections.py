"""Projections against brute force, a general solver and plain loops; solvers against peers."""

import itertools

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import Lasso, LogisticRegression

from .experiments import (
    excess,
    exponentiated,
    multiclass,
    online_projected,
    simplex_rows,
)
from .filtered import _bound
from .method import (
    SparseL1Ball,
    pivot_threshold,
    project_l1_ball,
    project_simplex,
    sorted_threshold,
)
from .solvers import (
    LogisticLoss,
    SquaredLoss,
    coordinate_descent,
    interior_point,
    line_search,
    online_exponentiated,
)


def nearest_of_all_supports(v, radius):
    """Return the projection on the simplex: the best feasible point over all supports."""
    candidates = []
    for size in range(1, len(v) + 1):
        for kept in map(list, itertools.combinations(range(len(v)), size)):
            w = np.zeros(len(v))
            w[kept] = v[kept] - (v[kept].sum() - radius) / size
            if w.min() >= 0:
                candidates.append((np.sum((w - v) ** 2), tuple(w)))
    return np.array(min(candidates)[1])


def by_a_plain_loop(v, z):
    """Return Figure 1's projection, and rho, as somebody else wrote it from the text."""
    mu = np.sort(v)[::-1]
    rho = 0
    for j in range(1, len(v) + 1):
        if mu[j - 1] - (mu[:j].sum() - z) / j > 0:
            rho = j
    return np.maximum(v - (mu[:rho].sum() - z) / rho, 0), rho


@pytest.mark.parametrize("method", ["filter", "sort", "pivot"])
def test_no_support_gives_a_nearer_point_of_the_simplex(method):
    rng = np.random.default_rng(0)
    for _ in range(100):
        v = rng.normal(size=rng.integers(1, 8)) * rng.choice([0.1, 1, 5])
        v = np.round(v) if rng.random() < 0.3 else v
        z = rng.choice([0.1, 1, 3])
        w = project_simplex(v, z, method=method)
        assert w == pytest.approx(nearest_of_all_supports(v, z), abs=1e-12)
        assert w == pytest.approx(by_a_plain_loop(v, z)[0], abs=1e-12)


def test_a_general_solver_finds_no_nearer_point_of_the_ball():
    cvxpy = pytest.importorskip("cvxpy")
    v = np.random.default_rng(1).normal(size=50)
    w = cvxpy.Variable(50)
    aim = cvxpy.Minimize(cvxpy.sum_squares(w - v))
    cvxpy.Problem(aim, [cvxpy.norm1(w) <= 3]).solve(solver="CLARABEL")
    for method in ("filter", "sort", "pivot"):
        ours = project_l1_ball(v, 3, method=method)
        assert ours == pytest.approx(w.value, abs=1e-6)
        assert np.sum((ours - v) ** 2) <= np.sum((w.value - v) ** 2) + 1e-9
        assert excess(v, ours, 3) < 1e-14 < 1e-3 < excess(v, ours * 0.99, 3)


def test_every_seed_and_reading_of_the_pivot_loop_finds_the_same_shift():
    rng = np.random.default_rng(2)
    v = np.round(rng.normal(size=200), 1)
    shift = (v - project_simplex(v, 2, method="sort")).max()
    for seed, printed in itertools.product(range(5), [False, True]):
        assert pivot_threshold(v, 2, seed, printed)[0] == pytest.approx(shift, abs=1e-13)
        w = project_simplex(v, 2, method="pivot", random_state=seed)
        assert w == pytest.approx(np.maximum(v - shift, 0), abs=1e-13)


def test_points_inside_the_ball_stay_and_a_tiny_radius_keeps_its_sum():
    v = np.array([0.25, -0.5])
    assert np.array_equal(project_l1_ball(v, 1), v)
    assert project_simplex([1.0, 1.0], 1e-20).sum() <= 1e-15
    assert project_l1_ball([3.0, -3.0], 1) == pytest.approx([0.5, -0.5])


def long_vectors():
    """Return vectors of some thousand components, by what is hard about them."""
    rng = np.random.default_rng(4)
    normal = rng.normal(size=5000)
    few = np.where(rng.random(5000) < 0.01, normal, 0.0)
    seen = np.zeros(5120)
    seen[20::40] = 1.0  # what the sample sees is what the others are not
    unseen = 1.0 - seen
    return {
        "normal": normal,
        "descending": np.sort(normal)[::-1],
        "ascending": np.sort(normal),
        "far below zero": normal - 1e6,
        "few": few,
        "equal": np.full(3000, 0.25),
        "whole numbers": np.round(3 * normal),
        "alike but where the sample looks": unseen,
        "alone where the sample looks": seen,
        "of all sizes": 10.0 ** rng.uniform(-12, 3, size=5000),
        "one large": np.append(normal, 1e8),
        "just long": normal[:1024],
        "just short": normal[:1023],
    }


@pytest.mark.parametrize("kind", long_vectors())
@pytest.mark.parametrize("radius", [1e-9, 1.0, 30.0, 2000.0])
def test_a_filter_leaves_what_a_sort_leaves_whatever_the_sample_says(kind, radius):
    v = long_vectors()[kind]
    scale = np.finfo(float).eps * np.abs(v).sum()
    for project in (project_simplex, project_l1_ball):
        w = project(v, radius, method="filter")
        assert np.abs(w - project(v, radius, method="sort")).max() <= 10 * scale


@pytest.mark.parametrize("kind", long_vectors())
@pytest.mark.parametrize("ball", [False, True])
def test_the_bound_is_below_the_shift(kind, ball):
    v = long_vectors()[kind]
    sizes = np.abs(v) if ball else v
    for radius in (1e-9, 1.0, 30.0):
        total, floor, _ = _bound(np.ascontiguousarray(v), radius, ball)
        shift = sorted_threshold(sizes, radius)
        assert total == pytest.approx(sizes.sum(), rel=1e-9, abs=1e-9)
        assert floor <= shift + 1e-12 * (abs(shift) + radius)
        assert np.any(sizes > floor) or radius < 1e-8


@pytest.mark.parametrize("v", [[], [[1.0]], [np.nan], [np.inf], [0.0] * 2000 + [np.nan, 1.0]])
@pytest.mark.parametrize("method", ["filter", "sort", "pivot"])
def test_what_is_no_finite_vector_is_refused(v, method):
    with pytest.raises(ValueError, match="vector of finite numbers"):
        project_simplex(v, method=method)
    with pytest.raises(ValueError, match="vector of finite numbers"):
        project_l1_ball(v, method=method)


def test_a_radius_or_method_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="radius"):
        project_l1_ball([1.0], 0)
    with pytest.raises(ValueError, match="filter, sort, pivot"):
        project_l1_ball([1.0], 1, method="heap")
    with pytest.raises(ValueError, match="indices must be from 0 to 2"):
        SparseL1Ball(3).add([3], [1.0])
    with pytest.raises(ValueError, match="one length"):
        SparseL1Ball(3).add([1], [1.0, 2.0])


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("radius", [0.01, 5.0])
def test_the_tree_walks_with_the_dense_projection(whole, radius):
    rng = np.random.default_rng(3)
    ball = SparseL1Ball(60, radius)
    dense = np.zeros(60)
    for _ in range(300):
        indices = rng.choice(60, size=5, replace=False)
        values = rng.normal(size=5)
        values = np.round(values) if whole else values
        dense[indices] += values
        dense = project_l1_ball(dense, radius, method="sort")
        ball.add(indices, values)
        assert ball.to_array() == pytest.approx(dense, abs=1e-12)
        assert ball.n_nonzero_ == np.count_nonzero(ball.to_array())


@pytest.mark.parametrize("loss", [SquaredLoss, LogisticLoss])
def test_all_solvers_meet_at_the_optimum_of_a_trusted_one(loss):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 20))
    penalty = 0.05
    y = X[:, :5].sum(axis=1) + rng.normal(size=60)
    if loss is SquaredLoss:
        peer = Lasso(alpha=penalty, fit_intercept=False, tol=1e-12, max_iter=10_000)
    else:
        y = np.sign(y)
        how = {"fit_intercept": False, "tol": 1e-10, "max_iter": 10_000, "random_state": 0}
        peer = LogisticRegression(l1_ratio=1, C=1 / (60 * penalty), solver="saga", **how)
    best = peer.fit(X, y).coef_.ravel()
    least = loss.value(X @ best, y)
    radius = np.abs(best).sum()
    trace, w = interior_point(loss, X, y, penalty, tolerance=1e-8)
    assert trace[1, -1] == pytest.approx(least + penalty * radius, abs=1e-7)
    assert w == pytest.approx(best, abs=1e-3)
    swept = coordinate_descent(loss, X, y, penalty, 200)[1, -1]
    assert swept == pytest.approx(least + penalty * radius, abs=1e-7)
    assert line_search(loss, X, y, radius, 1.0, 300)[1, -1] == pytest.approx(least, abs=1e-6)


def test_the_gradient_of_equation_12_agrees_with_differences():
    rng = np.random.default_rng(5)
    gram = rng.random((7, 4))
    y = rng.integers(10, size=7)
    signs = rng.choice([-1.0, 1.0], size=(10, 4))
    w = rng.random((10, 4))
    k = gram @ (w * signs).T
    others = np.exp(k - k[np.arange(7), y][:, None]).sum(axis=1) - 1
    loss, gradient = multiclass(gram, signs, y, w)
    assert loss == pytest.approx(np.mean(np.log1p(others)))
    numeric = approx_fprime(w.ravel(), lambda x: multiclass(gram, signs, y, x.reshape(10, 4))[0])
    assert gradient.ravel() == pytest.approx(numeric, abs=1e-6)
    assert simplex_rows(w - 0.2, 1.0).sum(axis=1).max() == pytest.approx(1)


def test_online_learners_are_their_equations_on_dense_vectors():
    rng = np.random.default_rng(6)
    X = rng.random((30, 8)) * (rng.random((30, 8)) < 0.5)
    y = rng.choice([-1.0, 1.0], size=30)
    rows, columns = np.nonzero(X)
    starts = np.searchsorted(rows, np.arange(31))
    data = starts, columns, X[rows, columns], y, 8
    w = np.zeros(8)
    signed = np.full(16, 2.0 / 16)
    scores = []
    rivals = []
    for t in range(30):
        scores.append(X[t] @ w)
        rivals.append(X[t] @ (signed[:8] - signed[8:]))
        slope, other = (-y[t] / (1 + np.exp(y[t] * s[-1])) for s in (scores, rivals))
        w = project_l1_ball(w - 0.7 / np.sqrt(t + 1) * slope * X[t], 2.0)
        signed = signed * np.exp(-0.7 / (t + 1) * other * np.r_[X[t], -X[t]])
        signed *= 2.0 / signed.sum()
    assert online_projected(*data, 2.0, 0.7)[0] == pytest.approx(np.array(scores), abs=1e-12)
    assert online_exponentiated(*data, 2.0, 0.7, -1.0) == pytest.approx(np.array(rivals), abs=1e-12)


def test_exponentiated_gradient_survives_weights_that_are_zero_by_rounding():
    w = exponentiated(np.array([[1.0, 3.0, 0.0]]), np.array([[0.5, 0.0, 2000.0]]), 2.0)
    odds = np.exp(0.5) / 3
    assert w == pytest.approx(np.array([[2 * odds / (1 + odds), 2 / (1 + odds), 0]]))
    assert np.isfinite(exponentiated(w, np.array([[-2000.0, 0.0, 2000.0]]), 2.0)).all()
