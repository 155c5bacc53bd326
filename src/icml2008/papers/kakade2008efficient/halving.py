"""Lemma 6: the halving algorithm, which learns from bandit feedback alone."""

from __future__ import annotations

import numpy as np


def halving_mistakes(k: int, n: int, rng: np.random.Generator) -> int:
    """Return the mistakes of the halving algorithm on a class of n hypotheses, one of them perfect.

    In each round the active hypotheses predict as evenly as they can, at random, and the label is
    that of the perfect one, hypothesis 0. Predicted is what most predict, the right label last
    where several are as frequent; after a mistake those that predicted it are out.
    """
    active = np.arange(n)
    mistakes = 0
    while len(active) > 1:
        predictions = rng.permutation(np.arange(len(active)) % k)
        votes = np.bincount(predictions, minlength=k)
        right = predictions[0]
        most = np.flatnonzero(votes == votes.max())
        guess = most[0] if most[0] != right or len(most) == 1 else most[1]
        if guess != right:
            mistakes += 1
            active = active[predictions != guess]
    return mistakes
