"""The kernel of one graph with many, compiled.

Each graph's subtrees stand in blocks by shape (:mod:`.packing`). For the pair of a *row* graph with
a *column* graph, the value of a pair of states is the sum over all pairs of tree-walks that begin
with these, and depends on the values of the states one generation further down (Bach 2008, Section
4). Siblings are sorted in the row's trees and stand in every order in the column's, so that each
matching of two trees is met once.

The pairs of trees of a row graph with all column graphs stand in one array: by shape, by row tree,
by column tree. A ragged array ``x`` comes as its values and ``x_at``, where each shape begins.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from icml2008.methods.graph_kernels.geometry import multiply_conditional, multiply_joint
from icml2008.methods.graph_kernels.packing import Pack, Shapes


def log_kernel(
    shapes: Shapes,
    rows: Pack,
    cols: Pack,
    *,
    beta: int,
    nus: NDArray[np.float64],
    upsilons: NDArray[np.float64],
    depths: NDArray[np.int64],
    whole_families: bool,
    n_rows: int,
) -> NDArray[np.float64]:
    """Return the logarithm of the kernel of the first row graphs with all column graphs.

    Parameters
    ----------
    shapes : Shapes
    rows, cols : Pack
        Sorted trees, tree by tree; trees in every order, entry by entry.
    beta : int
        Order of the tree-walks.
    nus, upsilons : float64 arrays
        Factors for each leaf; two vertices whose attributes are at distance r are worth
        exp(-upsilon r^2).
    depths : int64 array of shape (n_depths,)
        Increasing.
    whole_families : bool
        Whether the root clique is the root's whole family or its state.
    n_rows : int
        How many row graphs.

    Returns
    -------
    ndarray of shape (n_nus, n_upsilons, n_depths, n_rows, n_columns)
        -inf where no tree-walk matches.
    """
    n_cols = cols.tree_start[-1]
    counts = np.diff(rows.tree_start, axis=0) * n_cols
    starts_of = np.pad(np.cumsum(counts, axis=1), ((0, 0), (1, 0)))
    families = int(np.sum(shapes.state < 0))  # they stand last
    # arrays for all rows in turn: fresh ones would cost more than what is done with them
    n_ends = starts_of[:, families].max()
    n_pairs = starts_of[:, -1].max()
    buffers = [np.empty(n) for n in (n_pairs, n_pairs, n_pairs, n_pairs, n_ends, n_ends)]
    logs = np.empty((len(nus), len(upsilons), len(depths), n_rows, cols.n_graphs))
    for row, starts in enumerate(starts_of[:n_rows]):
        common = (*rows.tree_start[row : row + 2], n_cols, starts)
        joint, conditional, steps, first_steps = (buffer[: starts[-1]] for buffer in buffers[:4])
        states = [buffer[: starts[families]] for buffer in buffers[4:]]
        ends = steps[: starts[families]]
        ends_joint = joint[: starts[families]]

        joint[:] = conditional[:] = 1
        multiply_joint(
            *common, shapes.size, *rows.gram, *rows.root, *cols.gram, *cols.root,
            len(shapes.size) if whole_families else families, joint,
        )  # fmt: skip
        multiply_conditional(
            *common, shapes.size, shapes.state, *rows.slope, *rows.rest, *rows.rest_root,
            *cols.slope, *cols.rest, *cols.rest_root, conditional,
        )  # fmt: skip
        first, last = rows.node_start[row : row + 2]
        apart = cdist(rows.attributes[first:last], cols.attributes, "sqeuclidean")
        walks = (*common, shapes.depth, shapes.state, shapes.branch, shapes.branch_at, *rows.step,
                 *cols.step, *cols.owner, cols.n_graphs, beta, depths, whole_families)  # fmt: skip
        for (n, nu), (u, upsilon) in product(enumerate(nus), enumerate(upsilons)):
            _match_attributes(
                *common, shapes.size, shapes.weight * nu**shapes.leaves, shapes.matched,
                shapes.matched_at, np.exp(-upsilon * apart), first, *rows.vertices,
                *cols.vertices, steps,
            )  # fmt: skip
            np.multiply(steps, joint, out=first_steps)
            steps *= conditional
            totals = _sum_walks(*walks, ends, ends_joint, steps, first_steps, *states, False)
            with np.errstate(divide="ignore"):
                logs[n, u, :, row] = np.log(totals)
                if (beyond := ~np.isfinite(totals)).any():
                    # numbers beyond double precision: once more in logarithms, for these alone
                    factors = map(np.log, (ends, ends_joint, steps, first_steps))
                    again = _sum_walks(*walks, *factors, *states, True)
                    logs[n, u, :, row][beyond] = again[beyond]
    return logs


@njit(cache=True, nogil=True)
def _match_attributes(
    begin, end, n_cols, starts, sizes, weights, matched, matched_at, kernel, first,
    vertices, vertices_at, vertices_cols, vertices_cols_at, values,
):  # fmt: skip
    """Set to a shape's weight times the kernel between the attributes of matched vertices."""
    for s in range(sizes.size):
        n = n_cols[s]
        for t in range(begin[s], end[s]):
            value = values[starts[s] + (t - begin[s]) * n :]
            value[:n] = weights[s]
            for m in range(matched_at[s], matched_at[s + 1]):
                vertex = np.int64(vertices[vertices_at[s] + t * sizes[s] + matched[m]])
                near = kernel[vertex - first]
                where = vertices_cols[vertices_cols_at[s] + matched[m] * n :]
                for j in range(n):
                    value[j] *= near[where[j]]


@njit(cache=True, nogil=True)
def _sum_walks(
    begin, end, n_cols, starts, depth_of, states, branch, branch_at, step, step_at,
    step_cols, step_cols_at, owner, owner_at, n_graphs, beta, depths, whole_families,
    ends, joint, steps, first_steps, values, following, logs,
):  # fmt: skip
    """Sum over all pairs of tree-walks, for each depth and column graph.

    All factors and the sums are logarithms if `logs`.

    Parameters
    ----------
    ends : value of a tree that goes on no further, given the positions
    joint : the kernel between its positions
    steps : factor of a family within a tree-walk
    first_steps : factor of a family at the root, if the root clique is the whole family
    values, following : room for the values of states at one depth and the next
    """
    families = np.sum(states < 0)
    first_state = np.sum(depth_of < beta)
    term = np.empty(np.max(n_cols))
    totals = np.empty((depths.size, n_graphs))
    shallow = np.full(n_graphs, -np.inf if logs else 0.0)
    values[starts[first_state] :] = ends[starts[first_state] :]
    n_done = 0
    for depth in range(1, depths[-1] + 1):
        asked = depth == depths[n_done]
        # trees that end within the root clique
        for s in range(families):
            if depth_of[s] == depth and (depth < beta or whole_families):
                _add_to_graphs(starts[s], starts[s + 1], n_cols[s], owner[owner_at[s] :],
                               ends, joint, shallow, logs)  # fmt: skip
        total = totals[n_done]
        if asked:
            total[:] = shallow
        # the others: from the root's family down, or from the state of the root down
        for at_root in (True, False):
            if depth <= beta or (at_root and not (asked and whole_families)):
                continue
            if not at_root:
                following[starts[first_state] :] = ends[starts[first_state] :]
            for s in range(families, states.size):
                n = n_cols[s]
                parts = branch_at[s + 1] - branch_at[s]
                state = states[s]
                for t in range(begin[s], end[s]):
                    numbers = step[step_at[s] + t * (1 + parts) :]
                    pair = starts[s] + (t - begin[s]) * n
                    factor = first_steps[pair:] if at_root else steps[pair:]
                    if at_root:
                        target = total
                        where = owner[owner_at[s] :]
                    else:
                        first = starts[state] + (numbers[0] - begin[state]) * n_cols[state]
                        target = following[first:]
                        where = step_cols[step_cols_at[s] :]
                    for b in range(parts):
                        to = branch[branch_at[s] + b]
                        value = values[starts[to] + (numbers[b + 1] - begin[to]) * n_cols[to] :]
                        there = step_cols[step_cols_at[s] + (b + 1) * n :]
                        if parts == 1 and not logs:
                            _add_products(n, factor, value, there, target, where)
                            break
                        _multiply(n, factor, value, there, logs, term)
                        factor = term
                    else:
                        _add(n, term, target, where, logs)
            if not at_root:
                values, following = following, values
        if asked:
            if depth >= beta and not whole_families:
                for s in range(first_state, families):
                    _add_to_graphs(starts[s], starts[s + 1], n_cols[s], owner[owner_at[s] :],
                                   values, joint, total, logs)  # fmt: skip
            n_done += 1
    return totals


@njit(cache=True, nogil=True)
def _add_to_graphs(first, last, n, owner, values, joint, out, logs):
    """Add the values of whole trees, from pair `first` to pair `last`, to those of the graphs."""
    for pair in range(first, last, max(n, 1)):
        for j in range(n):
            g = owner[j]
            if logs:
                out[g] = _add_logs(out[g], values[pair + j] + joint[pair + j])
            else:
                out[g] += values[pair + j] * joint[pair + j]


@njit(cache=True, nogil=True)
def _add_products(n, factor, value, there, out, where):
    for j in range(n):
        out[where[j]] += factor[j] * value[there[j]]


@njit(cache=True, nogil=True)
def _multiply(n, factor, value, there, logs, out):
    if logs:
        for j in range(n):
            out[j] = factor[j] + value[there[j]]
    else:
        for j in range(n):
            out[j] = factor[j] * value[there[j]]


@njit(cache=True, nogil=True)
def _add(n, term, out, where, logs):
    if logs:
        for j in range(n):
            out[where[j]] = _add_logs(out[where[j]], term[j])
    else:
        for j in range(n):
            out[where[j]] += term[j]


@njit(cache=True, nogil=True)
def _add_logs(a, b):
    high = max(a, b)
    return high if high == -np.inf else high + np.log1p(np.exp(min(a, b) - high))
