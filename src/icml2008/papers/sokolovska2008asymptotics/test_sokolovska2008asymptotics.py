"""The estimators against scikit-learn and plain sums, the problems against their printed rates."""

import itertools

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from . import method, problems
from .experiments import efficient_covariance, known_marginal_variance
from .method import fit_logistic, joint_estimates, marginal_weights
from .problems import BEST, bayes_error, count_vectors, draw_problem, mixture


@pytest.fixture(scope="module")
def problem():
    return draw_problem(np.random.default_rng(0), bayes=1.7, best=BEST)


def drawn_counts(problem, n, size=2):
    counts = np.random.default_rng(1).multinomial(n, problem.joint.ravel(), size=size)
    return counts.reshape(size, 220, 2)


def examples(counts):
    """Return inputs and labels, an entry for each example."""
    inputs, labels = np.nonzero(counts)
    times = counts[inputs, labels]
    return np.repeat(inputs, times), np.repeat(labels, times)


@pytest.mark.parametrize("weighted", [False, True])
def test_fits_are_those_of_scikit_learn_with_weights(problem, weighted):
    counts = drawn_counts(problem, 100)
    penalty = 0.02
    joint = joint_estimates(counts, problem.marginal if weighted else None)
    thetas = fit_logistic(problem.X, joint, penalty)
    for sample, theta in zip(counts, thetas, strict=True):
        inputs, labels = examples(sample)
        weights = np.full(100, 1 / 100)
        if weighted:
            weights = marginal_weights(inputs, problem.marginal)
        peer = LogisticRegression(
            C=1 / (2 * penalty), fit_intercept=False, tol=1e-10, max_iter=1000
        )
        peer.fit(problem.X[inputs], labels, sample_weight=weights)
        np.testing.assert_allclose(theta, peer.coef_[0], atol=1e-5)


def test_fits_start_anywhere_and_end_at_the_same_place(problem):
    joint = joint_estimates(drawn_counts(problem, 50))
    start = np.random.default_rng(2).normal(scale=5, size=(2, 10))
    fits = [fit_logistic(problem.X, joint, 0.01, given) for given in (None, start)]
    np.testing.assert_allclose(*fits, atol=1e-8)


def test_fits_that_end_too_soon_are_refused(monkeypatch, problem):
    monkeypatch.setattr(method, "ROUNDS", 2)
    with pytest.raises(ValueError, match="2 of 2 fits are not at an optimum"):
        fit_logistic(problem.X, joint_estimates(drawn_counts(problem, 50)), 1e-3)


def test_weights_sum_to_the_probability_of_what_was_seen():
    weights = marginal_weights([0, 0, 2], [0.5, 0.3, 0.2])
    assert weights == pytest.approx([0.25, 0.25, 0.2])


@pytest.mark.parametrize(
    ("inputs", "marginal", "message"),
    [([0, 3], [0.5, 0.5], "inputs run from 0 to 3"), ([0], [-0.1, 1.1], "negative")],
)
def test_weights_of_unknown_inputs_and_negative_laws_are_refused(inputs, marginal, message):
    with pytest.raises(ValueError, match=message):
        marginal_weights(inputs, marginal)


def test_joint_estimates_follow_equations_1_and_5():
    counts = np.array([[[1, 3], [0, 0], [2, 0]]])
    np.testing.assert_allclose(joint_estimates(counts), counts / 6)
    known = joint_estimates(counts, np.array([0.6, 0.3, 0.1]))
    np.testing.assert_allclose(known, [[[0.15, 0.45], [0, 0], [0.1, 0]]])


def test_the_mixture_is_that_of_words_drawn_one_by_one():
    rng = np.random.default_rng(3)
    parameters = rng.dirichlet(np.ones(10), size=2)
    X = count_vectors()
    marginal, label = mixture(X, np.log(parameters))
    chances = np.zeros((220, 2))
    index = {tuple(row): k for k, row in enumerate(X)}
    for words in itertools.product(range(10), repeat=3):
        k = index[tuple(np.bincount(words, minlength=10))]
        chances[k] += 0.5 * np.prod(parameters[:, words], axis=1)
    np.testing.assert_allclose(marginal, chances.sum(axis=1))
    np.testing.assert_allclose(label, chances[:, 1] / chances.sum(axis=1))


@pytest.mark.parametrize("law", ["dirichlet", "normal", "mirrored", "blocks"])
def test_problems_have_the_printed_error_rates(law):
    drawn = draw_problem(np.random.default_rng(4), bayes=1.7, best=BEST, law=law)
    assert bayes_error(drawn.marginal, drawn.label) == pytest.approx(1.7)
    assert drawn.error(drawn.theta) == pytest.approx(BEST, abs=0.05)
    assert drawn.marginal.sum() == pytest.approx(1)
    assert (drawn.marginal @ drawn.X).min() >= 0.03


def test_three_of_the_likely_labels_are_flipped():
    rng = np.random.default_rng(5)
    drawn = draw_problem(rng, bayes=1.7, best=BEST, law="mirrored", flips="top")
    theta = fit_logistic(drawn.X, drawn.joint[None])[0]
    np.testing.assert_allclose(theta, drawn.theta)
    # Of a mixture, log-odds are linear in the counts; where a label was flipped they have turned.
    odds = np.log(drawn.label / (1 - drawn.label))
    top = np.argsort(-drawn.marginal)[:3]
    rest = np.delete(np.arange(220), top)
    linear = np.linalg.lstsq(drawn.X[rest], odds[rest], rcond=None)[0]
    np.testing.assert_allclose(drawn.X[rest] @ linear, odds[rest], atol=1e-6)
    np.testing.assert_allclose(drawn.X[top] @ linear, -odds[top], atol=1e-6)


@pytest.mark.parametrize("law", ["dirichlet", "normal", "mirrored", "blocks"])
def test_harder_problems_have_any_best_model(law):
    drawn = draw_problem(np.random.default_rng(6), bayes=20.0, law=law)
    odds = np.log(drawn.label / (1 - drawn.label))
    turned = np.abs(drawn.X @ np.linalg.lstsq(drawn.X, odds, rcond=None)[0] - odds)
    assert bayes_error(drawn.marginal, drawn.label) == pytest.approx(20)
    assert set(np.argsort(-turned)[:3]) <= set(np.argsort(-drawn.marginal)[:10])


def test_rates_that_no_draw_has_are_refused(monkeypatch):
    monkeypatch.setattr(problems, "DRAWS", 3)
    with pytest.raises(ValueError, match="none of 3 draws by the law 'blocks'"):
        draw_problem(np.random.default_rng(7), bayes=20.0, best=60.0, law="blocks")


def test_matrices_are_those_of_the_theorem_by_sums_over_labels(problem):
    sums = np.zeros((3, 10, 10))
    for x, q, eta, g in zip(
        problem.X, problem.marginal, problem.label, problem.chances, strict=True
    ):
        gradients = [g * x, (g - 1) * x]
        chances = [1 - eta, eta]
        mean = sum(c * v for c, v in zip(chances, gradients, strict=True))
        second = sum(c * np.outer(v, v) for c, v in zip(chances, gradients, strict=True))
        sums += q * np.array([second - np.outer(mean, mean), second, g * (1 - g) * np.outer(x, x)])
    np.testing.assert_allclose(problem.matrices(), sums, atol=1e-12)


def test_the_best_model_solves_equation_12(problem):
    left = problem.X.T @ (problem.marginal * (problem.chances - problem.label))
    np.testing.assert_allclose(left, 0, atol=1e-12)


def covariance_missed(problem):
    H, _, J = problem.matrices()
    inverse = np.linalg.inv(J)
    expected = inverse @ H @ inverse
    return np.linalg.norm(efficient_covariance(problem) - expected) / np.linalg.norm(expected)


def test_the_bound_by_differences_is_the_covariance_of_the_theorem(problem):
    assert covariance_missed(problem) < 1e-4


def test_the_bound_is_had_where_labels_are_all_but_sure():
    nearly = draw_problem(np.random.default_rng(0), bayes=0.3, flips="none")
    assert min(nearly.label.min(), (1 - nearly.label).min()) < 1e-9
    assert covariance_missed(nearly) < 1e-4


def test_the_variance_of_an_estimate_is_that_of_all_samples_of_three():
    marginal = 0.3
    label = 0.6
    chances = [1 - marginal, marginal * (1 - label), marginal * label]
    mean = 0.0
    square = 0.0
    for sample in itertools.product(range(3), repeat=3):
        seen = sum(kind > 0 for kind in sample)
        value = marginal * sample.count(2) / seen if seen else 0.0
        chance = np.prod([chances[kind] for kind in sample])
        mean += chance * value
        square += chance * value**2
    assert known_marginal_variance(3, marginal, label) == pytest.approx(square - mean**2)
