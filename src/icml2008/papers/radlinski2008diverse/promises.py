"""What a ranker of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError


class ClickRanker:
    """Rankings have their length and consist of documents."""

    def __init__(self, n_documents: int, n_ranks: int, *, random_state: Any) -> None:
        self.__n = n_documents
        self.__k = n_ranks
        super().__init__(n_documents, n_ranks, random_state=random_state)

    @property
    def simulate(self) -> Any:
        raise AttributeError  # the loop over users is the experiment's

    def ask(self) -> np.ndarray:
        ranking = np.asarray(super().ask())
        if ranking.shape != (self.__k,) or ranking.dtype.kind not in "iu":
            msg = (
                f"ask returned an array of shape {ranking.shape}, {ranking.dtype}; "
                f"due is ({self.__k},), int"
            )
            raise MethodError(msg)
        if ranking.min() < 0 or ranking.max() >= self.__n:
            msg = f"ask returned {ranking.tolist()}, due are documents from 0 to {self.__n - 1}"
            raise MethodError(msg)
        return ranking
