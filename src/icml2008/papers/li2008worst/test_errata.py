"""Errata of the paper that a small computation settles."""

import numpy as np

from .experiments import RULES, learn, ring


def test_step_size_of_the_bound_has_one_minus_gamma():
    """li2008worst, Eq. 7: Lemma A.4 is least at a step with (1 - gamma)^2, above 0 as printed."""
    gamma = 0.9
    size = 1.0
    b = 1.0

    def lemma(eta):
        return -2 * eta / (1 + gamma) + eta**2 * (size**2 + 1 / (b * (1 - gamma) ** 2))

    def step(square):
        return 1 / ((1 + gamma) * (size**2 + 1 / (b * square)))

    best = step((1 - gamma) ** 2)
    assert lemma(best) < min(lemma(0.999 * best), lemma(1.001 * best))
    # Theorem 3.1 divides by minus the least value of the lemma.
    assert np.isclose(-1 / lemma(best), (1 + gamma) ** 2 * (size**2 + 1 / (b * (1 - gamma) ** 2)))
    assert lemma(step((1 - gamma**2) ** 2)) > 0


def test_bounds_of_section_35_fail_for_another_start():
    """li2008worst, Section 3.5: with no reward, u = 0 has E = W = 0, and RG from 1 some loss."""
    x, after, rewards, _ = ring(np.random.default_rng(0), "positive")
    step = np.array([2 / (3 * 1.9**2 * 5)])  # of 5 features up to 1
    _, differences = learn(RULES["RG"], x, after, 0 * rewards, 0.9, step, 1.0)
    assert np.sum(differences**2) > 0.1
    assert not np.any(learn(RULES["RG"], x, after, 0 * rewards, 0.9, step, 0.0)[1])
