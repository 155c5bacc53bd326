"""Trials whose records the reference has are read from it where nothing behind them differs."""

import json
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic, records
from icml2008.harness.choices import DEFAULT
from icml2008.run.keys import code_of, result_key
from icml2008.run.reference.adopting import adopt, renew
from icml2008.run.trials import announce, shards
from icml2008.run.trials.configuration import shards_of
from icml2008.run.trials.execution import run_trials
from icml2008.run.trials.multiverse import run_experiment
from icml2008.run.trials.paper_runs import stamp_of
from icml2008.run.trials.reuse import known_records
from icml2008.store import Shelf, read_json, write_json

NAME = "centre"


@pytest.fixture
def entry(tmp_path, monkeypatch):
    """Return a paper whose reference has the trials of scale smoke under all choices."""
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)
    toy = Entry("doe2008toy")
    run_experiment(toy, NAME, scale="smoke")
    reference = Shelf.of_reference(toy)
    reference.pack(NAME, Shelf.of_run("smoke", toy))
    provenance = {
        "keys": {NAME: result_key(toy, NAME)},
        "arithmetic": arithmetic.joined([arithmetic.active()]),
    }
    write_json(reference.provenance_file, provenance)
    return toy


def shard_of(entry, scale, *, universe=DEFAULT, reuse):
    """Run the only shard of a scale; return the bytes of its records and what it cost."""
    ((_, shard),) = list(shards_of(entry, scale, universe))
    file = Path(f"{reuse}.jsonl")
    shards.run_shard(
        entry,
        universe,
        shard,
        {},
        mirrors=(),
        code={NAME: code_of(entry, NAME)},
        stamp="",
        records_file=file,
        reuse=reuse,
    )
    return file.read_bytes(), read_json(file.with_suffix(".cost.json"))


@pytest.mark.parametrize("universe", [DEFAULT, "noise=laplace"])
def test_nothing_is_run_that_the_reference_has_and_the_records_are_the_same_bytes(entry, universe):
    made, cost = shard_of(entry, "smoke", universe=universe, reuse=False)
    assert "reused" not in cost
    taken, cost = shard_of(entry, "smoke", universe=universe, reuse=True)
    assert taken == made
    assert (cost["reused"], cost["trial_seconds"]) == (16, {NAME: []})


def test_what_the_reference_lacks_is_run(entry, monkeypatch):
    asked = []

    def watched(entry, experiment, universe, trials, **how):
        asked.extend(trials)
        return run_trials(entry, experiment, universe, trials, **how)

    monkeypatch.setattr(shards, "run_trials", watched)
    _, shard = next(shards_of(entry, "quick"))
    have = {
        records.canonical([dict(cell), at]) for cell, at in entry.experiments[NAME].trials("smoke")
    }
    lacks = [
        trial[1:]
        for trial in shard.trials
        if records.canonical([dict(trial[1]), trial[2]]) not in have
    ]
    monkeypatch.setattr(
        "icml2008.run.trials.configuration.shards",
        lambda *_, **__: [shard],
    )
    taken, cost = shard_of(entry, "quick", reuse=True)
    assert asked == lacks
    assert cost["reused"] == len(shard.trials) - len(lacks) > 0
    assert taken == shard_of(entry, "quick", reuse=False)[0]


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("code", "0123456789abcdef"),
        ("data", {"census-16h": {}}),
        ("choices", {"noise": "laplace", "sizes": "printed"}),
        ("versions", {"numpy": "1.0"}),
    ],
)
def test_nothing_is_taken_where_anything_behind_it_differs(entry, part, other):
    assert known_records(entry, NAME, DEFAULT)
    file = Shelf.of_reference(entry).provenance_file
    provenance = read_json(file)
    provenance["keys"][NAME][part] = other
    write_json(file, provenance)
    assert known_records(entry, NAME, DEFAULT) == {}


@pytest.mark.parametrize("computed", [{}, {"numpy": ["X86_V2"], "libm": ["glibc 2.36"]}])
def test_nothing_is_taken_that_came_by_another_arithmetic_or_an_unknown_one(entry, computed):
    file = Shelf.of_reference(entry).provenance_file
    write_json(file, read_json(file) | {"arithmetic": computed})
    assert known_records(entry, NAME, DEFAULT) == {}


def test_an_alternative_is_run_where_the_reference_left_out_what_it_keeps_for_figures(entry):
    assert known_records(entry, NAME, "noise=laplace")
    run = Shelf.of_run("smoke", entry)
    (head, *_), *_ = [run.records()[NAME, DEFAULT]]
    kept = {"kind": "array", "cell": {"size": 10}, "repeat": 0, "keep": "draws", "array": [1.0]}
    file = run.records_folder / NAME / "kept" / f"{DEFAULT}.jsonl"
    records.write_atomically(file, records.to_text(head, [kept]))
    Shelf.of_reference(entry).pack(NAME, run)
    assert kept in known_records(entry, NAME, DEFAULT)[records.canonical({"size": 10}), 0]
    assert known_records(entry, NAME, "noise=laplace") == {}


def test_a_run_that_makes_its_own_records_keeps_none_that_were_read():
    assert stamp_of("planned", [], {}, reuse=True) != stamp_of("planned", [], {})


def test_the_end_of_a_run_says_how_many_trials_were_not_run(entry, capsys):
    run = Shelf.of_run("smoke", entry)
    announce.say_cost([run], 0.0, 1)
    assert "reuse" not in capsys.readouterr().err
    for file in run.cost_files[:2]:
        file.write_text(json.dumps(read_json(file) | {"reused": 21}))
    announce.say_cost([run], 0.0, 1)
    assert "42 more were not run: their records are the reference's" in capsys.readouterr().err


@pytest.mark.parametrize("take", [adopt, renew])
def test_records_that_were_read_are_no_new_evidence(entry, take):
    run = Shelf.of_run("smoke", entry)
    file = run.cost_files[0]
    file.write_text(json.dumps(read_json(file) | {"reused": 21}))
    with pytest.raises(Icml2008Error, match="read from the reference"):
        take(run)
