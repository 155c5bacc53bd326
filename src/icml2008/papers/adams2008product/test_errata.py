"""Errata of the paper that a small computation settles."""

import itertools
import math

import numpy as np
from scipy import integrate, stats

from numerics import positive_definite


def test_mixture_needs_its_weight():
    """adams2008product, Section 5: a sum of S normal densities integrates to S, not to 1."""
    rng = np.random.default_rng(0)
    f = rng.normal(size=20)
    g = rng.normal(scale=0.3, size=20)
    y = np.linspace(-40, 40, 4001)
    total = stats.norm.pdf(y[:, None], f * np.exp(g), np.exp(g)).sum(axis=1)
    assert math.isclose(integrate.trapezoid(total, y), 20, rel_tol=1e-6)


def test_nodes_are_mapped_by_the_cholesky_factor():
    """adams2008product, Section 4.1.2: nodes m + L z have the covariance S = L L'."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    lattice = np.array(list(itertools.product(nodes, repeat=2)))
    weights = np.outer(weights, weights).ravel() / (2 * math.pi)
    covariance = positive_definite(np.random.default_rng(0), 2)
    root = np.linalg.cholesky(covariance)

    def spread(factor):
        mapped = lattice @ factor.T
        return (weights[:, None] * mapped).T @ mapped

    assert np.allclose(spread(root), covariance, rtol=1e-9)
    assert not np.allclose(spread(np.linalg.inv(root)), covariance, rtol=0.1)


def test_site_constant_has_the_tilted_determinant():
    """adams2008product, Section 4.1.1: cavity times site is Z-hat times the tilted normal."""
    rng = np.random.default_rng(1)
    cavity = positive_definite(rng, 2)
    site = positive_definite(rng, 2)
    m_cavity, m_site, point = rng.normal(size=(3, 2))
    tilted = np.linalg.inv(np.linalg.inv(cavity) + np.linalg.inv(site))
    m_tilted = tilted @ (np.linalg.solve(cavity, m_cavity) + np.linalg.solve(site, m_site))

    def half_square(at, covariance):
        return at @ np.linalg.solve(covariance, at) / 2

    def site_log_constant(determinant_of):
        """Return ln Z-tilde as printed, but for ln Z-hat, with -1/2 ln|determinant_of|."""
        return (
            (np.linalg.slogdet(cavity)[1] - np.linalg.slogdet(determinant_of)[1]) / 2
            + half_square(m_site, site)
            + half_square(m_cavity, cavity)
            - half_square(m_tilted, tilted)
        )

    needed = (
        stats.multivariate_normal(m_tilted, tilted).logpdf(point)
        - stats.multivariate_normal(m_cavity, cavity).logpdf(point)
        + half_square(point - m_site, site)
    )
    assert math.isclose(site_log_constant(tilted), needed, rel_tol=1e-9)
    assert not math.isclose(site_log_constant(site), needed, rel_tol=1e-2)
