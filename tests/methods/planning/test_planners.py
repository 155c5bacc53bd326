"""Planners for all preferences against every policy, and against one preference at a time."""

from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from icml2008.methods.planning.convex_hull import ConvexHullValueIteration
from icml2008.methods.planning.envelope import upper_envelope
from icml2008.methods.planning.linear_support import OptimisticLinearSupport
from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import evaluate_policy, policy_iteration, value_iteration


def random_mdp(seed, n_states=4, n_actions=2, n_criteria=2, discount=0.7, ending=0.1):
    rng = np.random.default_rng(seed)
    transitions = rng.dirichlet(np.full(n_states, 0.4), (n_states, n_actions)) * (1 - ending)
    return MultiObjectiveMDP(
        transitions, rng.normal(size=(n_states, n_actions, n_criteria)), discount
    )


def values_of_all_policies(mdp):
    """Return value vectors of every deterministic policy, (n_policies, n_states, n_criteria)."""
    P = mdp.transitions.toarray().reshape(mdp.n_states, mdp.n_actions, mdp.n_states)
    states = np.arange(mdp.n_states)
    return np.array(
        [
            np.linalg.solve(
                np.eye(mdp.n_states) - mdp.discount * P[states, list(policy)],
                mdp.rewards[states, list(policy)],
            )
            for policy in product(range(mdp.n_actions), repeat=mdp.n_states)
        ]
    )


mdps = st.builds(
    random_mdp,
    seed=st.integers(0, 10_000),
    n_states=st.integers(1, 4),
    n_actions=st.integers(1, 3),
    n_criteria=st.integers(1, 3),
    discount=st.sampled_from([0.0, 0.5, 0.8]),
)


@settings(max_examples=40)
@given(mdps)
def test_hulls_are_those_of_all_policies(mdp):
    planner = ConvexHullValueIteration(tol=1e-3).fit(mdp)
    everything = values_of_all_policies(mdp)
    weights = np.random.default_rng(0).dirichlet(np.ones(mdp.n_criteria), 50)
    for state in range(mdp.n_states):
        best = (everything[:, state] @ weights.T).max(axis=0)
        heights = (planner.hulls_[state] @ weights.T).max(axis=0)
        np.testing.assert_allclose(heights, best, atol=1e-3)  # as promised by tol


@pytest.mark.parametrize("seed", range(8))
def test_policies_of_the_hull_are_those_of_all_policies(seed):
    mdp = random_mdp(seed, n_states=4, n_actions=3, n_criteria=2)
    planner = ConvexHullValueIteration(tol=1e-6).fit(mdp)
    everything = values_of_all_policies(mdp)
    for state in range(4):
        envelope, policies = planner.policies(state)
        expected = upper_envelope(everything[:, state], tol=1e-10).vectors
        np.testing.assert_allclose(envelope.vectors, expected, atol=1e-10)
        for policy, vector in zip(policies, expected, strict=True):
            np.testing.assert_allclose(evaluate_policy(mdp, policy)[state], vector, atol=1e-10)


@settings(max_examples=40)
@given(mdps)
def test_linear_support_finds_the_hull_of_all_policies_of_a_start(mdp):
    planner = OptimisticLinearSupport(0).fit(mdp)
    expected = upper_envelope(values_of_all_policies(mdp)[:, 0], tol=1e-8).vectors
    vectors = planner.envelope_.vectors
    for vector in expected:
        assert np.abs(vectors - vector).max(axis=1).min() < 1e-9
    for policy, values, vector in zip(planner.policies_, planner.values_, vectors, strict=True):
        np.testing.assert_allclose(evaluate_policy(mdp, policy), values, atol=1e-10)
        np.testing.assert_allclose(values[0], vector, atol=1e-10)


@settings(max_examples=25)
@given(mdps)
def test_linear_support_without_a_start_serves_every_state(mdp):
    planner = OptimisticLinearSupport().fit(mdp)
    everything = values_of_all_policies(mdp)
    for weights in np.random.default_rng(1).dirichlet(np.ones(mdp.n_criteria), 20):
        best = (everything @ weights).max(axis=0)
        np.testing.assert_allclose(
            evaluate_policy(mdp, planner.policy(weights)) @ weights, best, atol=1e-9
        )


@settings(max_examples=25)
@given(mdps, st.integers(0, 100))
def test_after_each_sweep_values_are_those_of_value_iteration(mdp, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(mdp.n_criteria))
    values = np.zeros(mdp.n_states)
    immediate = mdp.rewards @ weights
    for planner in islice(ConvexHullValueIteration(prune=1e-12).sweeps(mdp), 5):
        np.testing.assert_allclose(planner.value(weights), values, atol=1e-11)
        following = (mdp.transitions @ values).reshape(immediate.shape)
        values = (immediate + mdp.discount * following).max(axis=1)


@settings(max_examples=40)
@given(mdps, st.integers(0, 100))
def test_planners_for_one_preference_find_the_best_policy(mdp, seed):
    weights = np.random.default_rng(seed).dirichlet(np.ones(mdp.n_criteria))
    best = (values_of_all_policies(mdp) @ weights).max(axis=0)
    plan = value_iteration(mdp, weights)
    np.testing.assert_allclose(plan.values, best, atol=1e-9)
    np.testing.assert_allclose(evaluate_policy(mdp, plan.policy) @ weights, best, atol=1e-8)
    policy, values = policy_iteration(mdp, weights)
    np.testing.assert_allclose(values @ weights, best, atol=1e-9)
    np.testing.assert_allclose(values, evaluate_policy(mdp, policy))


def test_the_hull_of_an_action_is_the_sum_of_the_next_states_hulls():
    mdp = random_mdp(3, n_states=3, n_actions=3, n_criteria=2)
    planner = ConvexHullValueIteration(prune=1e-11).fit(mdp)
    row = mdp.transitions[[1 * 3 + 2]].toarray()[0]
    sums = [
        mdp.rewards[1, 2] + mdp.discount * np.sum(row[:, None] * np.array(parts), axis=0)
        for parts in product(*planner.hulls_)
    ]
    weights = np.random.default_rng(0).dirichlet(np.ones(2), 200)
    expected = (np.array(sums) @ weights.T).max(axis=0)
    heights = (planner.q_hull(1, 2) @ weights.T).max(axis=0)
    np.testing.assert_allclose(heights, expected, atol=1e-10)


def test_the_best_action_has_the_value_of_the_state():
    mdp = random_mdp(5, n_criteria=3)
    planner = ConvexHullValueIteration(tol=1e-3, prune=1e-6).fit(mdp)
    for weights in np.random.default_rng(0).dirichlet(np.ones(3), 10):
        q = planner.q_values(weights)
        np.testing.assert_allclose(q.max(axis=1), planner.value(weights), atol=1e-3)
        assert q.argmax(axis=1).tolist() == planner.policy(weights).tolist()
        q_of_hull = (planner.q_hull(0, 1) @ weights).max()
        assert q[0, 1] == pytest.approx(q_of_hull, abs=1e-5)


def test_sparse_and_dense_transitions_are_the_same_process():
    mdp = random_mdp(0)
    dense = mdp.transitions.toarray().reshape(4, 2, 4)
    again = MultiObjectiveMDP(dense, mdp.rewards, mdp.discount)
    hulls = [ConvexHullValueIteration().fit(process).hulls_ for process in (mdp, again)]
    for own, other in zip(*hulls, strict=True):
        np.testing.assert_array_equal(own, other)


@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalking-v1"])
def test_a_gymnasium_table_gives_the_values_that_its_own_dynamics_have(name):
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make(name)
    mdp = MultiObjectiveMDP.from_gymnasium(env, 0.95)
    table = env.unwrapped.P
    values = np.zeros(env.observation_space.n)
    for _ in range(600):
        values = np.array(
            [
                max(
                    sum(p * (r + 0.95 * values[s] * (not end)) for p, s, r, end in outcomes)
                    for outcomes in actions.values()
                )
                for actions in table.values()
            ]
        )
    np.testing.assert_allclose(value_iteration(mdp, [1.0]).values, values, atol=1e-8)


def test_criteria_of_ones_own_split_the_reward_of_a_gymnasium_table():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("CliffWalking-v1")

    def split(state, action, following, reward):
        return [min(0, reward + 1), -1]  # falls, steps

    mdp = MultiObjectiveMDP.from_gymnasium(env, 0.9, reward=split)
    start = 36
    planner = OptimisticLinearSupport(start).fit(mdp)
    whole = MultiObjectiveMDP.from_gymnasium(env, 0.9)
    assert planner.value([1, 1]) == pytest.approx(value_iteration(whole, [1]).values[start])
    envelope, _ = ConvexHullValueIteration().fit(mdp).policies(start)
    np.testing.assert_allclose(envelope.vectors, planner.envelope_.vectors, atol=1e-8)


def test_an_environment_without_a_table_is_refused():
    gymnasium = pytest.importorskip("gymnasium")
    with pytest.raises(TypeError, match=r"env\.unwrapped\.P"):
        MultiObjectiveMDP.from_gymnasium(gymnasium.make("CartPole-v1"), 0.9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"transitions": np.zeros((2, 2, 3))}, "transitions has shape"),
        ({"transitions": sparse.csr_array(np.zeros((3, 2)))}, "sparse matrix of shape"),
        ({"transitions": np.full((2, 2, 2), 0.6)}, "more than 1"),
        ({"transitions": np.full((2, 2, 2), -0.1)}, "none is negative"),
        ({"rewards": np.zeros((2, 2))}, "rewards has shape"),
        ({"rewards": np.full((2, 2, 1), np.inf)}, "finite"),
        ({"discount": 1.5}, "discount"),
    ],
)
def test_what_is_no_process_is_refused(change, message):
    given = {"transitions": np.zeros((2, 2, 2)), "rewards": np.zeros((2, 2, 1)), "discount": 0.9}
    with pytest.raises(ValueError, match=message):
        MultiObjectiveMDP(**{**given, **change})


def test_hulls_beyond_the_cap_say_what_to_do():
    mdp = random_mdp(0, n_states=6, n_actions=4, n_criteria=3, discount=0.95)
    with pytest.raises(RuntimeError, match="OptimisticLinearSupport"):
        ConvexHullValueIteration(max_vectors=5).fit(mdp)


def test_without_discount_an_endless_loop_of_rewards_has_no_values():
    loop = MultiObjectiveMDP([[[1.0]]], [[[1.0]]], discount=1.0)
    with pytest.warns(ConvergenceWarning, match="only if every policy ends"):
        value_iteration(loop, [1.0], max_sweeps=100)
    with pytest.warns(ConvergenceWarning, match="only if every policy ends"):
        ConvexHullValueIteration(max_sweeps=100).fit(loop)
    with pytest.raises(ValueError, match="no values"):
        evaluate_policy(loop, [0])


def test_without_discount_a_process_that_ends_has_values():
    line = MultiObjectiveMDP([[[0, 1]], [[0, 0]]], [[[1.0, 0]], [[0, 2.0]]], discount=1.0)
    np.testing.assert_array_equal(ConvexHullValueIteration().fit(line).hulls_[0], [[1, 2]])


@pytest.mark.parametrize("policy", [[0], [0, 7, 0, 0], [[0, 0, 0, 0]]])
def test_what_is_no_policy_is_refused(policy):
    with pytest.raises(ValueError, match="a policy is one of the actions"):
        evaluate_policy(random_mdp(0), policy)


@pytest.mark.parametrize("start", [4, -1, [0.5, 0.5], [2, -1, 0, 0]])
def test_what_is_no_start_is_refused(start):
    with pytest.raises(ValueError, match="start is"):
        OptimisticLinearSupport(start).fit(random_mdp(0))
