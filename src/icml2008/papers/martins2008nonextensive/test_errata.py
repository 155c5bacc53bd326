"""Errata of the paper that a small computation settles."""

import math

import numpy as np
import pytest


def tsallis(p, q):
    return (1 - np.sum(p**q)) / (q - 1)


def jensen_tsallis(pi, ps, q, power):
    """Return the difference of martins2008nonextensive, Eq. 15, with weights pi^power."""
    return tsallis(pi @ ps, q) - sum(w**power * tsallis(p, q) for w, p in zip(pi, ps, strict=True))


@pytest.mark.parametrize("q", [0.5, 1.5, 2.0])
def test_q_expectation_weighs_by_powers_of_the_prior(q):
    """martins2008nonextensive, Eq. 15: only with pi^q does it give the information of Eq. 16."""
    rng = np.random.default_rng(0)
    pi, ps = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4), size=3)
    joint = pi[:, None] * ps
    # S_q(X | Y) by the chain rule of Section 2: the joint entropy less that of Y.
    information = tsallis(pi @ ps, q) - (tsallis(joint.ravel(), q) - tsallis(pi, q))
    assert math.isclose(jensen_tsallis(pi, ps, q, q), information, rel_tol=1e-9)
    assert not math.isclose(jensen_tsallis(pi, ps, q, 1), information, rel_tol=1e-3)


def test_powers_of_a_sum_are_positive_not_negative_definite():
    """martins2008nonextensive, Proposition 8: -(x + y)^q is negative definite, (x + y)^q is not."""
    x = np.array([0.3, 1.0, 2.5])
    # A zero-sum vector; Prop. 8 needs a form that is never positive.
    c = np.array([1.0, -2.0, 1.0])
    for q in (1.2, 1.5, 2.0):
        gram = (x[:, None] + x) ** q
        assert c @ gram @ c > 1e-3
        assert c @ -gram @ c < 0


def squared_geodesic(p):
    inner = np.sqrt(p) @ np.sqrt(p).T
    return (2 * np.arccos(np.clip(inner, -1, 1))) ** 2


def test_heat_kernel_is_positive_definite_on_two_outcomes():
    """martins2008nonextensive, Proposition 11: the counterexample needs three coordinates."""
    four = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    c = np.array([-4, -4, 1, 7])
    assert c.sum() == 0
    # arccos loses half the digits next to 1.
    assert math.isclose(c @ squared_geodesic(four) @ c, 2 * math.pi**2, rel_tol=1e-6)
    share = np.random.default_rng(1).random(12)
    two = squared_geodesic(np.column_stack([share, 1 - share]))
    for t in (0.1, 1.0, 100.0):
        assert np.linalg.eigvalsh(np.exp(-two / (4 * t))).min() > -1e-6
