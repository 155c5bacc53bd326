"""What the algorithm, its sets of transformations and the equilibria must agree with."""

import numpy as np
import pytest
from scipy.optimize import linprog

from . import experiments as ours
from .method import PRISM, SETS, TREE, PhiRegretMinimiser


@pytest.mark.parametrize("name", SETS)
def test_projections_and_best_transformations_are_nearest_and_least(name):
    of = SETS[name]
    rng = np.random.default_rng(0)
    x, gradient = rng.normal(size=(2, 20, *of.start.shape))
    near = of.project(x)
    best = of.best(gradient)
    rivals = of.project(3 * rng.normal(size=(500, *of.start.shape)))
    axes = tuple(range(1, x.ndim))
    for at in range(20):
        # No point of the set is on the far side of the projection, none is less than the best.
        assert np.sum((rivals - near[at]) * (x[at] - near[at]), axis=axes).max() <= 1e-9
        assert np.sum(gradient[at] * (rivals - best[at]), axis=axes).min() >= -1e-9
    assert np.allclose(of.project(best), best)
    assert np.linalg.norm((rivals - best[0]).reshape(500, -1), axis=1).max() <= of.diameter + 1e-9


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("power", [0.5, 6.0])
def test_actions_are_fixed_points_within_the_accuracy_and_gradients_within_their_bound(name, power):
    of = SETS[name]
    rng = np.random.default_rng(1)
    learner = PhiRegretMinimiser(of, 200, 9, power=power)
    learner.t = 8
    accuracy = 9.0**-power
    learner.theta = of.project(3 * rng.normal(size=(200, *of.start.shape)))
    action = learner.act()
    moved = np.einsum("ndp,np->nd", learner.phi, of.kernel(action))
    apart = np.linalg.norm(moved - action, axis=1)
    assert apart.max() <= accuracy + 1e-9
    if power == 0.5:
        assert apart.max() > 0.1  # the accuracy is made use of
    losses = rng.normal(size=action.shape)
    losses /= np.linalg.norm(losses, axis=1, keepdims=True)
    derived = of.pull(losses[:, :, None] * of.kernel(action)[:, None, :])
    assert np.linalg.norm(derived.reshape(200, -1), axis=1).max() <= of.steepness + 1e-7


def regret_against(learner, nature, rounds):
    rng = np.random.default_rng(2)
    for _ in range(rounds):
        learner.act()
        learner.learn(ours.oppose(learner, nature, rng))
    return learner.regret()


@pytest.mark.parametrize("name", ["linear-simplex", "finite-element"])
def test_an_accuracy_that_does_not_rise_breaks_the_bound(name):
    sound, mutant = (PhiRegretMinimiser(SETS[name], 5, 200, power=power) for power in (0.5, 0))
    assert np.all(regret_against(sound, "residual", 200) < sound.bound())
    assert np.all(regret_against(mutant, "residual", 200) > mutant.bound())


def test_regret_is_that_of_a_plain_loop():
    """Figure 1 on three experts: matrices column by column, and swap regret by counting."""
    learner = PhiRegretMinimiser(SETS["linear-simplex"], 1, 40)
    rng = np.random.default_rng(3)
    losses = rng.uniform(size=(40, 3))
    for loss in losses:
        learner.act()
        learner.learn(loss[None])
    plays = ours.blum_mansour(losses, 1 / np.sqrt(2 * np.arange(1, 41)))
    swaps = [plays[:, a] @ (losses[:, a] - losses[:, b]) for a in range(3) for b in range(3)]
    assert learner.regret()[0] == pytest.approx(np.reshape(swaps, (3, 3)).max(axis=1).sum())


def test_linear_regret_is_that_of_a_program_over_matrices():
    """Matrices that take each corner of the prism to a point of its inequalities."""
    rng = np.random.default_rng(4)
    d = 6
    actions = rng.dirichlet(np.ones(6), size=8) @ PRISM
    losses = rng.normal(size=(8, d))
    sums = np.array([[1, 1, 0, 0, 0, 0], [0, -1, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1.0]])
    equal = np.concatenate([np.kron(sums, v) for v in PRISM])
    above = -np.concatenate([np.kron(np.eye(d), v) for v in PRISM])
    cost = (losses.T @ actions).ravel()
    free = (None, None)
    ends = np.tile([1.0, 0, 1], 6)
    least = linprog(cost, above, np.zeros(36), equal, ends, bounds=free).fun
    regret_of = ours.regrets("prism", actions, losses)
    assert regret_of["linear"] == pytest.approx(np.sum(actions * losses) - least)
    assert regret_of["linear"] > regret_of["extensive-form"] + 1e-3


def test_neighbouring_regrets_differ_so_that_the_wrong_order_would_show():
    rng = np.random.default_rng(5)
    regret_of = ours.regrets("prism", PRISM, rng.normal(size=(6, 6)))
    values = list(regret_of.values())
    assert list(regret_of) == ours.LADDER
    assert np.all(np.diff(values) >= -1e-9)
    assert values[3] > values[2] + 1e-3
    history = ours.SEPARATIONS["linear"]
    actions = np.array([plans for plans, _, _ in history]) @ TREE
    tree = ours.regrets("tree", actions, np.array([loss for *_, loss in history], dtype=float))
    assert (tree["extensive-form"], tree["linear"]) == pytest.approx((0, 1))


def test_incentive_and_distance_of_chicken():
    """Aumann's game: thirds of all but (dare, dare) are an equilibrium; to be mild is none."""
    first = np.array([[0.0, 7], [2, 6]])
    maps = ours.corner_maps("linear-simplex", np.eye(2), None)
    gain = ours.gains(maps, (first, first.T))
    correlated = np.array([[0, 1], [1, 1]]) / 3
    mild = np.array([[0.0, 0], [0, 1]])
    assert ours.incentive(correlated, gain, swaps=True) == pytest.approx(0)
    assert ours.distance(correlated, gain) == pytest.approx(0)
    assert ours.incentive(mild, gain, swaps=True) == pytest.approx(1)
    # Half may be on (chicken, chicken), for twice what is on either of its neighbours may.
    assert ours.distance(mild, gain) == pytest.approx(1 / 2)


def test_play_that_does_not_learn_stays_away_from_equilibria():
    corners = np.eye(3)
    payoffs, values = ours.games(np.random.default_rng(6), "random", corners, 8)
    gain = [ours.gains(ours.corner_maps("linear-simplex", corners, None), v) for v in values]
    mean_distance = {}
    for rounds in (8, 128):
        learners = [PhiRegretMinimiser(SETS["linear-simplex"], 8, rounds) for _ in range(2)]
        joint = ours.play(learners, corners, lambda a: a, payoffs, rounds, None)
        mean_distance[rounds] = np.mean(
            [ours.distance(*pair) for pair in zip(joint, gain, strict=True)]
        )
    still = np.mean([ours.distance(np.full((3, 3), 1 / 9), gains) for gains in gain])
    assert mean_distance[128] < mean_distance[8] / 2 < still / 2
