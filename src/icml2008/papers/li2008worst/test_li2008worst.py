"""What the losses, bounds and chains must agree with."""

import numpy as np
import pytest

from icml2008.catalogue import library
from icml2008.harness.trial import Trial, run_trial

from . import experiments as ours
from .experiments import RULES, STEPS, learn, returns, ring


@np.errstate(over="ignore")  # of step sizes that diverge
def test_losses_of_ring_are_those_of_a_plain_loop_over_the_text():
    """Sections 2.1, 2.3 and 4: returns, the three updates, losses a step at the best step sizes."""
    gamma = 0.9
    eta = STEPS["to-1"]
    length = 500
    choices = library.trial_choices("li2008worst", "figure-1", "default")
    cell = {"domain": "ring", "gamma": gamma}
    trial = Trial("li2008worst", ours.run_figure_1, cell, 0, choices=choices, load=None)
    rng = trial.rng("runs", across=("gamma",))
    totals = dict.fromkeys(RULES, 0.0)
    for _ in range(20):
        given, _, r, _ = ring(rng, "positive")
        x = [given[t % 10] for t in range(length)] + [np.zeros(5)]
        y = [gamma ** np.arange(length - t) @ r[t:] for t in range(length)]
        for name in RULES:
            w = np.ones((len(eta), 5))
            e2 = 0.0
            d2 = 0.0
            for t in range(length):
                guess = w @ x[t]
                d = r[t] + gamma * (w @ x[t + 1]) - guess
                e2 = e2 + (y[t] - guess) ** 2
                d2 = d2 + d**2
                towards = x[t] - gamma * x[t + 1] if name == "RG" else x[t]
                adapted = 1 - gamma * eta * (x[t] @ x[t + 1]) if name == "TD*(0)" else 1
                w = w + (eta * d / adapted)[:, None] * towards
            totals[name] += np.array([e2, d2]) / length / 20
    for line in run_trial(trial):
        if line["method"] in RULES and line["metric"] != "steps":
            loss = totals[line["method"]][["prediction", "consistency"].index(line["metric"])]
            assert line["value"] == pytest.approx(loss.min(), rel=1e-5)


def test_returns_end_with_the_episode():
    rewards = np.ones(5)
    lasts = np.array([False, False, True, False, True])
    assert returns(rewards, lasts, 0.5) == pytest.approx([1.75, 1.5, 1, 1.5, 1])


@pytest.mark.parametrize(
    ("name", "loss", "limit", "step", "plain"),
    [  # Equations 4, 8, 12, 13, Theorems 3.1, 3.3 for gamma = 0.5, X = 2, E = 9 and W = 5; Z = 3
        ("TD*(0)", "prediction", 169 / 0.75, 5 / (2 * 3 + 4 * 5), (5 * 34 / 0.75, 1 / 5)),
        ("TD*(0)", "consistency", 4 * 256, 1 / (1.5 * (4 + 12 / 5)), (32 * 34, 1 / 12)),
        ("RG", "prediction", 16 * 169, 1 / (2.25 * (4 + 6 / 5)), (16 * 5 * 34, 1 / (2.25 * 5))),
        ("RG", "consistency", 9 + 90 + 225, 5 / (3 * (15 + 3)), (2.25 * (9 + 225), 2 / 27)),
    ],
)
def test_bounds_and_step_sizes_are_the_printed_ones(name, loss, limit, step, plain):
    (factor, g, y, c), (f, v, eta) = ours.bound(name, loss, 0.5, 2.0)
    assert factor * (g * 3 + y * 5) ** 2 == pytest.approx(limit)
    assert 5 / (c * y * (y * 5 + g * 3)) == pytest.approx(step)
    assert (f * (9 + v * 25), eta) == pytest.approx(plain)


def test_the_adversary_makes_larger_temporal_differences_than_chance():
    squares = {"random": 0.0, "adversary": 0.0}
    for nature in squares:
        rng = np.random.default_rng(0)
        steps = np.full(50, 0.2)
        for x, after, pay in ours.sequences(rng, nature, RULES["RG"], 0.9, steps, np.ones(50)):
            assert np.linalg.norm(x, axis=1).max() <= 1 + 1e-12
            squares[nature] += np.sum(
                learn(RULES["RG"], x, after, pay, 0.9, steps[:1], 0.0)[1] ** 2
            )
    assert squares["adversary"] > 1.5 * squares["random"]


def test_a_step_size_is_best_for_all_runs_by_each_loss_or_by_one():
    losses = np.array([[[1.0, 2.0], [4.0, 1.0]], [[5.0, 3.0], [0.0, np.inf]]])
    assert ours.best(losses, "each") == pytest.approx([2.5, 2.0])
    assert ours.best(losses, "consistency") == pytest.approx([3.0, 2.0])


def test_the_puddles_cost_at_most_40_and_episodes_begin_in_the_corner():
    places = np.random.default_rng(0).uniform(size=(20000, 2))
    known = np.array([[0.3, 0.75], [0.45, 0.6], [0.9, 0.1]])
    assert ours.penalty(known) == pytest.approx([40, 40, 0])
    assert ours.penalty(places).max() <= 40
    for places, after, lasts in ours.walks(np.random.default_rng(0), 3, episodes=4):
        assert lasts.sum() == 4
        assert np.array_equal(places[1:][~lasts[:-1]], after[:-1][~lasts[:-1]])
        assert places[1:][lasts[:-1]].max() <= 0.2


@pytest.mark.parametrize(("law", "order"), [("unit-length", 2), ("unit-sum", 1)])
def test_features_of_one_norm_have_it_in_each_state_and_point_as_the_plain_ones(law, order):
    drawn, plain = (ring(np.random.default_rng(3), name)[0][:10] for name in (law, "positive"))
    np.testing.assert_allclose(np.linalg.norm(drawn, ord=order, axis=1), 1)
    cosines = np.sum(drawn * plain, axis=1) / np.prod(
        [np.linalg.norm(rows, axis=1) for rows in (drawn, plain)], axis=0
    )
    np.testing.assert_allclose(cosines, 1)
