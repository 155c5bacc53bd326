"""Whether a run is good, from what it left."""

import json

import pytest

from icml2008.data.availability import State
from icml2008.harness.logs import logged
from icml2008.run.trials.outcome import (
    RunError,
    Step,
    conclude,
    outcome_of,
    reason,
    say_last,
    say_no_room,
)

KEY = "bergeron2008mirank"
NAME = "census-16h"
MOVED = {"method": "A", "metric": "error", "cell": "{}", "old": 1.0, "new": 2.0}


@pytest.fixture
def left(tmp_path, monkeypatch):
    """Return a function that leaves a data set's state and a comparison in a folder."""
    monkeypatch.chdir(tmp_path)

    def leave(status="available", moved=()):
        entry = {"compared": 8, "judged": 1, "moved": list(moved), "flipped": [], "stale": []}
        state = State(NAME, status, {}, {} if status == "available" else {"a.csv": "it is odd"})
        (tmp_path / "results/data").mkdir(parents=True)
        (tmp_path / "results/quick").mkdir()
        (tmp_path / f"results/data/{NAME}.json").write_text(state.to_json())
        (tmp_path / "results/quick/check.json").write_text(json.dumps({KEY: entry}))

    return leave


@pytest.mark.parametrize(
    ("status", "strict", "wrong"),
    [
        ("available", True, ""),
        ("unavailable", False, ""),
        ("unavailable", True, "1 data set is not available"),
        ("corrupt", False, "1 data set is corrupt"),
    ],
)
def test_corrupt_data_fail_a_run_and_absent_ones_only_if_strict(left, status, strict, wrong):
    left(status)
    if not wrong:
        conclude("quick", [NAME], strict=strict)
        return
    with pytest.raises(RunError, match=wrong) as error:
        conclude("quick", [NAME], strict=strict)
    assert f"{NAME}: a.csv it is odd" in str(error.value)


def test_the_reason_shows_a_few_and_says_how_many_more_and_where(left):
    left(moved=[MOVED] * 2000)
    *shown, last = reason(outcome_of("quick", [NAME], strict=False), "quick").splitlines()
    assert len(shown) == 4
    assert shown[-1] == "  and 1997 more"
    assert last == "What is wrong: 2000 means moved; all in results/quick/check.json"


def test_a_comparison_that_an_earlier_run_left_is_not_told_after_a_failed_job(left):
    left(moved=[MOVED])
    failed = [Step("run_trials", KEY, "", "no.log")]
    assert outcome_of("quick", [NAME], strict=False, failed=failed).summary == "1 job failed"


def test_the_last_step_is_a_problem_only_where_it_found_none(left):
    left()
    failed = [Step("conclude", "", "", "no.log")]
    (problem,) = outcome_of("quick", [NAME], strict=False, failed=failed).problems
    assert str(problem).startswith("conclude: ended from outside")


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """Return a folder in which nothing can be written, though the user may do everything."""
    for name in ("results", "logs"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_that_cannot_be_written_is_named_with_the_reason(closed, capsys):
    say_no_room(closed)
    message = f"What is wrong: nothing can be written in {closed} (File exists)."
    assert capsys.readouterr().err.startswith(message)


def test_nothing_is_said_of_a_folder_with_room_and_nothing_left_there(tmp_path, capsys):
    say_no_room(tmp_path)
    assert capsys.readouterr().err == ""
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_reason_that_cannot_be_kept_is_said_all_the_same(closed, monkeypatch):
    last = []
    monkeypatch.setattr("atexit.register", lambda *call: last.append(call[1:]))
    say_last("it is late", "quick")
    assert last == [("it is late",)]


def test_what_cannot_be_logged_is_said(closed, capsys):
    with pytest.raises(SystemExit), logged(closed / "logs/trials.log"):
        pass
    assert capsys.readouterr().err.startswith(f"cannot write {closed}/logs/trials.log: ")
