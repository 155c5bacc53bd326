"""What is measured of mapping kernels."""

import itertools

import numpy as np
import pytest

from icml2008.papers.shin2008mapping import experiments
from wiring import wire


def plain(relation, base, owner):
    """Return the objects' kernel by a plain loop over pairs of related parts."""
    gram = np.zeros((max(owner) + 1, max(owner) + 1))
    for i, j in itertools.product(range(len(owner)), repeat=2):
        if relation[i, j]:
            gram[owner[i], owner[j]] += base[i, j]
    return gram


def is_transitive(relation):
    m = range(len(relation))
    return all(
        relation[i, k] or not (relation[i, j] and relation[j, k])
        for i, j, k in itertools.product(m, repeat=3)
    )


def least(gram):
    largest = np.abs(gram).max()
    return min(np.linalg.eigvalsh(gram)) / largest if largest else 0.0


@pytest.mark.parametrize("parts", [2, 3])
def test_all_relations_and_all_owners_of_parts_are_tried(parts):
    wired = wire(experiments.run_theorem_2, {"parts": parts})
    rng = wired.rng("bases")
    pairs = list(itertools.combinations_with_replacement(range(parts), 2))
    # Partitions of the parts into objects, as restricted growth strings.
    owners = [
        labels
        for labels in itertools.product(range(parts), repeat=parts)
        if all(label <= max([-1, *labels[:i]]) + 1 for i, label in enumerate(labels))
    ]
    assert len(owners) == {2: 2, 3: 5}[parts]
    n = 0
    negative = 0.0
    for bits in itertools.product((0, 1), repeat=len(pairs)):
        relation = np.zeros((parts, parts), int)
        for (i, j), bit in zip(pairs, bits, strict=True):
            relation[i, j] = relation[j, i] = bit
        if is_transitive(relation):
            for owner in owners:
                for _ in range(5):
                    root = rng.normal(size=(parts, rng.integers(1, parts + 1)))
                    negative = max(negative, -least(plain(relation, root @ root.T, owner)))
                    n += 1
    assert wired.n_test["mapping"]["negative"] == n
    assert wired["mapping"]["negative"] == pytest.approx(negative, abs=1e-9)
    assert wired["mapping"]["missed"] == 0


def test_a_base_kernel_that_does_not_break_what_is_not_transitive_is_missed(monkeypatch):
    monkeypatch.setattr(experiments, "breaking_base", lambda relation: np.eye(len(relation)))
    wired = wire(experiments.run_theorem_2, {"parts": 2})
    # Of eight relations on two parts, those with the pair and without one of the loops: three.
    assert wired["mapping"]["missed"] == 3 * 2


def test_a_negative_eigenvalue_is_told_by_its_size(monkeypatch):
    monkeypatch.setattr(
        experiments, "drawn_base", lambda rng, m: -np.diag(np.arange(1.0, m + 1)) / m
    )
    assert wire(experiments.run_theorem_2, {"parts": 2})["mapping"]["negative"] == pytest.approx(1)
    assert wire(experiments.run_proposition_1)["summary"]["negative"] == 0
    bases = itertools.cycle([lambda m: np.eye(m), lambda m: -np.eye(m)])
    monkeypatch.setattr(experiments, "drawn_base", lambda rng, m: next(bases)(m))
    metrics = wire(experiments.run_proposition_1)["summary"]
    assert metrics["negative"] == pytest.approx(1)


@pytest.mark.parametrize("dimension", [2, 4])
def test_traces_of_blocks_are_summed_with_the_same_matrix(dimension):
    wired = wire(experiments.run_proposition_1, {"dimension": dimension})
    rng = wired.rng("matrices")

    def base(m):
        root = rng.normal(size=(m, rng.integers(1, m + 1)))
        return root @ root.T

    negative = 0.0
    for _ in range(20):
        whole = base(3 * dimension)
        A = base(dimension)
        summary = np.zeros((3, 3))
        for i, j in itertools.product(range(3), repeat=2):
            rows = slice(i * dimension, (i + 1) * dimension)
            columns = slice(j * dimension, (j + 1) * dimension)
            summary[i, j] = np.sum(A * whole[rows, columns])
        negative = max(negative, -least(summary))
    assert wired["summary"]["negative"] == pytest.approx(negative, abs=1e-9)
    assert wired.n_test["summary"]["negative"] == 20


def test_mismatch_counts_words_near_to_both():
    wired = wire(experiments.run_kernels, {"kernel": "mismatch"})
    words = ["".join(letters) for letters in itertools.product("abc", repeat=3)]

    def near(u, v):
        return sum(a != b for a, b in zip(u, v, strict=True)) <= 1

    base = [[sum(near(u, w) and near(w, v) for w in words) for v in words] for u in words]
    counts = wired.rng("objects").multinomial(8, np.full(27, 1 / 27), size=10)
    gram = counts @ np.array(base) @ counts.T
    assert wired["mapping"]["negative"] == pytest.approx(-least(gram), abs=1e-9)
    np.testing.assert_array_equal(experiments.mismatch_base(), base)


@pytest.mark.parametrize("kernel", ["agreement", "refinement"])
def test_trees_are_related_where_their_subtrees_are_equal_or_have_a_refinement(kernel):
    wired = wire(experiments.run_kernels, {"kernel": kernel})
    rng = wired.rng("objects")
    trees = [experiments.clades(rng) for _ in range(10)]
    gram = np.zeros((10, 10))
    for size in range(1, 6):
        for chosen in itertools.combinations(range(5), size):
            parts = [
                {clade & set(chosen) for clade in tree if len(clade & set(chosen)) > 1}
                for tree in trees
            ]
            for i, j in itertools.product(range(10), repeat=2):
                if kernel == "agreement":
                    related = parts[i] == parts[j]
                else:
                    related = all(
                        a <= b or b <= a or not a & b
                        for a, b in itertools.product(parts[i], parts[j])
                    )
                gram[i, j] += 2**size * related
    assert wired["mapping"]["negative"] == pytest.approx(-least(gram), abs=1e-9)


def test_edit_kernels_sum_products_of_labels_over_mappings_that_keep_the_order():
    wired = wire(experiments.run_kernels, {"kernel": "edit"})
    rng = wired.rng("objects")
    trees = [experiments.ordered_tree(rng, 4) for _ in range(6)]
    root = rng.normal(size=(2, rng.integers(1, 3)))
    base = root @ root.T

    def under(parents, i, j):
        return i == j or (parents[i] >= 0 and under(parents, parents[i], j))

    gram = np.zeros((6, 6))
    for (a, (up, own)), (b, (other_up, other)) in itertools.product(enumerate(trees), repeat=2):
        for size in range(1, 5):
            for left in itertools.combinations(range(4), size):
                for right in itertools.combinations(range(4), size):
                    pairs = list(itertools.combinations(range(size), 2))
                    if all(
                        under(up, left[q], left[p]) == under(other_up, right[q], right[p])
                        for p, q in pairs
                    ):
                        gram[a, b] += np.prod(
                            [base[own[i], other[j]] for i, j in zip(left, right, strict=True)]
                        )
    assert wired["mapping"]["negative"] == pytest.approx(-least(gram), abs=1e-9)
