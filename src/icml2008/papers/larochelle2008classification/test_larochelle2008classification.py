"""What rows, stopping and similarities must agree with, and an erratum by enumeration."""

import itertools

import numpy as np
import pytest

from .experiments import (
    EARLY,
    LOOK_AHEAD,
    Parts,
    error,
    kinship,
    learn,
    machine,
    similarity,
    topics,
)


def test_gradient_as_printed_lacks_the_class_biases():
    """Plain loops over hidden states; of Section 3 the gradient's two sums, for U and for d."""
    rng = np.random.default_rng(0)
    W, U, c, d = (rng.normal(size=s) for s in ((3, 4), (3, 3), 3, 3))
    x = np.array([1.0, 0, 1, 1])
    y = 1
    states = list(itertools.product((0, 1), repeat=3))

    def log_p(U, d):
        totals = [
            sum(np.exp(h @ W @ x + c @ h + d[k] + h @ U[:, k]) for h in map(np.array, states))
            for k in range(3)
        ]
        return np.log(totals / np.sum(totals))

    p = np.exp(log_p(U, d))
    on = 1 / (1 + np.exp(-(c + W @ x)[:, None] - U))
    printed = on * (np.eye(3)[y] - p)
    moved = 1e-6 * np.eye(3)
    for j, k in itertools.product(range(3), repeat=2):
        slope = (log_p(U + np.outer(moved[j], np.eye(3)[k]), d) - log_p(U, d))[y] / 1e-6
        assert slope == pytest.approx(printed[j, k], abs=1e-5)
    slopes = [(log_p(U, d + step) - log_p(U, d))[y] / 1e-6 for step in moved]
    assert slopes == pytest.approx(np.eye(3)[y] - p, abs=1e-5)  # where the print has 0
    assert np.abs(slopes).max() > 0.1


def test_rows_of_an_update_move_the_weights_as_far_as_one_by_one():
    X, y = topics(np.random.default_rng(0)).train
    ends = []
    for rows in (1, 20):
        model = machine("discriminative", 5, 1e-5, rows, seed=0, sparsity=1e-4)
        ends.append(model.partial_fit(X.astype(float), y, classes=range(6)))
    single, other = ends
    np.testing.assert_allclose(single.class_components_, other.class_components_, atol=1e-6)
    np.testing.assert_allclose(single.intercept_hidden_, other.intercept_hidden_, atol=1e-6)


def test_errors_are_those_of_plain_loops_over_classes_and_units():
    parts = topics(np.random.default_rng(0))
    model = machine("hybrid", 6, 0.05, 20, seed=0, generative_weight=0.01)
    model.partial_fit(*parts.train, classes=range(6))
    wrong = 0
    for x, y in zip(*parts.test, strict=True):
        scores = []
        for k in range(6):  # ln p(y, x) but for what all classes share, Section 2
            score = float(model.intercept_class_[k])
            for c, u, w in zip(
                model.intercept_hidden_, model.class_components_, model.components_, strict=True
            ):
                score += np.log(1 + np.exp(float(c + u[k] + w @ x)))
            scores.append(score)
        wrong += scores.index(max(scores)) != y
    assert 0 < wrong < len(parts.test[1])
    assert error(model, *parts.test) == pytest.approx(100 * wrong / len(parts.test[1]))


class Scripted:
    """A model whose validation errors are given, in percent of 100 rows."""

    def __init__(self, errors):
        self.errors = errors
        self.done = 0

    def partial_fit(self, X, y, classes):
        self.done += 1

    def predict(self, X):
        wrong = self.errors[self.done - 1]
        return np.repeat([1, 0], [wrong, 100 - wrong])


@pytest.mark.parametrize(("most", "passes"), [(60, 3 + LOOK_AHEAD), (9, 9)])
def test_learning_ends_when_no_pass_of_the_look_ahead_is_better(most, passes):
    rows = np.zeros((100, 1)), np.zeros(100)
    parts = Parts(rows, rows, rows, np.arange(2))
    script = [9, 8, 5, *[5] * 30, *[1] * 30]
    best, errors, early = learn(Scripted(script), parts, np.random.default_rng(0), most)
    assert (best.done, len(errors), early, error(best, *rows)) == (3, passes, script[EARLY - 1], 5)


def test_kinship_is_of_groups_of_a_family():
    U = np.array([[2.0, 2, 0, 0], [0, 0, 1, -1]])
    names = np.array(["comp.x", "comp.y", "rec.autos", "misc.z"])
    M = 1 / (1 + np.exp(-(U.T @ U)))
    assert similarity(U) == pytest.approx(M)
    assert kinship(U, names) == pytest.approx(M[0, 1] - (4 * 0.5 + M[2, 3]) / 5)
