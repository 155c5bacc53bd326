"""The estimator; rosset2008bilevel's tests have the path's oracles."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from icml2008.methods import KernelQuantilePath


@parametrize_with_checks([KernelQuantilePath()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_chosen_penalty_is_the_best_of_the_path_whatever_the_scale_of_y():
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(300, 1))
    truth = np.sin(6 * x[:, 0])
    y = truth + rng.normal(scale=0.1, size=300)
    fits = []
    for scale in (1.0, 100.0):
        model = KernelQuantilePath(gamma=12.5, lambda_min=1e-4 / scale, random_state=0)
        model.fit(x, scale * y)
        best = model.path_losses_[model.path_lambdas_ == model.lambda_]
        assert model.path_losses_.min() == best
        fits.append(model.predict(x) / scale)
    assert np.abs(fits[0] - truth).mean() < 0.05
    np.testing.assert_allclose(*fits, atol=1e-6)


@pytest.mark.parametrize("name", ["quantile", "validation_fraction", "lambda_min"])
def test_estimator_names_a_parameter_out_of_range(name):
    with pytest.raises(ValueError, match=f"{name} is 0"):
        KernelQuantilePath(**{name: 0}).fit(np.zeros((9, 1)), np.arange(9))


def test_equal_rows_and_targets_are_allowed():
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(30, 1)), 4, axis=0)
    y = rng.integers(3, size=120)
    model = KernelQuantilePath(random_state=0).fit(x, y)
    assert 0.4 < np.mean(y <= model.predict(x) + 1e-6) < 0.8
