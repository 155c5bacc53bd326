"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_training_set_is_smaller_than_half_of_the_essential_proteins():
    """allauzen2008essentiality, Section 2.3: 8.3 % of 4728 proteins, 20.4 % of them essential."""
    training = round(0.083 * 4728)
    essential = round(0.204 * 4728)
    assert (training, essential) == (392, 965)
    assert training < essential // 2


def test_joint_kernel_of_normalised_kernels_is_not_the_product_form():
    """allauzen2008essentiality, Eq. 9: normalised kernels give each domain the value 1 at x = y."""
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 5, size=(2, 6))
    domains = rng.integers(1, 5, size=(4, 6))
    each = np.einsum("xz,iz,yz->ixy", counts, domains**2, counts).astype(float)
    root = np.sqrt(np.einsum("ixx->ix", each))
    normalised = each / (root[:, :, None] * root[:, None, :])
    assert np.allclose(np.diag(normalised.sum(axis=0)), len(domains))
    # As in the second line of Eq. 9: another kernel, even after it is normalised itself.
    printed = each.sum(axis=0)
    at_last = printed[0, 1] / math.sqrt(printed[0, 0] * printed[1, 1])
    assert not math.isclose(normalised.sum(axis=0)[0, 1] / len(domains), at_last, rel_tol=1e-3)
