"""What the trials record, on models whose rates, exemplars and partitions are known."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import spearmanr

from wiring import wire

from . import experiments
from .experiments import PART, RATIOS, normals, plane, reference_beta

SAMPLES = np.random.default_rng(0).normal(size=(3 * PART, 6))
LANDSAT = {"landsat": SimpleNamespace(X=SAMPLES)}


class Exemplars:
    """Finds the first six samples, of weights that rise with the place, in three clusters."""

    given = None
    solver = None

    def __init__(self, beta, n_nearest=None, solver=None):
        self.beta_ = beta
        Exemplars.solver = solver
        Exemplars.given = (beta, n_nearest)

    def fit(self, X):
        self.exemplars_ = X[:6]
        self.weights_ = np.arange(1.0, 7) / 21
        self.cluster_exemplars_ = np.arange(3)
        return self


def soft(level):
    """Return a maker of soft k-means whose objectives say how it was asked."""

    def make(n_clusters, beta, *, tol, max_iter, init=None, random_state=0, weights="free"):
        def fit(X):
            start = 0.0 if init is None else float(np.abs(init).sum())
            value = level + n_clusters + beta + start + random_state / 2**40
            value += 100 * (weights == "uniform")
            return SimpleNamespace(objective_=value, objectives_=np.array([value, value - 3]))

        return SimpleNamespace(fit=fit)

    return make


@pytest.mark.parametrize(("weights", "real"), [("free", False), ("uniform", False), (None, True)])
def test_starts_are_the_heaviest_exemplars_and_random_ones(monkeypatch, weights, real):
    monkeypatch.setattr(experiments, "ConvexClustering", Exemplars)
    methods = {"exemplars": soft(1.0), "random": soft(2.0), "k-means++": soft(3.0)}
    run = experiments.exemplar_start_on_real_data if real else experiments.exemplar_start
    choices = {} if real else {"weights": weights}
    seen = wire(run, methods=methods, data=LANDSAT, choices=choices)
    assert Exemplars.solver == "interior-point"
    if real:
        X = SAMPLES[seen.rng("order", across=("repeat",)).permutation(len(SAMPLES))[:PART]]
        n = 3
        beta = reference_beta(X)
        assert seen["exemplars"]["clusters"] == 3
    else:
        X = normals(seen.rng("points", ("ratio",)), 50, 25, 1.5)
        n = 50
        beta = 1.5 * reference_beta(X)
        assert Exemplars.given == (pytest.approx(beta), 75)
    heaviest = X[[5, 4, 3, 2, 1, 0]][:n]
    more = 100 * (weights == "uniform")
    assert seen["exemplars"]["loglik"] == pytest.approx(
        1 + n + beta + np.abs(heaviest).sum() + more
    )
    for name, level in (("random", 2), ("k-means++", 3)):
        seed = seen.rng(name).integers(2**31)
        expected = level + n + beta + seed / 2**40 + more
        assert seen[name]["loglik"] == pytest.approx(expected)
    assert seen["random"]["mean_loglik"] == pytest.approx(seen["random"]["loglik"] - 1.5)
    assert "mean_loglik" not in seen["k-means++"]


@pytest.mark.parametrize("real", [False, True])
def test_distortions_are_those_of_nearest_exemplars_and_of_the_likeliest_start(real):
    tried = []

    def mixture(X, start):
        tried.append(start)
        place = len(tried) % 50
        labels = np.arange(len(X)) % (2 if place == 7 else 3)
        return SimpleNamespace(loglik=-abs(place - 7), labels=labels)

    def means(n_clusters, random_state):
        def fit(X):
            return SimpleNamespace(labels_=np.arange(len(X)) // 100 % n_clusters)

        return SimpleNamespace(fit=fit)

    methods = {"exemplars": Exemplars, "mixture": mixture, "k-means++": means}
    run = experiments.hard_clusters_of_real_data if real else experiments.hard_clusters
    seen = wire(run, methods=methods, data=LANDSAT)
    if real:
        X = SAMPLES[seen.rng("order", across=("repeat",)).permutation(len(SAMPLES))[:PART]]
        n = 3
    else:
        X = normals(seen.rng("points"), 5, 100, 2.0)
        n = 5
        assert Exemplars.given == (pytest.approx(reference_beta(X)), 300)

    def distortion(labels):
        parts = [X[labels == label] for label in set(labels)]
        return sum(len(part) * part.var(axis=0).sum() for part in parts) / len(X)

    heaviest = X[[5, 4, 3, 2, 1][:n]]
    nearest = np.array([np.argmin(np.sum((heaviest - x) ** 2, axis=1)) for x in X])
    assert seen["exemplars"]["distortion"] == pytest.approx(distortion(nearest))
    assert seen["mixture"]["distortion"] == pytest.approx(distortion(np.arange(len(X)) % 2))
    assert seen["k-means++"]["distortion"] == pytest.approx(
        distortion(np.arange(len(X)) // 100 % n)
    )
    rng = seen.rng("starts")
    starts = [X[rng.choice(len(X), n, replace=False)] for _ in range(50)]
    np.testing.assert_array_equal(tried, starts)


def test_a_later_repeat_has_samples_that_no_other_has():
    parts = []
    for repeat in (0, 1):
        seen = wire(
            experiments.hard_clusters_of_real_data,
            repeat=repeat,
            data=LANDSAT,
            methods={
                "exemplars": Exemplars,
                "mixture": lambda X, start: SimpleNamespace(loglik=0, labels=np.zeros(len(X))),
                "k-means++": experiments.PARTITIONS["k-means++"],
            },
        )
        parts.append({tuple(row) for row in experiments.real_part(seen.trial)})
    assert len(parts[0]) == len(parts[1]) == PART
    assert not parts[0] & parts[1]


@pytest.mark.parametrize("layout", ["grouped", "uniform"])
def test_the_curve_is_judged_by_its_falls_its_tangents_and_its_counts(layout):
    rates = np.linspace(0, 3, 25)
    rates[10] -= 0.5
    distortions = np.linspace(9, 2, 25) ** 1.5
    distortions[20] += 4.0
    counts = np.r_[np.arange(1, 9), [4] * 7, [9] * 5, 6, 7, 8, 5, 5]

    def path(X, betas):
        path.given = X, betas
        return [
            SimpleNamespace(
                rate_=rate,
                distortion_=distance,
                cluster_exemplars_=np.arange(count) % 7,
                labels_=np.full(3, i),
                exemplars_=X[:7],
            )
            for i, (rate, distance, count) in enumerate(
                zip(rates, distortions, counts, strict=True)
            )
        ]

    methods = {"convex clustering": path}
    seen = wire(experiments.rate_distortion, methods=methods, choices={"layout": layout})
    X = plane(seen.rng("points"), layout)
    beta = reference_beta(X)
    np.testing.assert_array_equal(path.given[0], X)
    np.testing.assert_allclose(path.given[1], beta * np.arange(1, 26) / 10)
    below = max(
        rates[i] - rates[j] - RATIOS[i] * beta * (distortions[j] - distortions[i])
        for i in range(25)
        for j in range(25)
    )
    expected = {
        "fall": max(rates[:-1] - rates[1:]),
        "rise": max(distortions[1:] - distortions[:-1]),
        "concavity": max(0, below),
        "reversals": sum(b < a for a, b in zip(counts[:-1], counts[1:], strict=True)),
        "trend": spearmanr(np.arange(25), counts).statistic,
        "coarse_clusters": 4,
        "fine_clusters": 9,
    }
    assert seen["convex clustering"] == pytest.approx(expected)
    columns = np.column_stack([RATIOS, distortions, rates, counts])
    np.testing.assert_allclose(seen.kept["curve"], columns)
    assert seen.kept["reference"] == pytest.approx([beta])
    for ratio in experiments.SHOWN:
        assert (seen.kept[f"labels-{ratio}"] == round(10 * ratio) - 1).all()


def test_updates_end_short_of_the_optimum_by_no_more_than_they_say(monkeypatch):
    monkeypatch.setattr(experiments, "STEPS", 40)
    seen = wire(experiments.updates)["convex clustering"]
    X = plane(wire_stream("points"), "grouped")
    squares = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-reference_beta(X) * squares)
    best = experiments.mixture_weights(K, tol=1e-10)
    rng = wire_stream("starts")
    short = []
    fall = [0.0]
    for _ in range(3):
        q = rng.dirichlet(np.ones(400))
        values = []
        for _ in range(40):
            mixture = K @ q
            values.append(np.log(mixture).mean())
            q = q * np.mean(K / mixture[:, None], axis=0)
        short.append(best.objective - values[-1])
        fall += [a - b for a, b in zip(values[:-1], values[1:], strict=True)]
    assert seen["shortfall"] == pytest.approx(max(short), rel=1e-6)
    assert seen["shortfall"] > 0
    assert seen["fall"] == pytest.approx(max(fall), abs=1e-12)
    gradient = np.mean(K / (K @ best.weights)[:, None], axis=0)
    assert seen["excess"] == pytest.approx(max(0, gradient.max() - 1), abs=1e-9)
    off = np.abs(gradient[best.weights > 0] - 1).max()
    assert seen["support_error"] == pytest.approx(off, abs=1e-9)
    assert seen["identity_error"] < 1e-6


def wire_stream(name):
    from icml2008.harness.seeds import stream

    return stream("lashkari2007convex", "algorithm", {"ratio": 1.0}, 0, name, ())


@pytest.mark.parametrize("layout", ["grouped", "uniform"])
def test_clusters_of_the_plane_have_forty_points_and_a_deviation_of_two_and_a_half(layout):
    X = experiments.plane(np.random.default_rng(0), layout).reshape(10, 40, 2)
    within = X - X.mean(axis=1, keepdims=True)
    assert np.sqrt((within**2).sum() / (2 * 10 * 39)) == pytest.approx(2.5, rel=0.05)
