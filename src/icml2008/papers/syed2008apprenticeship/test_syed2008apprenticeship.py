"""What apprentices, their game and the counted work must agree with."""

from itertools import islice, product

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from icml2008.catalogue import library
from icml2008.harness.trial import Trial, run_trial
from icml2008.methods.planning.mdp import MultiObjectiveMDP

from .experiments import (
    expert_of,
    factor_work,
    gridworld,
    random_policy,
    random_problem,
    run_grids,
    step_work,
    summed_visits,
    value_sweeps,
)
from .method import (
    LinearProgramApprentice,
    MultiplicativeWeightsApprentice,
    best_actions,
    game,
    stationary,
)


def small(seed=0, **shape):
    """Return a Problem, what an expert is worth and what each deterministic policy is."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, **({"n_states": 3, "n_actions": 2, "k": 3} | shape))
    expert = problem.values(random_policy(rng, problem))
    policies = [np.eye(2)[list(actions)] for actions in product(range(2), repeat=3)]
    return problem, expert, np.array([problem.values(policy) for policy in policies])


def as_mdp(problem):
    n = len(problem.start)
    rewards = problem.rewards.toarray().T.reshape(n, -1, problem.rewards.shape[0])
    return MultiObjectiveMDP(problem.transitions, rewards, problem.discount)


@pytest.mark.parametrize("solver", ["ipm", "simplex", "clarabel"])
def test_lead_is_that_of_the_best_mixture_of_deterministic_policies(solver):
    problem, expert, values = small()
    lead = np.column_stack([-(values - expert).T, np.ones(3)])
    ones = np.append(np.ones(8), 0.0)[None]
    bounds = [(0, None)] * 8 + [(None, None)]
    best = -linprog(-np.eye(9)[-1], lead, np.zeros(3), ones, [1.0], bounds).fun
    model = LinearProgramApprentice(solver).fit(as_mdp(problem), expert, problem.start)
    assert model.lead_ == pytest.approx(best, abs=1e-6)
    assert best > 0


def test_planning_finds_the_best_of_all_deterministic_policies():
    problem, _, values = small(1)
    weights = np.array([0.2, 0.5, 0.3])
    actions, *_ = best_actions(problem, weights @ problem.rewards, np.zeros(3, dtype=int))
    assert weights @ problem.values(np.eye(2)[actions]) == pytest.approx(max(values @ weights))


def test_occupancy_is_the_discounted_sum_of_visits():
    problem, *_ = small(2)
    policy = random_policy(np.random.default_rng(0), problem)
    np.testing.assert_allclose(problem.occupancy(policy), summed_visits(problem, policy))


def test_game_is_algorithm_1_as_a_plain_loop():
    # The text's steps in dense arrays, planning by turns of evaluation and greedy actions.
    problem, expert, _ = small(3)
    P = problem.transitions.toarray().reshape(3, 2, 3)
    R = problem.rewards.toarray()
    R = R.reshape(3, 3, 2)
    states = np.arange(3)
    T = 12
    beta = 1 / (1 + np.sqrt(2 * np.log(3) / T))
    w = np.ones(3) / 3
    total = 0
    for _ in range(T):
        r = np.tensordot(w, R, 1)
        V = np.zeros(3)
        for _ in range(20):
            a = (r + 0.9 * P @ V).argmax(1)
            V = np.linalg.solve(np.eye(3) - 0.9 * P[states, a], r[states, a])
        d = np.linalg.solve((np.eye(3) - 0.9 * P[states, a]).T, problem.start)
        x = d[:, None] * np.eye(2)[a]
        total = total + x
        w = w * beta ** ((R * x).sum((1, 2)) - expert)
        w /= w.sum()
    rounds = list(islice(game(problem, expert, T), T + 1))
    np.testing.assert_allclose(sum(visits for *_, visits in rounds[:T]), total, rtol=1e-9)
    np.testing.assert_allclose(rounds[T][0], w, rtol=1e-9)
    model = MultiplicativeWeightsApprentice(T).fit(as_mdp(problem), expert, problem.start)
    np.testing.assert_allclose(model.values_, (R * total).sum((1, 2)) / T)
    np.testing.assert_allclose(model.policy_, stationary(total))


def dense_grid(size, noise="neighbour"):
    """Return transitions of Section 8.1, (n, 4, n): north, east, south and west."""
    n = size**2
    ways = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    P = np.zeros((n, 4, n))
    for s, (a, (down, right)) in product(range(n), enumerate(ways)):
        to = np.clip([s // size + down, s % size + right], 0, size - 1) @ [size, 1]
        P[s, a, to] += 0.7
        if noise == "neighbour":
            P[s, :, to] += 0.3 / 4
    return P + (0.3 / n if noise == "anywhere" else 0)


@pytest.mark.parametrize("noise", ["neighbour", "anywhere"])
def test_occupancy_of_a_grid_is_that_of_its_dense_transitions(noise):
    problem = gridworld(4, 4, 0.9, noise)
    policy = random_policy(np.random.default_rng(0), problem)
    walk = np.einsum("sa,sat->st", policy, dense_grid(4, noise))
    visits = np.linalg.solve((np.eye(16) - 0.9 * walk).T, np.full(16, 1 / 16))
    np.testing.assert_allclose(problem.occupancy(policy), visits[:, None] * policy)


def test_work_of_mwal_vi_is_that_of_a_plain_loop_over_the_text():
    """Sections 3 and 8.1 in dense arrays: rounds to 95 %, sweeps (Step 6), evaluations (Step 7)."""
    choices = library.trial_choices("syed2008apprenticeship", "grids", "default")
    cell = {"size": 8, "regions": 16}
    trial = Trial("syed2008apprenticeship", run_grids, cell, 0, choices=choices, load=None)
    P = dense_grid(8)
    states = np.arange(64)
    k = 16
    R = np.array([states // 16 * 4 + states % 8 // 2 == i for i in range(k)], dtype=float)
    truth = R[trial.rng("weights").choice(k, 1, replace=False)[0]]  # a tenth of 16 regions is one

    def planned(r, a):
        while True:
            V = np.linalg.solve(np.eye(64) - 0.9 * P[states, a], r)
            Q = P @ V
            better = Q.max(1) - Q[states, a] > 1e-9
            if not better.any():
                d = np.linalg.solve((np.eye(64) - 0.9 * P[states, a]).T, np.full(64, 1 / 64))
                return a, d
            a = np.where(better, Q.argmax(1), a)

    def sweeps(r):
        V = np.zeros(64)
        count = 0
        change = np.inf
        while change > tolerance * 0.1 / 1.8:
            new = r + 0.9 * (P @ V).max(1)
            change = np.abs(new - V).max()
            V = new
            count = count + 1
        return count

    expert = planned(truth, 0 * states)[1]
    best = truth @ expert
    tolerance = 0.01 * best
    beta = 1 / (1 + np.sqrt(2 * np.log(k) / round(np.log(k) / 0.05**2)))
    w = np.full(k, 1 / k)
    a = 0 * states
    total = 0
    t = 0
    swept = 0
    due = 0
    while t == 0 or truth @ total < 0.95 * best * t:
        if t in (0, 3, 15, 63):  # counted, and taken for the rounds up to the next
            due = sweeps(w @ R)
        swept += due
        a, d = planned(w @ R, a)
        total = total + d
        t = t + 1
        w = w * beta ** (R @ (d - expert))
        w /= w.sum()
    horizon = np.ceil(np.log(1 / (tolerance * 0.1)) / np.log(1 / 0.9))
    evaluated = t * horizon * np.count_nonzero(P[states, a]) * k
    lines = [line for line in run_trial(trial) if line["method"] == "MWAL-VI"]
    values_of = {line["metric"]: line["value"] for line in lines}
    assert values_of["rounds"] == t
    assert values_of["work"] == pytest.approx((swept * np.count_nonzero(P) + evaluated) / 1e6)


def test_regions_part_the_grid_so_that_lpal_copies_the_expert():
    problem = gridworld(8, 16, 0.9)
    expert = problem.rewards @ expert_of(problem, np.eye(16)[5]).ravel()
    assert expert.sum() == pytest.approx(10)
    model = LinearProgramApprentice().fit(as_mdp(problem), expert)
    np.testing.assert_allclose(model.values_, expert, atol=1e-6)


def test_work_of_known_patterns():
    n = 6
    dense = np.ones((n, n)) + n * np.eye(n)
    assert factor_work(dense) == ((n - 1) * n * (n + 1) / 3, n * (n + 1))
    line = sparse.diags_array([np.ones(n - 1), 4 * np.ones(n), np.ones(n - 1)], offsets=[-1, 0, 1])
    assert factor_work(line) == (2 * (n - 1), 2 * (2 * n - 1))
    assert step_work(line, "simplex") == line.nnz
    # Rows i and j of the line's normal equations meet if they are at most two apart.
    assert step_work(line, "ipm") == (2 * 3 * 4 + 1 * 2) / 2 + 2 * 2 * (3 * n - 3)


def test_sweeps_follow_the_discount():
    problem = gridworld(2, 4, 0.5)
    # Rewards of 1: the n-th sweep changes values by 0.5^(n - 1), which is to be within 0.05.
    assert value_sweeps(problem, np.ones(16), np.zeros(4), 0.1) == 6


@pytest.mark.parametrize(
    ("model", "changed", "named"),
    [
        (LinearProgramApprentice("barrier"), {}, "one of ipm, simplex, clarabel"),
        (MultiplicativeWeightsApprentice(0), {}, "n_rounds is 0"),
        (LinearProgramApprentice(), {"expert_values": [1.0]}, "each of 3 criteria"),
        (LinearProgramApprentice(), {"start": [1.0, 1.0, 0.0]}, "it adds up to 2"),
        (LinearProgramApprentice(), {"discount": 1.0}, "discount is 1"),
    ],
)
def test_what_cannot_be_learnt_is_named(model, changed, named):
    problem, expert, _ = small()
    if "discount" in changed:
        problem = problem._replace(discount=changed.pop("discount"))
    given = {"expert_values": expert, "start": problem.start} | changed
    with pytest.raises(ValueError, match=named):
        model.fit(as_mdp(problem), **given)
