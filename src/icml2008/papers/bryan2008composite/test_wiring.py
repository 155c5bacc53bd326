"""What trials record, of samplers that know the sum from some sample on, and of known regions."""

from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.catalogue import library
from icml2008.harness.trial import Trial
from wiring import Wired, wire

from . import experiments, regions
from .campaigns import Kriging, Reached, points_of_judgement
from .peers import GaussianProcess
from .tasks import make_task

TODAY = {"gp-straddle", "gp-random", "grid", "variance-maxvarstraddle"}


class Knows:
    """Predicts the sum while it was told of a right number of samples, and else its opposite."""

    when = staticmethod(lambda n: n >= 7)
    started = None

    def __init__(self, *, task, slopes, rng, settings):
        self.task = task
        self.n = 0
        if self.started is not None:
            self.started.append((task, slopes, rng.random(), settings))

    def ask(self):
        where = np.array([0.01, 0.02]) * self.n
        return self.task.bounds[:, 0] + where, self.n % len(self.task.functions)

    def tell(self, x, i, y):
        assert y == self.task.functions[i](x)
        self.n += 1

    def predict_mean(self, X):
        if self.n < 3:
            raise ValueError
        total = self.task.total(X)
        return total if self.when(self.n) else 2 * self.task.threshold - total


def knowing(when):
    return type("Knows", (Knows,), {"when": staticmethod(when)})


@pytest.fixture
def started(monkeypatch):
    monkeypatch.setattr(Knows, "started", [])
    return Knows.started


@cache
def slopes_of(rule, domain):
    settings = experiments.DEFAULTS | {"domain": domain}
    return make_task("4-Sin2D", settings).slopes(rule).tolist()


COUNTING = ["samples_to_target", "samples_at_random", "samples_of_other_methods"]


@pytest.mark.parametrize("name", COUNTING)
@pytest.mark.parametrize("task", ["Gaussian", "Sin2D"])
def test_samples_are_counted_until_the_target_is_met(name, task):
    methods = {"mine": Knows, "early": knowing(lambda n: n >= 2)}
    seen = wire(getattr(experiments, name), {"task": task}, methods=methods)
    assert seen["mine"] == {"samples": 7, "reached": 100}
    # No prediction, no accuracy: two samples are too early.
    assert seen["early"] == {"samples": 3, "reached": 100}


@pytest.mark.parametrize(("name", "cap"), zip(COUNTING, [500, 1000, 500], strict=True))
def test_what_never_meets_the_target_ends_at_the_cap(name, cap):
    choices = {} if name == "samples_of_other_methods" else {"test-points": "centres-50"}
    never = knowing(lambda n: False)
    last = knowing(lambda n: n >= cap)
    beyond = knowing(lambda n: n > cap)
    methods = {"never": never, "last": last, "beyond": beyond}
    seen = wire(getattr(experiments, name), choices=choices, methods=methods)
    assert seen["never"] == seen["beyond"] == {"samples": cap, "reached": 0}
    assert seen["last"] == {"samples": cap, "reached": 100}


@pytest.mark.parametrize(
    ("crossing", "length", "samples"),
    [("first", 4, 7), ("lasting", 4, 40), ("lasting", 20, 40), ("lasting", 21, 7)],
)
def test_the_first_time_or_the_first_of_twenty_more_counts(crossing, length, samples):
    methods = {"mine": knowing(lambda n: 7 <= n < 7 + length or n >= 40)}
    choices = {"crossing": crossing}
    seen = wire(experiments.samples_to_target, choices=choices, methods=methods)
    assert seen["mine"]["samples"] == samples


@pytest.mark.parametrize("name", [*COUNTING, "where_samples_lie"])
def test_all_samplers_start_from_the_same_draws_and_settings(name, started):
    task = "4-Sin2D"
    choices = {"domain": "0..3"} if name != "samples_of_other_methods" else {}
    methods = {"mine": Knows, "other": Knows}
    seen = wire(getattr(experiments, name), {"task": task}, choices=choices, methods=methods)
    settings = experiments.DEFAULTS | choices
    for shown, slopes, drawn, given in started:
        assert {key: given[key] for key in settings} == settings
        assert drawn == seen.rng("campaign").random()
        np.testing.assert_array_equal(shown.bounds, make_task(task, settings).bounds)
        assert slopes == pytest.approx(slopes_of("gradient", settings["domain"]))
    assert len(started) == 2


@pytest.mark.parametrize(
    ("choices", "threshold"),
    [
        ({}, 9.488 / 2),
        ({"gaussian-threshold": "5.991"}, 5.991 / 2),
        ({"gaussian-scale": "chi-square"}, 9.488),
    ],
)
def test_choices_of_the_gaussian_reach_the_task(started, choices, threshold):
    cell = {"task": "Gaussian"}
    wire(experiments.samples_to_target, cell, choices=choices, methods={"mine": Knows})
    assert started[0][0].threshold == pytest.approx(threshold)


@pytest.mark.parametrize("slope", ["gradient", "half-gradient", "variogram"])
def test_the_choice_of_slopes_is_the_samplers(started, slope):
    cell = {"task": "4-Sin2D"}
    wire(experiments.samples_to_target, cell, choices={"slope": slope}, methods={"mine": Knows})
    assert started[0][1] == pytest.approx(slopes_of(slope, "0..2"))


@pytest.mark.parametrize("rule", ["grid-50", "centres-50", "uniform-2500"])
def test_accuracy_is_measured_at_the_chosen_points(monkeypatch, rule):
    met = []

    def steps(sampler, task, points):
        met.append(points)
        yield SimpleNamespace(accuracy=1.0)

    monkeypatch.setattr(experiments, "steps", steps)
    cell = {"task": "4-Sin2D"}
    choices = {"test-points": rule}
    seen = wire(experiments.samples_to_target, cell, choices=choices, methods={"mine": Knows})
    task = make_task("4-Sin2D", experiments.DEFAULTS)
    expected = points_of_judgement(task, rule, seen.rng("test-points"))
    np.testing.assert_array_equal(met[0], expected)
    assert seen["mine"] == {"samples": 1, "reached": 100}


def test_a_grid_is_asked_for_the_test_points_under_the_cap(monkeypatch):
    asked = []

    def grid(task, points, cap):
        asked.append((task.target, points.shape, cap))
        return Reached(72, cap < 400)

    monkeypatch.setattr(experiments, "samples_of_grid", grid)
    seen = wire(experiments.samples_of_other_methods, {"task": "Sin2D"}, methods={"grid": grid})
    assert seen["grid"] == {"samples": 72, "reached": 0}
    assert asked == [(0.9, (2500, 2), 500)]


@pytest.mark.parametrize("repeat", [0, 1])
def test_distances_are_means_over_a_hundred_samples_and_the_accuracy_is_the_last(repeat):
    methods = {"mine": Knows, "late": knowing(lambda n: n == 100)}
    seen = wire(experiments.where_samples_lie, repeat=repeat, methods=methods)
    task = make_task("4-Sin2D", experiments.DEFAULTS)
    taken = task.bounds[:, 0] + np.outer(np.arange(100), [0.01, 0.02])
    apart = taken[:, None] - task.level_set()
    nearest = np.sqrt((apart**2).sum(axis=2)).min(axis=1)
    for name in methods:
        assert seen[name] == pytest.approx({"distance": nearest.mean(), "accuracy": 100})
    assert set(seen.kept) == (set(methods) if repeat == 0 else set())
    if repeat == 0:
        x, y, i, value = seen.kept["mine"].T
        np.testing.assert_allclose(np.column_stack([x, y]), taken, atol=1e-6)
        np.testing.assert_array_equal(i, np.arange(100) % 4)
        expected = [task.functions[n % 4](point) for n, point in enumerate(taken)]
        np.testing.assert_allclose(value, expected, atol=1e-6)


def test_samplers_are_krigings_by_their_heuristics_and_processes_that_choose_or_do_not():
    printed = experiments.samplers(*experiments.MODELS)({})
    assert {name: make.args for name, make in printed.items()} == {
        name: (name,) for name in experiments.MODELS
    }
    assert all(make.func is Kriging for make in printed.values())
    methods = experiments.samples_of_other_methods.methods({})
    assert set(methods) == TODAY
    for name, active in (("gp-straddle", True), ("gp-random", False)):
        assert methods[name].func is GaussianProcess
        assert methods[name].args == (active,)
    assert list(experiments.samples_at_random.methods({})) == ["random"]


# Section 5


class Campaign:
    """Samples of a campaign, as a trial uses them; says under which choices it was judged."""

    def __init__(self, name, vectors, runs):
        self.name = name
        self.universes = dict.fromkeys(range(vectors))
        self.runs = runs

    def count(self, i):
        assert i == regions.CMB
        return self.runs

    def completed(self, data):
        return Campaign(f"{self.name} and cheap ones by {data.label}", 0, self.runs)

    def under(self, data):
        return f"{self.name} under {data.label}"


@pytest.fixture
def plane(monkeypatch):
    def data(supernovae, galaxies, cmb, choices, matter):
        assert matter is regions.matter_spectrum
        label = ", ".join([supernovae, galaxies, cmb, choices["scales"], choices["zero-point"]])
        return SimpleNamespace(label=label, choices=choices)

    def sample(n_parameters, data, rng):
        assert n_parameters == 3
        return (
            [Campaign("galaxies", 9, 0), Campaign("cmb", 9, 5)],
            Campaign("together", 12, 3),
        )

    monkeypatch.setattr(regions, "Data", data)
    monkeypatch.setattr(regions, "sample", sample)
    names = (*regions.SPECTRA, "union2", "sdss-lrg")
    return {name: name for name in names}


def judged(choices, methods, data):
    """Run a trial with no other choices than its experiment's: what is kept turns on them."""
    experiment = replace(regions.regions_of_the_plane, methods=lambda choices: methods)
    of_experiment = library.trial_choices("bryan2008composite", "regions", "default")
    cell = {"parameters": 3}
    values = of_experiment | choices
    key = "bryan2008composite"
    return Wired(Trial(key, experiment, cell, 0, choices=values, load=data.__getitem__))


PLAIN = "union2, sdss-lrg, wmap-1-bands, linear, as-published"


@pytest.mark.parametrize(
    ("choices", "judged_by", "side"),
    [
        ({}, PLAIN, 20),
        ({"bins": "0.1"}, PLAIN, 10),
        ({"scales": "all"}, PLAIN.replace("linear", "all"), 20),
        ({"zero-point": "free"}, PLAIN.replace("as-published", "free"), 20),
        ({"spectrum": "wmap-5-bands"}, PLAIN.replace("wmap-1", "wmap-5"), 20),
    ],
)
def test_choices_judge_the_samples_of_the_default_campaigns(plane, choices, judged_by, side):
    def region(judgement, *, concordance):
        assert judgement.samples == [
            f"galaxies under {judged_by}",
            f"cmb and cheap ones by {PLAIN} under {judged_by}",
            f"together under {judged_by}",
        ]
        inside = np.zeros((judgement.n_bins,) * 2, dtype=bool)
        inside[0] = True
        # Omega_M = 0.27 and Omega_Lambda = 0.73 lie here.
        inside[{20: (5, 14), 10: (2, 7)}[judgement.n_bins]] = concordance
        return inside

    methods = {
        "together": partial(region, concordance=True),
        "cmb": partial(region, concordance=False),
    }
    seen = judged(choices, methods, plane)
    assert seen.failed == {}
    assert seen["together"] == pytest.approx(
        {
            "area": (side + 1) / side**2,
            "concordance": 100,
            "vectors": 12,
            "runs": 8,
            "vectors_per_run": 4,
        }
    )
    assert seen["cmb"] == pytest.approx({"area": 1 / side, "concordance": 0})
    if choices:
        assert not seen.kept
    else:
        assert seen.kept["cmb"].tolist() == list(range(20))
        assert seen.kept["together"].tolist() == [*range(20), 5 * 20 + 14]


def test_regions_are_of_the_sources_that_they_are_called_by():
    names = {
        name: region.keywords["i"]
        for name, region in regions.REGIONS.items()
        if isinstance(region, partial)
    }
    assert names == {"supernovae": 0, "galaxies": 1, "cmb": 2}
    assert (regions.SUPERNOVAE, regions.GALAXIES, regions.CMB) == (0, 1, 2)
    assert regions.REGIONS["intersection"] is regions.Found.intersection
    assert regions.REGIONS["together"] is regions.Found.together


def universe(omega_m, omega_lambda):
    return regions.WMAP_5._replace(omega_m=omega_m, omega_lambda=omega_lambda)


def test_a_source_alone_accepts_by_its_own_threshold_and_all_together_by_their_sum():
    samples = regions.Samples()
    cases = [
        # Alone, galaxies accept below 5.99; all three below 12.59 in sum.
        (universe(0.1, 0.1), {0: 5.0, 1: 5.9, 2: 1.0}),
        (universe(0.3, 0.1), {0: 0.0, 1: 6.1, 2: 5.8}),
        (universe(0.5, 0.1), {0: 5.0, 1: 5.0, 2: 5.0}),
        (universe(0.7, 0.1), {1: 1.0}),
    ]
    for n, (place, values) in enumerate(cases):
        samples.add(np.array([n]), place, values)
    judgement = regions.Found(None, [samples], 5)

    def columns(inside):
        assert not inside[:, 1:].any()
        return np.flatnonzero(inside[:, 0]).tolist()

    assert columns(judgement.alone(regions.GALAXIES)) == [0, 2, 3]
    assert columns(judgement.alone(regions.CMB)) == [0, 1, 2]
    assert columns(judgement.together()) == [0, 1]


@pytest.mark.parametrize(("parameters", "together"), [(3, 2), (8, 7)])
def test_campaigns_have_their_boxes_thresholds_and_budgets(monkeypatch, parameters, together):
    called = []

    def campaign(space, functions, threshold, rng, *, first, enough, known=()):
        called.append((space, functions, threshold, rng, first, enough, known))
        return f"samples {len(called)}", [(np.array([len(called)]), 0, 2.5)]

    data = SimpleNamespace(alone=lambda i: f"alone {i}", cheap="cheap")
    monkeypatch.setattr(regions, "campaign", campaign)
    ((galaxies, cmb), last) = regions.sample(parameters, data, str.upper)
    assert (galaxies, cmb, last) == ("samples 1", "samples 2", "samples 3")
    assert [rng for *_, rng, _, _, _ in called] == ["GALAXIES", "CMB", "TOGETHER"]
    assert [functions for _, functions, *_ in called] == [
        ["alone 1"], ["alone 2"], ["cheap", "alone 2"],
    ]  # fmt: skip
    thresholds = [threshold for _, _, threshold, *_ in called]
    assert thresholds == pytest.approx([5.991, 5.991, 12.592], abs=1e-3)
    spaces = [space for space, *_ in called]
    assert "omega_m" in spaces[0].free
    assert spaces[1].free == spaces[2].free
    assert len(spaces[1].free) == together
    assert [space.hubble for space in spaces] == [None, None, (0.66, 0.74)]
    # The campaign of the CMB is told to the last one, whose second function it is.
    assert called[2][-1] == [(np.array([2]), 1, 2.5)]
    budget = regions.BUDGETS[parameters]
    assert {first for *_, first, _, _ in called} == {budget.first}
    enough = [enough for *_, enough, _ in called]

    def samples(vectors=0, **counts):
        number = {regions.GALAXIES: counts.get("galaxies", 0), regions.CMB: counts.get("cmb", 0)}
        return SimpleNamespace(count=number.get, universes=range(vectors))

    assert enough[0](samples(galaxies=budget.galaxies))
    assert not enough[0](samples(galaxies=budget.galaxies - 1, cmb=999))
    assert enough[1](samples(cmb=budget.cmb))
    assert not enough[1](samples(galaxies=999, cmb=budget.cmb - 1))
    assert enough[2](samples(cmb=budget.runs))
    assert enough[2](samples(vectors=budget.vectors))
    assert not enough[2](samples(vectors=budget.vectors - 1, cmb=budget.runs - 1, galaxies=999))


def test_galaxies_cost_nothing_where_supernovae_rule_a_universe_out():
    class Source:
        def __init__(self, statistic):
            self.statistic = statistic
            self.settings = []

        def fit(self, universe, **settings):
            self.settings.append(settings)
            return SimpleNamespace(statistic=self.statistic)

    galaxies = Source(3.0)
    choices = {"zero-point": "free", "scales": "all"}
    for statistic, expected in ((12.5, {0: 12.5, 1: 3.0}), (12.7, {0: 12.7})):
        supernovae = Source(statistic)
        data = regions.Data(supernovae, galaxies, None, choices)
        assert data.cheap(universe(0.3, 0.7)) == expected
        assert supernovae.settings == [{"zero_point": "free"}]
    assert galaxies.settings == [{"scales": "all", "matter": regions.matter_spectrum}]
    far = regions.Data(Source(1e9), galaxies, None, choices)
    assert far.alone(0)(universe(0.3, 0.7)) == {0: regions.CAP}
