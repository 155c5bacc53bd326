"""Errata of the paper that a small computation settles."""

import numpy as np

from .method import project_simplex


def test_an_element_reaches_the_pivot_below_the_bound():
    """duchi2008projections, Eq. 11: elements that stay positive have sum < count v + z."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        v = rng.normal(size=8)
        kept = project_simplex(v, 1.0) > 1e-9
        below = np.array([v[v >= pivot].sum() < np.sum(v >= pivot) * pivot + 1.0 for pivot in v])
        assert np.array_equal(kept, below)


def test_nonzero_components_are_not_the_positive_inputs():
    """duchi2008projections, Section 3: all v are positive, one w is."""
    v = np.array([3.0, 2.0, 1.0])
    assert np.allclose(project_simplex(v, 0.5), [0.5, 0, 0])
    assert (v > 0).all()


def search(node, z, rho, s, best, later):
    """Return theta by Figure 3; a node is (v, left, right), `later` how it compares equal keys."""

    def keys(node):
        return [] if node is None else [node[0], *keys(node[1]), *keys(node[2])]

    v, left, right = node
    count = rho + 1 + len(keys(right))
    total = s + v + sum(keys(right))
    if total < v * count + z:
        best = (v, count, total) if later(best[0], v) else best
        rho = count
        s = total
        then = left
    else:
        then = right
    return (best[2] - z) / best[1] if then is None else search(then, z, rho, s, best, later)


def test_the_printed_search_misses_equal_keys():
    """duchi2008projections, Figure 3: of (1, 1) with z = 1 theta is a half, not 0."""
    tree = (1.0, (1.0, None, None), None)
    start = (np.inf, 3, 1.0)
    assert search(tree, 1.0, 0, 0.0, start, np.greater) == 0.0
    assert search(tree, 1.0, 0, 0.0, start, np.greater_equal) == 0.5


def test_the_shift_found_is_not_to_be_added_to_the_last_one():
    """duchi2008projections, Section 6: of un-shifted keys, Figure 3 finds the whole new shift."""
    w = np.array([0.6, 0.4])
    before = 0.7
    raw = w + before + np.array([0.5, 0.0])
    theta = search((raw[0], (raw[1], None, None), None), 1.0, 0, 0.0, (np.inf, 3, 1.0), np.greater)
    aim = project_simplex(raw - before, 1.0)
    assert np.allclose(np.maximum(raw - theta, 0), aim)
    assert not np.allclose(np.maximum(raw - (before + theta), 0), aim)


def test_a_zero_added_to_the_vector_can_take_part_in_the_sum():
    """duchi2008projections, Section 5: (0.1, 0.1) with z = 1 gets a third component."""
    assert np.allclose(project_simplex(np.array([0.1, 0.1]), 1.0), 0.5)
    assert np.allclose(project_simplex(np.array([0.1, 0.1, 0.0]), 1.0)[:2], 1.1 / 3)
