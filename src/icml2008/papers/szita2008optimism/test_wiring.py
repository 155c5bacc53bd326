"""What is measured of runs, at which setting, and what each choice changes."""

import numpy as np
import pytest

from icml2008.methods.planning.mdp import MultiObjectiveMDP
from icml2008.methods.planning.scalar import evaluate_policy, policy_iteration
from icml2008.methods.worlds.grids import subgoal_maze
from icml2008.papers.szita2008optimism import experiments
from icml2008.papers.szita2008optimism.experiments import AGENTS, DISCOUNT, SLOW, TASKS
from wiring import wire


@pytest.fixture
def runs(monkeypatch):
    """Return the calls of `rewards_of`; a run's reward is that of the setting at one visit."""
    calls = []

    def rewards_of(name, schedule, rng, choices):
        calls.append((name, schedule, dict(choices)))
        task = TASKS[name]
        return rng.random() + np.arange(task.phases) + 1.0

    monkeypatch.setattr(experiments, "rewards_of", rewards_of)
    return calls


def bonus(schedule):
    """Return the bonus of Section 3 before the first visit."""
    return schedule[1][0]


@pytest.mark.parametrize(
    ("world", "how", "r_max"),
    [
        ("chain", "swapped", 10.0),
        ("loop", "swapped", 0.5),
        ("chain", "printed", 0.5),
        ("loop", "printed", 10.0),
        ("flag_maze", "swapped", 0.005),
        ("chain", "v-max", 0.5 * 0.01),
        ("river_swim", "swapped", 2000.0),
    ],
)
def test_the_printed_r_max_is_believed_in_as_the_choice_says(runs, world, how, r_max):
    wire(experiments.run_printed, {"world": world}, choices={"r-max": how}, methods=OIM)
    gamma = 0.95 if world == "river_swim" else 0.99
    assert bonus(runs[0][1]) == pytest.approx(r_max / (1 - gamma))


OIM = {"OIM": experiments.oim}


@pytest.mark.parametrize(
    ("world", "name", "value", "gamma"),
    [
        ("river_swim", "discount-arms", "0.99", 0.99),
        ("river_swim", "discount-phases", "0.95", 0.95),
        ("chain", "discount-phases", "0.95", 0.95),
        ("chain", "discount-arms", "0.99", 0.99),
    ],
)
def test_a_discount_is_that_of_its_own_tasks(runs, world, name, value, gamma):
    wire(experiments.run_printed, {"world": world}, choices={name: value}, methods=OIM)
    r_max = {"river_swim": 2000.0, "chain": 10.0}[world]
    assert bonus(runs[0][1]) == pytest.approx(r_max / (1 - gamma))


def test_phases_are_the_first_the_second_and_the_eighth_and_arms_count_in_millions(runs):
    wired = wire(experiments.run_printed, {"world": "chain"}, methods=OIM)
    draws = np.mean(wired.rng("runs").random(64))
    expected = {f"phase_{k}": draws + k for k in (1, 2, 8)}
    assert wired["OIM"] == pytest.approx(expected)
    wired = wire(experiments.run_printed, {"world": "river_swim"}, methods=OIM)
    draws = np.mean(wired.rng("runs").random(250))
    assert wired["OIM"] == pytest.approx({"total": (draws + 1) / 1e6})


def test_the_optimal_policy_is_walked_with_the_same_stream():
    wired = wire(experiments.run_printed, {"world": "chain"}, methods={"optimal": None})
    world, policy, _ = experiments.optimum("chain")
    rng = wired.rng("runs")
    phases = np.zeros(8)
    for _ in range(64):
        rewards = world.walk(policy, 8000, rng).rewards
        phases += [rewards[1000 * k : 1000 * (k + 1)].sum() / 64 for k in range(8)]
    expected = {f"phase_{k}": phases[k - 1] for k in (1, 2, 8)}
    assert wired["optimal"] == pytest.approx(expected)


def test_the_optimum_is_the_reward_a_step_of_the_best_policy_in_the_long_run():
    world, policy, best = experiments.optimum("chain")
    # Forward all the time; with a chance of 0.2 an action does what the other would.
    steps = 200_000
    rewards = world.walk(policy, steps, np.random.default_rng(2)).rewards
    assert best == pytest.approx(rewards.mean(), rel=0.03)


@pytest.fixture
def likes(monkeypatch):
    """Return a function that makes a setting's reward that of its distance from another."""

    def of(liked):
        def rewards_of(name, schedule, rng, choices):
            rng.random()
            task = TASKS[name]
            return np.full(task.phases, 100.0 - abs(schedule - liked))

        monkeypatch.setattr(experiments, "rewards_of", rewards_of)

    return of


@pytest.mark.parametrize("choices", [{}, {"grid": "half"}, {"tuning": "refined"}])
def test_the_best_of_six_settings_is_reported_in_percent_of_the_optimum(likes, choices):
    likes(4.4)
    methods = {"setting": lambda k, largest, gamma, counts: k}
    wired = wire(experiments.run_tuned, {"world": "chain"}, choices=choices, methods=methods)
    best = experiments.optimum("chain")[2]
    points = np.arange(6) - 0.5 * ("grid" in choices)
    tried = [*points, *({4 + 1 / 3, 4 - 1 / 3, 4.5, 4 + 1 / 6} if "tuning" in choices else ())]
    nearest = min(tried, key=lambda k: abs(k - 4.4))
    reward = 8 * (100 - abs(nearest - 4.4)) * 100 / (best * 8000)
    expected = {"total": reward} | {f"phase_{k}": reward for k in (1, 2, 8)}
    assert wired["setting"] == pytest.approx(expected)
    if "tuning" not in choices:
        kept = [8 * (100 - abs(k - 4.4)) * 100 / (best * 8000) for k in points]
        np.testing.assert_allclose(wired.kept["setting"], kept)


def test_settings_are_eight_or_three_times_apart_around_the_largest_reward():
    counts = np.arange(4.0)
    largest = 2.0
    gamma = 0.75
    made = {name: make(4, largest, gamma, counts) for name, make in AGENTS.items()}
    np.testing.assert_allclose(made["OIM"][1], 8.0 / (counts + 1))
    np.testing.assert_allclose(made["OIM"][0], counts / (counts + 1))
    np.testing.assert_allclose(made["MBIE-EB"][1], [8.0, 2, 2 / 2**0.5, 2 / 3**0.5])
    assert (made["epsilon-greedy"][2], made["epsilon-greedy"][3]) == (1 / 9, 0)
    assert (made["Q-learning"][2], made["Q-learning"][3]) == (1 / 9, 0.1)
    assert made["optimistic Q-learning"][1] == pytest.approx([8.0])
    assert made["optimistic Q-learning"][2:] == (0.0, 0.1)
    few = AGENTS["R-max"](1, largest, gamma, counts)  # heaven until three visits
    np.testing.assert_allclose(few[0], [0, 0, 0, 1])
    np.testing.assert_allclose(few[1], [8, 8, 8, 0])
    assert bonus(AGENTS["OIM"](5, largest, gamma, counts)) == pytest.approx(64.0)


def test_a_maze_is_left_when_the_greedy_policy_gets_the_largest_share(monkeypatch):
    shares = iter([0.5, 0.96, 0.97, 0.991, 0.9985])
    world = {}

    def maze(rng, size):
        world["maze"] = subgoal_maze(rng, size)
        return world["maze"]

    def share_of_the_most(mdp, policy):
        if policy.dtype != float:
            return evaluate_policy(mdp, policy)
        slow = MultiObjectiveMDP(*world["maze"].model(), SLOW)
        return policy * evaluate_policy(slow, policy_iteration(slow, [1.0])[0])

    monkeypatch.setattr(experiments, "subgoal_maze", maze)
    monkeypatch.setattr(experiments, "evaluate_policy", share_of_the_most)
    monkeypatch.setattr(experiments, "learnt", lambda *_: np.full(1, next(shares)))
    methods = {"R-max": lambda n, weight: experiments.r_max(1, 1000.0, DISCOUNT, n)}
    monkeypatch.setattr(experiments.OptimisticExplorer, "act", lambda self, uniforms: None)
    # A maze of 10 has four tests, of 25 ones twenty-five.
    wired = wire(experiments.run_maze, {"size": 25}, methods=methods)
    assert wired["R-max"] == {
        "steps_95": 2,
        "reached_95": 1,
        "steps_99": 4,
        "reached_99": 1,
        "steps_998": 5,
        "reached_998": 1,
    }
    shares = iter([0.5, 0.96, 0.97, 0.97])
    wired = wire(experiments.run_maze, {"size": 10}, methods=methods)
    assert wired["R-max"] == {
        "steps_95": 2,
        "reached_95": 1,
        "steps_99": 4,
        "reached_99": 0,
        "steps_998": 4,
        "reached_998": 0,
    }


def test_the_model_that_was_seen_has_the_shares_of_what_followed():
    world = subgoal_maze(np.random.default_rng(3), 10)
    counts = np.arange(20_001.0)
    schedule = experiments.r_max(1, 1000.0, DISCOUNT, counts)
    start = int(np.argmax(world.start))
    agent = experiments.OptimisticExplorer(
        world, schedule, DISCOUNT, state=start, limit=50, smallest=0.1
    )
    agent.act(np.random.default_rng(4).random((20_000, 3)))
    mdp = MultiObjectiveMDP(*world.model(), DISCOUNT)
    best = policy_iteration(mdp, [1.0])[0]
    ours = experiments.learnt(world, agent.mind, None)
    values = [evaluate_policy(mdp, policy)[start, 0] for policy in (ours, best)]
    assert values[0] == pytest.approx(values[1], rel=0.1)


def test_the_bound_is_that_of_the_theorem():
    largest = 2.0
    gamma = 0.5
    eps = 0.8
    delta = 0.1
    states = 3
    actions = 2
    horizon = np.log(largest / (0.2 * 0.5)) / 0.5
    K = (2 * 3**5 * 2 * horizon**4 / (0.1 * 0.2**4) * np.log(10)) ** (1 / 6)
    expected = 3 / (0.2 * 0.25) * 4 * np.log(K * 2)
    bound = experiments.bound(largest, gamma, eps, delta, states, actions)
    assert bound == pytest.approx(expected)


def test_the_violation_is_the_most_by_which_a_value_falls_short(monkeypatch):
    class Mind:
        q = np.full((2, 6), 0.25)

    class Still:
        def __init__(self, world, schedule, gamma):
            self.mind = Mind

        def act(self, uniforms):
            pass

    monkeypatch.setattr(experiments, "OptimisticExplorer", Still)
    wired = wire(experiments.run_optimism)
    rng = wired.rng("worlds")
    most = -np.inf
    for _ in range(100):
        P = rng.dirichlet(np.full(3, 0.5), size=6).reshape(3, 2, 3)
        R = rng.random((6, 3)).reshape(3, 2, 3)
        V = np.zeros(3)
        for _ in range(60):  # value iteration
            Q = np.sum(P * (R + 0.5 * V), axis=2)
            V = Q.max(axis=1)
        rng.random((50, 20, 3))
        most = max(most, Q.max() - 0.25 - 0.5)
    for method in ("OIM", "a tenth of the largest reward"):
        assert wired[method]["violation"] == pytest.approx(most, abs=1e-9)
        assert wired.n_test[method]["violation"] == 100
