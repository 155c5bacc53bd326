"""What trials make once: kept by name, experiment, cell and choices, and the same if made anew."""

import numpy as np
import pytest

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import OnceError, Trial, run_trial

CELLS = grid(size=[1, 2], updates=[10, 20])


def trial_of(function=lambda trial: None, cell=None, repeat=0, name="e", choices=None, memory=None):
    declared = experiment(name, cells=CELLS, repeats=2, cost=1.0, methods={"A": None})(function)
    cell = {"size": 1, "updates": 10} | (cell or {})
    choices = {"rule": "mean"} if choices is None else choices
    return Trial("p", declared, cell, repeat, choices=choices, load=None, memory=memory)


def drawn_by(trial, name="draw", across=("repeat",)):
    return trial.once(name, lambda: trial.rng("x", across=across).random(), across=across)


def test_all_repeats_of_a_cell_have_what_the_first_one_made():
    memory = {}
    made = []
    for repeat in range(3):
        trial_of(repeat=repeat, memory=memory).once("search", lambda: made.append(0))
    assert len(made) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"cell": {"size": 2}},
        {"cell": {"updates": 20}},
        {"name": "f"},
        {"choices": {"rule": "median"}},
    ],
)
def test_another_cell_experiment_or_choice_makes_its_own(other):
    memory = {}
    mine = trial_of(memory=memory).once("search", lambda: "mine")
    others = trial_of(**other, memory=memory).once("search", lambda: "the other's")
    again = trial_of(memory=memory).once("search", lambda: "mine again")
    assert (mine, others) == ("mine", "the other's")
    assert again.startswith("mine")


def test_two_names_are_two_things():
    trial = trial_of()
    assert [trial.once(name, lambda name=name: name) for name in "ab"] == ["a", "b"]
    assert trial.once("a", lambda: "new") == "a"


def test_a_repeat_has_its_own_of_what_is_shared_across_other_coordinates():
    memory = {}
    values = {}
    for updates in (10, 20):
        for repeat in (0, 1):
            trial = trial_of(cell={"updates": updates}, repeat=repeat, memory=memory)
            values[updates, repeat] = drawn_by(trial, across=("updates",))
    assert values[10, 0] == values[20, 0] != values[10, 1] == values[20, 1]


def test_records_are_the_same_whether_it_was_made_before_or_not():
    def measure(trial):
        trial.measure("A", loss=drawn_by(trial) + trial.rng("own").random())

    memory = {}
    together = [run_trial(trial_of(measure, repeat=k, memory=memory)) for k in (0, 1)]
    alone = [run_trial(trial_of(measure, repeat=k)) for k in (1, 0)]
    assert together == alone[::-1]


def test_one_name_keeps_one_cell_at_a_time():
    memory = {}
    for size in (1, 2):
        trial_of(cell={"size": size}, memory=memory).once("matrix", lambda: np.eye(9))
    (kept,) = memory.values()
    assert len(kept[1]) == 1


def test_a_stream_that_is_not_shared_is_refused():
    trial = trial_of()
    message = r"draws from the stream 'x', which repeat would change; try: across=\('repeat',\)"
    with pytest.raises(OnceError, match=message):
        trial.once("search", lambda: trial.rng("x"))
    trial.rng("x")  # what is not made once may draw from it


def test_what_is_made_once_records_nothing():
    def measure(trial):
        trial.once("search", lambda: trial.measure("A", loss=1.0))

    with pytest.raises(OnceError, match="what is made once can record nothing"):
        run_trial(trial_of(measure))


def test_a_wrong_search_is_no_methods_failure():
    def measure(trial):
        with trial.attempt("A"):
            trial.once("search", lambda: trial.rng("x"))

    with pytest.raises(OnceError):
        run_trial(trial_of(measure))


def test_what_fails_is_tried_again():
    trial = trial_of()
    with pytest.raises(ZeroDivisionError):
        trial.once("search", lambda: 1 / 0)
    assert trial.once("search", lambda: 7) == 7


def test_unknown_coordinates_and_makers_within_makers_are_refused():
    trial = trial_of()
    with pytest.raises(OnceError, match="no coordinate 'update'; did you mean 'updates'"):
        trial.once("search", int, across=("update",))
    with pytest.raises(OnceError, match="'inner' is made once while another thing is"):
        trial.once("outer", lambda: trial.once("inner", int))
