"""The upper envelope of vectors over nonnegative preferences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog

from icml2008.methods.planning.envelope import envelope_of, upper_envelope


def advantage(points, i):
    """Return by how much, at best, point i beats all others for some weights: a linear program."""
    others = np.delete(points, i, axis=0)
    d = points.shape[1]
    result = linprog(
        np.append(np.zeros(d), -1),
        A_ub=np.column_stack([others - points[i], np.ones(len(others))]),
        b_ub=np.zeros(len(others)),
        A_eq=[np.append(np.ones(d), 0)],
        b_eq=[1],
        bounds=[(0, 1)] * d + [(None, None)],
    )
    return -result.fun


def clouds(elements):
    shapes = st.tuples(st.integers(1, 12), st.integers(1, 4))
    return hnp.arrays(float, shapes, elements=elements)


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(2))
def test_the_vectors_are_those_that_a_linear_program_finds(d, seed):
    points = np.random.default_rng(seed).normal(size=(15, d))
    expected = [points[i] for i in range(len(points)) if advantage(points, i) > 1e-9]
    vectors = upper_envelope(points).vectors
    np.testing.assert_array_equal(vectors, np.unique(expected, axis=0))


@settings(max_examples=60)
@given(clouds(st.integers(-2, 2).map(float)))
def test_with_ties_and_flat_clouds_each_vector_has_an_advantage_and_none_is_missing(points):
    envelope = upper_envelope(points)
    if len(envelope.vectors) > 1:
        assert all(advantage(envelope.vectors, i) > 1e-9 for i in range(len(envelope.vectors)))
    weights = np.random.default_rng(0).dirichlet(np.full(points.shape[1], 0.5), 200)
    weights = np.vstack([weights, np.eye(points.shape[1]), envelope.corners])
    best = (weights @ points.T).max(axis=1)
    np.testing.assert_allclose((weights @ envelope.vectors.T).max(axis=1), best, atol=1e-12)


@settings(max_examples=60)
@given(clouds(st.floats(-10, 10, width=32)))
def test_values_are_those_of_all_points(points):
    envelope = upper_envelope(points)
    weights = np.random.default_rng(0).dirichlet(np.ones(points.shape[1]), 100)
    best = (weights @ points.T).max(axis=1)
    # A vector may be left out if it gains less than 1e-12 times the largest magnitude.
    tol = 1e-11 * max(1, np.abs(points).max())
    np.testing.assert_allclose((weights @ envelope.vectors.T).max(axis=1), best, atol=tol)


@settings(max_examples=50)
@given(clouds(st.floats(-10, 10, width=16)))
def test_regions_hold_the_weights_for_which_their_vector_is_best(points):
    envelope = upper_envelope(points)
    for i in range(len(envelope.vectors)):
        region = envelope.region(i)
        np.testing.assert_allclose(region.sum(axis=1), 1, atol=1e-12)
        mixed = np.random.default_rng(i).dirichlet(np.ones(len(region)), 20) @ region
        values = mixed @ envelope.vectors.T
        np.testing.assert_allclose(values[:, i], values.max(axis=1), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_areas_of_regions_add_up_to_that_of_the_triangle(seed):
    points = np.random.default_rng(seed).normal(size=(30, 3))
    envelope = upper_envelope(points)
    areas = []
    for i in range(len(envelope.vectors)):
        corners = envelope.region(i)[:, :2]
        around = corners - corners.mean(axis=0)
        x, y = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))].T
        areas.append(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)
    assert sum(areas) == pytest.approx(0.5, abs=1e-9)


def test_many_vectors_need_more_than_one_word_of_bits():
    angles = np.linspace(0, np.pi / 2, 200)
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    assert len(upper_envelope(points).vectors) == 200


def test_other_cones_of_preferences_by_their_extreme_ones():
    points = np.random.default_rng(1).normal(size=(40, 2))
    extreme = np.array([[1.0, -0.5], [0.2, 1.0]])
    vectors = upper_envelope(points @ extreme.T).vectors
    for share in np.linspace(0, 1, 11):
        weights = np.array([share, 1 - share])
        assert (vectors @ weights).max() == pytest.approx((points @ (extreme.T @ weights)).max())


@pytest.mark.parametrize("points", [np.zeros((0, 2)), [1.0, 2.0], [[np.nan, 1.0]]])
def test_what_is_no_set_of_points_is_refused(points):
    with pytest.raises(ValueError, match="shape"):
        upper_envelope(points)


@pytest.mark.parametrize("weights", [[-1, 1], [0, 0], [1, 2, 3], [np.nan, 1]])
def test_weights_that_are_no_preference_are_refused(weights):
    with pytest.raises(ValueError, match="weights"):
        upper_envelope([[0, 1], [1, 0]]).value(weights)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_where_all_of_many_points_are_extreme_all_are_kept_with_the_corners_of_their_regions(d):
    points = np.abs(np.random.default_rng(d).normal(size=(100, d)))
    points /= np.linalg.norm(points, axis=1)[:, None]
    points = np.vstack([points, 0.5 * points, points.mean(axis=0)])  # what is inside has no part
    envelope = upper_envelope(points)
    vectors = np.unique(points[:100], axis=0)
    np.testing.assert_array_equal(envelope.vectors, vectors)
    # the same envelope, grown vector by vector
    grown = envelope_of(vectors, 1e-12)
    for i in range(100):
        np.testing.assert_allclose(envelope.region(i), grown.region(i), atol=1e-9)


def test_where_four_of_many_vectors_meet_in_one_corner_it_is_one_corner():
    x, y = np.indices((10, 10)).reshape(2, -1) / 10
    envelope = upper_envelope(np.column_stack([x, y, 1 - (x**2 + y**2) / 2]))
    assert len(envelope.vectors) == 100  # each is best for the weights (x, y, 1)
    # between lattice points four meet: nine by nine such places
    assert np.sum((envelope.touches.sum(axis=1) == 4) & (envelope.corners > 1e-9).all(axis=1)) == 81
