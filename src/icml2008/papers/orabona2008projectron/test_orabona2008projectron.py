"""Plain loops from the text, exact cases and brute force against the learners."""

import math
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix, issparse
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from .experiments import binary_gaussian, packed, two_gaussians
from .method import (
    Forgetron,
    KernelPerceptron,
    PassiveAggressive,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
    damage,
    forgetron_norm,
    largest_scale,
)

LEARNERS = [
    KernelPerceptron(),
    PassiveAggressive(),
    Stoptron(40),
    RandomBudgetPerceptron(40, random_state=3),
    Forgetron(40),
    Projectron(eta=0.3),
    ProjectronPlusPlus(2.0),
]


def examples(n=700, seed=0):
    return two_gaussians(np.random.default_rng(seed), n, 0.1)


def projectron_by_the_text(X, y, U, plus):
    """Algorithm 2 with Equations 8, 9 and 13, and Section 4.1, from the text alone."""
    support = []
    alpha = np.empty(0)
    mistakes = []
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        k = np.array([math.exp(-np.sum((x - X[i]) ** 2)) for i in support])
        f = alpha @ k if support else 0.0
        loss = 1 - label * f
        if loss <= 0:
            continue
        gram = rbf_kernel(X[support], gamma=1.0) if support else np.empty((0, 0))
        d = np.linalg.solve(gram, k)
        length = d @ gram @ d if support else 0.0
        delta = math.sqrt(max(0.0, 1 - k @ d)) if support else 1.0
        if label * f <= 0:
            mistakes.append(t)
            if delta <= (2 * loss - length - 0.5) / (2 * U):
                alpha = alpha + label * d
            else:
                support = [*support, t]
                alpha = np.append(alpha, label)
        elif plus:
            tau = min(loss / length, 1)
            if tau * (2 * loss - tau * length - 2 * U * delta) >= 0:
                alpha = alpha + label * tau * d
    return mistakes, support


@pytest.mark.parametrize("plus", [False, True])
def test_the_projectrons_are_those_of_a_plain_loop(plus):
    X, y = examples(400)
    U = forgetron_norm(500)
    learner = (ProjectronPlusPlus if plus else Projectron)(U=U).fit(X, y)
    mistakes, support = projectron_by_the_text(X, y, U, plus)
    assert learner.mistakes_.tolist() == mistakes
    assert learner.support_.tolist() == support
    assert 10 < len(support) < len(mistakes)


def test_budgets_are_kept_as_in_a_plain_loop():
    X, y = examples(400)
    gram = rbf_kernel(X, gamma=1.0)
    alpha = np.zeros(400)
    order = []
    debt = errors = 0
    for t, label in enumerate(y):
        if label * (gram[t] @ alpha) > 0:
            continue
        errors = errors + 1
        alpha[t] = label
        order.append(t)
        if len(order) > 40:
            gone = order.pop(0)
            sigma = abs(alpha[gone])
            mu = np.sign(alpha[gone]) * (gram[gone] @ alpha)
            scales = np.linspace(0, 1, 100_001)
            spent = (sigma * scales) ** 2 + 2 * sigma * scales * (1 - scales * mu)
            scale = scales[debt + spent <= 15 / 32 * errors].max()
            debt += spent[scales == scale][0]
            alpha *= scale
            alpha[gone] = 0
    learner = Forgetron(40).fit(X, y)
    assert len(learner.mistakes_) == errors
    assert learner.support_.tolist() == order
    assert np.allclose(learner.dual_coef_, alpha[order], atol=1e-3)


def test_the_largest_scale_is_that_of_a_grid():
    rng = np.random.default_rng(0)
    scales = np.linspace(0, 1, 20_001)
    for weight, margin, debt in rng.uniform([0.01, -3, -2], [1, 3, 0], size=(100, 3)):
        allowed = scales[damage(weight, margin, scales) + debt <= 0]
        assert abs(largest_scale(weight, margin, debt) - allowed.max()) < 1e-4


def test_the_perceptron_and_the_passive_aggressive_are_plain_loops():
    X, y = examples(500)
    gram = rbf_kernel(X, gamma=1.0)
    for learner, aggressive in ((KernelPerceptron(), False), (PassiveAggressive(), True)):
        alpha = np.zeros(500)
        wrong = []
        for t, label in enumerate(y):
            margin = label * (gram[t] @ alpha)
            if margin <= 0:
                wrong.append(t)
            alpha[t] = label * (min(1, max(0, 1 - margin)) if aggressive else margin <= 0)
        learner.fit(X, y)
        assert learner.mistakes_.tolist() == wrong
        assert np.allclose(learner.decision_function(X), gram @ alpha)


def test_without_tolerance_the_projectron_is_the_perceptron_and_stores_a_basis():
    X, y = examples()
    square = partial(polynomial_kernel, degree=2, gamma=1.0, coef0=1.0)
    learner = Projectron(square, eta=0).fit(X, y)
    plain = KernelPerceptron(square).fit(X, y)
    assert learner.mistakes_.tolist() == plain.mistakes_.tolist()
    assert len(learner.support_) == 6 < len(plain.support_)
    assert np.allclose(learner.decision_function(X), plain.decision_function(X))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_rows_may_come_in_pieces(learner):
    X, y = examples(500)
    whole = {
        name: getattr(learner.fit(X, y), name) for name in ("mistakes_", "support_", "stored_")
    }
    f = learner.decision_function(X)
    learner.fit(X[:90], y[:90])
    for rows in (slice(90, 91), slice(91, 330), slice(330, 500)):
        learner.partial_fit(X[rows], y[rows])
    assert all(np.array_equal(getattr(learner, name), values) for name, values in whole.items())
    assert np.allclose(learner.decision_function(X), f)
    assert learner.stored_[-1] == len(learner.support_) == len(learner.support_vectors_)
    assert len(learner.support_) <= getattr(learner, "budget", 500)


def test_the_printed_margin_step_is_not_the_maximiser():
    """Equation 16 with its own numbers: a shorter step makes more progress, none if exact."""
    loss = 0.6
    length = 0.8
    U = 2.0
    for delta in (0.0, 0.1, 0.2):
        steps = np.linspace(0, 1, 10_001)
        progress = steps * (2 * loss - steps * length - 2 * U * delta)
        best = steps[np.argmax(progress)]
        assert abs(best - (loss - U * delta) / length) < 1e-4
        assert (abs(best - loss / length) < 1e-4) == (delta == 0)
        learner = ProjectronPlusPlus(U, step="maximiser")
        learner.progress_ = 0.0
        assert abs(learner._step(loss, length, delta) - best) < 1e-4


def test_bits_that_differ_give_the_gaussian_of_binary_features():
    X = (np.random.default_rng(0).random((30, 123)) < 0.2).astype(float)
    gram = binary_gaussian(packed(X), packed(X[:20]), 0.02)
    assert np.allclose(gram, rbf_kernel(X, X[:20], gamma=0.02), atol=1e-14)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Stoptron(0), "budget is at least 1, found 0"),
        (Projectron(eta=-1), "eta is at least 0, found -1"),
        (ProjectronPlusPlus(0), "U is above 0, found 0"),
        (ProjectronPlusPlus(None), "U is above 0, found None"),
        (ProjectronPlusPlus(1, step="full"), "step is 'printed' or 'maximiser', found 'full'"),
        (KernelPerceptron("rfb"), "kernel is 'rbf' or a function of two matrices, found 'rfb'"),
    ],
)
def test_a_parameter_out_of_range_is_named(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(*examples(10))


@pytest.mark.parametrize("labels", [(-1, 1), (1, 2), ("bad", "good"), (False, True)])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_any_two_labels_are_learnt_as_signs_are(learner, labels):
    X, y = examples(150)
    f = learner.fit(X, y).decision_function(X)
    names = np.array(labels)[(y > 0).astype(int)]
    assert np.array_equal(learner.fit(X, names).decision_function(X), f)
    assert learner.classes_.tolist() == list(labels)
    assert learner.predict(X).dtype == names.dtype
    assert learner.predict(X).tolist() == [labels[int(score > 0)] for score in f]


@pytest.mark.parametrize("form", [csr_array, csr_matrix, csc_array])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_sparse_rows_teach_what_dense_ones_do(learner, form):
    X, y = examples(300)
    X = np.hstack([X * (X > 0), X * (X < 0)])
    learner.fit(X, y)
    f = learner.decision_function(X)
    support = learner.support_
    learner.fit(form(X[:200]), y[:200]).partial_fit(form(X[200:]), y[200:])
    assert np.array_equal(learner.support_, support)
    assert issparse(learner.support_vectors_)
    assert np.allclose(learner.decision_function(form(X)), f)


def test_a_first_piece_of_one_class_is_given_both():
    X, y = examples(20)
    first = y == y[0]
    with pytest.raises(ValueError, match="is given both as classes"):
        Projectron().partial_fit(X[first], y[first])
    learner = Projectron().partial_fit(X[first], y[first], classes=[-1, 1])
    with pytest.raises(ValueError, match="y has classes .3. beyond .-1, 1."):
        learner.partial_fit(X, np.full(20, 3))
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        Projectron().fit(X, np.arange(20) % 3)
