"""INFEX: optimality on fine grids, Theorem 2, monotonicity, mean shift."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from icml2008.methods import ConvexClustering, InfiniteExemplars, KernelVectorQuantization
from icml2008.methods.clustering._kernels import response, squared_distances
from icml2008.methods.clustering._masters import OBJECTIVES, solve_master
from icml2008.methods.clustering._mean_shift import find_modes


def sample(seed, n_samples=25, n_features=2):
    rng = np.random.default_rng(seed)
    centres = 3 * rng.normal(size=(4, n_features))
    return centres[rng.integers(4, size=n_samples)] + rng.normal(size=(n_samples, n_features))


def test_scikit_learn_accepts_the_estimator():
    check_estimator(InfiniteExemplars(h=0.6, tol=0.05))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_one_dimension_is_as_good_as_a_fine_grid(objective):
    X = np.sort(np.random.default_rng(3).normal(scale=2, size=(20, 1)), axis=0)
    grid = np.linspace(X.min(), X.max(), 601)[:, None]
    columns = response("gaussian", squared_distances(X, grid), 0.8)
    best_on_grid = solve_master(objective, columns, 1.0, 1e-9).objective
    model = InfiniteExemplars(objective, h=0.8).fit(X)
    # Never below the grid by more than its own tolerance; above by what the grid's spacing
    # of 0.013 misses: second order, (0.007 / 0.8)^2 / 2 = 4e-5 of a response.
    assert -2e-7 <= model.objective_ - best_on_grid <= 1e-3


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_two_dimensions_are_as_good_as_a_fine_grid(kernel):
    X = sample(5)
    axes = [np.linspace(low, high, 41) for low, high in zip(X.min(0), X.max(0), strict=True)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    columns = response(kernel, squared_distances(X, grid), 2.5)
    best_on_grid = solve_master("likelihood", columns, 1.0, 1e-9).objective
    model = InfiniteExemplars(kernel=kernel, h=2.5).fit(X)
    assert -2e-7 <= model.objective_ - best_on_grid <= 0.05


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov", "disc"])
def test_theorem_2_never_worse_than_choosing_among_the_samples(objective, kernel):
    X = sample(7)
    columns = response(kernel, squared_distances(X, X), 1.5)
    among_samples = solve_master(objective, columns, 1.0, 1e-9).objective
    assert InfiniteExemplars(objective, kernel, 1.5).fit(X).objective_ >= among_samples - 2e-7


@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1), st.sampled_from(OBJECTIVES), st.floats(0.5, 4))
def test_objective_never_falls(seed, objective, h):
    model = InfiniteExemplars(objective, h=h, start="empty", tol=1e-5).fit(sample(seed, 12))
    # Each master problem is solved to a tenth of tol.
    assert np.diff(model.objective_path_).min(initial=0) >= -1e-6


@settings(max_examples=8)
@given(st.integers(0, 2**32 - 1), st.floats(0.5, 4))
def test_theorem_2_against_convex_clustering(seed, h):
    X = sample(seed, 15)
    convex = ConvexClustering(1 / (2 * h**2)).fit(X)
    assert InfiniteExemplars(h=h).fit(X).objective_ >= convex.objective_ - 2e-7


def test_theorem_2_against_kernel_vector_quantization():
    X = sample(9, 40)
    quantizer = KernelVectorQuantization(1.2).fit(X)
    model = InfiniteExemplars("margin", "disc", 1.2).fit(X)
    assert model.objective_ >= quantizer.objective_ - 2e-7


def test_start_does_not_change_the_optimum():
    X = sample(11)
    models = [InfiniteExemplars(h=1.5, start=start).fit(X) for start in ("samples", "empty", X[:2])]
    # Each is within its gap of the same optimum, as far as mean shift finds the highest mode.
    np.testing.assert_allclose([m.objective_ for m in models], models[0].objective_, atol=5e-7)


def test_excess_of_every_place_is_bounded_by_the_gap():
    X = sample(13)
    model = InfiniteExemplars(h=1.5).fit(X)
    density = response("gaussian", squared_distances(X, model.exemplars_), 1.5) @ model.weights_
    axes = [
        np.linspace(low - 1, high + 1, 80) for low, high in zip(X.min(0), X.max(0), strict=True)
    ]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    columns = response("gaussian", squared_distances(X, grid), 1.5)
    assert (columns / density[:, None]).mean(axis=0).max() <= 1 + model.duality_gap_ + 1e-9


def test_wide_gaussian_takes_the_mean_alone():
    X = sample(15)
    model = InfiniteExemplars(h=100.0).fit(X)
    np.testing.assert_allclose(model.exemplars_, [X.mean(axis=0)], atol=1e-2)


def test_far_groups_have_an_exemplar_each_with_their_share():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(10, 2)) + 50])
    model = InfiniteExemplars(h=2.0).fit(X)
    far = model.exemplars_[:, 0] > 25
    assert model.weights_[far].sum() == pytest.approx(0.25, abs=1e-6)
    assert len(set(model.labels_[:30]) & set(model.labels_[30:])) == 0


def test_disc_codebook_reaches_every_sample():
    X = sample(17, 40)
    model = InfiniteExemplars("margin", "disc", 1.2).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert np.exp(model.score_samples(X)).min() == pytest.approx(model.objective_, abs=1e-6)


def test_margin_codebook_is_a_vertex():
    X = sample(19, 40)
    model = InfiniteExemplars("margin", "disc", 1.2).fit(X)
    # A basic solution of the covering program has as many columns as binding samples at most.
    responses = np.exp(model.score_samples(X))
    assert len(model.weights_) <= np.sum(responses <= model.objective_ + 1e-6)


def test_shifting_the_data_shifts_the_exemplars():
    X = sample(21)
    plain = InfiniteExemplars(h=1.5).fit(X)
    moved = InfiniteExemplars(h=1.5).fit(X + 100)
    assert moved.objective_ == pytest.approx(plain.objective_, abs=5e-7)


def test_rounds_that_run_out_are_told():
    with pytest.warns(ConvergenceWarning, match="exceeds the level"):
        model = InfiniteExemplars(h=1.0, start="empty", max_iter=1).fit(sample(23))
    assert model.duality_gap_ > 1e-7


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_modes_have_no_uphill_neighbours(kernel):
    rng = np.random.default_rng(25)
    X = sample(25, 40)
    weights = rng.uniform(size=40)
    modes, values = find_modes(X, X, weights, kernel, 1.5)
    for mode, height in zip(modes, values, strict=True):
        around = mode + 1e-3 * rng.normal(size=(50, 2))
        near = response(kernel, squared_distances(around, X), 1.5) @ weights
        # The last step may be 1e-7 h long; a start between kernels of finite support may be flat.
        assert near.max() <= height + 1e-6


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_climbing_never_descends_even_with_negative_weights(kernel):
    X = sample(27, 30)
    weights = np.random.default_rng(27).normal(size=30)
    heights = [
        find_modes(X[:1], X, weights, kernel, 1.5, max_iter=steps)[1][0] for steps in range(1, 25)
    ]
    assert np.diff(heights).min() >= 0


def test_mean_shift_step_is_equation_14():
    X = sample(29, 10)
    weights = np.random.default_rng(29).uniform(size=10)
    start = X[:1] + 0.5
    pulls = weights * np.exp(-0.5 * ((start - X) ** 2).sum(1) / 1.5**2)
    once = pulls @ X / pulls.sum()
    # Two evaluations: at the start, and at the end of the first step.
    modes, _ = find_modes(start, X, weights, "gaussian", 1.5, max_iter=2)
    np.testing.assert_allclose(modes[0], once, rtol=1e-12)


def test_starts_that_meet_are_one_mode():
    X = sample(31, 40)
    modes, _ = find_modes(X, X, np.ones(40), "gaussian", 50.0)
    assert len(modes) == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"objective": "margins"}, "known: margin, likelihood"),
        ({"kernel": "box"}, "known: gaussian, epanechnikov, disc"),
        ({"start": "grid"}, "known: samples, empty"),
        ({"h": 0.0}, "h must be positive"),
    ],
)
def test_wrong_parameters_are_explained(wrong, message):
    with pytest.raises(ValueError, match=message):
        InfiniteExemplars(**wrong).fit(sample(0))
