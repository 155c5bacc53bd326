"""Features for value functions: from rewards, from errors, from graphs, from a dictionary."""

from __future__ import annotations

import numpy as np

from icml2008.papers.parr2008linear.method.growing import GrowingBasis

_NOTHING = 1e-8  # of the rewards: much of a smaller Bellman error is rounding
_EQUAL = 1e-8  # of the largest eigenvalue, or of 1, which is that of transitions
_EVEN_AXES = 1e-6  # of the longest shadow of an axis
_EVEN_SCORES = 1e-9  # of the lengths of rewards and Bellman error


def _first_best(scores, even):
    """Return the first score that is the best, or short of it by no more than `even`."""
    return int(np.argmax(scores >= scores.max() - even))


def _settled(space):
    """Return the orthonormal basis of a space that its coordinate axes choose.

    Each vector points along the axis that lies closest to what the vectors before it leave of the
    space, the first of several as close: whatever orthonormal basis of the space is given, with
    whatever signs, the same one is returned.
    """
    shadows = space.T.copy()
    directions = []
    for _ in range(space.shape[1]):
        lengths = np.linalg.norm(shadows, axis=0)
        first = _first_best(lengths, _EVEN_AXES * lengths.max())
        directions.append(shadows[:, first] / lengths[first])
        shadows -= np.outer(directions[-1], directions[-1] @ shadows)
    return space @ np.column_stack(directions)


def _runs(values, gap):
    """Return the places of values that follow each other, split where they are a gap apart."""
    return np.split(np.arange(len(values)), np.flatnonzero(np.abs(np.diff(values)) > gap) + 1)


def krylov_basis(process, n_features):
    """Return an orthonormal basis of R, PR, ..., P^(k-1) R, shape (n_states, k).

    Built by Arnoldi's process, since the powers themselves soon look alike. Fewer columns are
    returned if a power depends on those before.

    Parameters
    ----------
    process : MarkovRewardProcess
    n_features : int

    References
    ----------
    M. Petrik. An Analysis of Laplacian Methods for Value Function Approximation in MDPs. IJCAI
    2007. Parr et al. (2008), Section 5.2.1.

    Examples
    --------
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> ring = MarkovRewardProcess(np.roll(np.eye(4), 1, axis=1), [0, 0, 0, 1], 0.9)
    >>> krylov_basis(ring, 3)
    array([[0., 0., 0.],
           [0., 0., 1.],
           [0., 1., 0.],
           [1., 0., 0.]])
    """
    basis = GrowingBasis(process)
    feature = process.rewards
    while basis.size < n_features and basis.add(feature):
        feature = process.transitions @ basis.features[:, -1]
    return basis.features.copy()


def bellman_error_basis(process, n_features, *, start=None):
    """Return Bellman-error basis functions: each is the Bellman error of those before it.

    Parameters
    ----------
    process : MarkovRewardProcess
    n_features : int
        Fewer are returned once the Bellman error is below 1e-8 of the rewards: later features
        would be made of rounding.
    start : array-like of shape (n_states, n_start), optional
        Features to begin with; by default the rewards.

    Returns
    -------
    ndarray of shape (n_states, k)
        Orthonormal.

    References
    ----------
    Parr et al. (2008), Section 5.2.2; R. Parr et al. Analyzing Feature Generation for
    Value-Function Approximation. ICML 2007.

    Examples
    --------
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> ring = MarkovRewardProcess(np.roll(np.eye(4), 1, axis=1), [0, 0, 0, 1], 0.9)
    >>> bellman_error_basis(ring, 2)
    array([[0., 0.],
           [0., 0.],
           [0., 1.],
           [1., 0.]])
    """
    basis = GrowingBasis(process)
    scale = np.linalg.norm(process.rewards)
    for feature in np.atleast_2d(np.asarray(process.rewards if start is None else start).T):
        basis.add(feature)
    while basis.size < n_features:
        error = basis.errors().total
        if np.linalg.norm(error) <= _NOTHING * scale or not basis.add(error):
            break
    return basis.features.copy()


def model_error_basis(process, n_iterations, *, start=None):
    """Return model-error basis functions: errors in reward and in each feature's prediction.

    Parameters
    ----------
    process : MarkovRewardProcess
    n_iterations : int
        How often the errors of all features so far are added; those that depend on others are
        left out.
    start : array-like of shape (n_states, n_start), optional
        Features to begin with; by default the rewards.

    Returns
    -------
    ndarray of shape (n_states, k)
        Orthonormal.

    References
    ----------
    Parr et al. (2008), Section 5.2.3.

    Examples
    --------
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> ring = MarkovRewardProcess(np.roll(np.eye(4), 1, axis=1), [0, 0, 0, 1], 0.9)
    >>> model_error_basis(ring, 1, start=np.eye(4)[:, 1:2]).T
    array([[0., 1., 0., 0.],
           [0., 0., 0., 1.],
           [1., 0., 0., 0.]])
    """
    basis = GrowingBasis(process)
    for feature in np.atleast_2d(np.asarray(process.rewards if start is None else start).T):
        basis.add(feature)
    for _ in range(n_iterations):
        Q = basis.features.copy()
        # Added with their projections: GrowingBasis takes those away, and so tells an error that is
        # rounding from one that is small.
        for feature in [process.rewards, *(process.transitions @ Q).T]:
            basis.add(feature)
    return basis.features.copy()


def proto_value_functions(adjacency, n_features=None, *, normalised=False):
    """Return the smoothest functions on a graph of states: eigenvectors of its Laplacian.

    Parameters
    ----------
    adjacency : array-like of shape (n_states, n_states)
        Symmetric, nonnegative weights of edges.
    n_features : int, optional
        All by default.
    normalised : bool
        ``I - D^(-1/2) W D^(-1/2)`` instead of the combinatorial ``D - W``.

    Returns
    -------
    features : ndarray of shape (n_states, n_features)
        Orthonormal, in increasing order of eigenvalue.
    eigenvalues : ndarray of shape (n_features,)
        Where some are equal, any basis of their space would do.

    Notes
    -----
    Eigenvalues within 1e-8 of the largest count as equal. The basis of their space is not left to
    rounding: each feature points along the coordinate axis that lies closest to what those before
    leave of the space, the first of several as close. One alone has its largest entry positive.

    References
    ----------
    S. Mahadevan and M. Maggioni. Proto-value Functions: A Laplacian Framework for Learning
    Representation and Control in Markov Decision Processes. JMLR 8, 2007.

    Examples
    --------
    >>> path = np.diag([1.0, 1.0], 1) + np.diag([1.0, 1.0], -1)
    >>> proto_value_functions(path)[1].round(9) + 0.0
    array([0., 1., 3.])
    """
    W = np.array(adjacency, dtype=float)
    if W.ndim != 2 or W.shape[0] != W.shape[1] or not np.array_equal(W, W.T) or (W < 0).any():
        msg = f"adjacency needs to be a symmetric, nonnegative matrix; found shape {W.shape}"
        raise ValueError(msg)
    degrees = W.sum(axis=1)
    laplacian = np.diag(degrees) - W
    if normalised:
        root = np.sqrt(np.where(degrees > 0, degrees, 1))
        laplacian /= root[:, None] * root
    eigenvalues, features = np.linalg.eigh(laplacian)
    for space in _runs(eigenvalues, _EQUAL * np.abs(eigenvalues).max()):
        features[:, space] = _settled(features[:, space])
    return features[:, :n_features], eigenvalues[:n_features]


def eigenvector_dictionary(transitions):
    """Return eigenvectors of a transition matrix as real features, and which belong together.

    Parameters
    ----------
    transitions : array-like of shape (n_states, n_states)

    Returns
    -------
    features : ndarray of shape (n_states, n_states)
        Of unit length, in decreasing order of the eigenvalues' real parts.
    groups : ndarray of shape (n_states,), int
        Features of one number are to be taken together: their span is invariant.

    Raises
    ------
    ValueError
        If the matrix is not diagonalisable, as far as can be told from its eigenvectors.

    Notes
    -----
    Eigenvectors of eigenvalues that are equal within 1e-8, and the real and imaginary parts of
    complex ones, are a group. Only their span is determined; the features are the orthonormal
    basis of it that the coordinate axes choose, as in `proto_value_functions`.

    Examples
    --------
    >>> features, groups = eigenvector_dictionary(np.roll(np.eye(3), 1, axis=1))
    >>> groups
    array([0, 1, 1])
    """
    P = np.asarray(transitions, dtype=float)
    eigenvalues, vectors = np.linalg.eig(P)
    if np.linalg.matrix_rank(vectors) < len(P):
        msg = "the transition matrix is not diagonalisable: its eigenvectors do not span the space"
        raise ValueError(msg)
    # Conjugates are to lie in one place, and rounding not to order what has equal real parts.
    upper = eigenvalues.real + 1j * np.abs(eigenvalues.imag)
    order = np.lexsort([upper.imag, (-upper.real / _EQUAL).round()])
    features = []
    groups = []
    for number, places in enumerate(_runs(upper[order], _EQUAL)):
        members = vectors[:, order[places]]
        spanned = np.linalg.svd(np.hstack([members.real, members.imag]))[0][:, : len(places)]
        features.append(_settled(spanned))
        groups += [number] * len(places)
    return np.hstack(features), np.array(groups)


def matching_pursuit(process, dictionary, n_features, *, groups=None):
    """Pick features from a dictionary, each time what points most in the Bellman error's direction.

    Parameters
    ----------
    process : MarkovRewardProcess
    dictionary : array-like of shape (n_states, n_candidates)
        Scaled to unit length here.
    n_features : int
        How many to pick, at most; the last group may bring more.
    groups : array-like of shape (n_candidates,), int, optional
        Candidates of one number are taken together, the best of them first.

    Returns
    -------
    ndarray of int
        Numbers of the candidates in the order in which they were picked. Those that depend on
        others are never picked. Of candidates that point as much along the Bellman error, within
        1e-9 of its length and that of the rewards, the first is picked.

    References
    ----------
    Parr et al. (2008), Section 6: PVF-MP and Eig-MP.

    Examples
    --------
    >>> from icml2008.papers.parr2008linear.method.process import MarkovRewardProcess
    >>> ring = MarkovRewardProcess(np.roll(np.eye(4), 1, axis=1), [0, 0, 0, 1], 0.9)
    >>> matching_pursuit(ring, np.eye(4), 3)
    array([3, 2, 1])
    """
    candidates = np.array(dictionary, dtype=float)
    candidates /= np.linalg.norm(candidates, axis=0)
    m = candidates.shape[1]
    groups = np.arange(m) if groups is None else np.asarray(groups)
    basis = GrowingBasis(process)
    picked = []
    left = np.ones(m, dtype=bool)
    while len(picked) < min(n_features, process.n_states) and left.any():
        error = basis.errors().total
        even = _EVEN_SCORES * (np.linalg.norm(error) + np.linalg.norm(process.rewards))
        scores = np.where(left, np.abs(candidates.T @ error), -np.inf)
        together = groups == groups[_first_best(scores, even)]
        while together.any():
            member = _first_best(np.where(together, scores, -np.inf), even)
            together[member] = left[member] = False
            if basis.add(candidates[:, member]):
                picked.append(member)
    return np.array(picked, dtype=int)
