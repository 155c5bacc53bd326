"""What is measured of mixtures, codebooks and rings, and what each choice changes."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.papers.nowozin2008decoupled import experiments
from icml2008.papers.nowozin2008decoupled.samples import gauss_ring, lattice
from wiring import wire

X = np.random.default_rng(1).normal(size=(20, 3)) * 50
DATA = {"usps-roweis": "roweis", "usps-zip": "zip codes"}


@pytest.fixture
def samples(monkeypatch):
    """Return which digits were asked for."""
    asked = []
    monkeypatch.setattr(experiments, "digits", lambda *how: asked.append(how) or X)
    return asked


class Model:
    """A fitted model of any kind, whose numbers follow from its bandwidth."""

    def __init__(self, h, **how):
        self.h = h
        self.how = how
        self.weights_ = np.ones(7)
        self.duality_gap_ = h / 1000
        self.objective_path_ = np.array([1.0, 3.0, 2.5, 4.0])
        self.exemplar_clusters_ = np.array([0, 2, 1, 2])
        self.exemplars_ = np.zeros((5, 3))
        self.objective_ = h / 4
        self.n_columns_ = 11

    def fit(self, points):
        np.testing.assert_array_equal(points, X)
        return self

    def score(self, points):
        return -self.h - len(points)


@pytest.mark.parametrize("sample", ["every-tenth", "first", "zip"])
def test_exemplars_are_counted_and_the_largest_fall_told(samples, sample):
    methods = {"convex clustering": Model, "INFEX": Model}
    wired = wire(
        experiments.deterministic_columns,
        {"sigma": 500},
        methods=methods,
        choices={"sample": sample},
        data=DATA,
    )
    assert samples == [("roweis", "zip codes", sample)]
    usual = {"loglik": -520, "exemplars": 7, "gap": 0.5}
    assert wired["convex clustering"] == usual
    assert wired["INFEX"] == {**usual, "centres": 3, "fall": 0.5}
    np.testing.assert_array_equal(wired.kept["path"], [1.0, 3.0, 2.5, 4.0])


def test_a_path_that_never_falls_has_a_fall_of_0(samples, monkeypatch):
    class Rising(Model):
        def fit(self, points):
            self.objective_path_ = np.arange(3.0)
            return self

    wired = wire(experiments.deterministic_columns, methods={"INFEX": Rising}, data=DATA)
    assert wired["INFEX"]["fall"] == 0


@pytest.mark.parametrize("start", ["empty", "samples"])
def test_infex_starts_as_the_choice_says(start):
    makes = experiments.deterministic_columns.methods({"start": start})
    made = makes["INFEX"](h=3.0)
    assert dict(made.parameters) == {"h": 3.0, "start": start, "tol": 1e-6}
    convex = makes["convex clustering"](h=3.0)
    assert convex.beta == pytest.approx(1 / 18)


@pytest.mark.parametrize(
    ("components", "n"), [("weighted", 7), ("distinct", 3), ("halfway", 9), ("columns", 11)]
)
def test_em_has_as_many_components_as_the_choice_counts(samples, monkeypatch, components, n):
    asked = []

    def em(n_components, beta, *, n_init, random_state):
        asked.append((n_components, beta, n_init, random_state))
        runs = np.array([-7.0, -5.0, -9.0])
        return SimpleNamespace(fit=lambda points: SimpleNamespace(objectives_=runs))

    monkeypatch.setattr(experiments, "EMPTY_START", Model)
    methods = {"convex clustering": Model, "INFEX": Model, "EM best": em, "EM mean": em}
    wired = wire(
        experiments.against_em,
        {"sigma": 500},
        methods=methods,
        choices={"components": components},
        data=DATA,
    )
    seed = wired.rng("starts").integers(2**31)
    assert asked == [(n, pytest.approx(1 / (2 * 500**2)), 20, seed)]
    assert samples == [("roweis", "zip codes", "every-tenth")]
    assert wired["EM best"] == {"loglik": -5, "components": n}
    assert wired["EM mean"] == {"loglik": -7}
    assert wired["INFEX"] == wired["convex clustering"] == {"loglik": -520}


@pytest.mark.parametrize("weights", ["free", "uniform"])
@pytest.mark.parametrize("stop", ["1e-6", "1e-9"])
def test_em_is_run_with_the_weights_and_the_stop_of_the_choices(weights, stop):
    made = experiments.mixtures({"weights": weights, "stop": stop})
    for name in ("EM best", "EM mean"):
        em = made[name](4, 0.5)
        assert (em.weights, em.tol, em.max_iter) == (weights, float(stop), 5000)
    assert dict(made["INFEX"](h=1.0).parameters)["start"] == "empty"


def test_codebooks_are_measured_by_margin_and_size(samples):
    wired = wire(
        experiments.codebooks,
        {"distortion": 2000},
        methods={"KVQ": Model, "INFEX": Model},
        data=DATA,
    )
    usual = {"margin": 500, "log_margin": pytest.approx(np.log10(500)), "vectors": 5}
    classes = np.arange(20) // 2
    apart = [
        np.linalg.norm(a - b)
        for a, i in zip(X, classes, strict=True)
        for b, j in zip(X, classes, strict=True)
        if i != j
    ]
    assert wired["INFEX"] == usual
    assert wired["KVQ"] == {**usual, "between_classes": pytest.approx(np.mean(apart))}


@pytest.mark.parametrize("ring", ["annulus", "circle"])
def test_a_grids_share_of_the_gain_is_between_samples_and_anywhere(ring):
    objectives = {"samples": -5.0, "grid": -4.0, "INFEX": -1.0}
    seen = []

    def make(name):
        def made(h, places=None):
            assert h == 2.5
            seen.append((name, places))
            exemplars = np.array([[0.0, 0], [5.0, 4], [5.1, 4], [3.0, 3]])

            def fit(points):
                seen.append(points)
                return SimpleNamespace(objective_=objectives[name], exemplars_=exemplars)

            return SimpleNamespace(fit=fit)

        return made

    wired = wire(
        experiments.ring_and_grid,
        {"per_axis": 8},
        methods={name: make(name) for name in objectives},
        choices={"ring": ring},
    )
    points = gauss_ring(wired.rng("points", across=("per_axis",)), ring)
    np.testing.assert_array_equal(seen[1], points)
    assert seen[0] == ("samples", None)
    np.testing.assert_array_equal(seen[2][1], lattice(8))
    # Of three on the ring's side two are within a fifth of the bandwidth.
    for name, objective in objectives.items():
        assert wired[name]["loglik"] == objective
        assert wired[name]["centres"] == 2
    assert wired["grid"]["gain_share"] == pytest.approx(1 / 4)
    radii = np.linalg.norm(points[33:] - 5, axis=1)
    assert bool(np.allclose(radii, 2)) is (ring == "circle")
    assert radii.min() >= 1 - 1e-9
    assert radii.max() <= 2 + 1e-9


def test_candidates_have_the_best_weights_of_their_places():
    points = np.array([[0.0, 0], [0.1, 0], [4.0, 4]])
    places = np.array([[0.0, 0], [4.0, 4], [20.0, 20]])
    candidates = experiments.Candidates(h=1.0, places=places).fit(points)
    np.testing.assert_array_equal(candidates.exemplars_, places[:2])
    kernels = np.exp(-np.sum((points[:, None] - places[:2]) ** 2, axis=-1) / 2)
    best = max(
        np.mean(np.log(kernels @ [share, 1 - share])) for share in np.linspace(0.5, 0.8, 3001)
    )
    assert candidates.objective_ == pytest.approx(best, abs=1e-5)


@pytest.mark.parametrize("ring", ["annulus", "circle"])
def test_changes_are_of_the_exemplars_on_the_ring(ring):
    def make(h):
        """Choose the first point of the ring, and of every second perturbation another, too."""
        assert h == 2.5

        def fit(points):
            number = len(seen)
            seen.append(points)
            chosen = [0, 40] if number % 2 == 0 else [0, 40, 45]
            return SimpleNamespace(exemplars_=points[chosen])

        return SimpleNamespace(fit=fit)

    seen = []
    wired = wire(experiments.perturbed_ring, methods={"samples": make}, choices={"ring": ring})
    rng = wired.rng("points")
    points = gauss_ring(rng, ring)
    perturbed = points + 0.05 * rng.normal(size=(10, 66, 2))
    np.testing.assert_array_equal(seen[0], points)
    np.testing.assert_array_equal(seen[1:], perturbed)
    moved = []
    for number, others in enumerate(perturbed, start=1):
        at = [40] if number % 2 == 0 else [40, 45]
        moved.append(max(np.linalg.norm(others[k] - points[40]) for k in at))
    assert points[40].sum() > 5
    assert points[45].sum() > 5
    metrics = wired["samples"]
    assert metrics["changed"] == pytest.approx(0.5)
    assert metrics["moved"] == pytest.approx(np.mean(moved))


def test_hausdorff_is_the_furthest_of_the_nearest():
    a = np.array([[0.0, 0], [1.0, 0]])
    b = np.array([[0.0, 0], [0.0, 3]])
    assert experiments.hausdorff(a, b) == pytest.approx(3)
    assert experiments.hausdorff(b[:1], a) == pytest.approx(1)


@pytest.mark.parametrize(("lead", "shortfall"), [(-0.25, 0.25), (0.25, 0.0)])
def test_a_shortfall_is_of_the_best_choice_among_the_samples(monkeypatch, lead, shortfall):
    made = []

    def master(objective, columns, gap, tol):
        made.append((objective, columns))
        return SimpleNamespace(objective=3.0)

    def make(objective, kernel, h):
        made.append((objective, kernel, h))
        path = np.array([1.0, 0.5, 2.0])
        model = SimpleNamespace(objective_path_=path, objective_=3.0 + lead)
        return SimpleNamespace(fit=lambda points: made.append(points) or model)

    monkeypatch.setattr(experiments, "solve_master", master)
    cell = {"objective": "margin", "kernel": "gaussian"}
    wired = wire(experiments.never_worse, cell, methods={"INFEX": make})
    assert wired["INFEX"] == {"shortfall": shortfall, "fall": 0.5}
    rng = wired.rng("points")
    centres = 3 * rng.normal(size=(6, 2))
    points = centres[np.arange(40) // 7] + rng.normal(size=(40, 2))
    h = rng.uniform(0.5, 2)
    apart = np.sum((points[:, None] - points) ** 2, axis=-1)
    assert made[0][0] == "margin"
    np.testing.assert_allclose(made[0][1], np.exp(-apart / (2 * h**2)), atol=1e-9)
    assert made[1] == ("margin", "gaussian", h)
    np.testing.assert_allclose(made[2], points)


def test_modes_are_those_of_the_first_round(samples, monkeypatch):
    counts = iter([4, 9, 2])
    seen = []

    def modes(points, starts, weights, kernel, h):
        seen.append((weights, kernel, h))
        n = next(counts)
        return np.arange(3.0 * n).reshape(n, 3), np.linspace(2, 0.5, n)

    def master(objective, columns, gap, tol):
        seen.append((objective, columns.shape[1]))
        return SimpleNamespace(sample_weights="weights", weights=np.arange(columns.shape[1]) % 2)

    monkeypatch.setattr(experiments, "solve_master", master)
    wired = wire(experiments.subproblem_modes, methods={"INFEX": modes}, data=DATA)
    assert wired["INFEX"] == {"modes": 4}
    # Half of the exemplars have no weight; of four modes three are higher than 1 (2, 1.5, 1, 0.5).
    assert [shown for shown in seen if shown[0] == "likelihood"][:2] == [
        ("likelihood", 20),
        ("likelihood", 10 + 2),
    ]
    assert seen[1] == ("weights", "epanechnikov", 1500)
    assert len(wired.kept["round-1"]) == 4
    assert samples == [("roweis", "zip codes", "every-tenth")]


def test_methods_of_a_codebook_are_of_the_disc_by_its_margin():
    makes = experiments.codebooks.methods({})
    assert isinstance(makes["INFEX"], partial)
    assert makes["INFEX"].keywords == {"objective": "margin", "kernel": "disc", "start": "empty"}
