"""The kriging equations against dense solves, peers and themselves.

Tolerances: values and box are of size one; the contrasts of 40 random points have condition numbers
of some 1e4, so that rounding leaves about 1e-12, and 300 points about 1e-10.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pykrige.ok import OrdinaryKriging as PyKrige
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Kernel

from icml2008.methods.active.distances import nearest_distances, weighted_distances
from icml2008.methods.active.system import KrigingSystem


def samples(seed, n=40, d=2, q=25):
    rng = np.random.default_rng(seed)
    return rng.random((n, d)), rng.normal(size=n), rng.random((q, d))


def semivariances(X, points, nugget):
    between = nugget + cdist(X, X)
    np.fill_diagonal(between, 0.0)
    return between, nugget + cdist(X, points)


def textbook(X, y, points, nugget):
    """Cressie (1991), section 3.2: weights and Lagrange multiplier from the bordered matrix."""
    between, to_points = semivariances(X, points, nugget)
    n = len(X)
    bordered = np.block([[between, np.ones((n, 1))], [np.ones((1, n)), 0.0]])
    right = np.vstack([to_points, np.ones(len(points))])
    solved = np.linalg.solve(bordered, right)
    return solved[:n].T @ y, np.sum(solved * right, axis=0)


def short(X, y, points, nugget):
    """Eqs. 1 and 2 of the paper, letter by letter, with semivariances for its Sigma."""
    between, to_points = semivariances(X, points, nugget)
    weights = np.linalg.solve(between, to_points)
    return y.mean() + weights.T @ (y - y.mean()), np.sum(weights * to_points, axis=0)


@pytest.mark.parametrize("q", [0, 1, 255, 256, 257, 600])
@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_sums_over_distances_equal_those_of_a_table(q, d):
    """Points are taken 256 at a time: the sizes lie around whole blocks."""
    rng = np.random.default_rng(q)
    points = rng.random((q, d))
    X = rng.random((37, d))
    weights = rng.normal(size=37)
    table = cdist(points, X)
    np.testing.assert_allclose(nearest_distances(points, X), table.min(axis=1), rtol=1e-14)
    # The weights are of either sign; the distances below 3, 37 of them.
    np.testing.assert_allclose(weighted_distances(points, X, weights), table @ weights, atol=1e-12)


DENSE = {"textbook": textbook, "short": short}
forms = pytest.mark.parametrize("form", DENSE)


def built(X, y, nugget, form, neighbors=None, one_by_one=False):
    system = KrigingSystem(X.shape[1], nugget, form, neighbors)
    if one_by_one:
        for x, value in zip(X, y, strict=True):
            system.append(x, value)
    else:
        system.extend(X, y)
    return system


@forms
@pytest.mark.parametrize("d", [1, 2, 6, 8])
@pytest.mark.parametrize("nugget", [0.0, 1e-3, 0.5])
def test_predictions_equal_those_of_a_dense_solve(form, d, nugget):
    X, y, points = samples(d, d=d)
    system = built(X, y, nugget, form)
    mean, variance = DENSE[form](X, y, points, nugget)
    np.testing.assert_allclose(system.mean(points), mean, atol=1e-10)
    np.testing.assert_allclose(system.variance(points), variance, atol=1e-10)


@forms
def test_a_box_in_eight_dimensions_can_be_kriged(form):
    """There a constant minus the distance is no covariance, not even with the diameter for it."""
    rng = np.random.default_rng(0)
    corners = np.array(np.meshgrid(*[[0.0, 1.0]] * 8)).reshape(8, -1).T
    X = np.vstack([corners, rng.random((200, 8))])
    assert np.linalg.eigvalsh(np.sqrt(8) - cdist(X, X)).min() < -0.5
    y = X.sum(axis=1) ** 2
    points = rng.random((20, 8))
    system = built(X, y, 0.0, form)
    mean, variance = DENSE[form](X, y, points, 0.0)
    np.testing.assert_allclose(system.mean(points), mean, rtol=1e-9)
    np.testing.assert_allclose(system.variance(points), variance, rtol=1e-9)


@forms
def test_adding_one_by_one_equals_from_scratch_after_300_samples(form):
    X, y, points = samples(0, n=300)
    grown = built(X, y, 0.0, form, one_by_one=True)
    mean, variance = DENSE[form](X, y, points, 0.0)
    np.testing.assert_allclose(grown.mean(points), mean, atol=1e-8)
    np.testing.assert_allclose(grown.variance(points), variance, atol=1e-8)
    np.testing.assert_allclose(grown.unit_slope(), built(X, y, 0.0, form).unit_slope(), rtol=1e-10)


class FromFirst(Kernel):
    """Covariance of the differences from the value at the origin of a linear semivariance."""

    def __init__(self):  # the base class looks for one
        pass

    def __call__(self, X, Y=None, eval_gradient=False):
        Y = X if Y is None else Y
        return np.linalg.norm(X, axis=1)[:, None] + np.linalg.norm(Y, axis=1) - cdist(X, Y)

    def diag(self, X):
        return 2 * np.linalg.norm(X, axis=1)

    def is_stationary(self):
        return False


def test_textbook_form_equals_a_gaussian_process_of_scikit_learn():
    X, y, points = samples(1)
    process = GaussianProcessRegressor(FromFirst(), alpha=1e-14, optimizer=None)
    process.fit(X[1:] - X[0], y[1:] - y[0])
    mean, std = process.predict(points - X[0], return_std=True)
    system = built(X, y, 0.0, "textbook")
    np.testing.assert_allclose(system.mean(points), y[0] + mean, atol=1e-8)
    np.testing.assert_allclose(system.variance(points), std**2, atol=1e-8)


@pytest.mark.parametrize("nugget", [0.0, 0.2])
@pytest.mark.parametrize("neighbors", [None, 12])
def test_textbook_form_equals_pykrige(nugget, neighbors):
    X, y, points = samples(2)
    parameters = {"slope": 1.0, "nugget": nugget}
    peer = PyKrige(*X.T, y, variogram_model="linear", variogram_parameters=parameters)
    window = {} if neighbors is None else {"n_closest_points": neighbors, "backend": "loop"}
    mean, variance = peer.execute("points", *points.T, **window)
    system = built(X, y, nugget, "textbook", neighbors)
    np.testing.assert_allclose(system.mean(points), mean, atol=1e-8)
    np.testing.assert_allclose(system.variance(points), variance, atol=1e-8)


@forms
@pytest.mark.parametrize("one_by_one", [True, False])
@pytest.mark.parametrize("neighbors", [2, 12])
def test_local_predictions_are_dense_ones_from_the_nearest_samples(form, neighbors, one_by_one):
    X, y, points = samples(3)
    system = built(X, y, 0.01, form, neighbors, one_by_one)
    nearest = np.argsort(cdist(points, X), axis=1)[:, :neighbors]
    expected = [
        DENSE[form](X[i], y[i], p[None], 0.01) for i, p in zip(nearest, points, strict=True)
    ]
    mean, variance = np.array(expected)[:, :, 0].T
    np.testing.assert_allclose(system.mean(points), mean, atol=1e-10)
    np.testing.assert_allclose(system.variance(points), variance, atol=1e-10)


@forms
def test_local_form_with_all_samples_as_neighbours_is_the_full_form(form):
    X, y, points = samples(4)
    local = built(X, y, 0.0, form, len(X) - 1)
    full = built(X[:-1], y[:-1], 0.0, form)
    local.truncate(len(X) - 1)
    np.testing.assert_allclose(local.mean(points), full.mean(points), rtol=1e-12)
    np.testing.assert_allclose(local.variance(points), full.variance(points), rtol=1e-9)


@forms
def test_forgetting_samples_restores_the_predictions(form):
    X, y, points = samples(5)
    system = built(X, y, 0.0, form)
    mean = system.mean(points)
    variance = system.variance(points)
    for x in points[:7]:
        system.append(x, 3.0)
    system.truncate(len(X))
    np.testing.assert_array_equal(system.mean(points), mean)
    np.testing.assert_array_equal(system.variance(points), variance)


@forms
@pytest.mark.parametrize("neighbors", [None, 5])
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), d=st.integers(1, 6))
def test_the_bound_never_underestimates_a_variance(form, neighbors, seed, n, d):
    X, y, points = samples(seed, n=n, d=d)
    system = built(X, y, 0.0, form, neighbors)
    # Near-coincident points may cost the exact variance some digits; the unit box sets the scale.
    assert np.all(system.bound(points) >= system.variance(points) - 1e-10)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30))
def test_the_short_variance_is_never_below_the_textbook_one(seed, n):
    X, y, points = samples(seed, n=n)
    short_variance = built(X, y, 0.0, "short").variance(points)
    assert np.all(short_variance >= built(X, y, 0.0, "textbook").variance(points) - 1e-10)


@forms
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 30), shift=st.floats(-5, 5))
def test_a_constant_added_to_the_values_shifts_the_mean_alone(form, seed, n, shift):
    X, y, points = samples(seed, n=n)
    plain = built(X, y, 0.0, form)
    shifted = built(X, y + shift, 0.0, form)
    np.testing.assert_allclose(shifted.mean(points), plain.mean(points) + shift, atol=1e-8)


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_the_samples_does_not_matter(seed):
    X, y, points = samples(seed, n=20)
    order = np.random.default_rng(seed).permutation(20)
    system = built(X, y, 0.0, "textbook")
    other = built(X[order], y[order], 0.0, "textbook")
    np.testing.assert_allclose(system.mean(points), other.mean(points), atol=1e-9)
    np.testing.assert_allclose(system.variance(points), other.variance(points), atol=1e-9)


@pytest.mark.parametrize("one_by_one", [True, False])
def test_a_point_sampled_twice_needs_a_nugget(one_by_one):
    X = np.array([[0.0], [1.0], [1.0]])
    with pytest.raises(ValueError, match=r"sample at \[1.\] lies on an earlier one"):
        built(X, X[:, 0], 0.0, "textbook", one_by_one=one_by_one)


def test_with_a_nugget_a_point_sampled_twice_counts_with_its_average():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    points = np.array([[1.0]])
    system = built(X, np.array([0.0, 3.0, 5.0, 0.0]), 1e-9, "textbook", one_by_one=True)
    np.testing.assert_allclose(
        system.mean(points), 4.0, rtol=1e-6
    )  # the nugget is 1e-9 of a distance


def test_the_most_likely_slope_is_that_of_the_differences_covariance():
    X, y, _ = samples(6)
    distance = cdist(X, X)
    covariance = (distance[0] + distance[:, :1] - distance)[1:, 1:]
    differences = y[1:] - y[0]
    expected = differences @ np.linalg.solve(covariance, differences) / len(differences)
    np.testing.assert_allclose(built(X, y, 0.0, "short").unit_slope(), expected, rtol=1e-10)
