"""The kernels of Figure 7: Gram matrices of drawings, one for each setting to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

from icml2008.methods.graph_kernels.graph import PointCloudGraph
from icml2008.methods.graph_kernels.kernel import PointCloudKernel
from icml2008.methods.graph_kernels.skeleton import skeleton_graph

DEPTHS = (1, 2, 4, 8, 16, 24)
LEAF_PENALTIES = (0.1, 0.01)
WIDTHS = (0.05, 0.01, 0.1)  # as printed, of the kernels on positions and on attributes
KAPPA = 0.001
# a walk's weight for each vertex: the numbers of walks grow by up to 6 with each, so that all these
# series converge, and what lies beyond the deepest walks is 1e-5 of them
DECAYS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Skeletons:
    """How a drawing becomes a graph.

    Attributes
    ----------
    thinning : str
    step : int
        As for `skeleton_graph`.
    unit : {"pixel", "step"}
        What positions are measured in; with "step", neighbours are about 1 apart.
    """

    thinning: str = "zhang"
    step: int = 2
    unit: str = "pixel"

    def __call__(self, images: NDArray) -> list[PointCloudGraph]:
        graphs = [skeleton_graph(im, thinning=self.thinning, step=self.step) for im in images]
        side = self.step if self.unit == "step" else 1
        return [PointCloudGraph(g.positions / side, g.edges, g.attributes / side) for g in graphs]


@dataclass(frozen=True)
class Walks:
    """The kernel of Eq. 8 on skeletons.

    There are settings of all pairs of widths, depths and, for trees, leaf penalties.
    """

    alpha: int = 1
    beta: int = 2
    widths: Sequence[float] = WIDTHS[:1]
    skeletons: Skeletons = field(default_factory=Skeletons)
    leaves: str = "any"
    short: bool = True
    siblings: str = "unordered"
    root: str = "family"
    unit_diagonal: bool = True

    def grams(self, images: NDArray) -> Floats:
        """Return Gram matrices, (n_settings, n, n)."""
        graphs = self.skeletons(images)
        depths = [depth for depth in DEPTHS if self.short or depth >= self.beta]
        nus = LEAF_PENALTIES if self.alpha > 1 else LEAF_PENALTIES[:1]
        logs = []
        for tau in self.widths:
            kernel = PointCloudKernel(
                self.alpha,
                self.beta,
                depths[-1],
                tau=tau,
                kappa=KAPPA,
                leaves=self.leaves,
                short=self.short,
                siblings=self.siblings,
                root=self.root,
            )
            logs.append(kernel.log_pairwise(graphs, nus=nus, upsilons=self.widths, depths=depths))
        return normalized(np.reshape(logs, (-1, len(graphs), len(graphs))), self.unit_diagonal)


@dataclass(frozen=True)
class RandomWalk:
    """Walks of all lengths, each vertex worth a decay: the limit of Eq. 8 for alpha = beta = 1.

    There are settings of all pairs of widths and decays.
    """

    widths: Sequence[float] = WIDTHS[:1]
    skeletons: Skeletons = field(default_factory=Skeletons)
    root: str = "family"
    unit_diagonal: bool = True

    def grams(self, images: NDArray) -> Floats:
        """Return Gram matrices, (n_settings, n, n)."""
        graphs = self.skeletons(images)
        lengths = np.arange(1, DEPTHS[-1] + 1)
        sums = []
        for tau in self.widths:
            kernel = PointCloudKernel(1, 1, nu=1.0, tau=tau, kappa=KAPPA, root=self.root)
            for up_to in np.exp(kernel.log_pairwise(graphs, upsilons=self.widths, depths=lengths)):
                by_length = np.diff(up_to, axis=0, prepend=np.zeros_like(up_to[:1]))
                sums += [np.tensordot(decay**lengths, by_length, 1) for decay in DECAYS]
        return normalized(np.log(sums), self.unit_diagonal)


@dataclass(frozen=True)
class Pixels:
    """The Gaussian kernel on the vectorised image."""

    def grams(self, images: NDArray) -> Floats:
        """Return Gram matrices for nine widths about the median distance."""
        return gaussians(images.reshape(len(images), -1).astype(float))


@dataclass(frozen=True)
class Gradients:
    """The Gaussian kernel on histograms of oriented gradients: a cheap baseline of today."""

    def grams(self, images: NDArray) -> Floats:
        """Return Gram matrices for nine widths about the median distance."""
        from skimage.feature import hog

        cells = {"orientations": 9, "pixels_per_cell": (4, 4), "cells_per_block": (2, 2)}
        return gaussians(np.array([hog(image.astype(float), **cells) for image in images]))


@dataclass(frozen=True)
class PyramidMatch:
    """The pyramid match of the skeletons' vertices, their positions from the drawing's centre."""

    skeletons: Skeletons = field(default_factory=Skeletons)

    def grams(self, images: NDArray) -> Floats:
        """Return Gram matrices for three sides of the finest cells by three weights of levels."""
        points = [graph.attributes for graph in self.skeletons(images)]
        counts = [
            pyramid_match(points, side, decay) for side, decay in product((1, 2, 4), (1, 0.5, 0.25))
        ]
        own = [np.sqrt(np.diag(count)) for count in counts]
        return np.array([count / np.outer(o, o) for count, o in zip(counts, own, strict=True)])


def pyramid_match(points: Sequence[Floats], side: float, decay: float, n_levels: int = 6) -> Floats:
    """Count matches of points in ever wider cells, the new ones of level l for decay^l.

    Parameters
    ----------
    points : sequence of ndarray of shape (n_points, n_dimensions)
    side : float
        Of the finest cells; it doubles from level to level. Cells begin at the origin.
    decay : float
        At most 1. Grauman and Darrell halve the weight with each level.
    n_levels : int, default=6

    Returns
    -------
    ndarray of shape (n, n)

    References
    ----------
    Grauman and Darrell (2007), The pyramid match kernel, JMLR 8, 725-760.
    """
    owners = np.repeat(np.arange(len(points)), [len(cloud) for cloud in points])
    everything = np.concatenate(points)
    total = np.zeros((len(points), len(points)))
    finer = 0.0
    for level in range(n_levels):
        cells = np.floor(everything / (side * 2**level))
        number = np.unique(cells, axis=0, return_inverse=True)[1].ravel()
        counts = np.zeros((len(points), number.max() + 1))
        np.add.at(counts, (owners, number), 1)
        # the smaller of two counts is the number of k that both reach
        reached = [(counts >= k).astype(float) for k in range(1, int(counts.max()) + 1)]
        matches = sum(counts @ counts.T for counts in reached)
        total += decay**level * (matches - finer)
        finer = matches
    return total


def gaussians(X: Floats) -> Floats:
    """Return exp(-d^2 / (w m)) for w = 1/16, 1/8, ..., 16 and m the median squared distance."""
    squared = pdist(X, "sqeuclidean")
    widths = 2.0 ** np.arange(-4, 5) * np.median(squared)
    return np.exp([-squareform(squared) / width for width in widths])


def normalized(logs: Floats, unit_diagonal: bool) -> Floats:
    """Return Gram matrices of these logarithms, with a diagonal of 1, or of 1 on average."""
    own = np.diagonal(logs, axis1=-2, axis2=-1)
    if unit_diagonal:
        return np.exp(logs - (own[:, :, None] + own[:, None, :]) / 2)
    largest = own.max(axis=-1, keepdims=True)
    mean = largest + np.log(np.exp(own - largest).mean(axis=-1, keepdims=True))
    return np.exp(logs - mean[:, :, None])
