"""The tree-walk kernel: invariances, definiteness, numerical range, scikit-learn's ways, errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from icml2008.methods import PointCloudGraph, PointCloudKernel
from icml2008.methods.graph_kernels import kernel as kernel_module

KINDS = [
    {"alpha": 1, "beta": 1},
    {"alpha": 1, "beta": 3},
    {"alpha": 2, "beta": 1, "gamma": 3},
    {"alpha": 2, "beta": 2},
    {"alpha": 2, "beta": 2, "leaves": "last"},
    {"alpha": 2, "beta": 2, "root": "state"},
]
BASE = {"gamma": 5, "tau": 0.2, "upsilon": 0.3, "kappa": 0.01}
kinds = pytest.mark.parametrize("kind", KINDS, ids=str)


def some_graph(seed, n_nodes=6, attributes=True):
    rng = np.random.default_rng(seed)
    edges = [(int(rng.integers(v)), v) for v in range(1, n_nodes)]
    edges += [(v, v + 2) for v in range(n_nodes - 2) if rng.random() < 0.3]
    positions = 2 * rng.normal(size=(n_nodes, 2))
    return PointCloudGraph(positions, edges, positions if attributes else None)


def some_graphs(n, seed=0):
    return [some_graph(seed + i, n_nodes=3 + i % 5) for i in range(n)]


def make(kind, **more):
    return PointCloudKernel(**(BASE | kind | more))


@kinds
@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_kernel_is_symmetric(kind, seed):
    G = some_graph(seed, 5)
    H = some_graph(seed + 1, 7)
    kernel = make(kind)
    # the two sums run over different orders of siblings
    np.testing.assert_allclose(kernel.pairwise([G], [H]), kernel.pairwise([H], [G]).T, rtol=1e-12)


@kinds
def test_gram_matrices_are_positive_semidefinite(kind):
    gram = make(kind, normalize=True).pairwise(some_graphs(25))
    # 25 eigenvalues of a matrix with unit diagonal
    assert np.linalg.eigvalsh(gram)[0] > -1e-12


@kinds
@settings(max_examples=10)
@given(seed=st.integers(0, 10_000))
def test_order_of_vertices_and_edges_makes_no_difference(kind, seed):
    graph = some_graph(seed)
    other = some_graph(seed + 1)
    rng = np.random.default_rng(seed)
    order = rng.permutation(graph.n_nodes)
    edges = rng.permutation(np.argsort(order)[graph.edges])
    edges = np.where(rng.random((len(edges), 1)) < 0.5, edges, edges[:, ::-1])
    same = PointCloudGraph(graph.positions[order], edges, graph.attributes[order])
    kernel = make(kind)
    np.testing.assert_allclose(
        kernel.pairwise([same], [other]), kernel.pairwise([graph], [other]), rtol=1e-12
    )


@kinds
@settings(max_examples=10)
@given(angle=st.floats(0, 6.3), shift=st.floats(-100, 100), mirror=st.booleans())
def test_moving_turning_and_mirroring_a_graph_makes_no_difference(kind, angle, shift, mirror):
    graph = some_graph(1)
    other = some_graph(2)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    turn[0] *= -1 if mirror else 1
    moved = PointCloudGraph(graph.positions @ turn + shift, graph.edges, graph.attributes)
    kernel = make(kind)
    # distances of moved points are off by 1e-14; kappa multiplies this by up to 1/kappa
    np.testing.assert_allclose(
        kernel.pairwise([moved], [other]), kernel.pairwise([graph], [other]), rtol=1e-9
    )


def test_attributes_and_positions_make_a_difference():
    graph = some_graph(1)
    other = some_graph(2)
    stretched = PointCloudGraph(2 * graph.positions, graph.edges, graph.attributes)
    renamed = PointCloudGraph(graph.positions, graph.edges, graph.attributes + 1)
    values = make(KINDS[1]).pairwise([graph, stretched, renamed], [other])
    assert len(set(values.ravel().round(6))) == 3


@kinds
def test_value_grows_with_depth(kind):
    values = make(kind).pairwise([some_graph(1)], [some_graph(2)], depths=range(1, 6)).ravel()
    assert (np.diff(values) > 0).all()


@kinds
def test_depths_from_one_computation_are_those_from_many(kind):
    graphs = some_graphs(5)
    together = make(kind).pairwise(graphs, depths=[5, 1, 3, 3])
    for gram, gamma in zip(together, [5, 1, 3, 3], strict=True):
        np.testing.assert_array_equal(gram, make(kind, gamma=gamma).pairwise(graphs))


@kinds
def test_values_over_a_grid_are_those_of_single_kernels(kind):
    graphs = some_graphs(3)
    others = some_graphs(2, seed=9)
    nus = [0.1, 0.7]
    upsilons = [0.3, 0.0, 1.0]
    depths = [4, 2]
    values = make(kind).pairwise(graphs, others, nus=nus, upsilons=upsilons, depths=depths)
    assert values.shape == (2, 3, 2, 3, 2)
    for place in np.ndindex(2, 3, 2):
        nu, upsilon, gamma = (v[i] for v, i in zip((nus, upsilons, depths), place, strict=True))
        alone = make(kind, nu=nu, upsilon=upsilon, gamma=gamma).pairwise(graphs, others)
        np.testing.assert_array_equal(values[place], alone)
    np.testing.assert_array_equal(
        make(kind, nu=0.1).pairwise(graphs, others, upsilons=upsilons, depths=[2]), values[0, :, 1:]
    )


@pytest.mark.parametrize("root", ["family", "state"])
def test_walks_that_match_fully_are_counted_by_powers_of_the_adjacency_matrix(root):
    graphs = [
        PointCloudGraph(1e3 * graph.positions, graph.edges)
        for graph in (some_graph(1), some_graph(2))
    ]
    lam = 0.7
    nu = 0.2
    gamma = 6
    counts = []
    for graph in graphs:
        adjacency = np.zeros((graph.n_nodes, graph.n_nodes))
        adjacency[tuple(graph.edges.T)] = 1
        adjacency += adjacency.T
        counts.append([np.linalg.matrix_power(adjacency, n).sum() for n in range(gamma)])
    expected = sum(
        nu * lam ** (n + 1) * a * b for n, (a, b) in enumerate(zip(*counts, strict=True))
    )
    # positions so far apart that all covariance matrices are multiples of the identity
    kernel = PointCloudKernel(1, 1, gamma, lam, nu, tau=1.0, root=root)
    np.testing.assert_allclose(kernel.pairwise(graphs[:1], graphs[1:]), [[expected]], rtol=1e-12)


def test_walks_of_all_lengths_sum_to_the_solution_of_a_linear_system():
    # root "state": a walk's value is a product over its steps, so the sum is a geometric series
    G = some_graph(3)
    H = some_graph(4)
    lam = 0.05
    nu = 0.3
    tau = 0.4
    kappa = 0.05
    upsilon = 0.2
    variance = 1 + kappa

    def steps(graph):
        gaps = graph.positions[:, None] - graph.positions[None]
        adjacent = np.zeros((graph.n_nodes, graph.n_nodes), dtype=bool)
        adjacent[tuple(graph.edges.T)] = adjacent[tuple(graph.edges.T[::-1])] = True
        slope = np.exp(-tau * (gaps**2).sum(-1)) / variance
        return adjacent, slope, variance * (1 - slope**2)

    (A, a, r) = steps(G)
    (B, b, s) = steps(H)
    a = a[:, None, :, None]
    r = r[:, None, :, None]
    b = b[None, :, None, :]
    s = s[None, :, None, :]
    step = np.sqrt(r * s) / ((r + s) / 2 + (a - b) ** 2 / 4)
    step *= A[:, None, :, None] & B[None, :, None, :]
    gaps = G.attributes[:, None] - H.attributes[None]
    match = lam * np.exp(-upsilon * (gaps**2).sum(-1)).ravel()
    step = match[:, None] * step.reshape(len(match), -1)
    expected = nu * np.linalg.solve(np.eye(len(match)) - step, match).sum()
    kernel = PointCloudKernel(1, 1, 60, lam, nu, tau, kappa, upsilon, root="state")
    # the rest of the series is below 1e-16: a step multiplies by lam times the degrees at most
    np.testing.assert_allclose(kernel.pairwise([G], [H]), [[expected]], rtol=1e-12)


def test_no_kind_of_kernel_overflows_at_depth_24_with_lambda_1():
    graphs = [some_graph(seed, 8) for seed in range(4)]
    for kind in ({"alpha": 1, "beta": 1}, {"alpha": 2, "beta": 1}, {"alpha": 2, "beta": 2}):
        gram = PointCloudKernel(gamma=24, normalize=True, tau=0.2, **kind).pairwise(graphs)
        np.testing.assert_allclose(np.diag(gram), 1)
        assert np.linalg.eigvalsh(gram)[0] > -1e-9
        assert (gram > 0).any(axis=0).all()


def test_logarithms_agree_with_plain_numbers_at_depths_that_need_none():
    graph = some_graph(1, 8)
    kernel = PointCloudKernel(2, 1, 24, tau=0.2)
    logs = kernel.log_pairwise([graph], depths=range(1, 25)).ravel()
    assert logs[-1] > np.log(np.finfo(float).max)
    small = logs[logs < 700]
    np.testing.assert_allclose(
        kernel.pairwise([graph], depths=range(1, len(small) + 1)).ravel(), np.exp(small), rtol=1e-12
    )


@pytest.mark.parametrize("alpha", [1, 2])
def test_arithmetic_in_logarithms_agrees_with_plain_arithmetic(alpha, monkeypatch):
    from icml2008.methods.graph_kernels import recursion

    plain = recursion._sum_walks
    graphs = some_graphs(4)
    kernel = make({"alpha": alpha, "beta": 2})
    expected = kernel.log_pairwise(graphs, depths=[1, 2, 5])

    def overflowing(*arguments):
        totals = plain(*arguments)
        return totals if arguments[-1] else np.full_like(totals, np.inf)

    monkeypatch.setattr(recursion, "_sum_walks", overflowing)
    np.testing.assert_allclose(
        kernel.log_pairwise(graphs, depths=[1, 2, 5]), expected, rtol=1e-12, atol=1e-12
    )


def test_value_beyond_double_precision_is_an_error_unless_normalized():
    kernel = PointCloudKernel(2, 1, 24)
    with pytest.raises(OverflowError, match="normalize=True"):
        kernel.pairwise([some_graph(1, 8)])


DEGENERATE = {
    "one vertex": PointCloudGraph([[0.0, 0.0]], []),
    "no edges": PointCloudGraph([[0.0, 0.0], [1.0, 1.0]], []),
    "coincident points": PointCloudGraph(np.zeros((4, 2)), [(0, 1), (1, 2), (2, 3)]),
    "two parts": PointCloudGraph(np.eye(4), [(0, 1), (2, 3)]),
}


@kinds
@pytest.mark.parametrize("name", ["one vertex", "no edges", "coincident points"])
def test_degenerate_graphs_have_finite_normalized_values(kind, name):
    graphs = [DEGENERATE[name], some_graph(1, attributes=False)]
    gram = make(kind, normalize=True).pairwise(graphs)
    assert (gram >= 0).all()
    assert (gram < 1 + 1e-12).all()


@kinds
def test_value_of_a_disconnected_graph_is_the_sum_over_its_parts(kind):
    whole = DEGENERATE["two parts"]
    parts = [PointCloudGraph(whole.positions[i : i + 2], [(0, 1)]) for i in (0, 2)]
    other = PointCloudGraph(np.eye(4)[[0, 2, 3]], [(0, 1), (1, 2)])
    kernel = make(kind)
    np.testing.assert_allclose(
        kernel.pairwise([whole], [other]), kernel.pairwise(parts, [other]).sum(0, keepdims=True),
        rtol=1e-12,
    )  # fmt: skip


def test_graphs_without_walks_long_enough_have_zero_rows():
    graphs = [DEGENERATE["one vertex"], some_graph(1, attributes=False)]
    gram = make(KINDS[1], short=False, normalize=True).pairwise(graphs)
    np.testing.assert_allclose(gram, [[0, 0], [0, 1]])


def test_result_does_not_depend_on_blocks_or_threads(monkeypatch):
    graphs = some_graphs(11)
    expected = make(KINDS[3]).pairwise(graphs, graphs)
    monkeypatch.setattr(kernel_module, "_ROW_NUMBERS", 2000)
    monkeypatch.setattr(kernel_module, "_COLUMNS", 2)
    np.testing.assert_array_equal(make(KINDS[3], n_jobs=2).pairwise(graphs, graphs), expected)


def test_gram_matrix_of_blocks_is_that_of_all_pairs(monkeypatch):
    graphs = some_graphs(7)
    monkeypatch.setattr(kernel_module, "_ROW_NUMBERS", 2000)
    monkeypatch.setattr(kernel_module, "_COLUMNS", 2)
    for normalize in (False, True):
        kernel = make(KINDS[3], normalize=normalize)
        np.testing.assert_allclose(
            kernel.pairwise(graphs), kernel.pairwise(graphs, graphs), rtol=1e-12
        )


@pytest.mark.parametrize("normalize", [False, True])
def test_transform_compares_with_the_fitted_graphs(normalize):
    old = some_graphs(5)
    new = some_graphs(3, seed=50)
    kernel = make(KINDS[3], normalize=normalize)
    np.testing.assert_array_equal(kernel.fit(old).transform(new), kernel.pairwise(new, old))
    np.testing.assert_array_equal(kernel.fit_transform(old), kernel.pairwise(old))


def test_kernel_serves_a_support_vector_machine_in_a_pipeline():
    rng = np.random.default_rng(0)

    def chains(x, y):
        ends = np.array([x, y]) + rng.normal(size=(8, 2)) / 30
        return [PointCloudGraph([[0, 0], [1, 0], end], [(0, 1), (1, 2)]) for end in ends]

    graphs = [*chains(2, 0), *chains(1, 1)]
    pipe = make_pipeline(
        PointCloudKernel(tau=1.0, normalize=True), SVC(kernel="precomputed", C=1e4)
    )
    scores = cross_val_score(clone(pipe), graphs, [0] * 8 + [1] * 8, cv=4)
    np.testing.assert_array_equal(scores, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"alpha": 0}, "alpha is 0; expected an integer of at least 1"),
        ({"beta": 1.5}, "beta is 1.5"),
        ({"nu": 0.0}, "nu is 0.0; expected a finite number > 0"),
        ({"kappa": -1.0}, "kappa is -1.0; expected a finite number >= 0"),
        ({"tau": np.inf}, "tau is inf"),
        ({"leaves": "lats"}, "leaves is 'lats'; did you mean 'last'"),
        ({"short": False, "gamma": 1}, "depth 1 is less than beta=2"),
    ],
)
def test_parameters_out_of_range_are_named(change, message):
    kernel = PointCloudKernel(**({"beta": 2} | change))
    with pytest.raises(ValueError, match=message):
        kernel.fit([some_graph(1)])


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ({"depths": []}, "no value of gamma is asked for"),
        ({"depths": [2, 0]}, "gamma is 0; expected an integer"),
        ({"nus": [0.1, -1]}, "nu is -1; expected a finite number > 0"),
        ({"upsilons": [np.nan]}, "upsilon is nan; expected a finite number >= 0"),
    ],
)
def test_grids_out_of_range_are_named(grid, message):
    with pytest.raises(ValueError, match=message):
        PointCloudKernel().pairwise([some_graph(1)], **grid)


def test_coincident_points_need_a_kappa():
    with pytest.raises(ValueError, match="not positive definite .* raise kappa"):
        PointCloudKernel(kappa=0.0).pairwise([DEGENERATE["coincident points"]])


def test_graphs_that_do_not_fit_each_other_are_named():
    flat = DEGENERATE["one vertex"]
    solid = PointCloudGraph([[0, 0, 0]], [])
    with pytest.raises(ValueError, match="graph 1 has 3 dimensions and 0 attributes"):
        PointCloudKernel().pairwise([flat], [solid])


def test_other_objects_are_refused():
    with pytest.raises(TypeError, match="graph 0 is a ndarray; make a PointCloudGraph of it"):
        PointCloudKernel().pairwise([np.zeros((2, 2))])


def test_empty_lists_are_refused():
    with pytest.raises(ValueError, match="there are no graphs"):
        PointCloudKernel().pairwise([])


def test_among_graphs_hardly_more_than_half_of_all_pairs_are_compared(monkeypatch):
    compared = []

    def counting(*args, n_rows, **options):
        compared.append(n_rows * args[2].n_graphs)
        return log_kernel(*args, n_rows=n_rows, **options)

    log_kernel = kernel_module.log_kernel
    monkeypatch.setattr(kernel_module, "log_kernel", counting)
    monkeypatch.setattr(kernel_module, "_COLUMNS", 4)
    make(KINDS[0]).fit_transform(some_graphs(24))
    assert sum(compared) == 4 * (4 + 8 + 12 + 16 + 20 + 24)
