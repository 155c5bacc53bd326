"""What mapping kernels must agree with, and an erratum that a computation settles."""

import itertools
import math

import numpy as np

from . import experiments as ours


def test_trace_sums_rows_of_the_same_block():
    """shin2008mapping, Equation 10: Y^ki_lI Y^kj_lI, not Y^ki_iI Y^lj_iI, over k and l."""
    rng = np.random.default_rng(0)
    n = m = 3
    # Y[k, i, l, r]: entry (l, r) of the block (k, i).
    root = rng.normal(size=(n, n, m, m))
    alpha = rng.random(m)
    for i, j in itertools.product(range(n), repeat=2):
        block = sum(root[k, i].T @ root[k, j] for k in range(n))
        trace = np.trace(np.diag(alpha) @ block)
        right = np.einsum("r,klr,klr->", alpha, root[:, i], root[:, j])
        printed = np.einsum("r,kr,lr->", alpha, root[:, i, i], root[:, j, i])
        assert math.isclose(trace, right, rel_tol=1e-9)
        assert not math.isclose(trace, printed, rel_tol=1e-3)


def test_transitive_relations_are_partial_equivalences():
    """Bell numbers: classes of m parts and of those related to nothing."""
    counts = [sum(map(ours.transitive, ours.relations(m))) for m in (1, 2, 3)]
    assert counts == [2, 5, 15]
    assert [len(list(ours.owners(m))) for m in (2, 3, 4)] == [2, 5, 15]
    assert not ours.transitive((ours.mismatch_base() > 0).astype(int))  # Example 1


def test_theorem_is_a_plain_loop_over_relations_on_three_parts():
    """Equation 2 from the text; objects are one part each."""
    base = np.outer([1, -math.sqrt(2), 1], [1, -math.sqrt(2), 1])
    chain = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    owner = np.array([0, 1, 2])
    gram = np.zeros((3, 3))
    for x, y in itertools.product(range(3), repeat=2):
        for i, j in itertools.product(range(3), repeat=2):
            if owner[i] == x and owner[j] == y and chain[i, j]:
                gram[x, y] += base[i, j]
    assert np.array_equal(gram, ours.mapping_kernel(chain, base, owner))
    assert np.linalg.det(chain) < 0 > ours.lowest(gram)
    assert ours.lowest(ours.mapping_kernel(np.ones((3, 3)), base, owner)) > -1e-12


def test_three_trees_break_the_refinement_kernel_alone():
    """ab|c, the star and bc|a: the star can be refined to either, these are at odds."""
    everything = frozenset(range(3))
    trees = [[frozenset([0, 1]), everything], [everything], [frozenset([1, 2]), everything]]
    odd = ours.tree_gram(trees, ours.compatible, leaves=3)
    assert np.array_equal(odd[0], odd[0, 0] - np.array([0, 0, 8]))
    assert ours.lowest(odd) < 0 < ours.lowest(ours.tree_gram(trees, frozenset.__eq__, leaves=3))


def test_edit_parts_keep_ancestors_and_order():
    labels = np.zeros(3, dtype=int)
    shapes = [
        [shape for shape, _ in ours.edit_parts((parents, labels))]
        for parents in ([-1, 0, 0], [-1, 0, 1])
    ]
    assert [shape.count((True,)) for shape in shapes] == [2, 3]
    assert [shape[-1] for shape in shapes] == [(True, True, False), (True, True, True)]
