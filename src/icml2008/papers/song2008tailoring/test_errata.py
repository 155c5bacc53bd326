"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, optimize


def test_cubic_kernel_orders_the_covariances():
    """song2008tailoring, Table 1, degree 3: the sixfold term is x_i' Sigma_j Sigma_i x_j."""
    xi = np.array([0.5, -1.0])
    xj = np.array([1.5, 0.3])
    si = np.array([[1.0, 0.6], [0.6, 0.8]])
    sj = np.array([[0.5, -0.3], [-0.3, 1.2]])
    # Three nodes in each direction integrate polynomials up to degree 5 exactly.
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)
    weights = weights / weights.sum()
    ri = np.linalg.cholesky(si)
    rj = np.linalg.cholesky(sj)
    mean = 0.0
    for at in itertools.product(range(3), repeat=4):
        x = xi + ri @ nodes[list(at[:2])]
        y = xj + rj @ nodes[list(at[2:])]
        mean += weights[list(at)].prod() * (x @ y + 1) ** 3
    c = xi @ xj + 1
    rest = c**3 + 3 * c * (np.trace(si @ sj) + xi @ sj @ xi + xj @ si @ xj)
    assert math.isclose(mean, rest + 6 * xi @ sj @ si @ xj, rel_tol=1e-9)
    assert not math.isclose(mean, rest + 6 * xi @ si @ sj @ xj, rel_tol=1e-2)


def test_no_flow_is_feasible_for_the_distance():
    """song2008tailoring, Section 8.2.1: bounds from above alone give the distance 0."""
    distances = np.array([1.0, 2.0, 3.0, 1.5])
    rows = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    shares = np.array([0.4, 0.6, 0.7, 0.3])
    printed = optimize.linprog(distances, A_ub=rows, b_ub=shares)
    moved = optimize.linprog(distances, A_ub=rows, b_ub=shares, A_eq=[[1] * 4], b_eq=[1])
    assert printed.fun == 0
    # Of the first 0.4 and of the second 0.6, the cheapest: 0.1, 0.3, 0.6 and 0.
    assert math.isclose(moved.fun, min(
        distances @ [a, 0.4 - a, 0.7 - a, a - 0.1] for a in (0.1, 0.4)
    ), rel_tol=1e-9)  # fmt: skip


@pytest.mark.parametrize(("rate", "shift"), [(1.0, 0.0), (2.0, 0.7), (0.5, 3.0)])
def test_laplacian_integral(rate, shift):
    """song2008tailoring, Section 5: the integral is (|a| + 1 / lambda) exp(-lambda |a|)."""

    def integrand(x):
        return math.exp(-rate * (abs(x) + abs(x - shift)))

    integral = sum(
        integrate.quad(integrand, *ends)[0] for ends in [(-np.inf, 0), (0, shift), (shift, np.inf)]
    )
    assert math.isclose(integral, (shift + 1 / rate) * math.exp(-rate * shift), rel_tol=1e-6)
    assert not math.isclose(integral, 1 / rate + math.exp(-rate * shift), rel_tol=1e-2)


def test_halves_of_centred_data_differ_by_twice_the_mean():
    """song2008tailoring, Table 4: linear functions have relative error 2 by the protocol alone."""
    rng = np.random.default_rng(1)
    data = rng.normal(size=(200, 3))
    data -= data.mean(axis=0)
    training = data[:100].mean(axis=0)
    test = data[100:].mean(axis=0)
    for weights in rng.normal(size=(20, 3)):
        difference = weights @ test
        estimate = weights @ training
        assert math.isclose(abs(difference - estimate) / abs(difference), 2.0, rel_tol=1e-9)
