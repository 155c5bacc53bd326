"""The guide to multi-task data runs as printed."""

from __future__ import annotations

import doctest
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs" / "multi-task.md"


def test_the_guide_to_multi_task_data_runs_as_printed():
    result = doctest.testfile(str(GUIDE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
