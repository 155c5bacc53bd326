"""Errata of the paper that a small computation settles."""

import itertools
import math


def test_logarithm_of_labellings_has_log_k():
    """liang2008structure, Section 3.2: K tags on V nodes have K^V labellings."""
    tags = 3
    nodes = 4
    labellings = math.log(sum(1 for _ in itertools.product(range(tags), repeat=nodes)))
    assert math.isclose(labellings, nodes * math.log(tags))
    assert not math.isclose(labellings, tags * nodes, rel_tol=0.5)
