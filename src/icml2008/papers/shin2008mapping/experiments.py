"""Mapping kernels: sums of a base kernel over related parts, and when they are semidefinite."""

import itertools

import numpy as np

from icml2008.harness.experiment import experiment, grid


def lowest(gram):
    """Return the smallest eigenvalue of a matrix over its largest entry, 0 where that is 0."""
    # Over the largest entry: one tolerance does for sums of few and of many parts.
    largest = np.max(np.abs(gram))
    return np.linalg.eigvalsh(gram / largest)[0] if largest > 0 else 0.0


def relations(m):
    """Yield all symmetric relations on m parts as matrices of 0 and 1."""
    rows, columns = np.triu_indices(m)
    for bits in itertools.product((0, 1), repeat=len(rows)):
        relation = np.zeros((m, m), dtype=int)
        relation[rows, columns] = relation[columns, rows] = bits
        yield relation


def transitive(relation):
    """Return whether what is related in two steps is in one."""
    return not np.any((relation @ relation > 0) & (relation == 0))


def owners(m):
    """Yield all ways to give m parts to objects, as vectors of the objects' numbers."""
    for rest in itertools.product(range(m), repeat=m - 1):
        labels = np.array([0, *rest])
        if all(labels[i] <= np.max(labels[:i]) + 1 for i in range(1, m)):
            yield labels


def mapping_kernel(relation, base, owner):
    """Return Equation 4's Gram matrix of the objects, the projections being the identity."""
    belongs = np.eye(np.max(owner) + 1)[owner]
    return belongs.T @ (relation * base) @ belongs


def breaking_base(relation):
    """Return Section 4.3's base kernel, of rank 1, for a relation that is not transitive."""
    m = len(relation)
    for k in (2, 3):
        for parts in itertools.combinations(range(m), k):
            values, vectors = np.linalg.eigh(relation[np.ix_(parts, parts)])
            if values[0] < -1e-9:
                along = np.zeros(m)
                along[list(parts)] = vectors[:, 0]
                return np.outer(along, along)
    return np.zeros((m, m))


def drawn_base(rng, m):
    """Return a random positive semidefinite matrix of a random rank."""
    root = rng.normal(size=(m, rng.integers(1, m + 1)))
    return root @ root.T


@experiment(
    "theorem-2",
    cells=grid(parts=[2, 3, 4]),
    quick=grid(parts=[2, 3]),
    repeats={"quick": 1, "full": 2},
    cost=lambda cell: {2: 0.01, 3: 0.1, 4: 2.0}[cell["parts"]],  # seconds a trial, roughly
    methods={"mapping": None},
)
def run_theorem_2(trial):
    """All relations on a few parts and all ways to give the parts to objects."""
    m = trial.cell["parts"]
    rng = trial.rng("bases")
    missed = 0
    negative = 0.0
    n = 0
    for relation in relations(m):
        for owner in owners(m):
            # Theorem 2 says both: transitive relations keep every base definite, and all others
            # break one.
            if transitive(relation):
                bases = [drawn_base(rng, m) for _ in range(5)]
                n = n + 5
                eigenvalues = [lowest(mapping_kernel(relation, base, owner)) for base in bases]
                negative = max(negative, -min(eigenvalues))
            else:
                missed += lowest(mapping_kernel(relation, breaking_base(relation), owner)) > -1e-6
    trial.measure("mapping", n_test=n, negative=negative, missed=missed)


@experiment(
    "proposition-1",
    cells=grid(dimension=[2, 4]),
    repeats={"quick": 1, "full": 15},
    cost=0.02,
    methods={"summary": None},
)
def run_proposition_1(trial):
    """Twenty matrices of traces with a semidefinite A."""
    m = trial.cell["dimension"]
    rng = trial.rng("matrices")
    negative = 0.0
    for _ in range(20):
        blocks = drawn_base(rng, 3 * m).reshape(3, m, 3, m)
        summary = np.einsum("kl,ikjl->ij", drawn_base(rng, m), blocks)
        negative = max(negative, -lowest(summary))
    trial.measure("summary", n_test=20, negative=negative)


def mismatch_base():
    """Return Example 1's kernel of all 3-mers of three letters, m = 1; above 0 is related."""
    words = np.array(list(itertools.product(range(3), repeat=3)))
    near = np.sum(words[:, None] != words, axis=-1) <= 1
    return near.astype(int) @ near


def mismatch(rng):
    """Return Example 1's Gram matrix of ten strings of eight 3-mers."""
    counts = rng.multinomial(8, np.full(27, 1 / 27), size=10)
    return counts @ mismatch_base() @ counts.T


def clades(rng, leaves=5):
    """Return the sets of leaves below the nodes of a random rooted tree, nodes of any degree."""
    joins = []
    heap = [frozenset([leaf]) for leaf in range(leaves)]
    while len(heap) > 1:
        picked = rng.permutation(len(heap))[: rng.integers(2, len(heap) + 1)].tolist()
        joined = frozenset().union(*(heap[i] for i in picked))
        heap = [clade for i, clade in enumerate(heap) if i not in picked] + [joined]
        joins.append(joined)
    return joins


def restricted(tree, leaves):
    """Return the clades of two or more of some leaves, which name the subtree that these span."""
    return frozenset(part for clade in tree if len(part := clade & leaves) > 1)


def compatible(a, b):
    """Return whether two sets of clades have a common refinement: each two nested or disjoint."""
    return all(not s & t or s <= t or t <= s for s in a for t in b)


def tree_gram(trees, related, leaves=5):
    """Return Equation 5's kernel, f(n) = 2^n, summed over sets of leaves on which trees relate."""
    gram = np.zeros((len(trees), len(trees)))
    for size in range(1, leaves + 1):
        for chosen in map(frozenset, itertools.combinations(range(leaves), size)):
            parts = [restricted(tree, chosen) for tree in trees]
            gram += 2.0**size * np.array([[related(a, b) for b in parts] for a in parts])
    return gram


def ordered_tree(rng, n=5):
    """Return the parents of a random ordered tree's nodes in preorder, and labels of two kinds."""
    parents = [-1]
    for _ in range(n - 1):
        path = [len(parents) - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(path[rng.integers(len(path))])
    return parents, rng.integers(2, size=n)


def below(parents, i, j):
    """Return whether node i lies below node j."""
    while i >= 0 and i != j:
        i = parents[i]
    return i == j


def edit_parts(tree):
    """Return Equation 8's parts: chosen nodes' order below one another, and their labels."""
    parents, labels = tree
    for size in range(1, len(parents) + 1):
        for nodes in itertools.combinations(range(len(parents)), size):
            pairs = itertools.combinations(nodes, 2)  # in preorder: later is below or to the right
            yield tuple(below(parents, j, i) for i, j in pairs), labels[list(nodes)]


def edit_gram(rng, trees):
    """Return Equation 7's sum over mappings, of products of a random kernel of labels."""
    base = drawn_base(rng, 2)
    parts = [list(edit_parts(tree)) for tree in trees]

    def value(x, y):
        return sum(np.prod(base[a, b]) for s, a in x for t, b in y if s == t and len(a) == len(b))

    return np.array([[value(x, y) for y in parts] for x in parts])


@experiment(
    "kernels",
    cells=grid(kernel=["mismatch", "agreement", "refinement", "edit"]),
    repeats={"quick": 1, "full": 60},
    cost=0.1,
    methods={"mapping": None},
)
def run_kernels(trial):
    """Smallest eigenvalue of a Gram matrix of drawn strings or trees."""
    name = trial.cell["kernel"]
    rng = trial.rng("objects")
    if name == "mismatch":
        gram = mismatch(rng)
    elif name == "edit":
        gram = edit_gram(rng, [ordered_tree(rng, 4) for _ in range(6)])
    else:
        trees = [clades(rng) for _ in range(10)]
        gram = tree_gram(trees, frozenset.__eq__ if name == "agreement" else compatible)
    trial.measure("mapping", n_test=1, negative=-lowest(gram))
