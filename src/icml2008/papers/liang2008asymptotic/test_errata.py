"""Errata of the paper that a small computation settles."""

import numpy as np


def partitions_of_three():
    """Return two ways of dividing the outcomes 0, 1, 2, 3 into components."""
    return [[{0, 1}, {2, 3}], [{0, 2}, {1, 3}]]


def moments(probability, feature):
    """Return E m^2, the sensitivity and the component correction of a composite likelihood."""
    conditional = []
    for components in partitions_of_three():
        of = {z: block for block in components for z in block}
        conditional.append(
            np.array([
                np.average(feature[sorted(of[z])], weights=probability[sorted(of[z])])
                for z in range(4)
            ])
        )  # fmt: skip
    conditional = np.array(conditional)
    score = feature - conditional.mean(axis=0)
    sensitivity = np.mean([np.sum(probability * (feature - c) ** 2) for c in conditional])
    correction = np.sum(probability * conditional.var(axis=0))
    return np.sum(probability * score**2), sensitivity, correction


def test_component_correction_is_subtracted():
    """liang2008asymptotic, Theorem 1: E m^2 = Gamma - C_c for a model that is right."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        square, sensitivity, correction = moments(rng.dirichlet(np.ones(4)), rng.normal(size=4))
        assert np.isclose(square, sensitivity - correction, rtol=1e-9)
        assert not np.isclose(square, sensitivity + correction, rtol=1e-3)
