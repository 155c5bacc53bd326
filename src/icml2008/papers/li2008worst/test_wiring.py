"""What the trials on bounds record, by plain loops over the text's equations."""

import numpy as np
import pytest

from wiring import wire

from . import experiments as ours
from .experiments import RULES


def by_loops(rng, nature, rule, gamma, steps, sizes, length=100, k=3):
    """Return what `sequences` does, a sequence and a step at a time."""
    adaptive, residual = rule
    n = len(sizes)
    drawn = rng.normal(size=(8, length + 1, n, k))
    share = rng.uniform(size=(8, length + 1, n))
    for at in np.ndindex(8, length + 1, n):
        drawn[at] *= sizes[at[2]] * share[at] ** (1 / 3) / np.sqrt(np.sum(drawn[at] ** 2))
    pay = rng.uniform(-1, 1, size=(length, n))
    for i in range(n):
        x = [drawn[0, t % 10 if nature == "ring" else t, i] for t in range(length)]
        x.append(np.zeros(k))
        r = list(pay[:, i])
        w = np.zeros(k)
        for t in range(length if nature == "adversary" else 0):
            options = [drawn[j, t + 1, i] if t + 1 < length else np.zeros(k) for j in range(8)]
            x[t + 1] = max(options, key=lambda new: abs(gamma * w @ new - w @ x[t]))
            ahead = gamma * w @ x[t + 1] - w @ x[t]
            r[t] = -1.0 if ahead < 0 else 1.0
            adapted = 1 - adaptive * gamma * steps[i] * (x[t] @ x[t + 1])
            w = w + steps[i] * (ahead + r[t]) / adapted * (x[t] - residual * gamma * x[t + 1])
        yield np.array(x[:-1]), np.array(x[1:]), np.array(r)


@pytest.mark.parametrize("nature", ours.NATURES)
@pytest.mark.parametrize("name", ["TD*(0)", "RG"])
def test_sequences_are_those_of_a_loop(nature, name):
    given = nature, RULES[name], 0.9, np.full(2, 0.1), np.array([0.5, 2.0])
    drawn = ours.sequences(np.random.default_rng(1), *given)
    expected = by_loops(np.random.default_rng(1), *given)
    for left, right in zip(drawn, expected, strict=True):
        for a, b in zip(left, right, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize("loss", ours.LOSSES)
@pytest.mark.parametrize("form", ["plain", "tuned"])
def test_the_violation_is_the_largest_loss_over_its_bound_less_one(monkeypatch, loss, form):
    gamma = 0.9
    monkeypatch.setattr(ours, "SEQUENCES", 4)
    cell = {"nature": "random", "loss": loss, "form": form, "gamma": gamma}
    seen = wire(ours.run_bounds, cell)
    for name in ("TD*(0)", "RG"):
        rng = seen.rng("sequence")
        sizes = np.exp(rng.uniform(-np.log(4), np.log(4), size=4))
        steps = [ours.bound(name, loss, gamma, size)[1][2] for size in sizes]
        most = []
        cases = by_loops(rng, "random", RULES[name], gamma, steps, sizes)
        for size, (x, after, r) in zip(sizes, cases, strict=True):
            (F, g, Y, c), (f, v, step) = ours.bound(name, loss, gamma, size)
            y = np.array([gamma ** np.arange(len(r) - t) @ r[t:] for t in range(len(r))])
            A, b = (x, y) if loss == "prediction" else (x - gamma * after, r)
            for weight in [v, *(Y**2 * 4.0**p for p in range(-3, 4))]:
                u = np.linalg.lstsq(
                    np.vstack([A, np.sqrt(weight) * np.eye(3)]), np.append(b, np.zeros(3))
                )[0]
                E = np.sum((b - A @ u) ** 2)
                W = np.linalg.norm(u)
                if form == "plain":
                    limit = f * (E + v * W**2)
                    eta = step
                else:
                    limit = F * (g * np.sqrt(E) + Y * W) ** 2
                    eta = W / (c * Y * (Y * W + g * np.sqrt(E)))
                guesses, differences = ours.learn(
                    RULES[name], x, after, r, gamma, np.array([eta]), 0.0
                )
                errors = y[:, None] - guesses if loss == "prediction" else differences
                most.append(np.sum(errors**2) / limit)
        assert seen[name]["violation"] == pytest.approx(max(most) - 1, rel=1e-6)
        assert seen.n_test[name]["violation"] == 4


@np.errstate(over="ignore")
def test_each_rule_is_taught_by_the_steps_that_are_chosen_and_no_learning_by_none():
    seen = wire(ours.run_figure_1, {"domain": "ring"}, choices={"step-grid": "to-half"})
    assert seen["no learning"]["steps"] == 500
    rng = seen.rng("runs", across=("gamma",))
    none = []
    fixed = []
    for _ in range(20):
        x, after, r, _ = ours.ring(rng, "positive")
        y = np.array([0.9 ** np.arange(500 - t) @ r[t:] for t in range(500)])
        d = r + 0.9 * after.sum(axis=1) - x.sum(axis=1)
        none.append((np.mean((y - x.sum(axis=1)) ** 2), np.mean(d**2)))
        for A, b in ((x, y), (x - 0.9 * after, r)):
            fixed.append(np.mean((b - A @ np.linalg.pinv(A) @ b) ** 2))
    for name, values in (("no learning", none), ("best fixed", np.reshape(fixed, (20, 2)))):
        expected = dict(zip(ours.LOSSES, np.mean(values, axis=0), strict=True))
        recorded = {metric: seen[name][metric] for metric in ours.LOSSES}
        assert recorded == pytest.approx(expected, rel=1e-5)
    other = wire(ours.run_figure_1, {"domain": "ring"})
    assert other["no learning"] == seen["no learning"]
    assert other["TD(0)"] != seen["TD(0)"]


def test_choices_of_the_chains_change_their_features_alone():
    place = np.array([0.2, 0.6])
    distance = (0.2 - np.linspace(0, 1, 4)[1]) ** 2 + (0.6 - np.linspace(0, 1, 4)[2]) ** 2
    for how, wide in (("density", 2), ("other", 1)):
        features = ours.puddle_features(place, False, how)
        assert features.shape == (16,)
        assert features[4 + 2] == pytest.approx(np.exp(-distance / (wide * 0.09)))
    polynomial = ours.puddle_features(place, True, "density")
    np.testing.assert_allclose(polynomial, [1, 0.2, 0.6, 0.12, 0.04, 0.36])
    for law, least in (("symmetric", -1), ("positive", 0)):
        x, after, r, lasts = ours.ring(np.random.default_rng(0), law)
        assert x.min() < least + 0.1
        assert x.min() >= least
        assert np.abs(r).max() <= 0.1
        assert not lasts.any()
        np.testing.assert_array_equal(x[1:], after[:-1])
