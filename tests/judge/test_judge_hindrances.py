"""What stands in the way of a decision."""

from types import SimpleNamespace

import pytest

from icml2008.judge.hindrances import lies_between


@pytest.mark.parametrize(
    ("low", "high", "between"),
    [(41, 59, True), (40, 59, False), (41, 60, False), (30, 50, False), (50, 70, False)],
)
@pytest.mark.parametrize(("holds", "fails"), [(60, 40), (40, 60)])
def test_an_interval_between_two_lines_touches_neither(low, high, between, holds, fails):
    printed = SimpleNamespace(value=holds, fails=fails)
    evidence = SimpleNamespace(comparison="holds", printed=printed)
    assert lies_between(evidence, low, high) == between
    floor = SimpleNamespace(comparison="above", printed=printed)
    assert not lies_between(floor, low, high)
