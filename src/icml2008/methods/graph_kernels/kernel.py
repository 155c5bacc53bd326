"""The tree-walk kernel between graphs on points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from icml2008.methods.graph_kernels.checks import check_graphs, check_parameters
from icml2008.methods.graph_kernels.graph import PointCloudGraph
from icml2008.methods.graph_kernels.packing import list_shapes, pack
from icml2008.methods.graph_kernels.recursion import log_kernel
from icml2008.methods.graph_kernels.subtrees import grow

Graphs = Sequence[PointCloudGraph]

_CHOICES = {
    "leaves": ("any", "last"),
    "root": ("family", "state"),
    "siblings": ("unordered", "ordered"),
}
_LOG_MAX = np.log(np.finfo(float).max)
# how much is laid out at a time: of rows so many numbers (256 MB), of columns as fit the caches
_ROW_NUMBERS = 2**25
_COLUMNS = 16


class PointCloudKernel(TransformerMixin, BaseEstimator):
    r"""Compare graphs on points by all their tree-walks, or walks.

    .. math:: k(G, H) = \sum_T \lambda^{|T|} \nu^{\ell(T)}
        \sum_{I, J} k_B^{Q(T)}(K_I, L_J) \prod_p k_A(a(I_p), b(J_p))

    The first sum is over rooted trees of at most `gamma` generations and `alpha` children a vertex,
    :math:`|T|` vertices and :math:`\ell(T)` leaves, the second over pairs of tree-walks of that
    shape, I in G and J in H: neighbours in the tree are neighbours in the graph, and no vertex of
    the graph stands twice among a vertex of the tree and its descendants of `beta` generations.
    The positions of the matched vertices are compared by :math:`k_B^{Q(T)}`, a Bhattacharyya
    kernel between their covariance matrices :math:`\exp(-\tau \|x - y\|^2) + \kappa [x = y]`,
    factorised along the tree: each vertex is in a clique with its descendants of `beta`
    generations. Their attributes are compared by :math:`k_A(a, b) = \exp(-\upsilon \|a - b\|^2)`.
    The kernel is positive definite. It does not change if a graph is moved, turned or mirrored and
    keeps its attributes.

    Parameters
    ----------
    alpha : int, default=1
        Largest number of children: 1 means walks.
    beta : int, default=2
        Number of generations that a walk remembers; 1 allows to go straight back.
    gamma : int, default=24
        Largest number of generations: 1 compares single vertices.
    lam : float, default=1.0
        Factor for each vertex, the paper's lambda.
    nu : float, default=0.1
        Factor for each leaf. With `alpha` = 1 this is a factor of the whole kernel.
    tau : float, default=0.05
        Inverse squared width of the kernel on positions. The paper's values suit points that are
        some pixels apart.
    kappa : float, default=0.001
        Added to the variance of each vertex, so that covariance matrices are invertible.
    upsilon : float, default=0.05
        Inverse squared width of the kernel on attributes.
    leaves : {"any", "last"}, default="any"
        Where a branch may end, if `alpha` is more than 1. "any": everywhere, as in Eq. 8 and where
        the paper says that its subtrees have depth at most `beta`. "last": the subtrees that walks
        are made of have all leaves in generation `beta`, so that a branch can end only where those
        nearby do. The numbers of subtrees in Section 4 fit this.
    short : bool, default=True
        Whether tree-walks of less than `beta` generations count, as in Eq. 8, or the recursion
        starts at depth `beta`. With leaves="last" those with all leaves at one depth do.
    siblings : {"unordered", "ordered"}, default="unordered"
        Whether each matching of two tree-walks counts once ("all the trees that we consider are
        unordered", Section 2.2), or once for each order of the siblings (the recursion's sum over
        tuples), p! times at a vertex with p children. Eq. 8, read as a sum over labellings, would
        count it once for each symmetry of the tree, which no recursion over depth can.
    root : {"family", "state"}, default="family"
        The root clique: the root with `beta` generations of descendants (Section 3.4), or with
        `beta` - 1 (the initial value of the recursion in Section 4).
    normalize : bool, default=False
        Whether to divide by the square roots of k(G, G) and k(H, H). An SVM wants this: the
        kernel's size grows exponentially with that of the graphs.
    n_jobs : int, optional
        Number of threads, as in joblib.

    Attributes
    ----------
    graphs_ : list of PointCloudGraph
        What :meth:`transform` compares with.

    Notes
    -----
    Every sum has nonnegative terms, so nothing cancels. Where a sum exceeds double precision (with
    `alpha` = 2 it can grow doubly exponentially with the depth), the pair is worked off in
    logarithms.

    The recursion printed in Section 4 is not Eq. 8. It multiplies the attribute kernel of the
    children's roots (again) and not that of the root, lacks the kernel of the root's positions,
    and adds the value of depth gamma - 1 to a sum that holds all shorter walks already. Here the
    sum is the one of Eq. 8, up to the choices above. Eq. 7 is conditioned on the separator, the
    vertices that a clique shares with its parent.

    References
    ----------
    F. R. Bach (2008), Graph kernels between point clouds, ICML, Eqs. 2 and 6 to 8, Section 4.

    Examples
    --------
    >>> from icml2008.methods import PointCloudGraph, PointCloudKernel
    >>> line = PointCloudGraph([[0, 0], [3, 0], [6, 0]], [[0, 1], [1, 2]])
    >>> turned = PointCloudGraph([[0, 0], [0, 3], [0, 6]], [[0, 1], [1, 2]])
    >>> corner = PointCloudGraph([[0, 0], [3, 0], [3, 3]], [[0, 1], [1, 2]])
    >>> PointCloudKernel(normalize=True).pairwise([line, turned, corner]).round(3)
    array([[1.   , 1.   , 0.994],
           [1.   , 1.   , 0.994],
           [0.994, 0.994, 1.   ]])
    """

    def __init__(
        self,
        alpha: int = 1,
        beta: int = 2,
        gamma: int = 24,
        lam: float = 1.0,
        nu: float = 0.1,
        tau: float = 0.05,
        kappa: float = 0.001,
        upsilon: float = 0.05,
        *,
        leaves: str = "any",
        short: bool = True,
        siblings: str = "unordered",
        root: str = "family",
        normalize: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.alpha = alpha
        self.beta = beta
        self.gamma = gamma
        self.lam = lam
        self.nu = nu
        self.tau = tau
        self.kappa = kappa
        self.upsilon = upsilon
        self.leaves = leaves
        self.short = short
        self.siblings = siblings
        self.root = root
        self.normalize = normalize
        self.n_jobs = n_jobs

    def fit(self, graphs: Graphs, y=None) -> PointCloudKernel:
        """Remember the graphs that others shall be compared with.

        Parameters
        ----------
        graphs : sequence of PointCloudGraph
        y : ignored

        Raises
        ------
        ValueError, TypeError
            As :meth:`pairwise`.
        """
        self._checked()
        check_graphs(graphs)
        self.graphs_ = list(graphs)
        self._log_self = self._log_diagonal(self.graphs_) if self.normalize else None
        return self

    def transform(self, graphs: Graphs) -> NDArray[np.float64]:
        """Return the kernel between graphs and those of :meth:`fit`, (n_graphs, n_fitted)."""
        check_is_fitted(self)
        logs = self._log_pairwise(graphs, self.graphs_)
        if self.normalize:
            logs = _normalized(logs, self._log_diagonal(graphs), self._log_self)
        return _exp(logs[0, 0, 0])

    def fit_transform(self, graphs: Graphs, y=None) -> NDArray[np.float64]:
        """Fit, and return the kernel among the graphs, each pair computed once."""
        logs = self._log_pairwise(graphs)
        self.graphs_ = list(graphs)
        self._log_self = _diagonal(logs) if self.normalize else None
        if self.normalize:
            logs = _normalized(logs, self._log_self, self._log_self)
        return _exp(logs[0, 0, 0])

    def pairwise(
        self,
        graphs: Graphs,
        others: Graphs | None = None,
        *,
        nus: Sequence[float] | None = None,
        upsilons: Sequence[float] | None = None,
        depths: Sequence[int] | None = None,
    ) -> NDArray[np.float64]:
        """Return the kernel between graphs and others, or among graphs.

        Parameters
        ----------
        graphs, others : sequence of PointCloudGraph
            All with as many dimensions and as many attributes.
        nus, upsilons, depths : sequence, optional
            Values to put in place of `nu`, `upsilon` and `gamma`. They share what costs most: all
            depths come from one recursion, all nus and upsilons from one look at the geometry.

        Returns
        -------
        ndarray of shape (n_graphs, n_others)
            With an axis before these for each of `nus`, `upsilons` and `depths` that is given, in
            this order.

        Raises
        ------
        ValueError
            If a parameter is out of range, a list is empty, the graphs do not fit each other, or a
            covariance matrix is singular (with `kappa` = 0 and coincident points).
        TypeError
            If something else than a PointCloudGraph is in a list.
        OverflowError
            If a value exceeds double precision; ask for `normalize` or :meth:`log_pairwise`.
        """
        grid = (nus, upsilons, depths)
        logs = self._log_pairwise(graphs, others, *grid)
        if self.normalize and others is None:
            logs = _normalized(logs, _diagonal(logs), _diagonal(logs))
        elif self.normalize:
            own, their = (self._log_diagonal(family, *grid) for family in (graphs, others))
            logs = _normalized(logs, own, their)
        return _exp(logs[_asked(grid)])

    def log_pairwise(
        self,
        graphs: Graphs,
        others: Graphs | None = None,
        *,
        nus: Sequence[float] | None = None,
        upsilons: Sequence[float] | None = None,
        depths: Sequence[int] | None = None,
    ) -> NDArray[np.float64]:
        """Return the logarithm of the kernel, not normalised; -inf where it is 0.

        Parameters and result are those of :meth:`pairwise`.
        """
        grid = (nus, upsilons, depths)
        return self._log_pairwise(graphs, others, *grid)[_asked(grid)]

    def _log_diagonal(self, graphs, *grid):
        """Return log k(G, G), (n_nus, n_upsilons, n_depths, n_graphs)."""
        parts = [self._log_pairwise([graph], None, *grid)[..., 0] for graph in graphs]
        return np.concatenate(parts, axis=-1)

    def _log_pairwise(self, graphs, others=None, nus=None, upsilons=None, depths=None):
        grid = self._checked(nus, upsilons, depths)
        check_graphs([*graphs, *(others if others is not None else ())])
        depths, where = np.unique(np.asarray(grid[2], np.int64), return_inverse=True)
        grid = (np.asarray(grid[0], float), np.asarray(grid[1], float), depths)
        symmetric = others is None
        others = graphs if symmetric else others
        out = np.empty((*map(len, grid), len(graphs), len(others)))
        for first, trees in self._tiles(graphs, depths):
            stop = first + len(trees)
            fill = self._prepare(graphs[first:stop], trees, *grid)
            starts = range(first if symmetric else 0, len(others), _COLUMNS)
            # of a symmetric matrix, the rows down to the diagonal
            ends = [min(start + _COLUMNS, stop) if symmetric else stop for start in starts]
            blocks = Parallel(n_jobs=self.n_jobs, prefer="threads")(
                delayed(fill)(others[start : start + _COLUMNS], end - first)
                for start, end in zip(starts, ends, strict=True)
            )
            for start, end, block in zip(starts, ends, blocks, strict=True):
                columns = slice(start, start + block.shape[-1])
                out[..., first:end, columns] = block
                if symmetric:
                    out[..., columns, first:end] = block.swapaxes(-2, -1)
        return out[:, :, where]

    def _checked(self, nus=None, upsilons=None, depths=None):
        """Return the values of nu, upsilon and gamma; raise ValueError where one is no good."""
        own = (self.nu, self.upsilon, self.gamma)
        given = zip((nus, upsilons, depths), own, strict=True)
        grid = tuple([value] if values is None else values for values, value in given)
        check_parameters(
            whole={"alpha": [self.alpha], "beta": [self.beta], "gamma": grid[2]},
            positive={"lam": [self.lam], "nu": grid[0], "tau": [self.tau]},
            nonnegative={"kappa": [self.kappa], "upsilon": grid[1]},
            named={name: (getattr(self, name), options) for name, options in _CHOICES.items()},
        )
        if not self.short and (shallow := min(grid[2])) < self.beta:
            msg = (
                f"depth {shallow} is less than beta={self.beta}, so that with short=False no "
                "tree-walk counts; use a depth of at least beta"
            )
            raise ValueError(msg)
        return grid

    def _grow(self, graph, depths, *, ordered):
        depth = min(self.beta + 1, int(depths[-1]))
        return grow(graph, self.alpha, depth, ordered=ordered, level=self.leaves == "last")

    def _tiles(self, graphs, depths):
        """Yield the subtrees of consecutive graphs, and the number of the first."""
        trees = []
        numbers = 0
        for n, graph in enumerate(graphs, start=1):
            trees.append(self._grow(graph, depths, ordered=False))
            for generation in trees[-1]:
                for shape, subtrees in generation.items():
                    numbers += len(subtrees) * (len(shape) + 1) ** 2
            if numbers > _ROW_NUMBERS or n == len(graphs):
                yield n - len(trees), trees
                trees = []
                numbers = 0

    def _prepare(self, graphs, trees, nus, upsilons, depths):
        """Return the function that compares some graphs with the first few of these."""
        common = {"beta": self.beta, "tau": self.tau, "kappa": self.kappa}
        shapes, table = list_shapes(
            trees,
            beta=self.beta,
            lam=self.lam,
            ordered=self.siblings == "ordered",
            short=self.short,
        )
        if shapes:
            rows = pack(graphs, trees, shapes, by_tree=True, **common)

        def fill(others, n_rows):
            if not shapes:  # no graph has a tree-walk of beta generations
                sizes = map(len, (nus, upsilons, depths, graphs[:n_rows], others))
                return np.full(tuple(sizes), -np.inf)
            theirs = [self._grow(graph, depths, ordered=True) for graph in others]
            return log_kernel(
                table,
                rows,
                pack(others, theirs, shapes, by_tree=False, **common),
                beta=self.beta,
                nus=nus,
                upsilons=upsilons,
                depths=depths,
                whole_families=self.root == "family",
                n_rows=n_rows,
            )

        return fill


def _asked(grid):
    """Return the index that takes out the axes of a grid that were not asked for."""
    return tuple(0 if values is None else slice(None) for values in grid)


def _diagonal(logs):
    return np.diagonal(logs, axis1=-2, axis2=-1)


def _normalized(logs, left, right):
    """Divide by the geometric mean of both self-values; 0 where a graph has no tree-walk at all."""
    norm = (left[..., :, None] + right[..., None, :]) / 2
    return np.where(np.isneginf(norm), -np.inf, logs - np.where(np.isneginf(norm), 0, norm))


def _exp(logs):
    if logs.max() > _LOG_MAX:
        msg = (
            f"a kernel value of exp({logs.max():.1f}) exceeds double precision; "
            "set normalize=True, or use log_pairwise"
        )
        raise OverflowError(msg)
    return np.exp(logs)
