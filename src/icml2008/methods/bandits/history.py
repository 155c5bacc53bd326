"""What simulated presentations of rankings brought."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class History:
    """Clicks along a run of presentations, counted in windows of equal size.

    Attributes
    ----------
    size : int
        Presentations in a window.
    clicks : ndarray of shape (n_windows, n_ranks)
        Clicks at each rank; a user clicks at most once.
    n_relevant : ndarray of shape (n_windows,)
        Presentations with at least one document that is relevant to the user.
    """

    size: int
    clicks: np.ndarray
    n_relevant: np.ndarray

    @property
    def click_rate(self) -> np.ndarray:
        """Share of presentations with a click in each window, shape (n_windows,)."""
        return self.clicks.sum(axis=1) / self.size

    @property
    def found_rate(self) -> np.ndarray:
        """Share of presentations that show a relevant document, shape (n_windows,)."""
        return self.n_relevant / self.size

    def then(self, later: History) -> History:
        """Return this history followed by a later one with windows of the same size."""
        if later.size != self.size:
            msg = f"windows of {self.size} and of {later.size} presentations cannot be joined"
            raise ValueError(msg)
        return History(
            self.size,
            np.concatenate([self.clicks, later.clicks]),
            np.concatenate([self.n_relevant, later.n_relevant]),
        )


def check_audience(
    clicks: np.ndarray, relevant: np.ndarray | None, n_documents: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return click chances and relevance as arrays, or raise a ValueError that says what is wrong.

    Relevance is, unless given, whether a click has any chance.
    """
    clicks = np.ascontiguousarray(clicks, dtype=float)
    if clicks.ndim != 2 or clicks.shape[1] != n_documents or not len(clicks):
        msg = f"clicks: found shape {clicks.shape}; it is (n_users, {n_documents})"
        raise ValueError(msg)
    if not ((clicks >= 0) & (clicks <= 1)).all():
        msg = f"clicks: found values from {clicks.min()} to {clicks.max()}; they are probabilities"
        raise ValueError(msg)
    relevant = np.ascontiguousarray(clicks > 0 if relevant is None else relevant, dtype=bool)
    if relevant.shape != clicks.shape:
        msg = f"relevant: found shape {relevant.shape}, clicks have {clicks.shape}"
        raise ValueError(msg)
    return clicks, relevant


def window_size(n_presentations: int, n_windows: int) -> int:
    """Return the presentations in a window, or raise a ValueError if they do not divide."""
    if n_presentations < 1 or n_windows < 1 or n_presentations % n_windows:
        msg = (
            f"n_presentations: found {n_presentations}; it is a positive multiple of n_windows, "
            f"which is {n_windows}"
        )
        raise ValueError(msg)
    return n_presentations // n_windows
