"""One experiment is run again under all its choices, and nothing else changes."""

from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import canonical
from icml2008.run.trials.execution import run_trials
from icml2008.run.trials.multiverse import run_experiment
from icml2008.store import read_lines, record_file

KEY = "doe2008toy"
NAME = "centre"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)
    return run_experiment(Entry(KEY), NAME, scale="smoke", cores=2)


def lines_of(folder, universe):
    ((_, *lines),) = read_lines(record_file(folder.parent, NAME, universe))
    return lines


@pytest.mark.parametrize("universe", [DEFAULT, "noise=laplace"])
def test_records_are_those_of_the_trials_one_after_the_other(folder, universe):
    trials = library.load_experiment(KEY, NAME).trials("smoke")
    plain = run_trials(Entry(KEY), NAME, universe, trials)[0]
    assert sorted(map(canonical, lines_of(folder, universe))) == sorted(map(canonical, plain))


def test_a_choice_changes_the_cells_that_it_touches_alone(folder):
    small, large = (
        [line for line in lines_of(folder, DEFAULT) if line["cell"]["size"] == size]
        for size in (10, 100)
    )
    doubled = lines_of(folder, "sizes=doubled")
    assert all(line in doubled for line in small)
    assert not any(line in doubled for line in large)


def test_what_is_done_stays_and_so_does_what_is_not_of_the_experiment(folder):
    shards = sorted(folder.parents[1].rglob("shards/*/*.jsonl"))
    other = shards[0].with_name("0000.cost.json")
    other.write_text("{}")
    shards[-1].unlink()
    before = [path.stat().st_mtime_ns for path in shards[:-1]]
    run_experiment(Entry(KEY), NAME, scale="smoke")
    assert [path.stat().st_mtime_ns for path in shards[:-1]] == before
    assert shards[-1].is_file()
    assert other.is_file()


def test_an_unknown_experiment_is_named_with_the_nearest(folder):
    with pytest.raises(Icml2008Error, match="centre"):
        run_experiment(Entry(KEY), "center", scale="smoke")
