"""Kernel vector quantization: the linear program and what it promises."""

from __future__ import annotations

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from icml2008.methods import KernelVectorQuantization
from icml2008.methods.clustering.vector_quantization import margin_weights


def test_scikit_learn_accepts_the_estimator():
    check_estimator(KernelVectorQuantization())


@pytest.mark.parametrize("h", [0.3, 0.8, 2.0])
def test_margin_is_the_optimum_of_the_printed_program(h):
    X = np.random.default_rng(1).normal(size=(40, 2))
    within = np.linalg.norm(X[:, None] - X, axis=2) <= h
    q = cvxpy.Variable(40, nonneg=True)
    rho = cvxpy.Variable()
    program = cvxpy.Problem(cvxpy.Maximize(rho), [within @ q >= rho, cvxpy.sum(q) == 1])
    program.solve(solver=cvxpy.CLARABEL)
    # Clarabel's tolerance is 1e-8.
    assert KernelVectorQuantization(h).fit(X).objective_ == pytest.approx(program.value, abs=1e-7)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 5))
def test_every_sample_is_within_h_of_its_codebook_vector(seed, h):
    X = np.random.default_rng(seed).normal(size=(30, 2))
    model = KernelVectorQuantization(h).fit(X)
    reach = np.linalg.norm(X - model.exemplars_[model.labels_], axis=1)
    assert reach.max() <= h * (1 + 1e-12)


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_gap_certifies_the_margin_for_any_kernel(seed):
    responses = np.random.default_rng(seed).uniform(size=(15, 10))
    solution = margin_weights(responses)
    assert solution.margin == pytest.approx((responses @ solution.weights).min(), rel=1e-12)
    assert -1e-12 <= solution.gap <= 1e-7  # HiGHS's feasibility tolerance


def test_margin_grows_with_h():
    X = np.random.default_rng(2).normal(size=(50, 3))
    margins = [KernelVectorQuantization(h).fit(X).objective_ for h in (0.3, 0.6, 1.2, 2.4)]
    assert np.all(np.diff(margins) >= -1e-9)


def test_score_is_the_log_weight_in_reach():
    X = np.array([[0.0], [1.0], [2.0], [9.0]])
    model = KernelVectorQuantization(1.0).fit(X)
    np.testing.assert_allclose(model.score_samples([[1.5], [5.0]]), [np.log(0.5), -np.inf])


def test_a_sample_out_of_reach_is_explained():
    with pytest.raises(ValueError, match="reached by no exemplar"):
        margin_weights(np.array([[1.0, 1.0], [0.0, 0.0]]))


def test_h_must_be_positive():
    with pytest.raises(ValueError, match="must be positive"):
        KernelVectorQuantization(0.0).fit(np.zeros((2, 1)))
