"""From images to graphs: connected, planar, of the asked size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits

from icml2008.methods import PointCloudGraph, skeleton_graph

DIGITS = np.kron(load_digits().images, np.ones((3, 3)))  # 8 x 8 pixels are too few to be thinned


def n_parts(graph: PointCloudGraph) -> int:
    n = graph.n_nodes
    adjacency = coo_array((np.ones(len(graph.edges)), tuple(graph.edges.T)), shape=(n, n))
    return connected_components(adjacency, directed=False)[0]


def ring(size=21, radius=8):
    rows, columns = np.mgrid[:size, :size] - size // 2
    return np.abs(np.hypot(rows, columns) - radius) < 1.5


@settings(max_examples=20)
@given(digit=st.integers(0, 1796), step=st.integers(1, 4))
def test_graph_has_as_many_parts_as_the_drawing(digit, step):
    ink = DIGITS[digit] > 8
    graph = skeleton_graph(ink, step=step)
    assert n_parts(graph) == label(ink, np.ones((3, 3)))[1]


@settings(max_examples=20)
@given(digit=st.integers(0, 1796), step=st.integers(1, 4))
def test_graph_has_no_more_edges_than_a_planar_one(digit, step):
    graph = skeleton_graph(DIGITS[digit], step=step)
    assert len(graph.edges) <= max(3 * graph.n_nodes - 6, graph.n_nodes - 1)


def test_ring_stays_a_ring():
    graph = skeleton_graph(ring())
    assert [len(near) for near in graph.neighbours] == [2] * graph.n_nodes
    assert n_parts(graph) == 1


def test_ring_lies_where_it_was_drawn():
    graph = skeleton_graph(ring())
    np.testing.assert_allclose(np.linalg.norm(graph.attributes, axis=1), 8, atol=1.5)
    np.testing.assert_array_equal(graph.positions, graph.attributes + 10)


@pytest.mark.parametrize("step", [1, 2, 3, 5])
def test_line_keeps_one_pixel_in_step(step):
    image = np.zeros((3, 30))
    image[1, 2:27] = 1
    graph = skeleton_graph(image, step=step)
    assert graph.n_nodes == -(-25 // step)
    np.testing.assert_array_equal(np.diff(graph.positions[:, 0]), step)


def test_corners_make_no_triangles():
    image = np.zeros((12, 12))
    image[2, 2:10] = image[2:10, 2] = image[2:10, 6] = 1
    graph = skeleton_graph(image, step=1)
    assert len(graph.edges) == graph.n_nodes - 1


def test_moving_the_drawing_moves_positions_and_leaves_attributes():
    image = np.zeros((40, 40))
    image[5:29, 5:29] = DIGITS[3]
    moved = np.roll(image, (6, 2), axis=(0, 1))
    before = skeleton_graph(image)
    after = skeleton_graph(moved)
    np.testing.assert_array_equal(
        after.positions - before.positions, np.tile([2, 6], (before.n_nodes, 1))
    )
    np.testing.assert_array_equal(after.attributes, before.attributes)


@pytest.mark.parametrize("thinning", ["zhang", "lee", "guo"])
def test_square_of_two_pixels_does_not_vanish(thinning):
    image = np.zeros((6, 6))
    image[2:4, 2:4] = 1
    assert skeleton_graph(image, thinning=thinning).n_nodes >= 1


def test_diagonal_falls_to_pieces_under_4_connectivity():
    graph = skeleton_graph(np.eye(9), connectivity=4)
    assert len(graph.edges) == 0
    assert len(skeleton_graph(np.eye(9), connectivity=8).edges) == graph.n_nodes // 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"image": np.zeros((5, 5))}, "has no ink"),
        ({"image": np.ones(5)}, r"shape \(5,\)"),
        ({"threshold": 1.0}, "no pixel exceeds 1.0 times"),
        ({"thinning": "zang"}, "did you mean 'zhang'"),
        ({"connectivity": 6}, "expected 4 or 8"),
        ({"step": 0}, "step is 0"),
    ],
)
def test_wrong_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        skeleton_graph(**({"image": ring()} | arguments))
