"""The regressor around the kriging equations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import OrdinaryKriging


@parametrize_with_checks([OrdinaryKriging(), OrdinaryKriging(neighbors=20)])
def test_it_keeps_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def data(seed=0, n=30):
    rng = np.random.default_rng(seed)
    return rng.random((n, 2)), rng.normal(size=n), rng.random((10, 2))


@pytest.mark.parametrize("form", ["textbook", "short"])
def test_it_interpolates_without_uncertainty(form):
    X, y, _ = data()
    mean, std = OrdinaryKriging(2.0, 0.0, form=form).fit(X, y).predict(X, return_std=True)
    np.testing.assert_allclose(mean, y, atol=1e-10)
    assert std.max() < 1e-6  # the root of a rounding error of 1e-13 or so


@pytest.mark.parametrize("form", ["textbook", "short"])
@settings(max_examples=20)
@given(slope=st.floats(1e-3, 1e3))
def test_without_nugget_the_slope_scales_the_variance_alone(form, slope):
    X, y, points = data()
    mean, std = OrdinaryKriging(1.0, 0.0, form=form).fit(X, y).predict(points, return_std=True)
    kriging = OrdinaryKriging(slope, 0.0, form=form).fit(X, y)
    scaled_mean, scaled_std = kriging.predict(points, return_std=True)
    np.testing.assert_array_equal(scaled_mean, mean)
    np.testing.assert_allclose(scaled_std**2, slope * std**2, rtol=1e-12)


def test_slope_and_nugget_scale_together():
    X, y, points = data()
    mean, std = OrdinaryKriging(1.0, 0.3).fit(X, y).predict(points, return_std=True)
    doubled_mean, doubled_std = OrdinaryKriging(4.0, 1.2).fit(X, y).predict(points, return_std=True)
    np.testing.assert_allclose(doubled_mean, mean, rtol=1e-12)
    np.testing.assert_allclose(doubled_std, 2 * std, rtol=1e-12)


def test_far_from_one_sample_the_variance_is_twice_the_semivariance():
    kriging = OrdinaryKriging(2.0, 0.5).fit([[0.0]], [1.0])
    mean, std = kriging.predict([[3.0]], return_std=True)
    assert mean[0] == 1.0
    assert std[0] ** 2 == pytest.approx(2 * (0.5 + 2.0 * 3.0))


def test_partial_fit_continues_fit():
    X, y, points = data()
    whole = OrdinaryKriging().fit(X, y)
    parts = OrdinaryKriging().partial_fit(X[:10], y[:10]).partial_fit(X[10:], y[10:])
    np.testing.assert_allclose(parts.predict(points), whole.predict(points), atol=1e-10)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"slope": 0.0}, "slope=0.0 must be positive"),
        ({"nugget": -1.0}, "nugget=-1.0 must not be negative"),
        ({"form": "shrt"}, "form='shrt' is unknown; did you mean 'short'?"),
        ({"neighbors": 1}, "neighbors=1 must be at least 2"),
    ],
)
def test_a_wrong_option_is_named(options, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        OrdinaryKriging(**options).fit([[0.0], [1.0]], [0.0, 1.0])


def test_the_short_form_needs_two_samples():
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        OrdinaryKriging(form="short").fit([[0.0]], [1.0])
