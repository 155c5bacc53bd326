"""The guide's examples run as they stand."""

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "multi-objective-planning.md"


def test_the_guide_runs():
    results = doctest.testfile(str(GUIDE), module_relative=False)
    assert results.attempted > 10
    assert results.failed == 0


def test_the_guide_is_short():
    assert len(GUIDE.read_text("utf-8").splitlines()) < 60
