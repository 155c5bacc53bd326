"""Campaigns on disk and on paper."""

from __future__ import annotations

import json

import matplotlib as mpl
import numpy as np
import pytest

from icml2008.methods import CompositeLevelSet

mpl.use("Agg")


def circle(n=30, d=2, **options):
    level_set = CompositeLevelSet([[-2, 2]] * d, 2, 1.0, slopes=4.0, random_state=0, **options)
    for _ in range(n):
        x, i = level_set.ask()
        level_set.tell(x, i, x[i % d] ** 2 if d > 1 else (x[0] ** 2) / 2)
    return level_set


def asked(level_set, n=5):
    return [(x.tolist(), i) for x, i in level_set.ask(n)]


@pytest.mark.parametrize("options", [{}, {"lower_bounds": [0.0, -np.inf], "costs": [1, 2]}])
def test_a_campaign_from_a_file_goes_on_as_if_it_had_not_stopped(tmp_path, options):
    level_set = circle(**options)
    level_set.ask()
    level_set.save(tmp_path / "campaign.json")
    assert asked(CompositeLevelSet.load(tmp_path / "campaign.json")) == asked(level_set)


def test_saving_replaces_the_file_of_before_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "campaign.json"
    circle(10).save(path)
    circle(20).save(path)
    assert len(CompositeLevelSet.load(path).samples) == 20
    assert list(tmp_path.iterdir()) == [path]


def test_a_save_that_fails_leaves_the_file_of_before_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "campaign.json"
    circle(10).save(path)

    def full(*args):
        msg = "disk full"
        raise OSError(msg)

    monkeypatch.setattr("icml2008.methods.active.saving.os.replace", full)
    with pytest.raises(OSError, match="disk full"):
        circle(20).save(path)
    assert len(CompositeLevelSet.load(path).samples) == 10
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "[1, 2]", json.dumps({"samples": []}), "{"])
def test_a_file_of_something_else_is_named(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="other.json holds no saved campaign"):
        CompositeLevelSet.load(path)


def test_a_file_of_a_later_version_is_named(tmp_path):
    path = tmp_path / "later.json"
    circle(10).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"version": 99}))
    with pytest.raises(ValueError, match="version 99, known is 1"):
        CompositeLevelSet.load(path)


def test_the_line_drawn_is_where_the_predicted_sum_is_the_threshold():
    level_set = circle(60)
    ax = level_set.plot(resolution=80)
    paths = [path.vertices for collection in ax.collections for path in collection.get_paths()]
    line = max(paths[1:], key=len)  # the first collection is the shades
    assert len(line) > 30
    np.testing.assert_allclose(level_set.predict_mean(line), 1.0, atol=0.05)
    shown = sum(len(line.get_xdata()) for line in ax.lines)
    assert shown == 60
    assert [text.get_text() for text in ax.get_legend().texts] == ["function 0", "function 1"]


def test_of_three_dimensions_two_are_drawn_where_the_others_are_cut():
    level_set = circle(40, d=3)
    ax = level_set.plot(axes=(2, 0), at=[0, 1.5, 0], resolution=20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x[2]", "x[0]")
    with pytest.raises(ValueError, match=r"axes=\(0, 3\) must be two of the dimensions 0 to 2"):
        level_set.plot(axes=(0, 3))


def test_one_dimension_is_a_line_in_its_band():
    ax = circle(20, d=1).plot(resolution=30)
    mean, threshold = ax.lines[:2]
    assert len(mean.get_xdata()) == 30
    assert set(threshold.get_ydata()) == {1.0}
