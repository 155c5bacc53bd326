"""The guide for users runs as printed, and its picture is what its code draws."""

from __future__ import annotations

import doctest
import runpy
from pathlib import Path

DOCS = Path(__file__).parents[3] / "docs"


def test_the_guide_runs_as_printed():
    result = doctest.testfile(str(DOCS / "exemplar-clustering.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_picture_shows_the_groups_that_the_guide_speaks_of():
    figure = runpy.run_path(str(DOCS / "exemplar_clustering.py"))["draw"]()
    _, exemplars, path = figure.axes
    assert len(exemplars.lines[0].get_xdata()) == 20
    counts = path.lines[0].get_ydata()
    assert counts[0] <= 2
    assert max(counts) > 20
    assert (DOCS / "exemplar-clustering.svg").stat().st_size > 1000
