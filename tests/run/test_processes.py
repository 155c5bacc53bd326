"""Work on many items is done by all processors, and its results are in order."""

import os

import pytest

from icml2008.errors import Icml2008Error
from icml2008.run.trials.processes import mapped


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)


def with_process(item):
    return item, os.getpid()


def refused(item):
    msg = f"no {item}"
    raise Icml2008Error(msg)


def test_many_items_are_worked_on_elsewhere_and_stay_in_order():
    results = list(mapped(with_process, range(4)))
    assert [item for item, _ in results] == [0, 1, 2, 3]
    assert os.getpid() not in {process for _, process in results}


def test_what_is_not_worth_two_processes_is_done_here():
    assert list(mapped(with_process, [1, 2, 3], worth=2)) == [(n, os.getpid()) for n in (1, 2, 3)]


def test_a_mistake_in_another_process_is_raised_here():
    with pytest.raises(Icml2008Error, match="no a"):
        list(mapped(refused, ["a", "b"]))
