"""What every paper's folder must fulfil."""

from functools import cache
from pathlib import Path

import pytest
import yaml

import icml2008.papers
from icml2008.catalogue import library
from icml2008.catalogue.figures import Measured
from icml2008.data import load
from icml2008.data.availability import ensure
from icml2008.data.registry import declarations
from icml2008.harness.choices import around_the_default, projected
from icml2008.harness.records import to_text
from icml2008.harness.trial import Trial, run_trial
from icml2008.judge.series import Records
from icml2008.report.drawing import drawings
from icml2008.report.entries import PaperResults
from icml2008.run.keys import data_needs
from icml2008.run.verdicts import judge_paper

KEYS = library.paper_keys()
EXPERIMENTS = [(key, name) for key in KEYS for name in library.load_experiments(key)]


ALTERNATIVES = [
    (key, name, universe)
    for key, name in EXPERIMENTS
    for universe in around_the_default(library.load_paper(key).choices)
    if projected(universe, library.load_paper(key).choices, name) == universe
]
FIGURES = [(key, figure.name) for key in KEYS for figure in library.load_figures(key)]


def lines_of(key, name, universe, trials):
    """Return the records of trials, as far as their data are there."""
    found = library.load_experiment(key, name)
    lines = [{"schema": 1, "paper": key, "experiment": name, "universe": universe}]
    for cell, repeat in trials:
        if all(ensure(data).status == "available" for data in found.data(cell)):
            choices = library.trial_choices(key, name, universe)
            lines += run_trial(Trial(key, found, cell, repeat, choices=choices, load=load))
    return lines


def smoke_lines(key, name):
    """Return the records of an experiment at scale smoke, as far as its data are there."""
    return lines_of(key, name, "default", library.load_experiment(key, name).trials("smoke"))


@pytest.fixture(scope="module")
def smoke():
    """Return a function of paper and experiment to its records at scale smoke."""
    return cache(smoke_lines)


def test_no_paper_reads_what_another_declares():
    """What two read stands in the registry, so that a paper can go without the other's folder."""
    folders = map(Path, icml2008.papers.__path__)
    home = {
        name: path.parent.name
        for path in declarations(folders)
        for name in yaml.safe_load(path.read_text("utf-8"))["datasets"]
    }
    for key, name in EXPERIMENTS:
        assert {home.get(data, key) for data in data_needs(key, name)} <= {key}, name


def test_there_are_papers():
    assert KEYS


@pytest.mark.parametrize("key", KEYS)
def test_claims_name_experiments_cells_methods_and_metrics_that_exist(key):
    paper, experiments = library.load_paper(key), library.load_experiments(key)
    for name, claim in paper.claims.items():
        if claim.statistic is None:
            continue
        assert claim.statistic.experiment in experiments, name
        assert claim.statistic.metric in paper.metrics, name
        cells = experiments[claim.statistic.experiment].cells["full"]
        for part in claim.parts():
            wanted = {
                coordinate: value for coordinate, value in part.items() if coordinate != "method"
            }
            texts = [{k: str(v) for k, v in cell.items()} for cell in cells]
            assert any(wanted.items() <= cell.items() for cell in texts), (name, part)


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_smoke_trials_measure_declared_metrics_within_bounds(at, smoke):
    metrics = library.load_paper(at[0]).metrics
    values = [line for line in smoke(*at)[1:] if "metric" in line]
    assert values
    for line in values:
        low, high = metrics[line["metric"]].limits
        assert low <= line["value"] <= high


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_no_method_fails_at_smoke_scale(at, smoke):
    assert not [line["error"] for line in smoke(*at)[1:] if "error" in line]


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_two_runs_give_the_same_bytes(at, smoke):
    head, *lines = smoke(*at)
    again = smoke_lines(*at)
    assert to_text(head, lines) == to_text(head, again[1:])


@pytest.mark.parametrize("key", KEYS)
def test_the_judge_takes_the_claims(key, smoke):
    lines = {(name, "default"): smoke(key, name) for name in library.load_experiments(key)}
    wholes = [v for v in judge_paper(key, lines, "smoke") if not v["part"]]
    assert [v["claim"] for v in wholes] == list(library.load_paper(key).claims)
    assert all(v["preliminary"] or v["verdict"] == "untested" for v in wholes)


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_records_can_be_read_by_the_judge(at, smoke):
    assert Records(smoke(*at)).experiment == at[1]


@pytest.mark.parametrize("key", KEYS)
def test_choices_touch_experiments_and_cells_that_exist(key):
    experiments = library.load_experiments(key)
    for name, choice in library.load_paper(key).choices.items() if experiments else ():
        assert set(choice.touches) <= experiments.keys(), name
        for coordinate, values in choice.cells.items():
            known = {
                cell.get(coordinate)
                for experiment in choice.touches
                for cell in experiments[experiment].cells["full"]
            }
            assert set(values) <= known, (name, coordinate)


@pytest.mark.parametrize("at", ALTERNATIVES, ids="/".join)
def test_each_alternative_runs_on_a_cell_that_it_touches(at):
    key, name, universe = at
    choices = library.load_paper(key).choices
    for trial in library.load_experiment(key, name).trials("smoke"):
        if projected(universe, choices, name, trial[0]) == universe:
            lines = lines_of(key, name, universe, [trial])
            assert not [line["error"] for line in lines if "error" in line]
            break


@pytest.mark.parametrize("at", FIGURES, ids="/".join)
def test_figures_of_a_papers_own_are_drawn_from_its_records(at, smoke):
    key, name = at
    cells = {
        experiment: found.cells["smoke"]
        for experiment, found in library.load_experiments(key).items()
    }
    measured = Measured(cells, lambda experiment, universe: smoke(key, experiment)[1:])
    results = PaperResults(
        library.load_paper(key), [], measured=measured, figures=library.load_figures(key)
    )
    drawing = next(one for one in drawings(results) if one.name == name)
    assert (drawing.svg() or "<svg").count("<svg") == 1
