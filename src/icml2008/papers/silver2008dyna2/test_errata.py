"""Errata of the paper that a small computation settles."""

import pytest


@pytest.mark.parametrize(("trace_first", "learnt"), [(True, 0.5), (False, 0.0)])
def test_one_step_is_learnt_if_the_trace_comes_first(trace_first, learnt):
    """silver2008dyna2, Algorithm 1: weights before trace learn nothing from an episode of a step.

    Equations 2 and 3 use the trace z_t that has the features of time t in it.
    """
    theta = 0.0
    trace = 0.0
    feature = 1.0
    rate = 0.5
    decay = 0.8
    reward = 1.0
    error = reward - theta * feature
    updated = decay * trace + feature
    theta += rate * error * (updated if trace_first else trace)
    assert theta == learnt
