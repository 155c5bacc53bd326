"""What a job asks of a cluster follows from the declared cost, and grows when it is tried again."""

from dataclasses import replace

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.trials import demands, plans
from icml2008.run.trials.configuration import Run, shards_of

KEY = "radlinski2008diverse"


@pytest.fixture(scope="module")
def plan(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "FOLDER", tmp_path_factory.mktemp("plans"))
        return plans.plan_of(Run(), Entry(KEY), "full")


def test_a_plan_has_the_declared_cost_of_its_shards(plan):
    declared = library.load_experiments(KEY)
    costs = [
        sum(declared[name].seconds(cell) for name, cell, _ in shard.trials)
        for _, shard in shards_of(Entry(KEY), "full")
    ]
    assert plan.seconds == pytest.approx(sum(costs))
    assert plan.longest == max(costs)


def test_time_covers_all_shards_with_head_room_and_doubles(plan):
    long = replace(plan, seconds=16 * 600.0, longest=60.0)
    assert demands.minutes(long, 16, 1) == 5 + 3 * 11
    assert [demands.minutes(long, 16, attempt) for attempt in (2, 3)] == [2 * 38, 4 * 38]


def test_memory_grows_to_what_the_processes_may_take(plan):
    asked = [demands.mebibytes(plan, 2, attempt) for attempt in (1, 2, 3)]
    assert asked == [plan.mebibytes, 2 * plan.mebibytes, 2 * plan.mebibytes]
