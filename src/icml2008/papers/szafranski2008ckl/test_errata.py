"""Errata of the paper that a small computation settles."""

import math

import numpy as np
import pytest
from scipy import optimize, special

from numerics import derivative

NORMS, GROUPS = np.array([1.0, 0.3, 0.5, 2.0, 0.7]), [[0, 1, 2], [3, 4]]


def softmax(x):
    return np.exp(x - special.logsumexp(x))


def test_mixed_norm_raises_inner_norms_to_gamma():
    """szafranski2008ckl, Equation 11 at p = q = 1/2: gamma = 4/3 inside, not gamma_0 = 1."""
    sizes = np.array([len(group) for group in GROUPS])

    def constraint(sigma):
        inner = np.array([np.sum(sigma[group] ** 2) ** 0.5 for group in GROUPS])
        return 1 - np.sum(sizes**0.5 * inner)

    solved = optimize.minimize(
        lambda sigma: np.sum(NORMS**2 / sigma),
        np.full(5, 0.1),
        bounds=[(1e-6, 1)] * 5,
        constraints={"type": "ineq", "fun": constraint},
        options={"ftol": 1e-12, "maxiter": 500},
    )
    gamma, outer = 4 / 3, 3 / 4

    def closed(inner):
        sums = np.array([np.sum(NORMS[group] ** inner) for group in GROUPS])
        return np.sum(sizes ** (1 - outer) * sums**outer) ** 2

    # The solver's tolerance on a smooth convex problem.
    assert math.isclose(solved.fun, closed(gamma), rel_tol=1e-5)
    assert not math.isclose(solved.fun, closed(1.0), rel_tol=1e-2)


@pytest.mark.parametrize("shared", [True, False])
def test_one_budget_gives_the_mixed_norm(shared):
    """szafranski2008ckl, Equation 6: sigma_2 sums to 1 over all, not over each group."""
    sizes = np.array([len(group) for group in GROUPS])

    def objective(free):
        first = softmax(free[:2]) / sizes
        second = (
            softmax(free[2:])
            if shared
            else np.concatenate([softmax(free[2:][group]) for group in GROUPS])
        )
        group_of = np.repeat([0, 1], sizes)
        return np.sum(NORMS**2 / np.sqrt(first[group_of] * second))

    found = optimize.minimize(objective, np.zeros(7), options={"gtol": 1e-9}).fun
    inner = np.array([np.sum(NORMS[group] ** (4 / 3)) for group in GROUPS])
    wanted = np.sum(sizes**0.25 * inner**0.75) ** 2
    assert math.isclose(found, wanted, rel_tol=1e-6) == shared


def test_kernel_gradient_is_of_one_kernel():
    """szafranski2008ckl, Section 5.2: the derivative by sigma_m has K_m alone, not the sum."""
    rng = np.random.default_rng(2)
    y = np.array([1, -1] * 4)
    kernels = np.array([a @ a.T + np.eye(8) for a in rng.normal(size=(3, 8, 4))])

    def dual(sigma):
        gram = np.tensordot(sigma, kernels, 1) * np.outer(y, y)
        solved = optimize.minimize(
            lambda alpha: (alpha @ gram @ alpha / 2 - alpha.sum(), gram @ alpha - 1),
            np.zeros(8),
            jac=True,
            bounds=[(0, 1)] * 8,
            constraints={"type": "eq", "fun": lambda alpha: alpha @ y},
            options={"ftol": 1e-14},
        )
        return solved.x * y, -solved.fun

    sigma = np.array([0.5, 0.3, 0.2])
    signed = dual(sigma)[0]
    each = np.array([-signed @ kernel @ signed / 2 for kernel in kernels])
    slopes = derivative(lambda at: dual(at)[1], sigma, step=1e-4)
    np.testing.assert_allclose(slopes, each, rtol=1e-4)
    assert not np.allclose(slopes, each.sum(), rtol=0.1)
