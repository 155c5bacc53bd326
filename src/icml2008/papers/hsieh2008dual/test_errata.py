"""Errata of the paper that a small computation settles."""

import numpy as np
from scipy.sparse import csr_array

from .method import dual, last, outer_iterations


def test_equation_17_holds_far_from_the_optimum():
    """hsieh2008dual, Equation 17: M - m is 0 after a sweep in which each gradient is -1."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    alpha = np.zeros(3)
    w = np.zeros(2)
    gradients = []
    for i, row in enumerate(rows):
        gradients.append(w @ row - 1)  # the projected one, as alpha_i = 0
        alpha[i] = -gradients[-1] / (row @ row)
        w += alpha[i] * row
    assert max(gradients) - min(gradients) == 0
    assert dual(alpha, w, 10.0, "hinge") == -1.25
    best = last(outer_iterations(csr_array(rows), np.ones(3), 10.0, order="cyclic", tol=1e-12))
    assert abs(dual(best.alpha, best.w, 10.0, "hinge") + 2.5) < 1e-9


def test_a_variable_at_its_bound_is_never_shrunken():
    """hsieh2008dual, Section 3.2: the third gradient is 3 at alpha_3 = 0, and M stays 0."""
    root = np.sqrt(3)
    rows = np.array([[1.0, 0.0], [-0.5, root / 2], [1.0, root]])
    alpha = np.zeros(3)
    w = np.zeros(2)
    for _ in range(30):
        largest = -np.inf
        for i, row in enumerate(rows):
            gradient = w @ row - 1
            largest = max(largest, min(gradient, 0.0) if alpha[i] == 0 else gradient)
            new = min(max(alpha[i] - gradient / (row @ row), 0.0), 10.0)
            w = w + (new - alpha[i]) * row
            alpha[i] = new
        assert largest <= 1e-15
    assert np.allclose(alpha, [2, 2, 0])
    assert abs(w @ rows[2] - 1 - 3) < 1e-8


def test_one_instance_stands_for_all_with_its_loss_times_their_number():
    """hsieh2008dual, Section 4.2: the mean subgradient of C max(1 - y w x, 0) is short by l."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((40, 5))
    w = 0.1 * rng.standard_normal(5)
    C = 0.7
    violated = rows @ w < 1
    whole = w - C * rows[violated].sum(axis=0)
    for weight, agrees in ((C, False), (40 * C, True)):
        mean = np.mean([w - weight * row * (row @ w < 1) for row in rows], axis=0)
        assert np.allclose(mean, whole) == agrees
