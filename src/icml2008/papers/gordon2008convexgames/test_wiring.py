"""What trials record, of learners and joint play whose regrets and payoffs are known."""

import numpy as np
import pytest

from wiring import wire

from . import experiments as ours
from . import method
from .method import PRISM, SETS


class Told:
    """Has three regrets and their bounds; notes what it was made for and the losses it met."""

    def __init__(self, of, n, rounds):
        self.of = of
        self.n = n
        self.rounds = rounds
        self.t = 0
        self.met = []
        MADE.append(self)

    def act(self):
        self.t += 1
        self.action = np.tile(self.of.corners[0], (self.n, 1))
        return self.action

    def learn(self, losses):
        assert len(self.met) == self.t - 1
        self.met.append(losses)

    def regret(self):
        return np.array([2.0, -1.0, 5.0])

    def bound(self):
        return np.array([4.0, 1.0, 20.0])


MADE = []


@pytest.fixture(autouse=True)
def _none_was_made():
    MADE.clear()


def test_regret_is_a_mean_and_the_excess_the_worst_of_all_relative_to_their_bounds():
    cell = {"nature": "random", "rounds": 16, "set": "finite-element"}
    seen = wire(ours.run_theorem_1, cell, methods={"algorithm": Told})
    assert seen["algorithm"] == {
        "regret": 2.0,
        "log_regret": pytest.approx(np.log(2), abs=1e-6),
        "excess": -0.5,
    }
    assert seen.n_test["algorithm"]["excess"] == 3
    (learner,) = MADE
    assert learner.of is SETS["finite-element"]
    assert (learner.n, learner.rounds, len(learner.met)) == (17, 16, 16)
    rng = seen.rng("losses")
    for losses in learner.met:
        drawn = rng.normal(size=losses.shape)
        assert losses == pytest.approx(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


@pytest.mark.parametrize(("maps", "width"), [("linear", 3), ("affine", 4)])
def test_maps_of_the_cube_have_a_constant_term_if_so_chosen(maps, width):
    cell = {"nature": "random", "rounds": 16, "set": "linear-cube"}
    wire(ours.run_theorem_1, cell, methods={"algorithm": Told}, choices={"linear-maps": maps})
    assert MADE[0].of.start.shape == (3, width)


@pytest.mark.parametrize("nature", ["residual", "hindsight"])
def test_losses_point_from_what_transformations_make_of_the_action_to_the_action(nature):
    of = SETS["linear-simplex"]
    learner = method.PhiRegretMinimiser(of, 4, 9)
    rng = np.random.default_rng(0)
    learner.act()
    first = ours.oppose(learner, nature, np.random.default_rng(1))
    drawn = np.random.default_rng(1).normal(size=(4, 3))
    assert first == pytest.approx(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    learner.learn(first)
    learner.act()
    losses = ours.oppose(learner, nature, rng)
    phi = learner.phi if nature == "residual" else learner.rival()
    for row in range(4):
        apart = learner.action[row] - phi[row] @ learner.action[row]
        assert losses[row] == pytest.approx(apart / np.linalg.norm(apart))


def test_choices_are_those_of_the_minimiser():
    of = SETS["external"]
    plain = {"learner": "giga", "accuracy": "root", "step": "plain"}

    def made(**choices):
        built = ours.minimiser(plain | choices, of, 5, 7)
        return built.learner, built.power, built.size, built.rounds, len(built.theta)

    assert made() == ("giga", 0.5, 1.0, 7, 5)
    assert made(learner="lazy") == ("lazy", 0.5, 1.0, 7, 5)
    assert made(accuracy="inverse") == ("giga", 1.0, 1.0, 7, 5)
    step = of.diameter / (np.sqrt(2) * of.steepness)
    assert made(step="tuned") == ("giga", 0.5, pytest.approx(step), 7, 5)


@pytest.mark.parametrize("experts", [2, 4])
def test_the_difference_is_the_largest_from_plays_of_the_plain_loop(experts):
    seen = wire(ours.run_simplex, {"experts": experts}, methods={"algorithm": Told})
    losses = seen.rng("losses").uniform(size=(16, 25, experts))
    np.testing.assert_array_equal(MADE[0].met, losses)
    rounds = np.arange(1, 17)
    largest = 0.0
    for at in range(25):
        for play in ours.blum_mansour(losses[:, at], (2 * rounds) ** -0.5):
            largest = max(largest, *np.abs(play - np.eye(experts)[0]))
    assert seen["algorithm"]["difference"] == pytest.approx(largest)
    assert seen.n_test["algorithm"]["difference"] == 25


@pytest.mark.parametrize("maps", ["linear", "affine"])
def test_the_surplus_is_the_most_by_which_a_regret_exceeds_the_next_stronger_one(monkeypatch, maps):
    met = []

    def regrets(region, actions, losses, affine):
        met.append((region, actions, losses, affine))
        return {"weak": 3.0 + (len(met) == 7), "middle": 3.5, "strong": 9.0}

    monkeypatch.setattr(ours, "regrets", regrets)
    cell = {"region": "prism"}
    seen = wire(ours.run_chain, cell, choices={"linear-maps": maps})
    assert seen["regrets"]["surplus"] == 0.5
    assert seen.n_test["regrets"]["surplus"] == len(met) == 50
    rng = seen.rng("histories")
    for region, actions, losses, affine in met:
        inner = rng.dirichlet(np.ones(len(PRISM)), size=3) @ PRISM
        pool = [*PRISM, *inner]
        expected = [pool[i] for i in rng.integers(len(PRISM) + 3, size=12)]
        np.testing.assert_allclose(actions, expected)
        np.testing.assert_array_equal(losses, rng.normal(size=(12, 6)))
        assert (region, affine) == ("prism", maps == "affine")


@pytest.mark.parametrize("times", [1, 100])
def test_a_separation_has_a_regret_a_round_beside_the_next_weaker_one(monkeypatch, times):
    lengths = []

    def regrets(region, actions, losses):
        assert region == "prism"
        assert len(actions) == len(losses)
        lengths.append(len(actions))
        return {name: 10.0**i for i, name in enumerate(ours.LADDER)}

    monkeypatch.setattr(ours, "regrets", regrets)
    seen = wire(ours.run_distinct, {"times": times})
    assert lengths == [2 * times, 2 * times, 4 * times, 2 * times]
    for i, (name, length) in enumerate(zip(ours.LADDER[1:], lengths, strict=True)):
        assert seen[name] == pytest.approx({"weaker": 10**i, "stronger": 10 ** (i + 1) / length})


@pytest.mark.parametrize(
    ("name", "stronger"),
    [("extensive-form", 0.5), ("linear", 0.5), ("finite-element", 0.25), ("swap", 0.25)],
)
def test_rounds_made_for_a_regret_have_it_and_not_the_weaker_one(name, stronger):
    seen = wire(ours.run_distinct, {"times": 1})
    assert seen[name]["weaker"] == pytest.approx(0, abs=1e-9)
    assert seen[name]["stronger"] == pytest.approx(stronger)


@pytest.mark.parametrize(("dimension", "corners"), [(2, 4**2), (3, 6**3)])
def test_examples_are_as_printed_and_rows_of_a_cubes_maps_are_corners_of_a_cross(
    dimension, corners
):
    seen = wire(ours.run_examples, {"dimension": dimension})
    assert seen["cube"] == {"corners": corners}
    for name in ours.EXAMPLES:
        assert seen[name]["error"] == pytest.approx(0, abs=1e-9)


def test_examples_that_are_off_are_off_by_their_largest_entry(monkeypatch):
    monkeypatch.setattr(ours, "figure_3", lambda *x: np.eye(4) / 4 + sum(x) * np.eye(4) / 4)
    monkeypatch.setattr(ours, "figure_3_apart", lambda: 0.3)
    monkeypatch.setattr(ours, "matrices_apart", lambda: 0.7)
    seen = wire(ours.run_examples, {"dimension": 2})
    # Half of what is there stays where it is: (1/2, 0, 0, 0) instead of (0, 1, 1, 0), and back.
    assert seen["forth"]["error"] == 1
    assert seen["back"]["error"] == 1
    assert seen["figure-3"]["error"] == 0.3
    assert seen["matrices"]["error"] == 0.7


@pytest.mark.parametrize("set_", ["external", "linear-simplex"])
@pytest.mark.parametrize("play", ["corners", "interior"])
def test_incentives_are_counted_on_joint_play_and_averaged_over_games(monkeypatch, set_, play):
    rng = np.random.default_rng(5)
    joint = rng.dirichlet(np.ones(9), size=8).reshape(8, 3, 3)
    drawn = []

    def played(learners, corners, weights, payoffs, rounds, rng):
        assert rounds == 32
        assert learners[0] is not learners[1]
        drawn.append((None if rng is None else rng.random(), payoffs))
        return joint

    monkeypatch.setattr(ours, "play", played)
    far = iter(range(1, 100))
    monkeypatch.setattr(ours, "distance", lambda played, gain: next(far))
    cell = {"set": set_, "play": play, "rounds": 32, "game": "random"}
    methods = {"algorithm": Told, "external": Told}
    seen = wire(ours.run_equilibria, cell, methods=methods)
    payoffs, values = ours.games(
        seen.rng("games", across=("play", "rounds")), "random", np.eye(3), 8
    )
    most = []
    for p, first, second in zip(joint, *(values[:, k] for k in (0, 1)), strict=True):
        gained = []
        for own, at in ((first, p), (second.T, p.T)):
            by_swap = [[at[i] @ (own[j] - own[i]) for j in range(3)] for i in range(3)]
            if set_ == "external":
                gained.append(max(np.sum(by_swap, axis=0)))
            else:
                gained.append(sum(map(max, by_swap)))
        most.append(max(*gained, 0))
    for name, distance in (("algorithm", np.mean(range(1, 9))), ("external", 12.5)):
        assert seen[name]["incentive"] == pytest.approx(np.mean(most), abs=1e-6)
        assert seen[name]["log_incentive"] == pytest.approx(np.log(np.mean(most)), abs=1e-6)
        assert seen[name]["distance"] == distance
        assert seen[name]["log_distance"] == pytest.approx(np.log(distance), abs=1e-6)
    assert [(made.n, made.rounds) for made in MADE] == [(8, 32)] * 4
    assert MADE[0].of is MADE[1].of is SETS[set_]
    assert MADE[2].of is not SETS[set_]
    # External regret compares with actions that do not depend on what was played.
    assert np.array_equal(MADE[2].of.kernel(np.eye(3)), np.ones((3, 1)))
    for corner, games in drawn:
        np.testing.assert_array_equal(games, payoffs)
        assert corner == (seen.rng("corners").random() if play == "corners" else None)


def test_learners_lose_what_the_other_one_makes_them_gain():
    """Matching pennies on a simplex of two, of players who stay where they are."""

    class Still:
        def __init__(self, action):
            self.action = np.array([action])
            self.met = []

        def act(self):
            return self.action

        def learn(self, losses):
            self.met.append(losses[0])

    payoffs = np.zeros((2, 1, 3, 3))
    payoffs[0, 0, :2, :2] = [[1, 2], [3, 4]]
    payoffs[1, 0, :2, :2] = [[5, 6], [7, 8]]
    first = Still([1.0, 0.0])
    second = Still([0.25, 0.75])
    joint = ours.play([first, second], np.eye(2), lambda a: a, payoffs, 2, None)
    np.testing.assert_allclose(joint, [[[0.25, 0.75], [0, 0]]])
    np.testing.assert_allclose(first.met, [[-1.75, -3.75]] * 2)
    np.testing.assert_allclose(second.met, [[-5, -6]] * 2)
    rng = np.random.default_rng(0)
    drawn = ours.play([first, second], np.eye(2), lambda a: a, payoffs, 400, rng)
    np.testing.assert_allclose(drawn, joint, atol=0.1)


def test_cyclic_games_are_shapleys_but_for_a_twentieth():
    _, values = ours.games(np.random.default_rng(0), "cyclic", np.eye(3), 5)
    first = [[1, 0, 0.5], [0.5, 1, 0], [0, 0.5, 1]]
    second = [[-0.5, 1, 0], [0, -0.5, 1], [1, 0, -0.5]]
    for player, shown in enumerate((first, second)):
        for game in range(5):
            scale = np.sum(values[game, player] * shown) / np.sum(np.square(shown))
            np.testing.assert_allclose(values[game, player] / scale, shown, atol=0.2)
    zero_sum, _ = ours.games(np.random.default_rng(0), "random", np.eye(3), 5)
    ratio = zero_sum[1] / zero_sum[0]
    assert [ratio[game].std() < 1e-9 for game in range(5)] == [True, False, True, False, True]
    assert np.all(ratio[::2] < 0)
