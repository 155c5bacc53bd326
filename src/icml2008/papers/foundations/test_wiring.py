"""What trials record, of classifiers, clusterings and estimates whose answers are known."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import norm

from wiring import wire

from . import clusters, densities, experiments, features, machines, mixtures, neighbours, validation
from .samples import two_normals


class ByFirst:
    """Tells classes apart by the sign of the first feature, plus a shift."""

    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        return self

    def predict(self, X):
        return (X[:, 0] + self.shift > 0).astype(int)


def test_errors_are_those_of_test_samples_and_their_excess_is_over_the_bayes_risk():
    cell = {"separation": 1.5, "n": 100}
    asked = []
    methods = {"mine": lambda n: asked.append(n) or ByFirst(0.2)}
    seen = wire(experiments.against_the_bayes_risk, cell, methods=methods)
    rng = seen.rng("samples")
    X, y = two_normals(rng, 100, 1.5)
    tests, labels = two_normals(rng, 2000, 1.5)
    error = 100 * np.mean((tests[:, 0] > -0.2) != labels)
    assert seen["mine"] == pytest.approx(
        {
            "error": error,
            # Both classes lie 0.75 from the best border.
            "excess_risk": error - 100 * norm.sf(0.75),
            "training": np.mean((X[:, 0] > -0.2) != y),
        }
    )
    assert seen.n_test["mine"] == {"error": 2000, "excess_risk": None, "training": 100}
    assert asked == [100]


@pytest.mark.parametrize(
    ("choice", "n", "k"), [("root", 100, 11), ("root", 2500, 51), ("two-thirds", 1000, 101)]
)
def test_neighbours_grow_as_the_choice_says_and_their_number_is_odd(choice, n, k):
    assert neighbours.growing({"neighbours": choice}, n).n_neighbors == k
    rules = neighbours.rules({"neighbours": choice})
    assert rules["growing neighbours"](n).n_neighbors == k
    assert rules["1 neighbour"](n).n_neighbors == 1


@pytest.mark.parametrize("dimension", [2, 20])
def test_noise_is_added_beside_two_normals_two_and_a_half_apart(dimension):
    seen = wire(experiments.more_features, {"dimension": dimension}, methods={"mine": ByFirst})
    rng = seen.rng("samples")
    two_normals(rng, 200, 2.5, dimension)
    tests, labels = two_normals(rng, 2000, 2.5, dimension)
    assert seen["mine"]["error"] == pytest.approx(100 * np.mean((tests[:, 0] > 0) != labels))


def test_the_distance_of_densities_is_the_integral_of_their_absolute_difference():
    def shifted(x, true, rng):
        return np.roll(true, 100)

    methods = {"same": lambda: lambda x, true, rng: true, "shifted": lambda: shifted}
    cell = {"density": "comb", "n": 300}
    seen = wire(experiments.kernel_density, cell, methods=methods)
    assert seen["same"]["l1"] == 0
    # Shifted by 2, three of four teeth fall on others: two are left, a quarter each.
    assert seen["shifted"]["l1"] == pytest.approx(0.5, abs=1e-3)
    places, true, kept = seen.kept["shifted"].T
    assert (places[0], places[-1], len(places)) == (-8, 8, 201)
    np.testing.assert_allclose(kept[25:], true[:-25])
    assert not wire(experiments.kernel_density, cell, repeat=1, methods=methods).kept


def test_bandwidths_are_the_rule_of_thumb_times_what_a_method_is_called_by():
    seen = wire(experiments.kernel_density, {"density": "bimodal", "n": 100})
    x = densities.draw(seen.rng("samples"), "bimodal", 100)
    true = densities.true_density("bimodal")
    rule = 1.06 * np.std(x, ddof=1) / 100**0.2

    def l1(sigma):
        at = densities.PLACES[:, None]
        estimate = norm.pdf(at, x, sigma).mean(axis=1)
        return np.trapezoid(np.abs(estimate - true), densities.PLACES)

    assert seen["rule of thumb"]["l1"] == pytest.approx(l1(rule))
    assert seen["an eighth"]["l1"] == pytest.approx(l1(rule / 8))
    assert seen["eight times"]["l1"] == pytest.approx(l1(rule * 8))
    least = min(l1(rule * 2**power) for power in np.linspace(-4, 2, 13))
    assert seen["best"]["l1"] == pytest.approx(least)
    assert seen["held-out likelihood"]["l1"] >= least - 1e-12


def test_the_held_out_bandwidth_is_the_likeliest(monkeypatch):
    monkeypatch.setattr(densities, "bandwidths", lambda x: np.array([1.0, 2.0, 4.0]))
    monkeypatch.setattr(
        densities, "log_estimate", lambda x, at, sigma: np.array([-abs(sigma - 2.5)])
    )
    assert densities.held_out(np.arange(6.0), np.random.default_rng(0)) == 2.0


@pytest.mark.parametrize("dimension", [1, 3])
def test_empty_bins_are_those_that_no_sample_fell_into(dimension):
    seen = wire(experiments.bins_in_many_dimensions, {"dimension": dimension})
    X = seen.rng("samples").random((4096, dimension))
    full = {tuple(row) for row in np.floor(8 * X).astype(int).tolist()}
    assert seen["histogram"]["empty"] == pytest.approx(100 - 100 * len(full) / 8**dimension)


def test_holdout_errors_have_a_spread_a_bias_and_tails_within_hoeffdings_bound():
    methods = {"holdout": lambda: 0.3, "other": lambda: 0.5}
    seen = wire(experiments.holdout_error, {"k": 30}, methods=methods)
    rng = seen.rng("cases")
    for name, risk in (("holdout", 0.3), ("other", 0.5)):
        errors = rng.binomial(30, risk, size=10_000) / 30
        assert seen[name]["log_sd"] == pytest.approx(np.log10(np.std(errors)))
        assert seen[name]["bias"] == pytest.approx(100 * (errors.mean() - risk))
        assert seen[name]["excess"] == 0


def test_tails_that_are_wider_than_hoeffdings_bound_are_seen(monkeypatch):
    """All errors are 1 at a risk of 0.3: far beyond, on every trial."""
    generator = SimpleNamespace(binomial=lambda k, risk, size: np.full(size, k))
    monkeypatch.setattr("icml2008.harness.trial.Trial.rng", lambda *_: generator)
    seen = wire(experiments.holdout_error, {"k": 100})
    three = 3 * np.sqrt(0.21 / 100)
    assert seen["holdout"]["excess"] == pytest.approx(1 - 2 * np.exp(-200 * three**2))


def test_the_optimism_is_the_risk_less_the_mean_of_the_smallest_errors():
    methods = {"smallest error": lambda: np.min, "largest": lambda: np.max}
    seen = wire(experiments.optimism_of_the_best, {"models": 5}, methods=methods)
    rng = seen.rng("cases")
    for name, choose in (("smallest error", np.min), ("largest", np.max)):
        errors = choose(rng.binomial(101, 0.5, size=(2000, 5)), axis=1) / 101
        assert seen[name]["optimism"] == pytest.approx(100 * (0.5 - errors.mean()))
        assert seen[name]["below"] == pytest.approx(100 * np.mean(errors < 0.5))
        assert seen[name]["excess"] == 0
    assert seen["smallest error"]["optimism"] > 0 > seen["largest"]["optimism"]
    none = {"smallest error": lambda: lambda errors, axis: np.zeros(2000)}
    far = wire(experiments.optimism_of_the_best, {"models": 5}, methods=none)
    bound = np.sqrt(np.log(5) / 202)
    assert far["smallest error"]["excess"] == pytest.approx(0.5 - bound)


def test_estimates_of_risk_are_measured_against_the_error_on_many_samples(monkeypatch):
    monkeypatch.setattr(validation, "bootstrap", lambda *_: (0.4, 0.63))
    monkeypatch.setattr(validation, "wrong", lambda *_: 0.2)
    jumps = iter([0.3, 0.35, 0.1, 0.4, 0.25, 0.2])
    times = []
    monkeypatch.setattr(
        validation, "folds", lambda model, X, y, rng, n: times.append(n) or next(jumps)
    )
    seen = wire(experiments.estimates_of_risk, {"classifier": "1-neighbour"})
    rng = seen.rng("samples")
    X, y = two_normals(rng, 40, 1.5, 5)
    tests, labels = two_normals(rng, 4000, 1.5, 5)
    apart = ((tests[:, None] - X) ** 2).sum(axis=2)
    risk = np.mean(y[apart.argmin(axis=1)] != labels)
    estimates = {
        # A nearest neighbour is right of all that it was shown.
        "training": 0.0,
        "leave one out": 0.2,
        "one partition": 0.3,
        "six partitions": 0.35,
        "bootstrap": 0.4,
        "0.632": 0.632 * 0.4,
    }
    for name, estimate in estimates.items():
        assert seen[name]["bias"] == pytest.approx(100 * (estimate - risk))
        assert seen[name]["miss"] == pytest.approx(100 * abs(estimate - risk))
    assert seen["bootstrap"]["drawn"] == pytest.approx(63)
    assert seen["one partition"]["jump"] == pytest.approx(30)
    assert seen["six partitions"]["jump"] == pytest.approx(5)
    assert times == [1, 6, 1, 1, 6, 6]


def test_ends_of_k_means_are_compared_with_the_best_of_all_starts(monkeypatch):
    paths = {"random": [[9.0, 8.0, 5.0, 4.0], [8.0, 4.02]], "k-means++": [[10.0, 11.0, 6.0, 6.0]]}
    ends = {name: list(ended) for name, ended in paths.items()}
    monkeypatch.setattr(clusters, "lloyd", lambda X, start: (None, None, ends[start].pop(0)))
    monkeypatch.setattr(clusters, "STARTS", 1)
    methods = {name: lambda name=name: lambda X, k, rng: name for name in paths}
    ends["random"].reverse()
    seen = wire(experiments.seeds, methods=methods)
    assert seen["random"] == pytest.approx(
        {"rise": 0, "ssd": 0, "stuck": 0, "spread": 0, "iterations": 1}
    )
    assert seen["k-means++"] == pytest.approx(
        {"rise": 0.1, "ssd": 100 * (6 / 4.02 - 1), "stuck": 100, "spread": 0, "iterations": 2}
    )
    assert seen.n_test["k-means++"]["rise"] == 4
    monkeypatch.setattr(clusters, "STARTS", 2)
    ends |= {"random": [*paths["random"]], "k-means++": [[10.0, 6.0], [10.0, 3.0]]}
    seen = wire(experiments.seeds, methods=methods)
    assert seen["random"]["spread"] == pytest.approx(0.5)
    assert seen["random"]["ssd"] == pytest.approx(100 * (4.01 / 3 - 1))
    assert seen["k-means++"]["stuck"] == 50


def test_random_seeds_are_samples_or_places_in_their_box():
    X = np.array([[0.0, 0.0], [1.0, 4.0], [2.0, 2.0]])
    samples = clusters.seedings({"random-seeds": "samples"})["random"]()
    places = clusters.seedings({"random-seeds": "box"})["random"]()
    chosen = samples(X, 3, np.random.default_rng(0)).tolist()
    assert sorted(chosen) == [[0, 0], [1, 4], [2, 2]]
    drawn = places(X, 200, np.random.default_rng(0))
    assert np.all((drawn >= 0) & (drawn <= [2, 4]))
    assert drawn[:, 1].max() > 3 > 2 > drawn[:, 0].max() > 1.5


@pytest.mark.parametrize("k", [2, 3])
def test_the_knee_is_the_fall_to_the_true_number_less_the_next_one(k):
    inertias = [100, 60, 30, 25, 24, 26, 20, 10]

    class Told:
        def __init__(self, n_clusters, n_init, random_state):
            self.inertia_ = inertias[n_clusters - 1]

        def fit(self, X):
            assert X.shape == (60 * k, 2)
            return self

    seen = wire(experiments.knee, {"clusters": k}, methods={"k-means": Told})
    assert seen["k-means"]["knee"] == pytest.approx({2: 0.4 - 0.3, 3: 0.3 - 0.05}[k])
    assert seen["k-means"]["rise"] == pytest.approx(0.02)
    assert seen.kept["objective"] == pytest.approx(np.array(inertias) / 100)


@pytest.mark.parametrize(("share", "n"), [(0.0, 300), (0.1, 330)])
def test_agreement_is_that_of_the_clean_samples(share, n):
    class Told:
        def __init__(self, k, n_init, random_state):
            assert k == 3

        def fit(self, X):
            assert X.shape == (n, 2)
            return self

        def predict(self, X):
            assert len(X) == 300
            return np.arange(300) % 3 + 7

    seen = wire(experiments.outliers, {"share": share}, methods={"k-means": Told})
    assert seen["k-means"]["agreement"] == 1


def test_features_are_judged_by_their_neighbours_and_by_how_alike_they_are(monkeypatch):
    class Rule(ByFirst):
        def score(self, X, y):
            return np.mean(self.predict(X) == y)

    monkeypatch.setattr(features, "KNeighborsClassifier", lambda k: Rule())
    methods = {
        "last": lambda: lambda X, y, k, rng: [4, 7],
        "copies": lambda: lambda X, y, k, rng: list(range(k)),
        "relevant": lambda: None,
    }
    seen = wire(experiments.subsets, {"kind": "redundant"}, methods=methods)
    rng = seen.rng("samples")
    X, _ = features.labelled(rng, 200, "redundant")
    tests, labels = features.labelled(rng, 2000, "redundant")
    for name, chosen in (("last", [4, 7]), ("copies", [0, 1]), ("relevant", [0, 1, 2, 3, 4])):
        right = 100 * np.mean((tests[:, chosen[0]] > 0) == labels)
        assert seen[name]["accuracy"] == pytest.approx(right)
        alike = [abs(np.corrcoef(X[:, i], X[:, j])[0, 1]) for i in chosen for j in chosen if i < j]
        assert seen[name]["redundancy"] == pytest.approx(max(alike))


def test_filters_take_the_most_informative_and_then_what_adds_to_it():
    y = np.arange(64) % 2
    noise = np.random.default_rng(0).permutation(64)
    X = np.column_stack([noise, y + noise / 640, y + noise[::-1] / 640])
    rng = np.random.default_rng(0)
    assert set(features.by_filter(X, y, 2, rng)) == {1, 2}
    assert features.incrementally(X, y, 1, rng) == features.by_filter(X, y, 1, rng)


@pytest.mark.parametrize(("shown", "recovered"), [("right", 100), ("turned", 0), ("more", 0)])
def test_a_support_is_recovered_if_a_point_of_the_path_has_all_signs(shown, recovered):
    cell = {"d": 64, "ratio": 2.0}

    def path(X, y, *, method, max_iter):
        assert X.shape == (round(2 * 5 * np.log(64)), 64)
        beta = np.linalg.lstsq(X[:, :5], y)[0]
        points = np.zeros((64, 3))
        points[:5, 1] = -beta if shown == "turned" else beta
        points[9, 1] = shown == "more"
        return None, None, points

    seen = wire(experiments.support_recovery, cell, methods={"lasso": lambda: path})
    assert seen["lasso"] == {"recovered": recovered}


def test_falls_and_maxima_are_those_of_five_starts(monkeypatch):
    paths = iter([[1.0, 3.0], [1.0, 2.5, 2.0], [0.0, 5.0, 5.0], [1.0], [2.0, 2.25]])
    monkeypatch.setattr(mixtures, "fitted", lambda *_: SimpleNamespace(lower_bounds_=next(paths)))
    seen = wire(experiments.ascent)
    assert seen["EM"] == {"fall": 0.5, "maxima": 4.0}
    assert seen.n_test["EM"]["fall"] == 11


def test_the_best_mixture_is_the_likeliest_of_five(monkeypatch):
    class Model:
        def __init__(self, score):
            self.value = score

        def score(self, X):
            return self.value

        def predict(self, X):
            return self.value

    scores = iter([-3.0, -1.0, -2.0, -5.0, -4.0])
    monkeypatch.setattr(mixtures, "fitted", lambda *_: Model(next(scores)))
    assert mixtures.BestMixture(None).fit_predict(None) == -1.0


@pytest.mark.parametrize("variance", [1.0, 0.01])
def test_the_hard_limit_disagrees_where_the_likeliest_component_is_no_label(variance):
    def joint(X, means, log_weights, given):
        assert given == variance
        scores = np.full((len(X), 4), -1e9)
        scores[:, 2] = 0.0
        return scores

    cell = {"variance": variance}
    seen = wire(experiments.hard_limit, cell, methods={"EM": lambda: joint})
    rng = seen.rng("samples", across=("variance",))
    X = clusters.blobs(rng, 200, rng.uniform(0, 5, size=(4, 2)), 0.8)[0]
    start = X[rng.choice(200, 4, replace=False)]
    labels = clusters.lloyd(X, start)[0]
    assert seen["EM"]["disagreement"] == pytest.approx(100 * np.mean(labels != 2))


def test_work_is_steps_times_samples_and_the_bound_on_multipliers_grows_with_them():
    asked = []

    class Machine:
        n_iter_ = 50

        def fit(self, X, y):
            assert len(X) == 200
            return self

    methods = {"SMO": lambda C: asked.append(C) or Machine()}
    seen = wire(experiments.growth_of_the_work, {"n": 200}, methods=methods)
    assert seen["SMO"]["log_work"] == pytest.approx(np.log(10_000))
    assert asked == [1.0]


def test_what_is_missing_is_the_percent_of_the_best_dual_value(monkeypatch):
    values = iter([8.0, 8.0, 6.0])
    met = []
    monkeypatch.setattr(machines, "dual_value", lambda alpha, y, K: next(values))
    monkeypatch.setattr(
        machines, "printed_pairs", lambda K, y, cap, coupling, steps: met.append((cap, coupling))
    )
    seen = wire(experiments.printed_update)
    assert seen["derived"]["missing"] == 0
    assert seen["as printed"]["missing"] == 25
    assert met == [(0.5, 1.0), (0.5, 0.5)]
