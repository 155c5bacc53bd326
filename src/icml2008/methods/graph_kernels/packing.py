"""Subtrees of many graphs as flat arrays, one block for each shape, for the compiled recursion.

Everything that belongs to one graph and not to a pair is computed here: the covariance matrices of
subtrees and their determinants and, for a subtree that goes on for a generation, the conditional
distribution of the new vertices given the others.

Trees of one graph stand together in each block. Lower triangles are stored row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icml2008.methods.graph_kernels.graph import PointCloudGraph
from icml2008.methods.graph_kernels.subtrees import Generations, Shape, ShapeFacts, facts, restrict

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Ragged(NamedTuple):
    """One array for each shape, one after the other, and where each begins."""

    values: NDArray
    at: Ints


class Shapes(NamedTuple):
    """The shapes that occur, shallow ones first. Of depth d <= beta: trees that may end there; of
    depth beta + 1, *families*: a tree of depth beta, its *state*, and one generation more.

    Attributes
    ----------
    size, depth : int64 arrays of shape (n_shapes,)
    weight : float64 array of shape (n_shapes,)
        Factor of the value of such a tree that depends on its shape alone, less that for leaves.
        For a family, of its root and of its branches that end before generation beta + 1.
    leaves : int64 array of shape (n_shapes,)
        Leaves among those vertices.
    matched, matched_at : int64 arrays
        Places of the vertices whose attributes this value compares.
    state : int64 array of shape (n_shapes,)
        Number of the shape of a family's state, else -1.
    branch, branch_at : int64 arrays
        Numbers of the shapes of the states that a family leads to: its branches that go on.
    """

    size: Ints
    depth: Ints
    weight: Floats
    leaves: Ints
    matched: Ints
    matched_at: Ints
    state: Ints
    branch: Ints
    branch_at: Ints


class Pack(NamedTuple):
    """The subtrees of some graphs. Ragged arrays have the shapes named here, or transposed.

    Attributes
    ----------
    attributes : float64 array of shape (n_nodes, n_attributes)
        Of all vertices of all graphs, one graph after the other.
    node_start : int64 array of shape (n_graphs + 1,)
    tree_start : int64 array of shape (n_graphs + 1, n_shapes)
        First tree of each graph among those of its shape.
    owner : Ragged of uint32, (n_trees,)
        Number of each tree's graph.
    root : Ragged of float64, (n_trees,)
        Square root of the determinant of a tree's covariance matrix.
    vertices : Ragged of uint32, (n_trees, size)
    gram : Ragged of float64, (n_trees, size (size + 1) / 2)
        Lower triangles of covariance matrices, row by row.
    slope : Ragged of float64, (n_trees, n_new * n_old)
        Families: coefficients of the new vertices' regression on the state's.
    rest : Ragged of float64, (n_trees, n_new (n_new + 1) / 2)
        Families: lower triangles of the conditional covariance of the new vertices.
    rest_root : Ragged of float64, (n_trees,)
        Families: square root of its determinant.
    step : Ragged of uint32, (n_trees, 1 + n_branches)
        Families: number of the state, then of the states that it leads to.
    """

    attributes: Floats
    node_start: Ints
    tree_start: Ints
    owner: Ragged
    root: Ragged
    vertices: Ragged
    gram: Ragged
    slope: Ragged
    rest: Ragged
    rest_root: Ragged
    step: Ragged

    @property
    def n_graphs(self) -> int:
        return len(self.node_start) - 1


def list_shapes(
    trees: Sequence[Generations], *, beta: int, lam: float, ordered: bool, short: bool
) -> tuple[list[Shape], Shapes]:
    """Collect the shapes of the subtrees of some graphs and what the kernel needs of them.

    Parameters
    ----------
    trees : sequence of list of dict
        From :func:`.subtrees.grow`, of depth at most `beta` + 1.
    beta : int
        Order of the tree-walks.
    lam : float
        Factor for each vertex.
    ordered : bool
        Whether a pair of trees counts once for each order of siblings.
    short : bool
        Whether to keep the shapes of less than `beta` generations.
    """
    kept = {
        shape
        for generations in trees
        for depth, generation in enumerate(generations, start=1)
        for shape in generation
        if short or depth >= beta
    }
    shapes = sorted(kept, key=lambda shape: (facts(shape).depth, shape))
    number = {shape: n for n, shape in enumerate(shapes)}

    def weigh(shape: Shape) -> float:
        known = facts(shape)
        return lam**known.size * (known.n_orders if ordered else 1)

    weight = []
    leaves = []
    matched = []
    state = []
    leads_to = []
    for shape in shapes:
        known = facts(shape)
        if known.depth <= beta:
            weight.append(weigh(shape))
            leaves.append(known.n_leaves)
            matched.append(list(range(known.size)))
            state.append(-1)
            leads_to.append([])
            continue
        n_branches = len(known.branches)
        factor = lam * (np.prod(np.arange(1.0, n_branches + 1)) if ordered else 1)
        compared = [0]
        following = []
        ended = 0
        for branch in known.branches:
            part = restrict(shape, branch)
            if known.generation[branch[-1]] > beta:
                following.append(number[part])
            else:
                factor *= weigh(part)
                ended += facts(part).n_leaves
                compared += branch
        weight.append(factor)
        leaves.append(ended)
        matched.append(compared)
        top = tuple(place for place, age in enumerate(known.generation) if age <= beta)
        state.append(number[restrict(shape, top)])
        leads_to.append(following)
    return shapes, Shapes(
        size=np.array([facts(shape).size for shape in shapes], np.int64),
        depth=np.array([facts(shape).depth for shape in shapes], np.int64),
        weight=np.array(weight, float),
        leaves=np.array(leaves, np.int64),
        matched=_joined(matched),
        matched_at=_starts(matched),
        state=np.array(state, np.int64),
        branch=_joined(leads_to),
        branch_at=_starts(leads_to),
    )


def pack(
    graphs: Sequence[PointCloudGraph],
    trees: Sequence[Generations],
    shapes: Sequence[Shape],
    *,
    beta: int,
    tau: float,
    kappa: float,
    by_tree: bool,
) -> Pack:
    """Lay out the subtrees of some graphs.

    Parameters
    ----------
    graphs : sequence of PointCloudGraph
    trees : sequence of list of dict
        Their subtrees; those whose shape is not in `shapes` are left out.
    shapes : sequence of tuple
        From :func:`list_shapes`.
    beta : int
    tau, kappa : float
        The covariance of two vertices at distance r is exp(-tau r^2), plus kappa if they are one.
    by_tree : bool
        Whether to lay out blocks tree by tree (for rows) or entry by entry (for columns).

    Raises
    ------
    ValueError
        If a covariance matrix is not positive definite, as with `kappa` = 0 and coincident points.
    """
    node_start = _starts([graph.positions for graph in graphs])
    positions = np.concatenate([graph.positions for graph in graphs])
    tree_start = np.zeros((len(graphs) + 1, len(shapes)), np.int64)
    blocks: list[dict[str, NDArray]] = []
    index: list[dict[Shape, dict[tuple, int]]] = [{} for _ in graphs]
    for s, shape in enumerate(shapes):
        known = facts(shape)
        lists = [generations[known.depth - 1].get(shape, []) for generations in trees]
        tree_start[:, s] = _starts(lists)
        if known.depth == beta:
            for g, subtrees in enumerate(lists):
                first = int(tree_start[g, s])
                index[g][shape] = {tree: first + t for t, tree in enumerate(subtrees)}
        owner = np.repeat(np.arange(len(graphs), dtype=np.uint32), list(map(len, lists)))
        local = np.array([tree for subtrees in lists for tree in subtrees], np.int64)
        vertices = local.reshape(-1, known.size) + node_start[owner, None]
        block = _geometry(positions[vertices], known, beta, tau, kappa)
        block["owner"] = owner
        block["vertices"] = vertices.astype(np.uint32)
        block["step"] = _steps(shape, lists, index, beta)
        blocks.append(block)

    def ragged(name: str) -> Ragged:
        parts = [np.ravel(block[name] if by_tree else block[name].T) for block in blocks]
        return Ragged(np.concatenate(parts), _starts(parts))

    attributes = np.concatenate(
        [
            np.empty((graph.n_nodes, 0)) if graph.attributes is None else graph.attributes
            for graph in graphs
        ]
    )
    return Pack(attributes, node_start, tree_start, *map(ragged, Pack._fields[3:]))


def _geometry(
    points: Floats, known: ShapeFacts, beta: int, tau: float, kappa: float
) -> dict[str, NDArray]:
    """Return covariances, determinants and conditionals of trees with these points."""
    apart = points[:, :, None] - points[:, None]
    gram = np.exp(-tau * np.einsum("tijk,tijk->tij", apart, apart)) + kappa * np.eye(known.size)
    old = sum(age <= beta for age in known.generation)
    try:
        root = np.linalg.cholesky(gram)
        slope = np.linalg.solve(gram[:, :old, :old], gram[:, :old, old:])
    except np.linalg.LinAlgError:
        msg = (
            f"the covariance matrix of {known.size} vertices is not positive definite "
            f"(tau={tau!r}, kappa={kappa!r}); raise kappa"
        )
        raise ValueError(msg) from None
    diagonal = np.diagonal(root, axis1=1, axis2=2)
    # the lower right corner of the factor is the factor of the conditional covariance
    corner = root[:, old:, old:]
    rest = corner @ corner.transpose(0, 2, 1)
    return {
        "root": diagonal.prod(axis=1),
        "gram": gram[:, *np.tril_indices(known.size)],
        "slope": slope.transpose(0, 2, 1).reshape(len(points), old * (known.size - old)),
        "rest": rest[:, *np.tril_indices(known.size - old)],
        "rest_root": diagonal[:, old:].prod(axis=1),
    }


def _steps(shape: Shape, lists: list, index: list, beta: int) -> Ints:
    """Return the numbers of the states that families come from and lead to."""
    known = facts(shape)
    if known.depth <= beta:
        return np.empty((sum(map(len, lists)), 0), np.uint32)
    top = tuple(place for place, age in enumerate(known.generation) if age <= beta)
    parts = [top, *(b for b in known.branches if known.generation[b[-1]] > beta)]
    subs = [restrict(shape, part) for part in parts]
    return np.array(
        [
            [
                index[g][sub][tuple([tree[place] for place in part])]
                for part, sub in zip(parts, subs, strict=True)
            ]
            for g, subtrees in enumerate(lists)
            for tree in subtrees
        ],
        np.uint32,
    ).reshape(-1, len(parts))


def _starts(lists: Sequence) -> Ints:
    return np.concatenate([[0], np.cumsum([len(part) for part in lists])]).astype(np.int64)


def _joined(lists: Sequence[Sequence[int]]) -> Ints:
    return np.array([number for part in lists for number in part], np.int64)
