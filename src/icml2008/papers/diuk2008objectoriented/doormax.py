"""What DOORMAX learns of an object-oriented MDP: conditions, and the effects that they have."""

from __future__ import annotations

import numpy as np

# From values before and after to the effect, and from value and effect to what follows.
EFFECTS = {
    "increment": (lambda old, new: new - old, lambda old, effect: old + effect),
    "assignment": (lambda old, new: new, lambda old, effect: np.full_like(old, effect)),
    "reflection": (lambda old, new: new + old, lambda old, effect: effect - old),
}


class Doormax:
    """A model of deterministic transitions that knows which it knows.

    A condition is the integer whose bits are the truth values of the terms.

    Parameters
    ----------
    n_terms, n_actions : int
    types : sequence of sequence of str
        Of each attribute, the types of its effects: 'increment', 'assignment', 'reflection'.
    k : int
        Most effects of one type that an action can have on an attribute.
    proved : bool
        Whether the model does as the proof of Corollary 1 says, where Algorithms 2 and 3 do not: no
        answer while a type has none, and a type whose prediction was wrong is removed.

    References
    ----------
    C. Diuk, A. Cohen and M. L. Littman. An object-oriented representation for efficient
    reinforcement learning. ICML 2008, Algorithms 1 to 3.
    """

    def __init__(self, n_terms, n_actions, types, k=1, proved=False):
        self.k = k
        self.proved = proved
        self.every_term = 2**n_terms - 1
        self.failures = np.zeros((n_actions, 2**n_terms), dtype=bool)
        # Of an action, attribute and type: [terms that matter, their values, effect] of each pair.
        self.pairs = [[{name: [] for name in names} for names in types] for _ in range(n_actions)]

    def predict(self, conditions, values, action):
        """Return which of n states have a known outcome, (n,), and the values there.

        Parameters
        ----------
        conditions : ndarray of shape (n,), int
        values : ndarray of shape (n, n_attributes), int
        action : int
        """
        known = np.ones(len(values), dtype=bool)
        after = values.copy()
        for old, new, types in zip(values.T, after.T, self.pairs[action], strict=True):
            predicted = np.zeros(len(values), dtype=bool)
            for name, pairs in types.items():
                answered = np.zeros(len(values), dtype=bool)
                for care, bits, effect in pairs:
                    matched = (conditions ^ bits) & care == 0
                    outcome = EFFECTS[name][1](old, effect)
                    known &= ~(matched & predicted) | (new == outcome)
                    new[matched] = outcome[matched]
                    predicted |= matched
                    answered |= matched
                if self.proved:
                    known &= answered
            known &= predicted
        failing = self.failures[action][conditions]
        after[failing] = values[failing]
        return known | failing, after

    def update(self, condition, values, action, after):
        """Learn from a step between attributes' values, (n_attributes,) each."""
        if np.array_equal(values, after):
            self.failures[action, condition] = True
            return
        for old, new, types in zip(values, after, self.pairs[action], strict=True):
            for name in list(types):
                if not self._fits(types[name], condition, EFFECTS[name][0](old, new)):
                    del types[name]

    def _fits(self, pairs, condition, effect):
        """Add an effect to the pairs of a type; return whether the type can still be right."""
        clash = any(
            (condition ^ bits) & care == 0 and other != effect for care, bits, other in pairs
        )
        if self.proved and clash:
            return False
        for pair in pairs:
            if pair[2] == effect:
                pair[0] &= ~(pair[1] ^ condition)
                return not any(_covers(pair, other) for other in pairs if other is not pair)
        pairs.append([self.every_term, condition, effect])
        return not clash and len(pairs) <= self.k


def _covers(pair, other):
    """Return whether the first pair's condition matches the second's, its own terms."""
    return pair[0] & ~other[0] == 0 and (pair[1] ^ other[1]) & pair[0] == 0
