"""Score mappings: what a place in the true order is worth as a score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icml2008.errors import nearest

Array = NDArray[np.float64]

MAPPINGS = {
    "log": np.log,
    "sqrt": np.sqrt,
    "linear": lambda rest: rest,
    "quadratic": np.square,
    "exp": np.exp,
}


def target_scores(n_items: int, mapping: str = "linear", *, first: int = 0) -> Array:
    """Return a score for each place of a list, best first: psi(n_items - r) for places r.

    Parameters
    ----------
    n_items : int
    mapping : {"log", "sqrt", "linear", "quadratic", "exp"}, default="linear"
        What is made of n_items - r.
    first : {0, 1}, default=0
        The number r of the first place. With 1 the last place is worth psi(0), which ``log`` does
        not have.

    Returns
    -------
    scores : ndarray of shape (n_items,)

    Raises
    ------
    ValueError
        For an unknown mapping, or one that is not finite at a place.

    References
    ----------
    Xia et al. (2008), Section 6.1.

    Examples
    --------
    >>> target_scores(3, "quadratic")
    array([9., 4., 1.])
    """
    if mapping not in MAPPINGS:
        msg = (
            f"mapping must be one of {', '.join(MAPPINGS)}, found {mapping!r}"
            f"{nearest(str(mapping), MAPPINGS)}"
        )
        raise ValueError(msg)
    with np.errstate(divide="ignore", over="ignore"):
        scores = MAPPINGS[mapping](n_items - np.arange(first, n_items + first, dtype=float))
    if not np.isfinite(scores).all():
        at = int(np.flatnonzero(~np.isfinite(scores))[0]) + first
        msg = f"the mapping {mapping!r} is not finite at place {at} of {n_items}"
        raise ValueError(msg)
    return scores
