"""What every paper's folder must fulfil."""

import pytest

from icml2008.data import load
from icml2008.data.availability import ensure
from icml2008.harness.records import to_text
from icml2008.harness.trial import Trial, run_trial
from icml2008.judge.records import Records
from icml2008.papers import library
from icml2008.workflow.verdicts import judge_paper

KEYS = library.paper_keys()
EXPERIMENTS = [(key, name) for key in KEYS for name in library.load_experiments(key)]


def smoke_lines(key, name):
    """Return the records of an experiment at scale smoke, as far as its data are there."""
    found = library.load_experiment(key, name)
    lines = [{"schema": 1, "paper": key, "experiment": name, "universe": "default"}]
    for cell, repeat in found.trials("smoke"):
        if all(ensure(data).status == "available" for data in found.data(cell)):
            choices = library.trial_choices(key, name, "default")
            lines += run_trial(Trial(key, found, cell, repeat, choices=choices, load=load))
    return lines


@pytest.fixture(scope="module")
def smoke():
    return {at: smoke_lines(*at) for at in EXPERIMENTS}


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
    values = [line for line in smoke[at][1:] if "metric" in line]
    assert values
    for line in values:
        low, high = metrics[line["metric"]].limits
        assert low <= line["value"] <= high


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_no_method_fails_at_smoke_scale(at, smoke):
    assert not [line["error"] for line in smoke[at][1:] if "error" in line]


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_two_runs_give_the_same_bytes(at, smoke):
    head, *lines = smoke[at]
    again = smoke_lines(*at)
    assert to_text(head, lines) == to_text(head, again[1:])


@pytest.mark.parametrize("key", KEYS)
def test_the_judge_takes_the_claims(key, smoke):
    lines = {(name, "default"): found for (paper, name), found in smoke.items() if paper == key}
    wholes = [v for v in judge_paper(key, lines, "smoke") if not v["part"]]
    assert [v["claim"] for v in wholes] == list(library.load_paper(key).claims)
    assert all(v["preliminary"] or v["verdict"] == "untested" for v in wholes)


@pytest.mark.parametrize("at", EXPERIMENTS, ids="/".join)
def test_records_can_be_read_by_the_judge(at, smoke):
    assert Records(smoke[at]).experiment == at[1]
