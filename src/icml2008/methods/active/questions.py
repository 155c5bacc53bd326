"""What a campaign has asked, and what it has yet to ask at the points that it chose."""

from __future__ import annotations

import numpy as np


class Questions:
    """Pairs of point and function on their way from a choice to an answer.

    Parameters
    ----------
    patient : bool
        Whether, of several functions planned at a point, the next is asked only after the answer of
        the one before.

    Attributes
    ----------
    pending : list of (ndarray of shape (d,), int)
        Asked and not answered.
    plans : list of (ndarray of shape (d,), list of int)
        Functions still to ask at a point, in their order.
    """

    def __init__(self, patient):
        self.patient = patient
        self.pending = []
        self.plans = []

    def awaited(self):
        """All pairs that are pending or planned."""
        return [*self.pending, *((x, i) for x, todo in self.plans for i in todo)]

    def plan(self, x, functions):
        """Plan to ask the functions at the point x, in their order."""
        self.plans.append((x, list(functions)))

    def next(self):
        """Return the next planned pair, from now on a pending one; None if all have to wait."""
        for x, todo in self.plans:
            if not (self.patient and any(np.array_equal(x, point) for point, _ in self.pending)):
                pair = x, todo.pop(0)
                self.plans = [plan for plan in self.plans if plan[1]]
                self.pending.append(pair)
                return pair
        return None

    def answered(self, x, i):
        """Remove function i at the point x from the pending pairs."""
        self.pending = [
            (point, j) for point, j in self.pending if j != i or not np.array_equal(point, x)
        ]

    def drop_plans(self, x):
        """Ask no more at the point x."""
        self.plans = [plan for plan in self.plans if not np.array_equal(plan[0], x)]

    def get_state(self):
        """Return pending and planned pairs as lists."""
        return {
            "pending": [[x.tolist(), i] for x, i in self.pending],
            "plans": [[x.tolist(), list(todo)] for x, todo in self.plans],
        }

    def set_state(self, state):
        """Take over what `get_state` returned."""
        self.pending = [(np.array(x), i) for x, i in state["pending"]]
        self.plans = [(np.array(x), list(todo)) for x, todo in state["plans"]]
