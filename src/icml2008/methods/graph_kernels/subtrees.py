"""The subtrees of a graph that the tree-walk kernel is built from, by shape.

A *plane tree* is a tree whose siblings have an order. Its vertices stand generation by generation
(breadth first), and its *shape* is the tuple of each vertex's parent's place, less the root:
``(0, 0, 1)`` is a root with two children, the first of which has one child. The place of a vertex
in the top generations of a tree is therefore the same as in the whole tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from math import factorial

from icml2008.methods.graph_kernels.graph import PointCloudGraph

Shape = tuple[int, ...]
Vertices = tuple[int, ...]
Generations = list[dict[Shape, list[Vertices]]]


@dataclass(frozen=True)
class ShapeFacts:
    """What a shape says of its vertices.

    Attributes
    ----------
    generation : tuple of int
        Of each vertex, the root's being 1.
    n_leaves : int
    n_orders : int
        Number of ways to order the siblings of all vertices.
    branches : tuple of tuple of int
        For each child of the root, the places of the vertices of its subtree.
    """

    generation: tuple[int, ...]
    n_leaves: int
    n_orders: int
    branches: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.generation)

    @property
    def depth(self) -> int:
        return self.generation[-1]

    @property
    def bottom(self) -> list[int]:
        """Places of the vertices of the last generation."""
        return [place for place, age in enumerate(self.generation) if age == self.depth]


@cache
def facts(shape: Shape) -> ShapeFacts:
    """Return the facts of a shape.

    Examples
    --------
    >>> facts((0, 0, 1))
    ShapeFacts(generation=(1, 2, 2, 3), n_leaves=2, n_orders=2, branches=((1, 3), (2,)))
    """
    generation = [1]
    branch_of = [-1]
    n_children = [0] * (len(shape) + 1)
    for parent in shape:
        generation.append(generation[parent] + 1)
        branch_of.append(n_children[0] if parent == 0 else branch_of[parent])
        n_children[parent] += 1
    n_orders = 1
    for n in n_children:
        n_orders *= factorial(n)
    branches = tuple(
        tuple(place for place, branch in enumerate(branch_of) if branch == child)
        for child in range(n_children[0])
    )
    return ShapeFacts(tuple(generation), n_children.count(0), n_orders, branches)


@cache
def restrict(shape: Shape, places: tuple[int, ...]) -> Shape:
    """Return the shape of the subtree at these places.

    Examples
    --------
    >>> restrict((0, 0, 1, 3), (1, 3, 4))
    (0, 1)
    """
    new = {place: number for number, place in enumerate(places)}
    return tuple(new[shape[place - 1]] for place in places[1:])


def grow(
    graph: PointCloudGraph, arity: int, depth: int, *, ordered: bool, level: bool
) -> Generations:
    """Return the subtrees of all depths up to `depth`, their vertices being all distinct.

    Parameters
    ----------
    graph : PointCloudGraph
    arity : int
        Largest number of children.
    depth : int
        Largest number of generations.
    ordered : bool
        Whether to list a tree once for each order of its siblings, or once, with siblings sorted
        by vertex number.
    level : bool
        Whether all leaves must lie in the last generation.

    Returns
    -------
    list of dict
        Entry d - 1 maps the shapes of depth d to the vertices of their trees.

    Examples
    --------
    >>> path = PointCloudGraph([[0], [1], [2]], [[0, 1], [1, 2]])
    >>> grow(path, arity=2, depth=2, ordered=False, level=False)[1]
    {(0,): [(0, 1), (1, 0), (1, 2), (2, 1)], (0, 0): [(1, 0, 2)]}
    """
    generations: Generations = [{(): [(vertex,) for vertex in range(graph.n_nodes)]}]
    choose = permutations if ordered else combinations
    for _ in range(1, depth):
        deeper: dict[Shape, list[Vertices]] = {}
        for shape, trees in generations[-1].items():
            bottom = facts(shape).bottom
            for tree in trees:
                options = []
                for place in bottom:
                    free = [v for v in graph.neighbours[tree[place]] if v not in tree]
                    sizes = range(1 if level else 0, min(arity, len(free)) + 1)
                    options.append([chosen for n in sizes for chosen in choose(free, n)])
                for children in product(*options):
                    new = tuple(vertex for chosen in children for vertex in chosen)
                    if not new or len(set(new)) < len(new):
                        continue
                    parents = tuple(
                        place
                        for place, chosen in zip(bottom, children, strict=True)
                        for _ in chosen
                    )
                    deeper.setdefault(shape + parents, []).append(tree + new)
        generations.append(deeper)
    return generations


def count_subtrees(graph: PointCloudGraph, alpha: int, beta: int, *, leaves: str = "any") -> int:
    r"""Return the size of the set :math:`V_{\alpha, \beta}` of a graph's subtrees.

    Parameters
    ----------
    graph : PointCloudGraph
    alpha : int
        Largest number of children.
    beta : int
        Number of generations.
    leaves : {"any", "last"}, default="any"
        Count the trees of at most `beta` generations ("any", the words of the paper), or those with
        every leaf in generation `beta` ("last", which comes near the sizes that it prints).

    References
    ----------
    Bach (2008), Graph kernels between point clouds, ICML, Section 4.

    Examples
    --------
    >>> path = PointCloudGraph([[0], [1], [2]], [[0, 1], [1, 2]])
    >>> count_subtrees(path, 2, 2), count_subtrees(path, 2, 2, leaves="last")
    (8, 5)
    """
    level = leaves == "last"
    generations = grow(graph, alpha, beta, ordered=False, level=level)
    return sum(
        len(trees)
        for generation in (generations[-1:] if level else generations)
        for trees in generation.values()
    )
