"""What the records of a shard depend on, and what its process may take."""

import resource

import numpy as np
import pytest

from icml2008.data.availability import State
from icml2008.run.trials.execution import limited_memory
from icml2008.run.trials.paper_runs import stamp_of


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
