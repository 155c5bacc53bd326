"""The worlds are those of the literature: against printed optima, Gymnasium and four planners."""

import gymnasium
import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import eye, kron

from icml2008.methods import MultiObjectiveMDP
from icml2008.methods.planning.scalar import policy_iteration, value_iteration
from icml2008.methods.worlds import (
    World,
    boyan_chain,
    chain,
    flag_maze,
    grid_world,
    loop,
    ring,
    river_swim,
    six_arms,
    soccer,
    subgoal_maze,
    taxi,
)
from icml2008.methods.worlds.tasks import TaskHierarchy, plan

KICK_OFF = ((1, 3), (1, 1))


def small_maze(seed=0):
    return subgoal_maze(np.random.default_rng(seed), size=9)


WORLDS = {
    "boyan_chain": boyan_chain,
    "chain": chain,
    "flag_maze": flag_maze,
    "grid_world": lambda: grid_world(5, rewards=np.arange(25).reshape(5, 5) % 7),
    "loop": loop,
    "ring": ring,
    "river_swim": river_swim,
    "six_arms": six_arms,
    "soccer": lambda: soccer(KICK_OFF),
    "subgoal_maze": small_maze,
    "taxi": taxi,
}


def by_linear_program(mdp):
    """The least values that no action betters."""
    kept = kron(eye(mdp.n_states), np.ones((mdp.n_actions, 1)))
    result = linprog(
        np.ones(mdp.n_states),
        A_ub=mdp.discount * mdp.transitions - kept,
        b_ub=-mdp.rewards.ravel(),
        bounds=(None, None),
    )
    return result.x


@pytest.mark.parametrize("name", WORLDS)
def test_four_planners_agree_on_each_world(name):
    world = WORLDS[name]()
    mdp = MultiObjectiveMDP(*world.model(), 0.9)
    by_values = value_iteration(mdp, [1.0], tol=1e-10).values
    by_policies = policy_iteration(mdp, [1.0])[1][:, 0]
    size = max(1.0, np.abs(by_values).max())
    np.testing.assert_allclose(by_policies, by_values, atol=1e-9 * size)
    np.testing.assert_allclose(by_linear_program(mdp), by_values, atol=1e-6 * size)
    root = TaskHierarchy(world.n_actions, [(range(world.n_actions), np.zeros(world.n_states))])
    by_tasks = plan(world, root, 0.9, 1e-10 * size)[0][-1]
    np.testing.assert_allclose(by_tasks, by_values, atol=1e-8 * size)


def average(world, policy):
    """The reward of a step in the long run, of a policy that comes everywhere."""
    rows = np.arange(world.n_states) * world.n_actions + policy
    steps = world.transitions[rows].toarray()
    system = np.vstack([steps.T - np.eye(world.n_states), np.ones(world.n_states)])
    share = np.linalg.lstsq(system, np.eye(1, world.n_states + 1, world.n_states)[0])[0]
    return share @ world.rewards[np.arange(world.n_states), policy]


@pytest.mark.parametrize(
    ("world", "printed"),
    [(chain(), 3.677), (loop(), 0.4), (flag_maze(), 0.0945)],
    ids=["chain", "loop", "flag_maze"],
)
def test_the_printed_optima_of_chain_loop_and_flag_maze_are_theirs(world, printed):
    policy = value_iteration(MultiObjectiveMDP(*world.model(), 0.999), [1.0]).policy
    assert average(world, policy) == pytest.approx(printed, abs=5e-4)


def test_no_printed_total_of_river_swim_and_six_arms_beats_the_optimum():
    swims = 5000 * average(river_swim(), np.ones(6, dtype=int))
    assert 3.201e6 < swims < 1.1 * 3.201e6
    best = value_iteration(MultiObjectiveMDP(*six_arms().model(), 0.99), [1.0])
    assert best.policy[0] == 5
    assert best.values[6] == pytest.approx(6000 / 0.01)


def test_taxi_is_gymnasiums():
    ours = taxi()
    theirs = World.from_gymnasium(gymnasium.make("Taxi-v4"))
    assert abs(ours.transitions - theirs.transitions).max() == 0
    np.testing.assert_array_equal(ours.rewards, theirs.rewards)
    np.testing.assert_allclose(ours.start, theirs.start)


def test_a_taxi_slips_to_the_left_and_right_of_its_way():
    sure, slipping = (taxi(slip).transitions.toarray().reshape(500, 6, 500) for slip in (0.0, 0.2))
    for action, aside in {0: (2, 3), 1: (2, 3), 2: (0, 1), 3: (0, 1)}.items():
        mixed = 0.8 * sure[:, action] + 0.1 * sure[:, aside].sum(axis=1)
        np.testing.assert_allclose(slipping[:, action], mixed, atol=1e-12)
    np.testing.assert_array_equal(slipping[:, 4:], sure[:, 4:])


def test_a_walk_is_what_a_plain_loop_over_the_same_numbers_meets():
    world = taxi(slip=0.3)
    rng = np.random.default_rng(5)
    policy = rng.dirichlet(np.ones(6), size=500)
    walk = world.walk(policy, 3000, np.random.default_rng(1), state=7)
    uniforms = np.random.default_rng(1).random((3000, 3))
    state = 7
    for step, (u, v, w) in enumerate(uniforms):
        assert walk.states[step] == state
        action = int(np.flatnonzero(np.cumsum(policy[state]) > u)[0])
        outcomes = range(world.indptr[state * 6 + action], world.indptr[state * 6 + action + 1])
        outcome = outcomes[int(np.flatnonzero(np.cumsum(world.probabilities[outcomes]) > v)[0])]
        state = world.following[outcome]
        assert walk.ends[step] == (state < 0)
        assert (walk.actions[step], walk.rewards[step]) == (action, world.outcome_rewards[outcome])
        if state < 0:
            state = int(np.flatnonzero(np.cumsum(world.start) > w)[0])


def test_shares_of_a_long_walk_are_the_probabilities():
    world = river_swim()
    walk = world.walk(np.full((6, 2), 0.5), 200_000, np.random.default_rng(0))
    rows = walk.states[:-1] * 2 + walk.actions
    counts = np.zeros((12, 6))
    np.add.at(counts, (rows, walk.states[1:]), 1)
    seen = counts.sum(axis=1, keepdims=True)
    probable = world.transitions.toarray()
    error = np.sqrt(probable * (1 - probable) / np.maximum(seen, 1))
    assert (np.abs(counts / np.maximum(seen, 1) - probable) <= 5 * error + 1e-12)[
        seen[:, 0] > 0
    ].all()
    assert not walk.ends.any()


def test_soccer_is_set_back_as_the_paper_counts():
    # The attacker runs west into the defender: the first to move half of the time, and where the
    # defender holds or runs east into the attacker she is there still; three runs get her away.
    world = soccer(KICK_OFF, symmetric=False)
    number = {label: state for state, label in enumerate(world.labels)}
    row = world.transitions[[number[(1, 2), (1, 1)] * 5 + 2]].toarray()[0]
    assert row[number[KICK_OFF]] == pytest.approx(0.7)
    assert sorted(row[row > 0].round(12)) == [0.1, 0.1, 0.1, 0.7]
    assert world.n_states == 20**2 - 20


@pytest.mark.parametrize("symmetric", [True, False])
def test_only_a_symmetric_reset_makes_soccer_symmetric(symmetric):
    world = soccer(KICK_OFF, symmetric=symmetric)
    number = {label: state for state, label in enumerate(world.labels)}
    mirror = np.array([number[tuple((3 - r, c) for r, c in label)] for label in world.labels])
    rows = (mirror[:, None] * 5 + np.array([3, 1, 2, 0, 4])).ravel()
    difference = abs(world.transitions[rows][:, mirror] - world.transitions).max()
    assert (difference < 1e-12) == symmetric


@pytest.mark.parametrize("seed", range(5))
def test_every_goal_of_a_maze_can_be_reached(seed):
    world = small_maze(seed)
    walk = world.walk(np.full((world.n_states, 4), 0.25), 200_000, np.random.default_rng(seed))
    assert {500.0, 1000.0} < set(walk.rewards) <= {-1.0, -2.0, -10.0, 500.0, 1000.0}
    home = world.labels.index((1, 1))
    assert (walk.states[1:][walk.rewards >= 500] == home).all()
    assert world.n_states == 7 * 7 - round(0.2 * 49) - 3


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: chain(1), "n_states of a chain is 1"),
        (lambda: chain(slip=1.5), "slip is 1.5"),
        (lambda: taxi(-1), "slip is -1"),
        (lambda: grid_world(0), "size is 0"),
        (lambda: grid_world(3, rewards=[[1.0]]), r"rewards has shape \(1, 1\)"),
        (lambda: soccer(KICK_OFF, n_rows=3), "3 rows and 5 columns"),
        (lambda: soccer(((0, 0), (0, 0))), "start is"),
        (lambda: subgoal_maze(np.random.default_rng(0), blocked=0.9), "need to fit"),
        (lambda: World.of(1, 1, lambda s, a: [(0.5, 0, 0.0)]), "add up to 0.5"),
        (lambda: World.of(1, 1, lambda s, a: [(1.0, 3, 0.0)]), r"next states are 0\.\.0"),
        (lambda: World.of(2, 1, lambda s, a: [(1.0, 0, np.inf)]), "finite"),
        (lambda: ring().walk([0, 1], 5, np.random.default_rng(0)), "a policy is one of"),
        (lambda: ring().walk([0] * 8, 5, np.random.default_rng(0), state=8), "state 8 is none"),
    ],
)
def test_what_is_no_world_is_named(make, named):
    with pytest.raises(ValueError, match=named):
        make()


def test_an_environment_without_a_table_is_refused():
    with pytest.raises(TypeError, match="no table of its dynamics"):
        World.from_gymnasium(gymnasium.make("CartPole-v1"))
