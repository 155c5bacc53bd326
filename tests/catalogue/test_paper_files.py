"""What every paper's folder must fulfil.

In every run, a paper's experiments are run as far as they fit into its share of a processor, the
cheapest first. Of the others, the records are those of the reference, with which a run of the
workflow at scale smoke compares them all; ``make test-thorough`` runs everything here, too.
"""

from collections import Counter
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

import pytest
import yaml

import icml2008.papers
from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.catalogue.figures import Measured
from icml2008.data import load
from icml2008.data.availability import ensure
from icml2008.data.registry import declarations, registry
from icml2008.harness import arithmetic
from icml2008.harness.choices import around_the_default, projected, universe_name
from icml2008.harness.code import closure, starts_of
from icml2008.harness.records import canonical, header
from icml2008.harness.trial import Trial, run_trial
from icml2008.judge.controls import SIDES, is_controlled
from icml2008.judge.measures import fits
from icml2008.report.drawing import drawings
from icml2008.report.results import PaperResults
from icml2008.run import keys
from icml2008.run.reference.judging import judge_paper, lines_for_figures
from icml2008.run.site.size import SECONDS
from icml2008.store import Shelf

KEYS = list(filter(library.has_experiments, library.paper_keys()))
REFERENCE = Path(__file__).parents[2] / store.REFERENCE
# Of a paper's seconds of tests; the rest is for tests of its own.
SECONDS_OF_SMOKE = SECONDS["smoke"]
SECONDS_OF_ALTERNATIVES = 1.0


# The trials of a paper read the same few data sets, and to unpack one can take seconds.
is_there = cache(lambda data: ensure(data).status == "available")
loaded = lru_cache(maxsize=2)(load)


def run_trials(key, name, trials, universe="default"):
    """Return the records of trials, as far as their data are there."""
    experiment = library.load_experiment(key, name)
    choices = library.trial_choices(key, name, universe)
    return [
        line
        for cell, repeat in trials
        if all(map(is_there, experiment.data(cell)))
        for line in run_trial(Trial(key, experiment, cell, repeat, choices=choices, load=loaded))
    ]


def errors(lines):
    return [line["error"] for line in lines if "error" in line]


def of_reference(key, name, trials):
    """Return the records of trials in the committed reference."""
    pairs = {(canonical(cell), repeat) for cell, repeat in trials}
    return [
        line
        for line in lines_for_figures(Shelf(REFERENCE, Entry(key)), name, "default")
        if (canonical(line["cell"]), line["repeat"]) in pairs
    ]


class Smoke:
    """The records of a paper at scale smoke.

    Attributes
    ----------
    ran : dict of str to list
        The lines of each experiment that was run here.
    lines : dict of str to list
        Those, and the reference's of each experiment that was not.
    """

    def __init__(self, key):
        declared = library.load_experiments(key)
        trials = {name: experiment.trials("smoke") for name, experiment in declared.items()}
        cost = {
            name: sum(experiment.seconds(cell) for cell, _ in trials[name])
            for name, experiment in declared.items()
        }
        self.ran = {}
        known = {}
        left = SECONDS_OF_SMOKE
        for name in sorted(trials, key=cost.get):
            left -= cost[name]
            known[name] = of_reference(key, name, trials[name]) if left < 0 else []
            if not known[name]:
                self.ran[name] = run_trials(key, name, trials[name])
        self.lines = {name: self.ran.get(name) or known[name] for name in trials}


@pytest.fixture(scope="module")
def smoke():
    """Return a function of a paper to its records at scale smoke; it keeps the last ones."""
    kept = {}

    def of(key):
        if key not in kept:
            kept.clear()
            kept[key] = Smoke(key)
        return kept[key]

    return of


def test_no_paper_reads_what_another_declares():
    """What two read stands in the registry, so that a paper can go without the other's folder."""
    folders = map(Path, icml2008.papers.__path__)
    home = {
        name: path.parent.name
        for path in declarations(folders)
        for name in yaml.safe_load(path.read_text("utf-8"))["datasets"]
    }
    for key in KEYS:
        for name in library.load_experiments(key):
            assert {home.get(data, key) for data in Entry(key).experiments[name].reads} <= {key}, (
                name
            )


def test_data_that_experiments_read_are_among_the_facts_by_the_names_of_the_registry():
    unnamed = {}
    unknown = {}
    for entry in map(Entry, KEYS):
        named = {name for facts in entry.paper.data.values() for name in facts.sets}
        unnamed[entry.key] = set(entry.reads) - named
        unknown[entry.key] = named - registry().datasets.keys()
    assert {key: names for key, names in unnamed.items() if names} == {}
    assert {key: names for key, names in unknown.items() if names} == {}


@pytest.mark.parametrize("key", KEYS)
def test_trials_import_from_the_modules_that_define_a_name(key):
    """Else one more public name makes evidence stale."""
    for name in library.load_experiments(key):
        assert (
            closure(starts_of(key, name)).keys().isdisjoint({"icml2008.methods", "icml2008.data"})
        )


def test_there_are_papers():
    assert KEYS


@pytest.mark.parametrize("key", KEYS)
def test_claims_name_experiments_cells_methods_and_metrics_that_exist(key):
    paper = library.load_paper(key)
    experiments = library.load_experiments(key)
    for name, claim in paper.claims.items():
        if claim.statistic is None:
            continue
        assert claim.statistic.experiment in experiments, name
        assert claim.statistic.metric in paper.metrics, name
        cells = experiments[claim.statistic.experiment].cells["full"]
        texts = [{k: str(v) for k, v in cell.items()} for cell in cells]
        for part in claim.parts():
            coordinates = {
                coordinate: value for coordinate, value in part.items() if coordinate != "method"
            }
            assert any(coordinates.items() <= cell.items() for cell in texts), (name, part)


@pytest.mark.parametrize("key", KEYS)
def test_choices_touch_experiments_and_cells_that_exist(key):
    experiments = library.load_experiments(key)
    for name, choice in library.load_paper(key).choices.items():
        assert set(choice.touches) <= experiments.keys(), name
        for coordinate, values in choice.cells.items():
            known = {
                cell.get(coordinate)
                for experiment in choice.touches
                for cell in experiments[experiment].cells["full"]
            }
            assert set(values) <= known, (name, coordinate)


@pytest.mark.parametrize("key", KEYS)
def test_smoke_trials_measure_declared_metrics_within_bounds_and_no_method_fails(key, smoke):
    metrics = library.load_paper(key).metrics
    for name, lines in smoke(key).lines.items():
        assert errors(lines) == [], name
        values = [line for line in lines if "metric" in line]
        assert values, name
        for line in values:
            low, high = metrics[line["metric"]].limits
            assert line["value"] is not None, (name, line["status"], line)
            assert low <= line["value"] <= high, (name, line)


@pytest.mark.parametrize("key", KEYS)
def test_what_runs_from_0_to_a_bound_has_controls_that_exist_or_a_reason(key, smoke):
    paper = library.load_paper(key)
    for name, lines in smoke(key).lines.items():
        controls = paper.experiments[name].controls
        measured = {(line["method"], line["metric"]) for line in lines if "metric" in line}
        needed = {metric for _, metric in measured if is_controlled(paper.metrics[metric])}
        assert needed <= {metric for control in controls for metric in control.metrics}, name
        cells = library.load_experiment(key, name).cells["full"]
        for controlled, side in product(controls, SIDES):
            control = getattr(controlled, side)
            if isinstance(control, str):
                assert {(control, metric) for metric in controlled.metrics} <= measured, name
            for where in getattr(control, "names", ()):
                assert any(fits(where, cell) for cell in cells), (name, where)


@pytest.mark.parametrize("key", KEYS)
def test_caps_that_differ_are_of_cells_and_methods_that_exist(key):
    paper = library.load_paper(key)
    caps = {cap for m in paper.metrics.values() if isinstance(m.cap, dict) for cap in m.cap}
    if not caps:
        return
    choices = {name: choice.default for name, choice in paper.choices.items()}
    slots = [
        {**cell, "method": method}
        for experiment in library.load_experiments(key).values()
        for method in experiment.methods(choices)
        for cell in experiment.cells["full"]
    ]
    assert not [name for name in caps if not any(fits(name, slot) for slot in slots)]


@pytest.fixture
def is_todays():
    """Return whether an experiment of the reference was computed as it would be here and now."""

    def ask(key, name):
        then = Shelf(REFERENCE, Entry(key)).provenance() or {"keys": {}}
        now = arithmetic.active()
        return then["keys"].get(name) == keys.result_key(Entry(key), name) and all(
            set(used) <= set(now.get(part, ())) for part, used in then["arithmetic"].items()
        )

    return ask


@pytest.mark.parametrize("key", KEYS)
def test_two_runs_give_the_same_bytes(key, smoke, is_todays):
    """The other run is the reference's, unless it was of other code or another arithmetic."""
    for name, lines in smoke(key).ran.items():
        trials = library.load_experiment(key, name).trials("smoke")
        read = of_reference if is_todays(key, name) else run_trials
        known = read(key, name, trials)
        assert Counter(map(canonical, lines)) == Counter(map(canonical, known)), name


@pytest.mark.parametrize("key", KEYS)
def test_the_judge_takes_the_claims(key, smoke):
    records = {
        (name, "default"): [header(key, name, "default"), *lines]
        for name, lines in smoke(key).lines.items()
    }
    wholes = [v for v in judge_paper(Entry(key), records, "smoke") if not v["part"]]
    assert [v["claim"] for v in wholes] == list(library.load_paper(key).claims)
    assert all(v["preliminary"] or v["verdict"] == "untested" for v in wholes)


@pytest.mark.parametrize("key", KEYS)
def test_figures_of_a_papers_own_are_drawn_from_its_records(key, smoke):
    cells = {
        name: experiment.cells["smoke"]
        for name, experiment in library.load_experiments(key).items()
    }
    measured = Measured(cells, lambda name, universe: smoke(key).lines[name])
    own = library.load_figures(key)
    results = PaperResults(library.load_paper(key), [], measured=measured, figures=own)
    by_name = {drawing.name: drawing for drawing in drawings(results)}
    for figure in own:
        assert (by_name[figure.name].svg() or "<svg").count("<svg") == 1, figure.name


def touches(universe, key, name, cell):
    """Return whether all that a universe changes touches a cell of an experiment."""
    return projected(universe, library.load_paper(key).choices, name, cell) == universe


def cheapest(experiment):
    """Return what the cheapest smoke trial of an experiment takes."""
    return min(experiment.seconds(cell) for cell in experiment.cells["smoke"])


def side_by_side(key):
    """Yield what tries each alternative once, where that is cheapest, as far as seconds allow.

    A trial changes as many choices as it can, as in a crossed multiverse.
    """
    waiting = {
        name: [*choice.alternatives] for name, choice in library.load_paper(key).choices.items()
    }
    experiments = library.load_experiments(key)
    seconds = SECONDS_OF_ALTERNATIVES
    for name in sorted(experiments, key=lambda name: cheapest(experiments[name])):
        for cell in experiments[name].cells["smoke"]:
            while changed := {
                choice: values[0]
                for choice, values in waiting.items()
                if values and touches(universe_name({choice: values[0]}), key, name, cell)
            }:
                for choice in changed:
                    waiting[choice].pop(0)
                seconds -= experiments[name].seconds(cell)
                if seconds >= 0:
                    yield name, universe_name(changed), cell


@pytest.mark.parametrize("key", KEYS)
def test_each_alternative_runs_beside_others(key):
    for name, universe, cell in side_by_side(key):
        assert errors(run_trials(key, name, [(cell, 0)], universe)) == [], (name, universe)


@pytest.mark.thorough
@pytest.mark.parametrize("key", KEYS)
def test_each_alternative_runs_alone_in_each_experiment_that_it_touches(key):
    for universe in around_the_default(library.load_paper(key).choices):
        for name, experiment in library.load_experiments(key).items():
            cells = (
                cell for cell in experiment.cells["smoke"] if touches(universe, key, name, cell)
            )
            for cell in [*cells][:1]:
                assert errors(run_trials(key, name, [(cell, 0)], universe)) == [], (name, universe)


@pytest.mark.thorough
@pytest.mark.parametrize("key", KEYS)
def test_two_runs_of_all_experiments_give_the_same_bytes(key):
    for name, experiment in library.load_experiments(key).items():
        first, other = (run_trials(key, name, experiment.trials("smoke")) for _ in range(2))
        assert list(map(canonical, first)) == list(map(canonical, other)), name
        assert errors(first) == [], name
