"""Kernels on measures: Definition 3 from Tsallis entropies, Equation 28 from heat."""

import numba
import numpy as np
from scipy.sparse import csr_array


@numba.njit(cache=True)
def _grams(rows_x, words_x, x, powers_x, rows_y, words_y, y, powers_y, n_words, q):
    """Return sums of (a + b)^q - a^q - b^q over the words of both, (n_x, n_y, n_q).

    Along an even grid of q the power of a sum is the last one times a constant.
    """
    grams = np.zeros((len(rows_x) - 1, len(rows_y) - 1, len(q)))
    at = np.full(n_words, -1)
    for i in range(len(rows_x) - 1):
        # A table of this row's words, filled and emptied by its entries alone: most of it stays
        # empty.
        for k in range(rows_x[i], rows_x[i + 1]):
            at[words_x[k]] = k
        for j in range(len(rows_y) - 1):
            gram = grams[i, j]
            for other in range(rows_y[j], rows_y[j + 1]):
                k = at[words_y[other]]
                if k < 0:
                    continue
                total = x[k] + y[other]
                log = np.log(total)
                power = 1.0
                last = 0.0
                step = 0.0
                factor = 1.0
                for m in range(len(q)):
                    if abs(q[m] - last - step) > 1e-12:
                        step = q[m] - last
                        factor = np.exp(step * log)
                    power *= factor
                    last = q[m]
                    # At q = 1 Tsallis' entropy is its limit, Shannon's.
                    value = total * log if last == 1.0 else power
                    gram[m] += value - powers_x[k, m] - powers_y[other, m]
        for k in range(rows_x[i], rows_x[i + 1]):
            at[words_x[k]] = -1
    return grams


def tsallis_kernels(X, Y, q):
    """Return the weighted Jensen-Tsallis kernel, Definition 3 of Martins et al. (2008), for each q.

    It is the sum of (a + b)^q - a^q - b^q over q - 1, at q = 1 with z ln z for z^q. Outcomes that
    one of two measures lacks add nothing: time goes with what sparse ones share.

    Parameters
    ----------
    X, Y : array-like or sparse, shapes (n_x, n_outcomes) and (n_y, n_outcomes)
        Measures, one a row: distributions times their weights, of 1/2 each in Equation 23.
    q : array-like of shape (n_q,)
        Entropic indices from 0 on; positive definite up to 2. At 0 the number of outcomes that both
        have, at 1 the Jensen-Shannon kernel, at 2 twice the inner product.

    Returns
    -------
    ndarray of shape (n_q, n_x, n_y)

    Raises
    ------
    ValueError
        If outcomes differ in number, or an entry or an index is negative or not finite.

    References
    ----------
    A. F. T. Martins, M. A. T. Figueiredo, P. M. Q. Aguiar, N. A. Smith and E. P. Xing (2008),
    Nonextensive Entropic Kernels, ICML.

    Examples
    --------
    >>> from icml2008.methods import tsallis_kernels
    >>> texts = [[0.25, 0.25, 0.0], [0.0, 0.25, 0.25]]  # halves of distributions over three words
    >>> tsallis_kernels(texts, texts, [0.0, 2.0]).tolist()
    [[[2.0, 1.0], [1.0, 2.0]], [[0.25, 0.125], [0.125, 0.25]]]
    """
    X, Y = (csr_array(measures, dtype=float, copy=True) for measures in (X, Y))
    q = np.asarray(q, dtype=float)
    if X.shape[1] != Y.shape[1]:
        msg = f"X has {X.shape[1]} outcomes, Y has {Y.shape[1]}"
        raise ValueError(msg)
    if q.ndim != 1 or not np.all((q >= 0) & np.isfinite(q)):
        msg = f"q: {q.tolist()}; it must be a list of numbers of at least 0"
        raise ValueError(msg)
    arguments = []
    shannon = q == 1
    for name, measures in (("X", X), ("Y", Y)):
        measures.sum_duplicates()
        measures.eliminate_zeros()
        z = measures.data
        if not np.all((z > 0) & np.isfinite(z)):
            msg = f"{name}: measures have no negative and no infinite entries"
            raise ValueError(msg)
        powers = np.where(shannon, (z * np.log(z))[:, None], z[:, None] ** q)
        arguments += [measures.indptr, measures.indices, z, powers]
    grams = _grams(*arguments, X.shape[1], q) / np.where(shannon, 1.0, q - 1)
    return np.ascontiguousarray(np.moveaxis(grams, -1, 0))


def squared_geodesics(P, R):
    """Return the squared distances of Equation 28 of distributions, (n_p, n_r)."""
    inner = np.sqrt(P) @ np.sqrt(R).T
    inner = inner.toarray() if hasattr(inner, "toarray") else inner
    return 4 * np.arccos(np.clip(inner, 0, 1)) ** 2


def heat_kernels(P, R, tau):
    """Return Equation 28 without its constant factor for each tau, (n_tau, n_p, n_r)."""
    return np.exp(-squared_geodesics(P, R) / (4 * np.asarray(tau, dtype=float)[:, None, None]))
