"""A decoupled approach: the data, the stop test's sign, the deterministic numbers."""

from __future__ import annotations

import numpy as np
import pytest

from icml2008.data import load
from icml2008.data.images import Images
from icml2008.errors import Icml2008Error
from icml2008.methods.clustering._kernels import response, squared_distances
from icml2008.methods.clustering._masters import solve_master
from icml2008.methods.clustering._mean_shift import find_modes
from icml2008.methods.clustering.convex import ConvexClustering
from icml2008.papers.nowozin2008decoupled.experiments import (
    Candidates,
    Infex,
    centres_on_ring,
    choosing,
    chosen_for_ring,
    gaussian_beta,
    hausdorff,
)
from icml2008.papers.nowozin2008decoupled.samples import digits, gauss_ring, lattice


def numbered_images(count, low=0):
    """Images of which every pixel is the image's number."""
    numbers = np.arange(low, low + count, dtype=float)
    return np.broadcast_to(numbers[:, None, None], (count, 16, 16))


def test_every_tenth_image_of_each_class_is_taken():
    roweis = Images(numbered_images(11_000), np.repeat(np.arange(10), 1100))
    rows = digits(roweis, None, "every-tenth")[:, 0].reshape(10, 110)
    np.testing.assert_array_equal(rows, 1100 * np.arange(10)[:, None] + 10 * np.arange(110))


def test_zip_digits_are_spread_over_each_class_and_rescaled():
    zip_codes = Images(numbered_images(4000) / 2000 - 1, np.tile(np.arange(10), 400))
    images = digits(None, zip_codes, "zip")
    assert images.shape == (1100, 256)
    assert images.min() == 0
    assert images.max() == pytest.approx(127.5 * 3999 / 2000)
    numbers = np.round(images[:, 0] / 127.5 * 2000).astype(int).reshape(10, 110)
    np.testing.assert_array_equal(numbers % 10, np.repeat(np.arange(10)[:, None], 110, axis=1))


@pytest.mark.parametrize(("ring", "least"), [("annulus", 1.0), ("circle", 2.0)])
def test_66_points_are_a_blob_and_a_ring(ring, least):
    points = gauss_ring(np.random.default_rng(0), ring)
    assert points.shape == (66, 2)
    radii = np.linalg.norm(points[33:] - 5, axis=1)
    assert least - 1e-12 <= radii.min()
    assert radii.max() <= 2 + 1e-12
    assert np.abs(points[:33].mean(axis=0)).max() < 0.5


def test_annulus_is_uniform_in_area():
    rng = np.random.default_rng(0)
    rings = np.vstack([gauss_ring(rng, "annulus")[33:] for _ in range(200)])
    squares = ((rings - 5) ** 2).sum(axis=1)
    # 6600 points: four standard errors of a share of one half.
    assert abs((squares < 2.5).mean() - 0.5) < 4 * 0.5 / np.sqrt(6600)


def test_lattice_covers_the_box():
    points = lattice(10)
    assert points.shape == (100, 2)
    assert points.min() == -2
    assert points.max() == 7


def test_near_twins_on_the_ring_count_once():
    exemplars = np.array([[0.0, 0.0], [5.0, 5.0], [5.1, 5.0], [6.5, 5.0]])
    assert centres_on_ring(exemplars) == 2
    assert centres_on_ring(exemplars[:1]) == 0


def test_candidates_at_the_samples_are_convex_clustering():
    X = gauss_ring(np.random.default_rng(1), "annulus")
    assert Candidates(2.5, X).fit(X).objective_ == pytest.approx(
        ConvexClustering(gaussian_beta(2.5)).fit(X).objective_, abs=2e-8
    )


def test_recalled_fit_is_the_same_as_a_new_one():
    X = gauss_ring(np.random.default_rng(2), "annulus")
    first = Infex(2.5, tol=1e-6).fit(X).objective_
    assert Infex(2.5, tol=1e-6).fit(X.copy()).objective_ == first
    assert Infex(1.0, tol=1e-6).fit(X).objective_ != first


def test_printed_stop_test_never_holds_and_the_other_sign_does():
    # At the end: sigma* = 1 for the log objective, alpha = -(sample weights) <= 0.
    X = gauss_ring(np.random.default_rng(3), "annulus")
    h = 2.5
    exemplars = Infex(h, tol=1e-8).fit(X).exemplars_
    master = solve_master(
        "likelihood", response("gaussian", squared_distances(X, exemplars), h), 0, 1e-10
    )
    alpha = -master.sample_weights
    sigma = master.level
    highest = find_modes(X, X, master.sample_weights, "gaussian", h)[0][:1]
    gain = alpha @ response("gaussian", squared_distances(X, highest), h)[:, 0]
    assert sigma == pytest.approx(1)
    assert sigma - gain >= 2 - 1e-6  # equation 13 as printed: never below any epsilon
    assert -sigma - gain <= 1e-6  # by the stationarity line before it: the algorithm stops


def test_convex_clustering_has_the_printed_likelihood_on_every_tenth_digit():
    try:
        roweis = load("usps-roweis", offline=True)
    except Icml2008Error as missing:
        pytest.skip(str(missing))
    X = digits(roweis, None, "every-tenth")
    assert f"{choosing(540).fit(X).objective_:.4f}" == "-4.9779"


def test_sets_are_as_far_apart_as_their_loneliest_place():
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    assert hausdorff(places, places[::-1]) == 0
    assert hausdorff(places, np.array([[0.0, 2.0]])) == pytest.approx(np.sqrt(5))
    assert hausdorff(np.array([[0.0, 2.0]]), places) == pytest.approx(np.sqrt(5))


def test_only_exemplars_on_the_rings_side_count_as_chosen_for_it():
    candidates = np.array([[0.0, 0.0], [5.0, 6.0], [6.0, 5.0]])
    which, where = chosen_for_ring(candidates[[0, 2]], candidates)
    assert which == {2}
    np.testing.assert_array_equal(where, [[6.0, 5.0]])
