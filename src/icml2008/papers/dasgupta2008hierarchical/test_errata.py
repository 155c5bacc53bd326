"""Errata of the paper that a small computation settles."""

import math


def test_rule_two_never_selects_an_unseen_cluster():
    """dasgupta2008hierarchical, Sections 3.2 and 3.4: one pure cluster seen often, one unseen."""

    def bounds(share, seen, log_term=5.0):
        """Return the interval of Lemma 1, within 0 and 1."""
        if not seen:
            return 0.0, 1.0
        width = 5 / seen * log_term + math.sqrt(4.5 * share * (1 - share) / seen * log_term)
        return max(share - width, 0.0), min(share + width, 1.0)

    (pure_low, pure_high), (_, unseen_high) = bounds(1.0, 500), bounds(0.5, 0)
    assert (1 - pure_high, 1 - unseen_high) == (0, 0)  # rule 2: both weights vanish
    assert 1 - pure_low < 0.1  # the rule of Section 3.4, where the unseen cluster has weight 1
    # A cluster found impure is selected by rule 2, a cluster not seen is not.
    assert 1 - bounds(0.5, 500)[1] > 0.3
