"""The guide for users runs as printed."""

from __future__ import annotations

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "bolasso.md"


def test_the_guide_runs_as_printed():
    result = doctest.testfile(str(GUIDE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
