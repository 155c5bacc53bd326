"""What a planner of one's own promises, held against what it does."""

from __future__ import annotations

from typing import Any

import numpy as np

from icml2008.harness.watching import MethodError
from icml2008.methods.planning.envelope import Envelope
from icml2008.methods.planning.mdp import MultiObjectiveMDP


class PreferencePlanner:
    """There is an envelope, and a policy for each of its vectors."""

    def fit(self, mdp: MultiObjectiveMDP) -> Any:
        planner = super().fit(mdp)
        if not isinstance(self.envelope_, Envelope):
            kind = type(self.envelope_).__name__
            msg = f"envelope_ is {kind}, due is {Envelope.__module__}.Envelope"
            raise MethodError(msg)
        due = (len(self.envelope_.vectors), mdp.n_states)
        if np.shape(self.policies_) != due:
            msg = f"policies_ has shape {np.shape(self.policies_)}, due is {due}"
            raise MethodError(msg)
        return planner
