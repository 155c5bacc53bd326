"""Kernels between covariance matrices, and their factorisations on graphical models.

The reference for a single pair of matrices: the recursion of :mod:`.recursion` works off many pairs
at once and is tested against these functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Clique = Sequence[int]


def bhattacharyya(K: ArrayLike, L: ArrayLike) -> float:
    """Return the squared Bhattacharyya coefficient of two centred normal distributions.

    Parameters
    ----------
    K, L : array-like of shape (n, n)
        Positive definite.

    References
    ----------
    Bach (2008), Eq. 2.

    Examples
    --------
    >>> round(bhattacharyya([[1.0]], [[4.0]]), 12)
    0.8
    """
    K = np.asarray(K, float)
    L = np.asarray(L, float)
    return float(np.exp((_log_det(K) + _log_det(L)) / 2 - _log_det((K + L) / 2)))


def conditional_bhattacharyya(K: ArrayLike, L: ArrayLike, new: Clique, given: Clique) -> float:
    """Return the kernel between two conditional distributions of `new` given other variables.

    It is :func:`bhattacharyya` between the joint covariances that arise if the variables `given`
    have the identity as their covariance.

    Parameters
    ----------
    K, L : array-like of shape (n, n)
        Positive definite.
    new, given : sequence of int
        Disjoint; with nothing given this is :func:`bhattacharyya`, with nothing new it is 1.

    References
    ----------
    Bach (2008), Eq. 7. There the condition is the whole parent clique; the projection on the
    graphical model leaves nothing of it but the separator, and this is what belongs in `given`.
    """
    regression_k, rest_k = _conditional(np.asarray(K, float), new, given)
    regression_l, rest_l = _conditional(np.asarray(L, float), new, given)
    M = (regression_k - regression_l) / 2
    logs = (_log_det(rest_k) + _log_det(rest_l)) / 2 - _log_det((rest_k + rest_l) / 2 + M @ M.T)
    return float(np.exp(logs))


def rooted_kernel(K: ArrayLike, L: ArrayLike, cliques: Sequence[Clique]) -> float:
    """Compare covariance matrices on a rooted decomposable model; positive definite.

    Parameters
    ----------
    K, L : array-like of shape (n, n)
        Positive definite.
    cliques : sequence of sequences of int
        The root clique first, and each later one after its parent: what it shares with all before
        it lies in one of them (the running intersection property).

    Raises
    ------
    ValueError
        If the cliques are not in such an order.

    References
    ----------
    Bach (2008), Eq. 6 and Proposition 2.
    """
    value = 1.0
    for clique, separator in _junction_tree(cliques):
        new = [variable for variable in clique if variable not in separator]
        value *= conditional_bhattacharyya(K, L, new, separator)
    return value


def unrooted_kernel(K: ArrayLike, L: ArrayLike, cliques: Sequence[Clique]) -> float:
    """Compare covariance matrices by a ratio over cliques and separators.

    Not positive definite in general (see :func:`indefinite_example`), but positive definite where
    all covariance matrices are the identity on each separator (Proposition 1).

    Parameters
    ----------
    K, L, cliques
        As for :func:`rooted_kernel`. Which clique is the root makes no difference.

    References
    ----------
    Bach (2008), Eq. 5.
    """
    K = np.asarray(K, float)
    L = np.asarray(L, float)
    value = 1.0
    for clique, separator in _junction_tree(cliques):
        value *= bhattacharyya(K[np.ix_(clique, clique)], L[np.ix_(clique, clique)])
        if separator:
            rest = np.ix_(separator, separator)
            value /= bhattacharyya(K[rest], L[rest])
    return value


def indefinite_example(n_leaves: int = 16) -> tuple[NDArray[np.float64], list[tuple[int, int]]]:
    r"""Return covariance matrices on which :func:`unrooted_kernel` is not positive definite.

    The model is a star: one variable in the middle, in a clique with each of `n_leaves` others, so
    every separator is that one variable. In matrix i = 0, ..., n - 1 it has variance 1, leaf i is
    :math:`\sqrt 8` times it plus noise, and the other leaves are noise alone, all of variance 1. In
    the last matrix it has variance 1/5 and all leaves are noise. By Eq. 5 two of the first n have
    the value 1/9, and each with the last :math:`1/\sqrt 5`. On the span of their sum and the last
    the Gram matrix is :math:`((1 + (n - 1)/9, \sqrt{n/5}), (\sqrt{n/5}, 1))`, of determinant
    (40 - 4 n)/45, which is negative for n > 10. Proposition 1 is not contradicted: these are no
    correlation matrices.

    Parameters
    ----------
    n_leaves : int, default=16
        At least 11 for a negative eigenvalue.

    Returns
    -------
    matrices : ndarray of shape (n_leaves + 1, n_leaves + 1, n_leaves + 1)
        The covariance matrices, the middle being variable 0.
    cliques : list of tuple of int

    Examples
    --------
    >>> matrices, cliques = indefinite_example()
    >>> gram = [[unrooted_kernel(K, L, cliques) for L in matrices] for K in matrices]
    >>> print(f"{np.linalg.eigvalsh(gram)[0]:.6f}")
    -0.140101
    """
    matrices = np.tile(np.eye(n_leaves + 1), (n_leaves + 1, 1, 1))
    slope = np.sqrt(8)
    for leaf, matrix in enumerate(matrices[:-1], start=1):
        matrix[leaf, 0] = matrix[0, leaf] = slope
        matrix[leaf, leaf] = 1 + slope**2
    matrices[-1, 0, 0] = 1 / 5
    return matrices, [(0, leaf) for leaf in range(1, n_leaves + 1)]


def _junction_tree(cliques: Sequence[Clique]):
    """Yield each clique with its separator from the cliques before it."""
    before: list[set[int]] = []
    for clique in map(list, cliques):
        seen = set().union(*before)
        separator = [variable for variable in clique if variable in seen]
        if separator and not any(set(separator) <= parent for parent in before):
            msg = (
                f"clique {clique} shares {separator} with those before it, but no single one holds "
                "all of these; order the cliques so that each follows its parent in a junction tree"
            )
            raise ValueError(msg)
        yield clique, separator
        before.append(set(clique))


def _conditional(K: NDArray, new: Clique, given: Clique) -> tuple[NDArray, NDArray]:
    """Return the regression of `new` on `given` and the covariance of what it leaves over."""
    new = list(new)
    given = list(given)
    cross = K[np.ix_(new, given)]
    regression = np.linalg.solve(K[np.ix_(given, given)], cross.T).T
    return regression, K[np.ix_(new, new)] - regression @ cross.T


def _log_det(matrix: NDArray) -> float:
    return 2 * float(np.log(np.diag(np.linalg.cholesky(matrix))).sum())
