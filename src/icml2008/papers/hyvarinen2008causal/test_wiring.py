"""What the trials record, from their own draws."""

import numpy as np
import pytest

from wiring import values_of, wire

from . import experiments
from .experiments import PRINTED, SERIES, SETS, VARLiNGAM, disturbances, drawn, series

KEY = "hyvarinen2008causal"


@pytest.mark.parametrize("density", experiments.DENSITIES)
def test_errors_are_mean_distances_from_the_true_matrices(monkeypatch, density):
    monkeypatch.setitem(SETS, 300, 5)
    seen = wire(experiments.run_figure_1, {"density": density, "length": 300})
    noise = seen.rng("disturbances")
    errors = {name: [] for name in experiments.METHODS}
    dots = []
    off = ~np.eye(SERIES, dtype=bool)
    for at, (B0, M, q, sd, seed, order) in enumerate(drawn(seen.trial, 5)):
        X = series(B0, [M], disturbances(noise, q, 300) * sd)
        model = VARLiNGAM(
            1, effects="ica", fun="logcosh", algorithm="parallel", random_state=seed
        ).fit(X)
        B1 = M - B0 @ M
        M_hat = model.autoregression_[0]
        known = experiments.regressed(model.residuals_, order)
        zero = np.zeros_like(B0)
        effects_of = {
            "VAR-LiNGAM": model.effects_,
            "VAR": (zero, M_hat),
            "exact M1": (zero, M),
            "true order": (known, M_hat - known @ M_hat),
        }
        dots.append(np.array([B0, model.effects_[0], B1, model.effects_[1], M_hat]))
        if at < 4:
            X = series(B0, [M], disturbances(noise, np.ones(SERIES), 300) * sd)
            lost = VARLiNGAM(
                1,
                effects="ica",
                fun="logcosh",
                algorithm="parallel",
                random_state=seed,
                max_iter=100,
            )
            effects_of["Gaussian"] = lost.fit(X).effects_
        for name, (b0, b1) in effects_of.items():
            apart = np.abs(b0 - B0)[off]
            far = 100 * np.sum(apart > experiments.FAR) / off.sum()
            errors[name].append((apart.sum() / off.sum(), np.abs(b1 - B1).mean(), far))
    for name, rows in errors.items():
        assert len(rows) == (4 if name == "Gaussian" else 5)
        b0, b1, far = np.mean(rows, axis=0)
        expected = {"b0": b0, "b1": b1, "far": far}
        assert seen[name] == pytest.approx(expected, abs=6e-5)
    if density == "full":
        flat = np.concatenate([each.reshape(5, -1) for each in dots], axis=1)
        np.testing.assert_allclose(seen.kept["dots"], flat, atol=6e-3)
    else:
        assert not seen.kept


def test_series_follow_their_equation_and_disturbances_are_of_unit_variance():
    rng = np.random.default_rng(0)
    B0 = np.tril(rng.normal(size=(3, 3)), -1)
    M = rng.normal(size=(2, 3, 3)) / 4
    e = rng.normal(size=(6, 3))
    x = series(B0, M, e)
    for t in range(6):
        past = sum((M[k] @ x[t - 1 - k] for k in range(2) if t - 1 - k >= 0), np.zeros(3))
        np.testing.assert_allclose((np.eye(3) - B0) @ (x[t] - past), e[t], atol=1e-12)
    q = np.array([0.5, 1.0, 2.0])
    e = disturbances(np.random.default_rng(1), q, 500)
    z = np.random.default_rng(1).normal(size=(500, 3))
    np.testing.assert_allclose([e.mean(axis=0), e.std(axis=0)], [[0] * 3, [1] * 3], atol=1e-12)
    for column in range(3):
        power = np.sign(z[:, column]) * np.abs(z[:, column]) ** q[column]
        assert np.corrcoef(power, e[:, column])[0, 1] == pytest.approx(1)


def test_each_choice_of_the_models_changes_its_own_part():
    rng = np.random.default_rng
    for law, low, high in (("union", 0.5, 2.0), ("coin", 0.5, 2.0)):
        q = experiments.exponents(rng(0), law, 4000)
        assert q.min() >= low
        assert q.max() <= high
        assert not ((q > 0.8) & (q < 1.2)).any()
        share = np.mean(q <= 0.8)
        assert share == pytest.approx(3 / 11 if law == "union" else 0.5, abs=0.04)
    sizes = [np.linalg.norm(experiments.lagged(rng(i), "uniform"), 2) for i in range(200)]
    assert 0.4 < np.mean(sizes) < 0.6
    assert max(sizes) < 0.99
    assert np.linalg.norm(experiments.lagged(rng(0), "just-below"), 2) == pytest.approx(0.98)
    M = experiments.lagged(rng(0), "radius")
    assert np.abs(np.linalg.eigvals(M)).max() == pytest.approx(
        np.linalg.norm(experiments.lagged(rng(0), "uniform"), 2)
    )


@pytest.mark.parametrize("sparse", ["up-to-5", "two", "coin"])
@pytest.mark.parametrize("roots", ["alike", "inflated"])
def test_networks_are_scaled_as_step_1_says(sparse, roots):
    choices = {"sparse": sparse, "roots": roots}
    for seed in range(40):
        B, sd = experiments.network(np.random.default_rng(seed), "sparse", choices, 9)
        assert not np.triu(B).any()
        parents = np.count_nonzero(B, axis=1)
        if sparse == "two":
            assert parents.tolist() == [0, 1, *[2] * 7]
        if sparse == "up-to-5":
            most = parents.max()
            assert parents.tolist() == [min(i, most) for i in range(9)]
            assert most <= 5
        total = np.linalg.inv(np.eye(9) - B) @ np.diag(sd)
        cov = total @ total.T
        owing = np.sqrt(np.einsum("ij,jk,ik->i", B, cov, B))
        assert (owing[parents > 0] > 0.5 - 1e-9).all()
        assert (owing <= 1.5 + 1e-9).all()
        assert (sd[parents > 0] <= 1.5).all()
        assert sd[0] >= (np.hypot(0.5, 0.5) if roots == "inflated" else 0.5)
    full = experiments.network(np.random.default_rng(0), "full", choices, 5)[0]
    assert np.count_nonzero(full) == 10


def test_the_estimator_is_that_of_the_choices():
    for effects, fun, algorithm in (
        ("ordered", "cube", "deflation"),
        ("ica", "logcosh", "parallel"),
    ):
        choices = {"effects": effects, "fun": fun, "algorithm": algorithm, "units": "x"}
        model = experiments.estimator(choices, 7)
        assert (model.effects, model.fun, model.algorithm) == (effects, fun, algorithm)
        assert model.random_state == 7


@pytest.mark.parametrize("example", list(experiments.EXAMPLES))
def test_gaps_of_the_examples_are_from_the_printed_matrices(example):
    seen = wire(experiments.run_examples, {"example": example})
    B0, printed = map(np.array, experiments.EXAMPLES[example])
    M = np.linalg.inv(np.eye(len(B0)) - B0) @ (0.9 * np.eye(len(B0)))
    e = disturbances(seen.rng("e"), np.full(len(B0), 1.6), 10_000)
    model = VARLiNGAM(effects="ica", random_state=0).fit(series(B0, [M], e))
    expected = {
        "algebra": np.abs(M - printed).max(),
        "VAR": np.abs(model.autoregression_[0] - printed).max(),
        "VAR-LiNGAM": max(
            np.abs(model.effects_[0] - B0).max(),
            np.abs(model.effects_[1] - 0.9 * np.eye(len(B0))).max(),
        ),
    }
    for name, gap in expected.items():
        assert seen[name]["gap"] == pytest.approx(gap, abs=1e-9)


@pytest.mark.parametrize("lags", [1, 3])
def test_violations_are_effects_against_the_order(monkeypatch, lags):
    seen = wire(experiments.run_theorem_1, {"lags": lags})
    assert max(seen[name]["violation"] for name in ("forth", "back")) < 1e-12
    assert seen.n_test["forth"]["violation"] == 400
    A = np.zeros((2, 3, 3))
    A[1, 0, 2] = -2.0
    A[0, 2, 1] = 5.0
    assert experiments.backward(A, np.array([0, 1, 2])) == pytest.approx(0.4)
    assert experiments.backward(A, np.array([2, 1, 0])) == pytest.approx(1.0)
    sizes = iter(np.arange(800.0))
    monkeypatch.setattr(experiments, "backward", lambda A, order: next(sizes))
    seen = wire(experiments.run_theorem_1, {"lags": lags})
    assert (seen["forth"]["violation"], seen["back"]["violation"]) == (798, 799)


def test_printed_matrices_have_a_loop_and_miss_each_other_by_more_than_rounding():
    seen = wire(experiments.run_printed_matrices, {"data": "finance"})["as printed"]
    assert seen["loop"] == pytest.approx(np.sqrt(56.04 * 0.0027))
    other = wire(experiments.run_printed_matrices, {"data": "meg"})["as printed"]
    assert other["loop"] == pytest.approx(np.sqrt(0.65768 * 0.56722))
    assert "weaker" not in other
    ratio = 0.0027 / 56.04
    wide = (8230 - 5870) / (123.86 - 108.51)
    expected = {ratio, ratio * wide**2}
    values = {
        units: wire(
            experiments.run_printed_matrices, {"data": "finance"}, choices={"units": units}
        )["as printed"]["weaker"]
        for units in values_of(KEY, "units")
    }
    assert sorted(values.values()) == pytest.approx(sorted(expected))
    assert values["ranges"] == pytest.approx(max(expected))
    for name, printed in PRINTED.items():
        assert (seen if name == "finance" else other)["beyond"] == pytest.approx(by_grid(printed))


def by_grid(printed):
    """Return the excess over what rounding allows, entry by entry, at the ends of each number."""
    half = {
        name: [[0.5 * 10.0 ** -len(x.split(".")[1]) if "." in x else 0.0 for x in row] for row in A]
        for name, A in printed.items()
    }
    value = {name: np.array(A, dtype=float) for name, A in printed.items()}
    excess = []
    for i, j in np.ndindex(2, 2):
        k = 1 - i
        ends = [
            value["M1"][i, j] + a * half["M1"][i][j]
            - (value["B0"][i, k] + b * half["B0"][i][k])
            * (value["M1"][k, j] + c * half["M1"][k][j])
            for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)
        ]  # fmt: skip
        low = min(ends) - half["B1"][i][j]
        high = max(ends) + half["B1"][i][j]
        excess.append(abs(value["B1"][i, j] - (low + high) / 2) / ((high - low) / 2) - 1)
    return max(excess)
