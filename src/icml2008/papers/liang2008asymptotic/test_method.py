"""Composite likelihood: fits, derivatives and asymptotic variances against independent oracles."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression

from icml2008.papers.liang2008asymptotic.method.asymptotics import Risk, asymptotic_law
from icml2008.papers.liang2008asymptotic.method.components import (
    Components,
    conditional,
    joint,
    pseudolikelihood,
)
from icml2008.papers.liang2008asymptotic.method.estimator import CompositeLikelihood
from icml2008.papers.liang2008asymptotic.method.fitting import criterion, derivatives, maximise

BITS = np.array(list(itertools.product([0, 1], repeat=4)))
seeds = st.integers(0, 10**6)


def edges(z):
    """Return the printed features of the four-node model, gamma left out."""
    x1, x2, y1, y2 = z.T
    return np.column_stack([y1 == y2, (x1 == y1) * 1.0 + (x2 == y2)])


def random_problem(seed, n_components=None, *, right=False):
    """Return features, components and a distribution over a few outcomes."""
    rng = np.random.default_rng(seed)
    m = rng.integers(5, 10)
    d = rng.integers(1, 4)
    k = n_components or rng.integers(1, 4)
    features = rng.normal(size=(m, d))
    labels = rng.integers(0, 2, size=(k, m))
    components = Components(labels, rng.uniform(0.2, 1, size=k))
    truth = rng.dirichlet(np.full(m, 2.0))
    if right:
        truth = np.exp(features @ rng.normal(size=d) * 0.7)
    return features, components, truth / truth.sum()


def plain_criterion(theta, features, components, shares):
    """Evaluate Eq. 4 outcome by outcome."""
    total = 0.0
    for weight, labels in zip(components.weights, components.labels, strict=True):
        for z in range(len(features)):
            block = [features[other] @ theta for other in np.flatnonzero(labels == labels[z])]
            total += weight * shares[z] * (features[z] @ theta - np.log(np.sum(np.exp(block))))
    return total


@given(seeds)
@settings(max_examples=30)
def test_criterion_is_the_sum_over_outcomes(seed):
    features, components, shares = random_problem(seed)
    theta = np.random.default_rng(seed).normal(size=features.shape[1])
    value = criterion(theta, features, components, shares)
    np.testing.assert_allclose(
        value, plain_criterion(theta, features, components, shares), rtol=1e-12
    )


@given(seeds)
@settings(max_examples=30)
def test_derivatives_are_those_of_finite_differences(seed):
    features, components, shares = random_problem(seed)
    theta = np.random.default_rng(seed).normal(size=features.shape[1])
    gradient, information = derivatives(theta, features, components, shares)
    # forward differences of step 1e-7: errors of that order
    slope = approx_fprime(theta, lambda t: criterion(t, features, components, shares), 1e-7)
    np.testing.assert_allclose(gradient, slope, atol=1e-5)
    rows = approx_fprime(theta, lambda t: derivatives(t, features, components, shares)[0], 1e-7)
    np.testing.assert_allclose(information, -np.atleast_2d(rows), atol=1e-5)


# random blocks need not identify every feature
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@given(seeds)
@settings(max_examples=20)
def test_maximise_agrees_with_a_general_optimiser(seed):
    features, components, shares = random_problem(seed)
    best = minimize(
        lambda t: -criterion(t, features, components, shares),
        np.zeros(features.shape[1]),
        method="BFGS",
        options={"gtol": 1e-8},
    )
    theta = maximise(features, components, shares)
    reached = criterion(theta, features, components, shares)
    assert reached >= -best.fun - 1e-9


def test_samples_fitted_together_are_those_fitted_alone():
    rng = np.random.default_rng(0)
    counts = rng.multinomial(300, np.full(16, 1 / 16), size=5)
    components = pseudolikelihood(BITS, [2, 3])
    together = maximise(edges(BITS), components, counts)
    alone = [maximise(edges(BITS), components, row) for row in counts]
    np.testing.assert_allclose(together, alone, atol=1e-9)


def test_counts_and_shares_are_alike():
    counts = np.arange(1, 17)
    both = [maximise(edges(BITS), joint(BITS), scale * counts) for scale in (1, 1e-3)]
    np.testing.assert_allclose(*both, rtol=1e-9)


def test_a_maximum_at_infinity_is_warned_about():
    with pytest.warns(ConvergenceWarning, match="1 of 1 samples did not reach"):
        maximise([[0.0], [1.0]], Components([[0, 0]]), [0.0, 1.0], max_iter=8)


@pytest.mark.parametrize("shares", [[1, -1], [0, 0], [1, 1, 1]])
def test_wrong_shares_are_refused(shares):
    with pytest.raises(ValueError, match="shares"):
        maximise([[0.0], [1.0]], Components([[0, 0]]), shares)


@pytest.mark.parametrize("weights", [[1, 1], [-1], [0], [np.nan]])
def test_wrong_weights_are_refused(weights):
    with pytest.raises(ValueError, match="weight"):
        Components([[0, 0, 1]], weights)


def test_every_output_is_conditioned_on_all_other_variables():
    components = pseudolikelihood(BITS, [2, 3])
    for row, output in zip(components.labels, [2, 3], strict=True):
        for a, b in itertools.combinations(range(16), 2):
            others = np.delete(BITS[a] != BITS[b], output)
            assert (row[a] == row[b]) == (not others.any())


def test_conditioning_on_nothing_is_the_joint_likelihood():
    assert (conditional(BITS, []).labels == joint(BITS).labels).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@given(seeds)
@settings(max_examples=60)
def test_the_sandwich_subtracts_the_component_correction(seed):
    features, components, truth = random_problem(seed)
    law = asymptotic_law(features, components, truth)
    if np.linalg.cond(law.sensitivity) < 1e4:
        scale = np.abs(law.variance).max()
        np.testing.assert_allclose(law.decomposed_variance, law.variance, atol=1e-7 * scale)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@given(seeds)
@settings(max_examples=40)
def test_theorem_1_holds_for_one_component(seed):
    features, components, truth = random_problem(seed, n_components=1)
    law = asymptotic_law(features, components, truth)
    if np.linalg.cond(law.sensitivity) < 1e4:
        scale = np.abs(law.variance).max()
        np.testing.assert_allclose(law.printed_variance, law.variance, atol=1e-7 * scale)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@given(seeds)
@settings(max_examples=40)
def test_corrections_vanish_where_the_model_is_right(seed):
    features, components, truth = random_problem(seed, right=True)
    law = asymptotic_law(features, components, truth)
    np.testing.assert_allclose(law.block_correction, 0, atol=1e-6)
    np.testing.assert_allclose(law.misspecification_correction, 0, atol=1e-6)


def test_the_sandwich_is_the_variance_of_simulated_estimates():
    rng = np.random.default_rng(3)
    truth = np.exp(BITS @ rng.normal(size=4) + edges(BITS) @ [1.0, 1.0])
    truth /= truth.sum()
    for components in (joint(BITS), conditional(BITS, [0, 1]), pseudolikelihood(BITS, [2, 3])):
        law = asymptotic_law(edges(BITS), components, truth)
        counts = rng.multinomial(20_000, truth, size=4000)
        theta = maximise(edges(BITS), components, counts, start=law.limit)
        covariance = 20_000 * np.cov(theta.T)
        # the relative standard error of a variance of 4000 draws is 2.2 %
        np.testing.assert_allclose(np.diag(covariance), np.diag(law.variance), rtol=0.1)


def test_joint_estimates_have_the_inverse_variance_of_the_features():
    features, _, truth = random_problem(5, right=True)
    law = asymptotic_law(features, Components(np.zeros((1, len(truth)))), truth)
    centred = features - truth @ features
    expected = np.linalg.inv(centred.T @ (truth[:, None] * centred))
    # the limit is found up to a gradient of 1e-9
    np.testing.assert_allclose(law.variance, expected, rtol=1e-6)


def test_risk_is_the_expected_log_loss():
    rng = np.random.default_rng(1)
    truth = rng.dirichlet(np.ones(16))
    risk = Risk(edges(BITS), conditional(BITS, [0, 1]), truth)
    theta = np.array([0.3, -0.8])
    weights = np.exp(edges(BITS) @ theta).reshape(4, 4)
    log_loss = -np.log(weights / weights.sum(axis=1, keepdims=True)).ravel()
    assert np.isclose(risk(theta), truth @ log_loss, rtol=1e-12)
    given_inputs = truth.reshape(4, 4) / truth.reshape(4, 4).sum(axis=1, keepdims=True)
    assert np.isclose(risk.bayes, -truth @ np.log(given_inputs.ravel()), rtol=1e-12)


def test_the_conditional_estimator_has_no_first_order_error():
    rng = np.random.default_rng(2)
    truth = rng.dirichlet(np.ones(16))
    prediction = conditional(BITS, [0, 1])
    risk = Risk(edges(BITS), prediction, truth)
    # the gradient at the limit is within the tolerance of the fit, 1e-9
    assert risk.first_order(asymptotic_law(edges(BITS), prediction, truth)) < 1e-7
    assert risk.first_order(asymptotic_law(edges(BITS), joint(BITS), truth)) > 1e-3


def test_second_order_weights_are_ones_for_the_conditional_estimator_of_a_right_model():
    truth = np.exp(edges(BITS) @ [1.0, 1.0])
    prediction = conditional(BITS, [0, 1])
    risk = Risk(edges(BITS), prediction, truth / truth.sum())
    weights = risk.second_order(asymptotic_law(edges(BITS), prediction, risk.truth))
    np.testing.assert_allclose(weights, 1, atol=1e-8)


def sample(n=400, seed=0):
    rng = np.random.default_rng(seed)
    truth = np.exp(edges(BITS) @ [0.5, 1.0])
    rows = BITS[rng.choice(16, size=n, p=truth / truth.sum())]
    return rows[:, :2], rows[:, 2:]


def test_one_output_by_conditional_likelihood_is_logistic_regression():
    X, Y = sample()
    model = CompositeLikelihood(lambda z: z[:, [0, 1]] * z[:, [2]]).fit(X, Y[:, :1])
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10).fit(X, Y[:, 0])
    np.testing.assert_allclose(model.coef_, peer.coef_[0], atol=1e-5)
    np.testing.assert_allclose(model.predict_log_proba(X), peer.predict_log_proba(X), atol=1e-5)


@pytest.mark.parametrize("name", ["joint", "conditional", "pseudolikelihood"])
def test_estimator_finds_the_maximum_of_its_criterion(name):
    X, Y = sample()
    model = clone(CompositeLikelihood(edges, name)).fit(X, Y)
    make = {
        "joint": joint(BITS),
        "conditional": conditional(BITS, [0, 1]),
        "pseudolikelihood": pseudolikelihood(BITS, [2, 3]),
    }
    codes = np.hstack([X, Y]) @ [8, 4, 2, 1]
    expected = maximise(edges(BITS), make[name], np.bincount(codes, minlength=16))
    np.testing.assert_allclose(model.coef_, expected, rtol=1e-9)


def test_conditional_likelihood_has_the_best_score_on_its_own_sample():
    X, Y = sample()
    scores = {
        name: CompositeLikelihood(edges, name).fit(X, Y).score(X, Y)
        for name in ("joint", "conditional", "pseudolikelihood")
    }
    assert max(scores, key=scores.get) == "conditional"


def test_probabilities_sum_to_one_and_predictions_are_the_largest():
    X, Y = sample()
    model = CompositeLikelihood(edges).fit(X, Y)
    log_probabilities = model.predict_log_proba(X)
    np.testing.assert_allclose(np.exp(log_probabilities).sum(axis=1), 1, rtol=1e-12)
    assert (model.predict(X) == model.outputs_[log_probabilities.argmax(axis=1)]).all()


def test_values_in_any_order_give_the_same_predictions():
    X, Y = sample()
    ways = [CompositeLikelihood(edges, values=v).fit(X, Y) for v in ((0, 1), (1, 0))]
    np.testing.assert_allclose(ways[0].coef_, ways[1].coef_, atol=1e-8)
    assert (ways[0].predict(X) == ways[1].predict(X)).all()


def test_mistakes_of_a_user_are_named():
    X, Y = sample()
    with pytest.raises(ValueError, match="did you mean 'joint'"):
        CompositeLikelihood(edges, "join").fit(X, Y)
    with pytest.raises(ValueError, match="Y holds values other than"):
        CompositeLikelihood(edges).fit(X, Y + 1)
    with pytest.raises(ValueError, match="features must give a finite array"):
        CompositeLikelihood(lambda z: z[:3]).fit(X, Y)
    with pytest.raises(ValueError, match="more than the"):
        CompositeLikelihood(edges).fit(np.zeros((3, 30), dtype=int), np.zeros((3, 1), dtype=int))
    with pytest.raises(NotFittedError):
        CompositeLikelihood(edges).predict(X)
    with pytest.raises(ValueError, match="is expecting 2 features"):
        CompositeLikelihood(edges).fit(X, Y).predict(X[:, :1])
