"""What the records of a shard depend on, and what its process may take."""

import resource
from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.catalogue.entry import Entry
from icml2008.data.availability import State
from icml2008.harness.sharding import Shard
from icml2008.run.trials import shards
from icml2008.run.trials.execution import limited_memory
from icml2008.run.trials.paper_runs import stamp_of
from icml2008.store import read_json


def stamp(**statuses):
    states = {name: State(name, status, {}, {}) for name, status in statuses.items()}
    return stamp_of("planned", ["census"], states)


def test_a_shard_is_run_again_when_its_data_arrive():
    assert stamp(census="unavailable") != stamp(census="available")


def test_data_of_other_shards_do_not_run_a_shard_again():
    there = {"census": "available"}
    assert stamp(**there, votes="unavailable") == stamp(**there, votes="available")


def test_what_allocates_beyond_its_limit_fails_and_the_limit_ends_with_it():
    before = resource.getrlimit(resource.RLIMIT_AS)
    with limited_memory(1024):
        with pytest.raises(MemoryError):
            np.empty(1 << 28)  # 2 GiB
        assert np.empty(1 << 26).size  # half of one
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_shard_says_what_it_cost(tmp_path, monkeypatch):
    clocks = {"perf_counter": iter([10.0, 13.0]), "process_time": iter([4.0, 6.5])}
    for name, ticks in clocks.items():
        monkeypatch.setattr(shards.time, name, ticks.__next__)
    usage = SimpleNamespace(ru_maxrss=3 * 1024)
    monkeypatch.setattr(shards.resource, "getrusage", lambda who: usage)
    monkeypatch.setattr(shards, "run_trials", lambda *_, **__: ([], [0.25, 0.5]))
    entry = Entry("bergeron2008mirank")
    shard = Shard("0000", (), [("accuracy", {}, 0), ("accuracy", {}, 1)])
    file = tmp_path / "0000.jsonl"
    shards.run_shard(
        entry,
        "default",
        shard,
        {},
        mirrors=(),
        code={"accuracy": "c"},
        stamp="s",
        records_file=file,
    )
    assert file.is_file()
    cost = read_json(file.with_suffix(".cost.json"))
    assert (cost["stamp"], cost["code"]) == ("s", {"accuracy": "c"})
    assert (cost["seconds"], cost["processor_seconds"], cost["peak_mebibytes"]) == (3, 2.5, 3)
    assert cost["trial_seconds"] == {"accuracy": [0.25, 0.5]}
