"""Graphs on points: what they are made of, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from icml2008.methods import PointCloudGraph

POINTS = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]


class FakeNetwork:
    """The part of networkx.Graph that is used: iteration, `nodes`, `edges()`."""

    nodes = {"a": {"pos": (0, 0), "ink": 3}, "b": {"pos": (1, 0), "ink": 4}}

    def __iter__(self):
        return iter(self.nodes)

    def edges(self):
        return [("b", "a")]


def test_edges_are_sorted_and_unique():
    graph = PointCloudGraph(POINTS, [(2, 1), (1, 0), (0, 1)])
    np.testing.assert_array_equal(graph.edges, [[0, 1], [1, 2]])


def test_neighbours_are_mutual():
    graph = PointCloudGraph(POINTS, [(2, 1), (1, 0)])
    assert graph.neighbours == [[1], [0, 2], [1]]


def test_arrays_are_copies_that_cannot_be_changed():
    points = np.array(POINTS)
    graph = PointCloudGraph(points, [])
    points[0, 0] = 7
    assert graph.positions[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        graph.positions[0, 0] = 7


def test_networkx_graphs_are_understood():
    graph = PointCloudGraph.from_networkx(FakeNetwork(), attribute="ink")
    np.testing.assert_array_equal(graph.positions, [[0, 0], [1, 0]])
    np.testing.assert_array_equal(graph.attributes, [[3], [4]])
    np.testing.assert_array_equal(graph.edges, [[0, 1]])


def test_networkx_graphs_without_positions_are_refused():
    with pytest.raises(ValueError, match="vertex 'a' has no 'place'"):
        PointCloudGraph.from_networkx(FakeNetwork(), position="place")


def test_nearest_neighbours_are_those_by_distance():
    points = np.random.default_rng(0).normal(size=(20, 3))
    graph = PointCloudGraph.from_neighbors(points, n_neighbors=3)
    gaps = np.linalg.norm(points[:, None] - points[None], axis=-1)
    order = np.argsort(gaps, axis=1)[:, 1:4]
    expected = {tuple(sorted((v, int(w)))) for v in range(20) for w in order[v]}
    assert set(map(tuple, graph.edges.tolist())) == expected


def test_neighbours_of_coincident_points_make_no_loops():
    graph = PointCloudGraph.from_neighbors(np.zeros((5, 2)), n_neighbors=1)
    assert (graph.edges[:, 0] < graph.edges[:, 1]).all()


def test_one_point_has_no_neighbours():
    assert PointCloudGraph.from_neighbors([[1.0, 2.0]]).neighbours == [[]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), r"positions have shape \(0,\)"),
        (([0.0, 1.0], []), r"positions have shape \(2,\)"),
        (([[0.0], [np.nan]], []), "positions of vertex 1 are .nan."),
        ((POINTS, [(0, 3)]), r"edge \(0, 3\) does not join two different vertices of 0, ..., 2"),
        ((POINTS, [(1, 1)]), r"edge \(1, 1\)"),
        ((POINTS, [(0.0, 1.0)]), "type float64; expected integers"),
        ((POINTS, [], [[1.0]]), "attributes have 1 rows for 3 vertices"),
    ],
)
def test_wrong_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        PointCloudGraph(*arguments)
