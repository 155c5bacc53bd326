"""What counts, abstractions and models must agree with."""

import numpy as np
import pytest

from icml2008.methods.worlds.tasks import RMAXQ, plan

from . import experiments as ours


@pytest.fixture(scope="module")
def world():
    return ours.stochastic_taxi()


def test_wrong_tries_in_taxi_are_those_that_the_text_counts(world):
    """Section 5.1 by enumeration: five tries in each wrong state, and no more."""
    going = [(y, x, p, d) for y, x, p, d in world.labels if p != d]
    right = [state for state in going if state[2] == 4 and state[:2] == ours.LANDMARKS[state[3]]]
    at_landmarks = [state for state in going if state[2] == 4 and state[:2] in ours.LANDMARKS]
    wrong = {"flat": len(going) - len(right), "figure-1b": len(at_landmarks) - len(right)}
    assert wrong == {"flat": 396, "figure-1b": 12}
    riding = np.array(world.labels)[:, 2] == 4
    starts = np.random.default_rng(0).choice(500, 200, p=world.start)
    for shape, states in wrong.items():
        learner = RMAXQ(ours.hierarchy(world, shape), v_max=20.0)
        tries = learner.learn(world, starts, np.random.default_rng(1)).tries_
        assert tries[~ours.right(world)[1], ours.PUTDOWN].sum() == 5 * states
        assert tries[riding, ours.PICKUP].sum() == (500 if shape == "flat" else 0)


def test_figure_1b_has_the_best_policy_and_twelve_completion_states(world):
    V, _, P, _ = plan(world, ours.hierarchy(world), 0.99, 1e-9)
    flat = plan(world, ours.hierarchy(world, "flat"), 0.99, 1e-9)[0]
    starts = np.flatnonzero(world.start)
    np.testing.assert_allclose(V[-1, starts], flat[-1, starts], atol=1e-6)
    get = P[ours.GET - 6][:, starts]
    assert np.count_nonzero(get.max(axis=1) > 0) == 12
    assert np.all(np.count_nonzero(get, axis=0) == 1)


def test_abstraction_leaves_the_values_that_the_text_counts(world):
    assert len(np.unique(ours.shared_models(world, True))) == 4 * 25 + 25 * 5 + 25 * 4
    assert len(np.unique(ours.shared_models(world, False))) == 4 * 25 + 25 * 5 + 500
    values = ours.shared_values(world, ours.hierarchy(world))
    going = world.start > 0
    assert len(np.unique(values["completions"][-1, 0][going])) == 12  # 16 with destination reached
    assert len(np.unique(values["completions"][-1, 1])) == 1
    assert len(np.unique(values["leaves"])) == 8
