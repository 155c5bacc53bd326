import math

import pytest

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial, TrialError, run_trial

REPEATS = {"smoke": 1, "quick": 1, "full": 1}


def trial_of(function, methods=("A", "B"), data=(), load=None):
    declared = experiment(
        "e", cells=grid(size=[1]), repeats=REPEATS, cost=1.0,
        methods=lambda choices: dict.fromkeys(methods, object), data=lambda cell: data,
    )(function)  # fmt: skip
    return Trial("p", declared, {"size": 1}, 0, choices={}, load=load)


def run(function, **more):
    return run_trial(trial_of(function, **more))


def test_an_exception_is_the_record_of_its_method_alone():
    def trials(trial):
        for name in trial.methods:
            with trial.attempt(name):
                if name == "A":
                    msg = f"no {object()}"
                    raise ValueError(msg)
                trial.measure(name, loss=1)

    failed, measured = run(trials)
    assert failed["status"] == "failed"
    assert failed["error"] == "ValueError: no <object object>"
    assert measured["value"] == 1.0


def test_data_that_cannot_be_read_are_no_methods_fault():
    def broken(name):
        raise ValueError(name)

    def trials(trial):
        with trial.attempt("A"):
            trial.data("iris")

    with pytest.raises(ValueError, match="iris"):
        run(trials, methods=["A"], data=["iris"], load=broken)


def test_what_a_failed_method_had_measured_is_dropped():
    def trials(trial):
        with trial.attempt("A"):
            trial.measure("A", loss=1)
            raise ValueError

    (line,) = run(trials, methods=["A"])
    assert "value" not in line


@pytest.mark.parametrize("error", [MemoryError, OSError(28, "No space left on device")])
def test_exhausted_memory_or_disk_ends_the_job(error):
    def trials(trial):
        with trial.attempt("A"):
            raise error

    with pytest.raises((MemoryError, OSError)):
        run(trials, methods=["A"])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_not_finite_becomes_null_with_a_status(value):
    (line,) = run(lambda trial: trial.measure("A", loss=value), methods=["A"])
    assert (line["value"], line["status"]) == (None, "non-finite")


def test_minus_zero_becomes_zero():
    (line,) = run(lambda trial: trial.measure("A", loss=-0.0), methods=["A"])
    assert math.copysign(1, line["value"]) == 1


def test_a_method_without_any_record_is_an_error():
    with pytest.raises(TrialError, match="nothing was measured for the method 'B'"):
        run(lambda trial: trial.measure("A", loss=1))


def test_the_same_measurement_twice_is_an_error():
    def trials(trial):
        trial.measure("A", loss=1)
        trial.measure("A", loss=2)

    with pytest.raises(TrialError, match="recorded twice: A, loss"):
        run(trials, methods=["A"])


def test_an_unknown_method_is_named_with_the_nearest():
    with pytest.raises(TrialError, match="no method 'MIRanc'; did you mean 'MIRank'"):
        run(lambda trial: trial.measure("MIRanc", loss=1), methods=["MIRank"])


def test_data_that_were_not_declared_cannot_be_read():
    with pytest.raises(TrialError, match="reads the data set 'mnist' without declaring it"):
        run(lambda trial: trial.data("mnist"), load=lambda name: name)


def test_declared_data_are_loaded():
    def trials(trial):
        trial.measure("A", loss=len(trial.data("four")))

    (line,) = run(trials, methods=["A"], data=["four"], load=lambda name: name)
    assert line["value"] == 4.0


def test_cases_and_arrays_are_kept_beside_measurements():
    def trials(trial):
        trial.measure("A", accuracy=50, n_test=2)
        trial.cases("A", [True, False])
        trial.keep("w", [1, 2])

    measured, cases, kept = run(trials, methods=["A"])
    assert measured["n_test"] == 2
    assert cases["cases"] == [1, 0]
    assert (kept["keep"], kept["array"]) == ("w", [1.0, 2.0])
