"""The plan of a paper is kept until a file changes that it can depend on."""

import os
import shutil

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.trials import plans
from icml2008.run.trials.configuration import Run

KEY = "radlinski2008diverse"


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return a file in the folder of a paper, whose plans are kept elsewhere."""
    folder = tmp_path / KEY
    shutil.copytree(library.folder(KEY), folder)
    monkeypatch.setattr(library, "_folders", lambda: {KEY: folder})
    monkeypatch.setattr(plans, "FOLDER", tmp_path / "plans")
    return folder / "paper.yaml"


@pytest.fixture
def made(monkeypatch):
    """Return which plans were made, in their order."""
    scales = []
    make = plans._made

    def noted(run, entry, scale):
        scales.append(scale)
        return make(run, entry, scale)

    monkeypatch.setattr(plans, "_made", noted)
    return scales


def plan(scale="smoke"):
    return plans.plan_of(Run(scale=scale), Entry(KEY), scale)


def test_a_plan_is_made_once_for_each_scale(file, made):
    smoke = plan()
    quick = plan("quick")
    assert (plan(), plan("quick")) == (smoke, quick)
    assert smoke.shards != quick.shards
    assert made == ["smoke", "quick"]


def test_other_bytes_of_the_same_size_and_time_make_another_plan(file, made):
    before = plan()
    facts = file.stat()
    text = file.read_text()
    file.write_text(text.replace("title: ", "title:\t"))
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert file.stat().st_size == facts.st_size
    assert plan().rendering != before.rendering
    assert made == ["smoke"] * 2


def test_a_kept_plan_that_is_broken_is_made_anew(file, made):
    before = plan()
    (kept,) = plans.FOLDER.iterdir()
    kept.write_bytes(kept.read_bytes()[:-9])
    assert plan() == before
    assert made == ["smoke"] * 2


def test_several_processes_make_the_plans_that_one_makes(tmp_path, monkeypatch, made):
    papers = [Entry(KEY), Entry("li2008worst")]
    run = Run(scale="smoke")
    monkeypatch.setattr(plans, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr(plans, "FOLDER", tmp_path / "theirs")
    by_paper = plans.plans_of(run, papers, "smoke")
    assert made == []
    monkeypatch.setattr(plans, "FOLDER", tmp_path / "ours")
    assert by_paper == {entry.key: plans.plan_of(run, entry, "smoke") for entry in papers}
    assert made == ["smoke"] * 2
