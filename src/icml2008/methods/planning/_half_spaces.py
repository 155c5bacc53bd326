"""The upper envelope of many linear functions of the weights, by Qhull."""

from __future__ import annotations

import numpy as np


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
    # Loaded here: it takes longer than most envelopes do.
    from scipy.spatial import HalfspaceIntersection

    n, d = points.shape
    low = points.min()
    high = points.max()
    ceiling = 2 * high - low + 1
    # Unknowns: all weights but the last, which is one less their sum, and the height.
    last = points[:, -1:]
    above = np.hstack([points[:, :-1] - last, np.full((n, 1), -1.0), last])
    edges = np.zeros((d + 1, d + 1))
    edges[: d - 1, : d - 1] = -np.eye(d - 1)
    edges[d - 1, : d - 1] = 1
    edges[d - 1, -1] = -1
    edges[d, d - 1] = 1
    edges[d, -1] = -ceiling
    inside = np.append(np.full(d - 1, 1 / d), 0.5 * (points.mean(axis=1).max() + ceiling))
    spaces = np.vstack([above, edges])
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
    weights = np.column_stack([corners[:, :-1], 1 - corners[:, :-1].sum(axis=1)])
    weights = np.maximum(weights, 0.0)
    weights /= weights.sum(axis=1, keepdims=True)
    # One corner comes several times where Qhull has cut a facet into simplices.
    _, first = np.unique(np.round(weights, 12), axis=0, return_index=True)
    touching = np.unique(np.concatenate(sets))
    return weights[first], touching[touching < n]
