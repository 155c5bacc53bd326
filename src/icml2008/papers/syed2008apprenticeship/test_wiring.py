"""What is measured of apprentices, and what each choice changes."""

from itertools import islice
from math import ceil, log

import numpy as np
import pytest
from scipy import sparse

from icml2008.papers.syed2008apprenticeship import experiments
from icml2008.papers.syed2008apprenticeship.experiments import (
    apprentice_program,
    best_actions,
    factor_work,
    game,
    gridworld,
    largest,
    random_policy,
    random_problem,
    stationary,
    step_work,
    value_sweeps,
)
from wiring import wire

CHOICES = [
    {},
    {"discount": "0.99"},
    {"noise": "anywhere"},
    {"evaluation": "occupancy"},
    {"lp": "simplex"},
    {"step-size": "scaled"},
    {"step-size": "hundred"},
    {"planning": "last"},
    {"sparsity": "half"},
]
SIZE = 8
REGIONS = 16


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_work_rounds_and_mismatch_are_those_of_the_apprentices(monkeypatch, choices):
    most = 20 if choices else 200
    monkeypatch.setattr(experiments, "MOST_ROUNDS", most)
    wired = wire(experiments.run_grids, {"size": SIZE, "regions": REGIONS}, choices=choices)
    discount = float(choices.get("discount", "0.9"))
    solver = choices.get("lp", "ipm")
    problem = gridworld(SIZE, REGIONS, discount, choices.get("noise", "neighbour"))
    n = SIZE**2
    rng = wired.rng("weights")
    k = REGIONS // (2 if "sparsity" in choices else 10)
    chosen = rng.choice(REGIONS, k, replace=False)
    drawn = rng.uniform(size=k)
    truth = np.zeros(REGIONS)
    truth[chosen] = drawn / drawn.sum()
    actions, values, _ = best_actions(problem, truth @ problem.rewards, np.zeros(n, dtype=int))
    policy = np.zeros((n, 4))
    policy[np.arange(n), actions] = 1
    expert = problem.values(policy)
    best = truth @ expert
    assert best == pytest.approx(problem.start @ values)

    def far(basis):
        return pytest.approx((1 - discount) * np.max(np.abs(basis - expert)), abs=1e-7)

    program = apprentice_program(problem, expert)
    x, n_iter = largest(*program, solver=solver)
    basis = problem.values(stationary(x[:-1].reshape(n, 4)))
    work = n_iter * step_work(program[1], solver)
    assert wired["LPAL"] == {
        "work": pytest.approx(work / 1e6, abs=1e-5),
        "log_work": pytest.approx(log(work), abs=1e-5),
        "steps": n_iter,
        "rounds": 1,
        "mismatch": far(basis),
        "value": pytest.approx(100 * truth @ basis / best, abs=1e-3),
    }

    # A value is told to a hundredth of the expert's.
    tolerance = best / 100
    steps = {"hundred": 100}.get(choices.get("step-size"), round(log(REGIONS) / 0.05**2))
    rounds = game(problem, expert, steps, choices.get("step-size") == "scaled")
    afresh = "planning" not in choices
    counted = {1, 4, 16, 64}
    sums = np.zeros(3)
    visits = np.zeros((n, 4))
    before = np.zeros(n)
    old = np.zeros(n, dtype=int)
    for t, (weights, chosen, values, seen) in enumerate(islice(rounds, most), start=1):
        if t in counted:
            rewards = weights @ problem.rewards
            sweeps = value_sweeps(problem, rewards, np.zeros(n) if afresh else before, tolerance)
            start = np.zeros(n, dtype=int) if afresh else old
            improvements = best_actions(problem, rewards, start)[2]
            sides = (problem.start, problem.start)
            iterations = largest(rewards, problem.flow, sides, solver=solver)[1]
        sums = sums + [sweeps, improvements, iterations]
        visits = visits + seen
        before = values
        old = chosen
        mean = problem.rewards @ visits.ravel() / t
        if truth @ mean >= 0.95 * best:
            break
    taken = problem.transitions[np.flatnonzero(seen)]
    horizon = ceil(log(1 / (tolerance * (1 - problem.discount))) / -log(problem.discount))
    evaluation = t * horizon * taken.nnz
    evaluate = evaluation if "evaluation" in choices else evaluation * REGIONS
    factorise, solve = factor_work(sparse.eye_array(n) - problem.discount * taken)
    works = {
        "MWAL-VI": sums[0] * problem.transitions.nnz + evaluate,
        "MWAL-PI": sums[1] * (problem.transitions.nnz + factorise + solve) + evaluate,
        "MWAL-Dual": sums[2] * step_work(problem.flow, solver) + t * problem.rewards.nnz,
    }
    for (name, work), count in zip(works.items(), sums, strict=True):
        assert wired[name] == {
            "work": pytest.approx(work / 1e6, abs=1e-5),
            "log_work": pytest.approx(log(work), abs=1e-5),
            "steps": count,
            "rounds": t,
            "mismatch": far(mean),
            "value": pytest.approx(100 * truth @ mean / best, abs=1e-3),
        }
    even = truth @ problem.values(np.full((n, 4), 0.25))
    assert wired["no preference"]["value"] == pytest.approx(100 * even / best, abs=1e-3)


def test_value_iteration_is_swept_until_actions_are_good_enough():
    rng = np.random.default_rng(1)
    problem = random_problem(rng)
    rewards = rng.normal(size=24)
    values = np.zeros(8)
    count = 0
    change = np.inf
    P = problem.transitions.toarray()
    while change > 0.05 * 0.1 / 1.8:
        ahead = rewards + 0.9 * P @ values
        new = np.array([max(ahead[3 * s : 3 * s + 3]) for s in range(8)])
        change = max(abs(new - values))
        values = new
        count += 1
    assert value_sweeps(problem, rewards, np.zeros(8), 0.05) == count
    assert value_sweeps(problem, rewards, values, 0.05) < count


def test_a_violation_is_the_largest_of_twenty_problems(monkeypatch):
    numbers = iter([*range(7), 30.0, *[-1.0] * 12])
    seen = []

    def check(rng, problem):
        seen.append(problem)
        return next(numbers)

    monkeypatch.setattr(experiments, "STATEMENTS", {"errors": check})
    wired = wire(experiments.run_theorems, {"statement": "errors"})
    assert wired["any policy"] == {"violation": 30}
    assert wired.n_test["any policy"]["violation"] == len(seen) == 20
    first = random_problem(wired.rng("problems"))
    np.testing.assert_array_equal(seen[0].start, first.start)


@pytest.mark.parametrize("name", list(experiments.STATEMENTS))
def test_statements_hold_and_are_told_from_what_is_false(monkeypatch, name):
    check = experiments.STATEMENTS[name]
    rng = np.random.default_rng(2)
    assert check(rng, random_problem(rng)) < 1e-6
    turned = {
        "flow-is-occupancy": ("stationary", lambda x: np.full(x.shape, 1 / x.shape[1])),
        "occupancy-flows": ("summed_visits", lambda problem, policy: 0.5 * policy),
        "mixture-is-stationary": ("stationary", lambda x: np.full(x.shape, 1 / x.shape[1])),
        "exact-values": ("stationary", lambda x: np.full(x.shape, 1 / x.shape[1])),
        "errors": ("apprentice_program", None),
    }
    part, wrong = turned[name]
    if name == "errors":
        make = experiments.apprentice_program
        calls = iter([0.0, 10.0] * 5)

        def wrong(problem, expert):
            return make(problem, expert * (1 - 2 * (next(calls) > 0)))

    monkeypatch.setattr(experiments, part, wrong)
    violations = [check(rng, random_problem(rng)) for _ in range(5)]
    assert max(violations) > 1e-3


def test_a_lead_falls_short_of_the_largest_as_a_share_of_the_bound():
    wired = wire(experiments.run_convergence, {"discount": 0.5})
    rng = wired.rng("problems")
    cases = []
    for _ in range(2):
        problem = random_problem(rng, discount=0.5)
        expert = problem.values(random_policy(rng, problem))
        most = largest(*apprentice_program(problem, expert), solver="simplex")[0][-1]
        cases.append((problem, expert, most))
    for name, scaled in (("MWAL", False), ("MWAL, scaled", True)):
        short = []
        for problem, expert, most in cases:
            mean = 0.0
            for *_, visits in islice(game(problem, expert, 100, scaled), 100):
                mean = mean + problem.rewards @ visits.ravel() / 100
            short.append(0.5 * (most - min(mean - expert)))
        bound = 4 * (np.sqrt(0.02 * log(4)) + log(4) / 100)
        assert wired[name]["violation"] == pytest.approx(max(short) / bound - 1, abs=1e-6)
        assert wired[name]["shortfall"] == pytest.approx(np.mean(short), abs=1e-6)
        assert wired.n_test[name]["violation"] == 2


def test_an_expert_is_misjudged_by_the_error_upwards_and_downwards(monkeypatch):
    experts = []

    def program(problem, expert):
        experts.append(expert)
        return apprentice_program(problem, expert)

    monkeypatch.setattr(experiments, "apprentice_program", program)
    rng = np.random.default_rng(0)
    for _ in range(6):
        experiments.STATEMENTS["errors"](rng, random_problem(rng))
    errors = np.concatenate([experts[at + 1] - experts[at] for at in range(0, 12, 2)])
    assert set(errors.round(9)) == {-0.3, 0.3}
