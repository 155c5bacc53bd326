"""What the trials record, on selectors whose choice of variables is known for each mu."""

import numpy as np
import pytest

from wiring import wire

from . import experiments
from .designs import draw_design, draw_such_that, meets, rounds_to
from .experiments import BOOTSTRAPS, LEVELS, MUS, SIZES, lasso_homotopy

J = np.arange(16) < 8


def alone(X, y, mus, seed):
    """Select J from the tenth mu on; from the thirtieth on one variable more at odd seeds."""
    selected = np.zeros((1, len(mus), 16), dtype=bool)
    selected[0, 10:] = J
    selected[0, 30:, 8:] = seed % 2
    return selected


def resampled(X, y, mus, seed):
    """Select J from the thirtieth mu on by all of 32 resamples, from the sixtieth on not by 65."""
    selected = np.zeros((256, len(mus), 16), dtype=bool)
    selected[:, 30:] = J
    selected[:31, 30:, 9] = True
    selected[64:, 60:, 0] = False
    return selected


def test_regions_are_measured_at_the_usual_number_of_resamples(monkeypatch):
    monkeypatch.setattr(experiments, "REPLICATIONS", 12)
    monkeypatch.setattr(experiments, "RESAMPLED", 4)
    methods = {"Lasso": alone, "Bolasso": resampled}
    seen = wire(experiments.regions_of_consistency, methods=methods)
    seeds = seen.rng("bootstrap").integers(2**31, size=12)
    decade = 0.125 / np.log(10)
    lasso = seen["Lasso"]
    assert lasso["best"] == pytest.approx(100)
    assert lasso["region"] == 1
    assert lasso["width"] == pytest.approx(20 * decade)
    assert lasso["band"] == 1
    assert "fall" not in lasso
    exact = np.zeros(len(MUS))
    exact[10:30] = 1
    exact[30:] = np.mean(seeds % 2 == 0)
    np.testing.assert_allclose(seen.kept["exact Lasso"], [exact])
    frequency = np.zeros((len(MUS), 16))
    frequency[10:, :8] = 1
    frequency[30:, 8:] = np.mean(seeds % 2)
    np.testing.assert_allclose(seen.kept["frequency Lasso"], frequency)
    bolasso = seen["Bolasso"]
    highest = [0, 0, 0, 0, 100, 100, 100, 100]
    assert bolasso["best"] == pytest.approx(100)
    assert bolasso["width"] == pytest.approx(30 * decade)
    assert bolasso["doubling"] == pytest.approx(np.polyfit(range(1, 9), highest, 1)[0])
    assert bolasso["fall"] == pytest.approx(100)
    assert "band" not in bolasso
    frequency = np.zeros((len(MUS), 16))
    frequency[30:, :8] = 1
    frequency[60:, 0] = 0
    np.testing.assert_allclose(seen.kept["frequency Bolasso"], frequency)


def test_a_variable_that_always_or_never_comes_makes_no_band():
    frequency = np.ones((4, 16))
    frequency[0, 8:] = 0.5
    frequency[1, 8:] = 0
    frequency[3, 3] = 0.99
    frequency[3, 8:] = 0.5
    assert experiments._in_between(frequency, J).tolist() == [True, False, False, False]


@pytest.mark.parametrize(("penalty", "share"), [("quarter", 0.25), ("half", 0.5), ("whole", 1.0)])
def test_wrong_selections_are_counted_at_four_root_n_resamples(penalty, share):
    given = []

    def select(X, y, mus, seed):
        given.append((X.shape, mus))
        selected = np.tile(J, (256, 1, 1))
        selected[: 5 + seed % 60, 0, 12] = True
        return selected

    def single(X, y, mus, seed):
        return (J | (seed % 3 == 0))[None, None]

    methods = {"Lasso": single, "Bolasso": select}
    choices = {"penalty": penalty}
    seen = wire(experiments.errors_of_growing_samples, methods=methods, choices=choices)
    design = draw_such_that(meets("violated"), 16, 8, seen.rng("design", across=("n",)), "each")
    assert {shape for shape, _ in given} == {(64, 16)}
    np.testing.assert_allclose([mus for _, mus in given], share * design.sigma / 8)
    seeds = seen.rng("bootstrap").integers(2**31, size=32)
    wrong = np.array([np.mean(5 + seeds % 60 >= m) for m in range(1, 257)])
    bolasso = seen["Bolasso"]
    assert bolasso["wrong"] == pytest.approx(100 * wrong[31])
    assert bolasso["to_bound"] == pytest.approx(wrong[31] * 8 / np.log(64))
    m = np.array([8, 16, 32, 64, 128, 256])
    slope = np.polyfit([3, 4, 5, 6, 7, 8], wrong[m - 1] * m / np.log(m), 1)[0]
    assert bolasso["rise"] == pytest.approx(slope)
    assert seen["Lasso"]["wrong"] == pytest.approx(100 * np.mean(seeds % 3 == 0))
    assert seen.n_test["Lasso"]["wrong"] == 32
    assert "rise" not in seen["Lasso"]
    assert max(BOOTSTRAPS) == 256


@pytest.mark.parametrize("loadings", ["each", "common"])
def test_the_distance_counts_variables_that_are_missed_or_too_many(loadings):
    given = {}

    def select(X, y, r, seed):
        given.update(X=X, y=y, r=r, seed=seed)
        selected = np.arange(64) < 6
        selected[20:23] = True
        return selected

    cell = {"condition": "satisfied", "n": 64}
    methods = {"mine": select}
    choices = {"loadings": loadings}
    seen = wire(experiments.errors_of_selection, cell, methods=methods, choices=choices)
    assert seen["mine"]["distance"] == 2 + 3
    stream = seen.rng("design", across=("n",))
    design = draw_such_that(meets("satisfied"), 64, 8, stream, loadings)
    X, y = design.sample(64, seen.rng("sample"))
    np.testing.assert_array_equal(given["X"], X)
    np.testing.assert_array_equal(given["y"], y)
    assert given["r"] == 8
    assert given["seed"] == int(seen.rng("bootstrap").integers(2**31))


@pytest.mark.parametrize("loadings", ["each", "common"])
def test_tables_are_measured_on_designs_of_the_printed_kappa(monkeypatch, loadings):
    given = {}

    def measure(trial, X, y, methods):
        given.update(X=X, y=y)
        for name in methods:
            trial.measure(name, error=0.0)

    monkeypatch.setattr(experiments, "measure_errors", measure)
    choices = {"loadings": loadings}
    seen = wire(experiments.errors_on_generated_data, {"kappa": "1.20"}, choices=choices)
    design = draw_such_that(rounds_to("1.20"), 32, 8, seen.rng("design"), loadings)
    X, y = design.sample(64, seen.rng("sample"))
    np.testing.assert_array_equal(given["X"], X)
    np.testing.assert_array_equal(given["y"], y)
    assert abs(design.kappa - 1.2) <= 0.005


@pytest.mark.parametrize("resamples", ["128", "32"])
def test_table_2_has_as_many_bootstrap_samples_as_the_choice(monkeypatch, resamples):
    given = []

    def measure(trial, X, y, methods, n_bootstraps):
        given.append((X, y, n_bootstraps))
        for name in methods:
            trial.measure(name, error=0.0)

    rows = np.arange(3.0)[:, None]
    monkeypatch.setattr(experiments, "measure_errors", measure)
    monkeypatch.setattr(experiments.uci, "regression", lambda *_: (rows, rows[:, 0]))
    choices = {"resamples": resamples}
    wire(experiments.errors_on_uci_data, {"dataset": "housing"}, choices=choices)
    ((X, y, n_bootstraps),) = given
    assert X is rows
    assert y.tolist() == [0, 1, 2]
    assert n_bootstraps == int(resamples)


def test_the_number_of_bootstrap_samples_reaches_the_path(monkeypatch):
    from icml2008.papers.bach2008bolasso import prediction

    seen = []
    path = prediction.bolasso_path

    def counted(*args, n_bootstraps, **more):
        seen.append(n_bootstraps)
        return path(*args, n_bootstraps=n_bootstraps, **more)

    monkeypatch.setattr(prediction, "bolasso_path", counted)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    folds = [(np.arange(15), np.arange(15, 20))]
    prediction.path_errors(X, X[:, 0], folds, [0], n_bootstraps=4)
    prediction.path_errors(X, X[:, 0], folds, [0])
    assert seen == [4, prediction.N_BOOTSTRAPS]


def test_the_grid_of_the_bolasso_is_that_of_the_choice():
    for length in ("log", "linear"):
        made = experiments.exact_selectors({"most-values": length})
        assert made["Bolasso"].keywords == {"length": length}
        assert made["Stability"] is experiments.selectors.stability


def test_rates_are_slopes_of_shares_and_gaps_to_the_limit(monkeypatch):
    """Shares of wrong signs bend by a known parabola; gaps to the limit fall as n to the -1/2."""
    sizes = np.array([10.0, 100.0, 1000.0, 10_000.0, 100_000.0])
    monkeypatch.setattr(experiments, "sample_sizes", lambda design, mu0, levels: sizes)
    asked = []

    def share(design, n, mu0, rng):
        asked.append((design, n, mu0))
        return 10 ** (-1 - 0.3 * np.log10(n) - 0.2 * np.log10(n) ** 2)

    monkeypatch.setattr(experiments, "_share_wrong", share)
    monkeypatch.setattr(experiments, "limit_patterns", lambda *given: "limit")

    def signs(design, n, mu0, draws, rng):
        drawn = np.tile(np.r_[np.sign(design.w[:2]), 0.0, 0.0], (20_000, 1))
        drawn[:200, 0] *= -1
        drawn[200:, 2] = 1.0 / np.sqrt(n)
        return drawn

    monkeypatch.setattr(experiments, "sign_patterns", signs)

    def shares(drawn):
        if isinstance(drawn, str):
            return np.array([0.25, 0.0, 0.0])
        assert drawn.shape == (19_800, 2)
        return np.array([0.25 + drawn[0, 0], 0.01, 0.0]) / 0.99

    monkeypatch.setattr(experiments, "pattern_shares", shares)
    seen = wire(experiments.rates_of_sign_patterns)["Lasso"]
    loadings = wire(experiments.rates_of_sign_patterns).trial.choices["loadings"]
    rng = wire(experiments.rates_of_sign_patterns).rng("design")
    design = draw_design(4, 2, rng, loadings, noise=2.0)
    assert asked[0][2] == pytest.approx(design.sigma / 2)
    assert [n for _, n, _ in asked[:5]] == sizes.tolist()
    assert seen["bend"] == pytest.approx(-0.4)
    gaps = [max(1 / np.sqrt(n), 0.01) for n in SIZES]
    assert seen["last_gap"] == pytest.approx(gaps[-1])
    slope = np.polyfit(np.log10(SIZES), np.log10(gaps), 1)[0]
    assert seen["gap_slope"] == pytest.approx(slope)
    assert seen["seen"] == pytest.approx(100 * 2 / 3)
    assert len(LEVELS) == 5


def test_the_share_wrong_is_of_relevant_signs_and_half_a_draw_at_least(monkeypatch):
    design = draw_design(4, 2, np.random.default_rng(0))
    right = np.tile(np.r_[np.sign(design.w[:2]), 1.0, -1.0], (20_000, 1))
    monkeypatch.setattr(experiments, "sign_patterns", lambda *given: right)
    assert experiments._share_wrong(design, 9, 1.0, None) == 0.5 / 20_000
    right[:30, 1] = 0
    right[20:50, 0] *= -1
    assert experiments._share_wrong(design, 9, 1.0, None) == 50 / 20_000


def test_the_lasso_selects_what_its_path_has_at_each_mu():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4))
    y = X @ [1.0, 0.5, 0, 0] + 0.1 * rng.normal(size=30)
    mus = np.array([0.5, 0.1])
    supports = experiments.lasso_selections(X, y, mus, 0)
    path = lasso_homotopy(X, y, fit_intercept=False)
    np.testing.assert_array_equal(supports[0], [path.coefs_at(mus[[i]])[0] != 0 for i in range(2)])
    assert experiments.decades(np.array([True, False, True])) == pytest.approx(0.25 / np.log(10))
