"""Time and memory of the point cloud kernel on handwritten digits, against GraKeL's random walks.

Processor time on one thread after warm-up, so that other work on the machine counts as little as
possible: of a square of pairs the smallest of several runs. What belongs to a graph and not to a
pair is timed apart where the paper's own times are the measure, and counted in everywhere else.
Last come the memory and time of a Gram matrix, in a process of its own.

The digits are MNIST's, the first of each class; without them scikit-learn's, three times enlarged.
GraKeL is left out, and the table says so, where it is not installed.
"""

from __future__ import annotations

import multiprocessing
import resource
import time

import matplotlib as mpl
import numpy as np
from sklearn.datasets import load_digits

from icml2008.data import DataUnavailable, load
from icml2008.harness.benchmarks import least_seconds
from icml2008.methods import PointCloudGraph, PointCloudKernel, skeleton_graph
from icml2008.methods.graph_kernels.packing import list_shapes, pack
from icml2008.methods.graph_kernels.recursion import log_kernel
from icml2008.methods.graph_kernels.subtrees import count_subtrees, grow

# (alpha, beta): milliseconds that the paper prints for one value at depth 24
PRINTED = {(1, 1): 1, (1, 2): 2, (1, 4): 3, (2, 2): 25, (2, 4): 32}
COLUMNS = ("step", "method", "alpha", "beta", "gamma", "leaves", "nodes", "subtrees", "pairs",
           "ms_a_pair", "ms_a_graph", "printed_ms", "peak_mib")  # fmt: skip
PACKAGES = ("numpy", "numba")
REPEATS = 10
PER_CLASS = 100  # digits of the Gram matrices
GRAMS = [(1, 2), (2, 2)]  # their alpha and beta


def digits(per_class):
    """Images of the first digits of each class, and where they are from."""
    try:
        mnist = load("mnist")
        images = mnist.images
        labels = mnist.y
        source = "MNIST"
    except DataUnavailable:
        images, labels = load_digits(return_X_y=True)
        images = np.kron(images.reshape(-1, 8, 8), np.ones((3, 3)))
        source = "scikit-learn's digits"
    kept = np.concatenate([np.flatnonzero(labels == c)[:per_class] for c in range(10)])
    return images[np.sort(kept)], source


def fastest(run, repeats):
    """Smallest processor time of some runs, in seconds, the first not counted."""
    ((seconds, _),) = least_seconds({"": run}, repeats, np.inf).values()
    return seconds


def printed_sizes(graphs, repeats):
    """Preparation of a graph (once as a row, once as a column) apart from the pairs."""
    n = len(graphs)
    nodes = np.mean([graph.n_nodes for graph in graphs])
    for (alpha, beta), printed in PRINTED.items():
        for leaves in ["any"] if alpha == 1 else ["any", "last"]:
            level = leaves == "last"

            def prepare(alpha=alpha, beta=beta, level=level):
                rows, cols = (
                    [grow(g, alpha, beta + 1, ordered=ordered, level=level) for g in graphs]
                    for ordered in (False, True)
                )
                shapes, table = list_shapes(rows, beta=beta, lam=1.0, ordered=False, short=True)
                common = {"beta": beta, "tau": 0.05, "kappa": 0.001}
                return (
                    table,
                    pack(graphs, rows, shapes, by_tree=True, **common),
                    [
                        pack(graphs[i : i + 16], cols[i : i + 16], shapes, by_tree=False, **common)
                        for i in range(0, n, 16)
                    ],
                )

            table, rows, blocks = prepare()

            def compare(beta=beta, table=table, rows=rows, blocks=blocks):
                for cols in blocks:
                    log_kernel(
                        table, rows, cols, beta=beta, nus=np.array([0.1]),
                        upsilons=np.array([0.05]), depths=np.array([24]), whole_families=True,
                        n_rows=n,
                    )  # fmt: skip

            subtrees = np.mean([count_subtrees(g, alpha, beta, leaves=leaves) for g in graphs])
            yield {
                "step": "printed", "method": "ours", "alpha": alpha, "beta": beta, "gamma": 24,
                "leaves": leaves, "nodes": f"{nodes:.1f}", "subtrees": f"{subtrees:.1f}",
                "pairs": n**2, "ms_a_pair": f"{1e3 * fastest(compare, repeats) / n**2:.4f}",
                "ms_a_graph": f"{1e3 * fastest(prepare, 2) / n:.2f}", "printed_ms": printed,
            }  # fmt: skip


def random_walks(graphs, repeats):
    """GraKeL's random-walk kernel, without labels and by its faster method."""
    row = {"step": "printed", "method": "GraKeL random walk", "pairs": len(graphs) ** 2}
    try:
        from grakel import Graph
        from grakel.kernels import RandomWalk
    except ImportError:
        yield row | {"ms_a_pair": "not installed"}
        return
    theirs = [Graph(dict(enumerate(graph.neighbours))) for graph in graphs]
    kernel = RandomWalk(lamda=0.01, method_type="fast")
    seconds = fastest(lambda: kernel.fit(theirs).transform(theirs), repeats)
    yield row | {
        "nodes": f"{np.mean([graph.n_nodes for graph in graphs]):.1f}",
        "ms_a_pair": f"{1e3 * seconds / len(graphs) ** 2:.4f}",
    }


def strokes(n_nodes, seed):
    """A wandering line with some branches, like a drawing's skeleton of that many vertices."""
    rng = np.random.default_rng(seed)
    parents = [v - 1 if rng.random() < 0.9 else int(rng.integers(v)) for v in range(1, n_nodes)]
    heading = np.cumsum(rng.normal(scale=0.3, size=n_nodes))
    positions = np.zeros((n_nodes, 2))
    for v, parent in enumerate(parents, start=1):
        positions[v] = positions[parent] + 2 * np.array([np.cos(heading[v]), np.sin(heading[v])])
    return PointCloudGraph(positions, list(zip(parents, range(1, n_nodes), strict=True)), positions)


def scaling(repeats):
    kinds = [(1, 1), (1, 2), (1, 4), (2, 2)]
    for alpha, beta in kinds:
        for n_nodes in (10, 20, 40, 80, 120, 160, 200):
            graphs = [strokes(n_nodes, seed) for seed in range(4)]
            yield _scaled("nodes", graphs, alpha, beta, 24, n_nodes, repeats)
        for gamma in (4, 8, 16, 24, 48, 96):
            graphs = [strokes(18, seed) for seed in range(16)]
            yield _scaled("depth", graphs, alpha, beta, gamma, 18, repeats)


def _scaled(step, graphs, alpha, beta, gamma, n_nodes, repeats):
    kernel = PointCloudKernel(alpha, beta, gamma)
    seconds = fastest(lambda: kernel.log_pairwise(graphs, graphs), repeats)
    return {
        "step": step, "method": "ours", "alpha": alpha, "beta": beta, "gamma": gamma,
        "leaves": "any", "nodes": n_nodes, "pairs": len(graphs) ** 2,
        "ms_a_pair": f"{1e3 * seconds / len(graphs) ** 2:.4f}",
    }  # fmt: skip


def gram(per_class, alpha, beta, queue):
    images, _ = digits(per_class)
    graphs = [skeleton_graph(image) for image in images]
    start = time.process_time()
    PointCloudKernel(alpha, beta, 24, normalize=True).pairwise(graphs)
    seconds = time.process_time() - start
    n_pairs = len(graphs) * (len(graphs) + 1) // 2
    queue.put({
        "step": f"Gram matrix of {len(graphs)}", "method": "ours", "alpha": alpha, "beta": beta,
        "gamma": 24, "leaves": "any", "pairs": n_pairs,
        "ms_a_pair": f"{1e3 * seconds / n_pairs:.4f}",
        "peak_mib": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
    })  # fmt: skip


def gram_matrices(per_class, kinds):
    context = multiprocessing.get_context("spawn")
    for alpha, beta in kinds:
        queue = context.Queue()
        process = context.Process(target=gram, args=(per_class, alpha, beta, queue))
        process.start()
        yield queue.get()
        process.join()


def rows():
    """Yield the rows of the table."""
    images, _ = digits(4)
    graphs = [skeleton_graph(image) for image in images]
    yield from printed_sizes(graphs, REPEATS)
    yield from random_walks(graphs, REPEATS)
    yield from scaling(REPEATS // 3)
    yield from gram_matrices(PER_CLASS, GRAMS)


def draw(rows, path):
    import matplotlib.pyplot as plt

    mpl.rcParams["svg.hashsalt"] = "point_cloud_kernel"
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    printed = [row for row in rows if row["step"] == "printed" and row.get("printed_ms")]
    names = [
        f"{row['alpha']}, {row['beta']}" + ("" if row["alpha"] == 1 else f"\n{row['leaves']}")
        for row in printed
    ]
    places = np.arange(len(printed))
    axes[0].plot(places, [row["printed_ms"] for row in printed], "s", label="printed (2008)")
    axes[0].plot(places, [float(row["ms_a_pair"]) for row in printed], "o", label="ours")
    for row in rows:
        if row["method"].startswith("GraKeL") and row["ms_a_pair"] != "not installed":
            axes[0].axhline(float(row["ms_a_pair"]), color="C2", ls=":", label="GraKeL random walk")
    axes[0].set_xticks(places, names, fontsize=7)
    axes[0].set(yscale="log", ylabel="milliseconds a pair", title="digits, depth 24")
    axes[0].set(xlabel=r"$\alpha$, $\beta$; leaves", ylim=(None, 300))
    axes[0].legend(fontsize=8, loc="upper left")
    for axis, step, key in ((axes[1], "nodes", "nodes"), (axes[2], "depth", "gamma")):
        of_step = [row for row in rows if row["step"] == step]
        for kind in dict.fromkeys((row["alpha"], row["beta"]) for row in of_step):
            mine = [row for row in of_step if (row["alpha"], row["beta"]) == kind]
            axis.plot(
                [row[key] for row in mine], [float(row["ms_a_pair"]) for row in mine], "o-",
                label="$\\alpha$={}, $\\beta$={}".format(*kind),
            )  # fmt: skip
        axis.set(xscale="log", yscale="log", ylabel="milliseconds a pair")
        axis.legend(fontsize=8)
    axes[1].set(xlabel="vertices", title="strokes, depth 24")
    axes[2].set(xlabel="depth", title="strokes of 18 vertices")
    figure.savefig(path, metadata={"Date": None})


REMARK = f"digits: {digits(1)[1]}"
