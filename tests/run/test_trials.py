"""What the records of a shard depend on."""

from icml2008.data.availability import State
from icml2008.run.execution import stamp_of


def stamp(**statuses):
    states = {name: State(name, status, {}, {}) for name, status in statuses.items()}
    return stamp_of("planned", ["census"], states)


def test_a_shard_is_run_again_when_its_data_arrive():
    assert stamp(census="unavailable") != stamp(census="available")


def test_data_of_other_shards_do_not_run_a_shard_again():
    there = {"census": "available"}
    assert stamp(**there, votes="unavailable") == stamp(**there, votes="available")
