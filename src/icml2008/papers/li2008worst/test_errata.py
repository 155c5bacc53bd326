"""Errata of the paper that a small computation settles."""

import math

from scipy import optimize


def test_step_size_of_the_bound_has_one_minus_gamma():
    """li2008worst, Eq. 7: Lemma A.4 is least at a step with (1 - gamma)^2, above 0 as printed."""
    gamma, size, b = 0.9, 1.0, 1.0

    def lemma(eta):
        return -2 * eta / (1 + gamma) + eta**2 * (size**2 + 1 / (b * (1 - gamma) ** 2))

    def step(square):
        return 1 / ((1 + gamma) * (size**2 + 1 / (b * square)))

    best = optimize.minimize_scalar(
        lemma, bounds=(0, 0.1), method="bounded", options={"xatol": 1e-9}
    )
    assert math.isclose(best.x, step((1 - gamma) ** 2), rel_tol=1e-4)
    # Theorem 3.1 divides by minus the least value of the lemma.
    assert math.isclose(-1 / best.fun, (1 + gamma) ** 2 * (size**2 + 1 / (b * (1 - gamma) ** 2)))
    assert lemma(step((1 - gamma**2) ** 2)) > 0
