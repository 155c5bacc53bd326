"""Graphs whose vertices are points in space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class PointCloudGraph:
    """An undirected graph on points.

    Parameters
    ----------
    positions : array-like of shape (n_nodes, n_dimensions)
        Where the vertices are, in any unit; the kernel looks at their distances only.
    edges : array-like of int, shape (n_edges, 2)
        Pairs of vertex numbers; direction, order and repetitions mean nothing.
    attributes : array-like of shape (n_nodes, n_attributes), optional
        What is known of the vertices besides the geometry of the cloud. None means that all
        vertices look alike.

    Raises
    ------
    ValueError
        If there is no vertex, a number is not finite, an edge names a vertex that is not there or
        joins a vertex to itself, or there is not one row of attributes for each vertex.

    Examples
    --------
    >>> from icml2008.methods import PointCloudGraph
    >>> graph = PointCloudGraph([[0, 0], [1, 0], [1, 1]], [[0, 1], [2, 1], [1, 0]])
    >>> graph.edges
    array([[0, 1],
           [1, 2]])
    >>> [list(neighbours) for neighbours in graph.neighbours]
    [[1], [0, 2], [1]]
    """

    positions: NDArray[np.float64]
    edges: NDArray[np.intp]
    attributes: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        positions = _points(self.positions, "positions")
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "edges", _edges(self.edges, len(positions)))
        if self.attributes is not None:
            attributes = _points(self.attributes, "attributes")
            if len(attributes) != len(positions):
                msg = (
                    f"attributes have {len(attributes)} rows for {len(positions)} vertices; "
                    "give one row for each vertex"
                )
                raise ValueError(msg)
            object.__setattr__(self, "attributes", attributes)

    @classmethod
    def from_networkx(
        cls, graph, position: str = "pos", attribute: str | None = None
    ) -> PointCloudGraph:
        """Return the points and edges of a networkx graph, vertices in its order.

        Parameters
        ----------
        graph : networkx.Graph
        position : str, default="pos"
            Key of each vertex's data that holds its coordinates.
        attribute : str, optional
            Key that holds its attributes, a number or several.

        Raises
        ------
        ValueError
            If a vertex lacks one of the two.
        """
        numbers = {node: number for number, node in enumerate(graph)}

        def column(key: str) -> list:
            if missing := [node for node in graph if key not in graph.nodes[node]]:
                msg = f"vertex {missing[0]!r} has no {key!r}; name the key that holds it"
                raise ValueError(msg)
            return [np.atleast_1d(graph.nodes[node][key]) for node in graph]

        edges = [(numbers[a], numbers[b]) for a, b in graph.edges()]
        return cls(column(position), edges, None if attribute is None else column(attribute))

    @classmethod
    def from_neighbors(
        cls, positions: ArrayLike, n_neighbors: int = 2, attributes: ArrayLike | None = None
    ) -> PointCloudGraph:
        """Join each point to its nearest ones.

        Parameters
        ----------
        positions : array-like of shape (n_nodes, n_dimensions)
        n_neighbors : int, default=2
            How many; an edge needs only one of its ends to ask for it.
        attributes : array-like of shape (n_nodes, n_attributes), optional

        Examples
        --------
        >>> PointCloudGraph.from_neighbors([[0.0], [1.0], [3.0]], n_neighbors=1).edges
        array([[0, 1],
               [1, 2]])
        """
        from scipy.spatial import KDTree

        points = _points(positions, "positions")
        n_nearest = min(n_neighbors, len(points) - 1)
        _, nearest = KDTree(points).query(points, k=np.arange(1, n_nearest + 2))
        ends = np.repeat(np.arange(len(points)), n_nearest + 1)
        pairs = np.column_stack([ends, nearest.ravel()])
        # a point is not always the first of its own neighbours where points coincide
        return cls(points, pairs[pairs[:, 0] != pairs[:, 1]], attributes)

    @property
    def n_nodes(self) -> int:
        return len(self.positions)

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """Sorted neighbours of each vertex."""
        lists: list[list[int]] = [[] for _ in range(self.n_nodes)]
        for a, b in self.edges.tolist():
            lists[a].append(b)
            lists[b].append(a)
        return [sorted(near) for near in lists]


def _points(values: ArrayLike, name: str) -> NDArray[np.float64]:
    points = np.array(values, dtype=float)
    if points.ndim != 2 or not points.size:
        msg = f"{name} have shape {points.shape}; expected (n_nodes, n_columns), both at least 1"
        raise ValueError(msg)
    if not np.isfinite(points).all():
        row = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        msg = f"{name} of vertex {row} are {points[row].tolist()}; only finite numbers are allowed"
        raise ValueError(msg)
    points.setflags(write=False)
    return points


def _edges(values: ArrayLike, n_nodes: int) -> NDArray[np.intp]:
    given = np.asarray(values)
    if given.size == 0:
        return np.empty((0, 2), np.intp)
    if given.ndim != 2 or given.shape[1] != 2 or not np.issubdtype(given.dtype, np.integer):
        msg = f"edges have shape {given.shape}, type {given.dtype}; expected integers (n_edges, 2)"
        raise ValueError(msg)
    for a, b in given:
        if a == b or not (0 <= a < n_nodes and 0 <= b < n_nodes):
            msg = f"edge ({a}, {b}) does not join two different vertices of 0, ..., {n_nodes - 1}"
            raise ValueError(msg)
    edges = np.unique(np.sort(given, axis=1), axis=0).astype(np.intp)
    edges.setflags(write=False)
    return edges
