import types

import pytest

from icml2008.harness.experiment import (
    SCALES,
    ExperimentError,
    cell_name,
    experiment,
    experiments_in,
    grid,
)
from icml2008.harness.sharding import shards


def declare(name="e", cells=None, repeats=None, cost=10.0, methods=(), together=False, **more):
    return experiment(
        name,
        cells=cells or grid(size=[1, 2]),
        repeats=repeats or {"smoke": 1, "quick": 4, "full": 8},
        cost=cost,
        methods=methods or {},
        repeats_together=together,
        **more,
    )(lambda trial: None)


def sizes(cells):
    return [cell["size"] for cell in cells]


def test_trials_of_a_smaller_scale_are_among_those_of_the_larger():
    declared = declare()
    for small, large in (("smoke", "quick"), ("quick", "full")):
        larger = declared.trials(large)
        assert all(trial in larger for trial in declared.trials(small))


def test_repeats_can_differ_from_cell_to_cell():
    declared = declare(
        cells=[{"size": 1}, {"size": 2}],
        repeats={"smoke": 1, "quick": 1, "full": lambda cell: cell["size"]},
    )
    assert declared.trials("full") == [({"size": 1}, 0), ({"size": 2}, 0), ({"size": 2}, 1)]


def test_fewer_repeats_of_a_cell_than_at_a_smaller_scale_are_refused():
    with pytest.raises(ExperimentError, match="scale quick has more repeats than full"):
        declare(
            cells=[{"size": 1}, {"size": 4}],
            repeats={"smoke": 1, "quick": 2, "full": lambda cell: cell["size"]},
        )


def test_more_repeats_at_a_smaller_scale_are_refused():
    with pytest.raises(ExperimentError, match="scale quick has more repeats than full"):
        declare(repeats={"smoke": 1, "quick": 9, "full": 8})


def test_a_cell_that_the_larger_scale_lacks_is_refused():
    cells = {"smoke": [{"size": 3}], "quick": [{"size": 1}], "full": [{"size": 1}]}
    with pytest.raises(ExperimentError, match="cell size=3 is in scale smoke, not in quick"):
        declare(cells=cells)


def test_a_missing_scale_is_named():
    with pytest.raises(ExperimentError, match="repeats lack the scale 'full'"):
        declare(repeats={"smoke": 1, "quick": 1})
    with pytest.raises(ExperimentError, match="cells lack the scale 'quick'"):
        declare(cells={"smoke": [], "full": []})


def test_a_misspelt_scale_is_named_with_the_nearest():
    with pytest.raises(ExperimentError, match="repeats have an unknown scale 'quik'; did you mean"):
        declare(repeats={"quik": 1, "full": 6})


@pytest.mark.parametrize(
    ("repeats", "by_scale"),
    [
        (6, (1, 2, 6)),
        (1, (1, 1, 1)),
        ({"quick": 4, "full": 8}, (1, 4, 8)),
        ({"smoke": 3, "quick": 3, "full": 3}, (3, 3, 3)),
        (lambda cell: cell["size"], (1, 1, 1)),
        (lambda cell: 7 * cell["size"], (1, 2, 7)),
    ],
)
def test_repeats_of_a_smaller_scale_are_few_unless_they_are_named(repeats, by_scale):
    declared = declare(cells=[{"size": 1}], repeats=repeats)
    assert tuple(len(declared.trials(scale)) for scale in SCALES) == by_scale


def test_a_scale_without_cells_of_its_own_has_those_of_the_next_larger():
    full = grid(size=[1, 2, 3])
    same = declare(cells=full).cells
    assert [sizes(same[scale]) for scale in SCALES] == [[1, 2, 3]] * 3
    small = declare(cells=full, quick=full[:2]).cells
    assert [sizes(small[scale]) for scale in SCALES] == [[1, 2], [1, 2], [1, 2, 3]]
    smallest = declare(cells=full, smoke=full[:1]).cells
    assert [sizes(smallest[scale]) for scale in SCALES] == [[1], [1, 2, 3], [1, 2, 3]]


def test_cells_by_scale_are_declared_in_one_way_only():
    with pytest.raises(ExperimentError, match="leave nothing to quick= and smoke="):
        declare(cells=dict.fromkeys(SCALES, grid(size=[1])), smoke=grid(size=[1]))


def test_methods_are_a_mapping_or_a_function_of_the_choices():
    by_name = {"A": object}
    assert declare(methods=by_name).methods({"rule": "mean"}) == by_name
    of_choices = declare(methods=lambda choices: {choices["rule"]: object})
    assert of_choices.methods({"rule": "mean"}) == {"mean": object}


def test_an_unknown_scale_is_named_with_the_nearest():
    with pytest.raises(ExperimentError, match="no scale 'ful'; did you mean 'full'"):
        declare().trials("ful")


def test_two_experiments_of_one_name_are_refused():
    module = types.ModuleType("m")
    module.one = declare()
    module.two = declare()
    with pytest.raises(ExperimentError, match="two experiments are called 'e'"):
        experiments_in(module)


def test_cell_names_sort_their_coordinates():
    assert cell_name({"size": 1, "dataset": "a"}) == "dataset=a,size=1"


@pytest.mark.parametrize("seconds", [1.0, 25.0, 1000.0])
def test_shards_hold_every_trial_once_in_order(seconds):
    declared = declare()
    planned = shards({"e": declared}, "full", seconds)
    assert [trial[1:] for shard in planned for trial in shard.trials] == declared.trials("full")


def test_shards_aim_at_the_seconds_of_a_job():
    sizes = [len(shard.trials) for shard in shards({"e": declare(cost=10.0)}, "full", 30.0)]
    assert sizes == [3, 3, 3, 3, 3, 1]


def test_small_cells_may_cost_less_than_large_ones():
    declared = declare(cost=lambda cell: 10.0 * cell["size"])
    planned = list(shards({"e": declared}, "full", 30.0))
    spent = [[declared.seconds(cell) for _, cell, _ in shard.trials] for shard in planned]
    assert all(sum(seconds) <= 30 for seconds in spent)
    assert [declared.seconds({"size": size}) for size in (1, 2)] == [10.0, 20.0]
    assert len({len(seconds) for seconds in spent[:-1]}) > 1


def test_a_shard_needs_the_same_data_for_all_its_trials():
    declared = declare(data=lambda cell: ("mnist",) if cell["size"] == 2 else ())
    for shard in shards({"e": declared}, "full", 1000.0):
        assert {cell["size"] == 2 for _, cell, _ in shard.trials} == {shard.data == ("mnist",)}


def test_short_experiments_of_a_paper_share_a_shard():
    declared = {name: declare(cost=1.0) for name in ("a", "b", "c")}
    planned = list(shards(declared, "smoke", 100.0))
    assert [shard.experiments for shard in planned] == [["a", "b", "c"]]
    assert len(planned[0].trials) == sum(
        len(experiment.trials("smoke")) for experiment in declared.values()
    )


def test_one_job_does_all_repeats_of_a_cell_that_share_work():
    declared = {"e": declare(cost=10.0, together=True), "f": declare("f", cost=10.0)}
    planned = [[trial[:2] for trial in shard.trials] for shard in shards(declared, "full", 30.0)]
    assert planned[:2] == [[("e", {"size": size})] * 8 for size in (1, 2)]
    assert max(len(trials) for trials in planned[2:]) == 3


def test_experiments_of_a_module_are_by_name_and_no_two_share_one():
    module = types.ModuleType("papers.mine")
    module.first = declare("a")
    module.second = declare("b")
    module.other = 7
    assert experiments_in(module) == {"a": module.first, "b": module.second}
    module.third = declare("a")
    with pytest.raises(ExperimentError, match=r"papers\.mine: two experiments are called 'a'"):
        experiments_in(module)
