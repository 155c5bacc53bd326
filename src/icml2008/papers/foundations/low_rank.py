"""A low-rank matrix from some of its entries, or from entries some of which are corrupted."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array

Array = np.ndarray

# Between 1 and 2 the alternation converges as surely as at 1, and in a third fewer steps.
_RELAXATION = 1.6


def soft_threshold(values: Array, threshold: float) -> Array:
    """Return the values moved towards 0 by the threshold, 0 where they are smaller.

    Examples
    --------
    >>> soft_threshold(np.array([-3.0, 0.5, 2.0]), 1.0).tolist()
    [-2.0, 0.0, 1.0]
    """
    return np.sign(values) * np.maximum(np.abs(values) - threshold, 0.0)


def singular_value_threshold(matrix: Array, threshold: float) -> Array:
    """Return the matrix with its singular values moved towards 0 by the threshold.

    It minimises ``threshold * ||Z||_* + ||Z - matrix||_F^2 / 2``.

    Examples
    --------
    >>> singular_value_threshold(np.diag([3.0, 1.0]), 2.0).round(12).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    U, singular, Vt = np.linalg.svd(matrix, full_matrices=False)
    kept = singular > threshold
    return (U[:, kept] * (singular[kept] - threshold)) @ Vt[kept]


def _split(
    X: Array, fit_rest: Callable[[Array], Array], penalty: float, tol: float, max_iter: int
) -> tuple[Array, Array]:
    """Minimise ||L||_* + g(R) with L + R = X, ``fit_rest`` being the proximal map of g / penalty.

    The alternating direction method of multipliers with a fixed penalty and over-relaxation, which
    converges for any convex g.
    """
    size = np.linalg.norm(X)
    rest = np.zeros_like(X)
    multiplier = np.zeros_like(X)
    if size == 0.0:
        return rest, rest.copy()
    for _ in range(max_iter):
        low_rank = singular_value_threshold(X - rest + multiplier / penalty, 1.0 / penalty)
        relaxed = _RELAXATION * low_rank + (1.0 - _RELAXATION) * (X - rest)
        before = rest
        rest = fit_rest(X - relaxed + multiplier / penalty)
        multiplier += penalty * (X - relaxed - rest)
        behind = np.linalg.norm(X - low_rank - rest) / size
        moved = penalty * np.linalg.norm(rest - before)
        # The multiplier is 0 only where the last step left nothing to move.
        if behind <= tol and moved <= tol * np.linalg.norm(multiplier):
            return low_rank, rest
    msg = (
        f"after {max_iter} steps the parts miss the matrix by {behind:.1e} of its norm, more than "
        f"tol = {tol:.1e}, or they still move; raise max_iter or tol"
    )
    warnings.warn(msg, ConvergenceWarning, stacklevel=3)
    return low_rank, rest


def _matrix(X: Array, *, may_miss: bool = False) -> Array:
    finite = "allow-nan" if may_miss else True
    return check_array(X, dtype=float, ensure_all_finite=finite, input_name="X", copy=True)


def complete_matrix(X: Array, observed: Array, *, tol: float = 1e-6, max_iter: int = 5000) -> Array:
    """Return the matrix of least nuclear norm that agrees with the observed entries.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Entries that are not observed are not looked at and may be NaN.
    observed : array-like of bool of shape (n_rows, n_columns)
    tol : float, default=1e-6
        Largest disagreement with the observed entries at the end, as a share of their norm, and
        largest move of the dual variable in the last step, as a share of its norm.
    max_iter : int, default=5000
        Most steps, of one singular value decomposition each.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)

    Raises
    ------
    ValueError
        If the shapes differ, nothing is observed or an observed entry is not finite.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If `max_iter` steps do not reach `tol`.

    References
    ----------
    E. J. Candes, B. Recht (2009): Exact matrix completion via convex optimization, Equation 1.5.
    Z. Lin, M. Chen, Y. Ma (2010): The augmented Lagrange multiplier method for exact recovery of
    corrupted low-rank matrices, Section 4; here with a fixed penalty. J. Eckstein, D. Bertsekas
    (1992): On the Douglas-Rachford splitting method, Theorem 8 (over-relaxation).

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import complete_matrix
    >>> observed = np.ones((5, 5), dtype=bool)
    >>> observed[2, 2] = False
    >>> complete_matrix(np.where(observed, 7.0, np.nan), observed)[2].round(3).tolist()
    [7.0, 7.0, 7.0, 7.0, 7.0]
    """
    X = _matrix(X, may_miss=True)
    observed = np.asarray(observed, dtype=bool)
    if observed.shape != X.shape or not observed.any():
        msg = (
            f"observed: shape {observed.shape} with {observed.sum()} entries that are true; it "
            f"needs the shape of X, {X.shape}, and one entry at least"
        )
        raise ValueError(msg)
    if np.isnan(X[observed]).any():
        msg = f"X: {np.isnan(X[observed]).sum()} observed entries are NaN"
        raise ValueError(msg)
    X[~observed] = 0.0
    # Thresholds of a twentieth of the largest singular value: others converge, more slowly.
    penalty = 20.0 / (np.linalg.norm(X, 2) or 1.0)
    return _split(X, lambda gap: np.where(observed, 0.0, gap), penalty, tol, max_iter)[0]


def robust_pca(
    X: Array, *, sparsity: float | None = None, tol: float = 1e-7, max_iter: int = 5000
) -> tuple[Array, Array]:
    """Split a matrix into a low-rank and a sparse one by principal component pursuit.

    It minimises ``||L||_* + sparsity * sum(abs(S))`` subject to ``L + S = X``.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
    sparsity : float, optional
        Weight of the sparse part, by default ``1 / sqrt(max(n_rows, n_columns))``, with which
        exact recovery is proven.
    tol : float, default=1e-7
        Largest norm of ``X - L - S`` at the end, as a share of that of X, and largest move of the
        dual variable in the last step, as a share of its norm.
    max_iter : int, default=5000
        Most steps, of one singular value decomposition each.

    Returns
    -------
    low_rank, sparse : ndarray of shape (n_rows, n_columns)
        L has exact rank, S exact zeros; they add up to X within `tol`.

    Raises
    ------
    ValueError
        If X is not a matrix of finite numbers, or `sparsity` is not above 0.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If `max_iter` steps do not reach `tol`.

    References
    ----------
    E. J. Candes, X. Li, Y. Ma, J. Wright (2011): Robust principal component analysis?, Theorem 1.1
    and Algorithm 1 (its penalty; here with over-relaxation, as in `complete_matrix`).

    Examples
    --------
    >>> import numpy as np
    >>> from icml2008.methods import robust_pca
    >>> clean = np.outer(np.ones(20), np.arange(1.0, 21.0))
    >>> spoilt = clean.copy()
    >>> spoilt[3, 4] = -50.0
    >>> low_rank, sparse = robust_pca(spoilt)
    >>> bool(np.abs(low_rank - clean).max() < 1e-3), np.argwhere(sparse).tolist()
    (True, [[3, 4]])
    """
    X = _matrix(X)
    sparsity = 1.0 / np.sqrt(max(X.shape)) if sparsity is None else sparsity
    if not sparsity > 0:
        msg = f"sparsity: {sparsity!r}; it must be above 0"
        raise ValueError(msg)
    penalty = X.size / (4.0 * (np.abs(X).sum() or 1.0))
    return _split(X, lambda gap: soft_threshold(gap, sparsity / penalty), penalty, tol, max_iter)
