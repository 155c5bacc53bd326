"""Pages take figures that are drawn already."""

from types import SimpleNamespace

import pytest

from icml2008.catalogue.entry import Entry
from icml2008.run.site import rendering
from icml2008.store import Shelf


def test_published_figures_are_taken_if_they_are_those_of_todays_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "figures/doe2008toy"
    folder.mkdir(parents=True)
    (folder / "drawn-by.txt").write_text("today's code")
    results = SimpleNamespace(paper=SimpleNamespace(key="doe2008toy"), shown=list)
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "today's code")
    assert rendering._drawn(results, Shelf.of_run("quick", Entry("doe2008toy"))).resolve() == folder
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "tomorrow's")
    assert rendering._drawn(results, Shelf.of_run("quick", Entry("doe2008toy"))).resolve() != folder


@pytest.fixture
def drawn(tmp_path, monkeypatch):
    """Return a function that gives the figures of a paper to a run, and what was drawn so far."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "today's code")
    calls = []

    def write(results, folder, *, png):
        folder.mkdir(parents=True, exist_ok=True)
        calls.append(png)

    monkeypatch.setattr(rendering, "write_figures", write)

    def give(scale, reference):
        shown = [*reference, "a verdict"]
        paper = SimpleNamespace(key="doe2008toy")
        results = SimpleNamespace(paper=paper, shown=lambda: shown, reference=reference)
        return rendering._drawn(results, Shelf.of_run(scale, Entry("doe2008toy"))), calls

    return give


def test_a_run_draws_what_shows_the_reference_once(drawn, monkeypatch):
    folder, calls = drawn("quick", ["a verdict"])
    assert drawn("quick", ["a verdict"]) == (folder, [False])
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "tomorrow's")
    assert drawn("quick", ["a verdict"]) == (folder, [False, False])


def test_a_run_draws_its_own_numbers_each_time(drawn):
    drawn("quick", [])
    assert drawn("quick", [])[1] == [False, False]


def test_only_the_published_scale_is_drawn_for_other_programs_too(drawn):
    assert drawn("full", [])[1] == [True]
