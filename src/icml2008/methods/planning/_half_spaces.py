"""The upper envelope of many linear functions of the weights, by Qhull."""

from __future__ import annotations

import numpy as np


def _spaces(points):
    """Return the half-spaces above all functions, (n + d + 1, d + 1), and a point within them.

    Unknowns are all weights but the last, which is one less their sum, and the height. Behind the
    functions come the edges w_l >= 0 and a ceiling.
    """
    n, d = points.shape
    low = points.min()
    high = points.max()
    ceiling = 2 * high - low + 1
    last = points[:, -1:]
    above = np.hstack([points[:, :-1] - last, np.full((n, 1), -1.0), last])
    edges = np.zeros((d + 1, d + 1))
    edges[: d - 1, : d - 1] = -np.eye(d - 1)
    edges[d - 1, : d - 1] = 1
    edges[d - 1, -1] = -1
    edges[d, d - 1] = 1
    edges[d, -1] = -ceiling
    inside = np.append(np.full(d - 1, 1 / d), 0.5 * (points.mean(axis=1).max() + ceiling))
    return np.vstack([above, edges]), inside


def _on_simplex(corners):
    """Return the weights of corners, (n_corners, d), whose last coordinate is the height."""
    weights = np.column_stack([corners[:, :-1], 1 - corners[:, :-1].sum(axis=1)])
    weights = np.maximum(weights, 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


def simple_corners(points):
    """Return the corners of the region above linear functions of weights, where each is simple.

    A corner is a facet of the hull of the half-spaces' polar points. It is simple if just d
    half-spaces meet there, so that the hull itself says which.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The functions w . q, d at least 2.

    Returns
    -------
    None where a corner is not simple, or
    weights : ndarray of shape (n_corners, d)
        On the simplex, in lexicographic order.
    meeting : ndarray of shape (n_corners, d), int
        Which half-spaces meet there: numbers of points, or n + l for w_l = 0.
    """
    # Loaded here: it takes longer than most envelopes do.
    from scipy.spatial import ConvexHull

    n, d = points.shape
    spaces, inside = _spaces(points)
    room = -(spaces[:, :-1] @ inside + spaces[:, -1])
    hull = ConvexHull(spaces[:, :-1] / room[:, None])
    # Qhull cuts a facet where more meet into simplices with one equation.
    offsets = hull.equations[:, -1:]
    facet, side = np.nonzero(offsets[hull.neighbors, 0] == offsets)
    alike = hull.equations[facet] == hull.equations[hull.neighbors[facet, side]]
    if alike.all(axis=1).any():
        return None
    meeting = hull.simplices[(hull.simplices != n + d).all(axis=1)]
    tight = spaces[meeting]
    weights = _on_simplex(np.linalg.solve(tight[..., :-1], -tight[..., -1:])[..., 0])
    rounded = np.round(weights, 12)
    order = np.lexsort(rounded.T[::-1])
    if (rounded[order[1:]] == rounded[order[:-1]]).all(axis=1).any():
        return None
    return weights[order], meeting[order]


def corners_above(points):
    """Return the corners of the region above linear functions of weights on the simplex.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The functions w . q, d at least 2.

    Returns
    -------
    weights : ndarray of shape (n_corners, d)
        On the simplex, in lexicographic order.
    touching : ndarray of int
        The points that are highest at some corner, increasing.
    """
    from scipy.spatial import HalfspaceIntersection

    n, d = points.shape
    spaces, inside = _spaces(points)
    intersection = HalfspaceIntersection(spaces, inside)
    sets = [np.asarray(tight) for tight in intersection.dual_facets]
    sets = [tight for tight in sets if n + d not in tight]  # a corner of the ceiling is none
    corners = np.empty((len(sets), d))
    plain = np.array([len(tight) == d for tight in sets])
    if plain.any():
        tight = spaces[np.array([touching for touching in sets if len(touching) == d])]
        corners[plain] = np.linalg.solve(tight[..., :-1], -tight[..., -1:])[..., 0]
    for place in np.flatnonzero(~plain):  # functions that meet in one point
        tight = spaces[sets[place]]
        corners[place] = np.linalg.lstsq(tight[:, :-1], -tight[:, -1])[0]
    weights = _on_simplex(corners)
    # One corner comes several times where Qhull has cut a facet into simplices.
    _, first = np.unique(np.round(weights, 12), axis=0, return_index=True)
    touching = np.unique(np.concatenate(sets))
    return weights[first], touching[touching < n]
