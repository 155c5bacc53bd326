"""What is shown of a paper that was run here and is not in the reference."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.cli import app
from icml2008.harness.records import header
from icml2008.run.reference.judging import judge_paper
from icml2008.run.trials.execution import run_trials
from icml2008.store import Shelf

KEY = "doe2008toy"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that judges the toy's trials of a scale."""
    library.add_papers(Path(__file__).parents[1] / "run" / "papers")
    monkeypatch.chdir(tmp_path)
    Path("results/reference").mkdir(parents=True)

    def run(scale):
        trials = library.load_experiment(KEY, "centre").trials(scale)
        lines, _ = run_trials(Entry(KEY), "centre", "default", trials)
        evidence = {("centre", "default"): [header(KEY, "centre", "default"), *lines]}
        rows = judge_paper(Entry(KEY), evidence, scale)
        Shelf.of_run(scale, Entry(KEY)).write_verdicts(rows)

    return run


def show(*more):
    return CliRunner().invoke(app, ["show", KEY, *more], catch_exceptions=False).stdout


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_a_run_is_shown_where_nothing_was_published(run, more):
    nothing = show(*more)
    assert "not judged" in nothing or "Nothing is judged yet" in nothing
    assert "Judged by" not in nothing
    run("quick")
    shown = show(*more)
    assert "judged yet" not in shown
    assert "not judged" not in shown
    assert shown.endswith("Judged by the run in results/quick\n")


def test_the_largest_scale_is_shown_and_a_named_folder_before_it(run):
    run("smoke")
    run("quick")
    assert show().endswith("Judged by the run in results/quick\n")
    assert show("--results", "results/smoke").endswith("Judged by the run in results/smoke\n")
