"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import stats


def test_best_count_needs_a_union_over_documents():
    """radlinski2008diverse, Lemma 2: x free of n fails with chance 0.27 for n = 100000."""
    k = 1
    eps = 0.2
    delta = 0.1
    n = 100_000
    x = math.ceil(2 * k**2 / eps**2 * math.log(2 * k / delta))
    assert x == 150
    # One document of value 0.6 among n of value 0.4: one of these has the greatest count.
    counts = np.arange(x + 1)
    best = stats.binom.pmf(counts, x, 0.5 + eps / 2)
    none_above = stats.binom.cdf(counts, x, 0.5 - eps / 2) ** n
    assert 1 - best @ none_above > 2 * delta
