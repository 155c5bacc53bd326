"""Pages take figures that are drawn already."""

from types import SimpleNamespace

from icml2008.run import rendering


def test_published_figures_are_taken_if_they_are_those_of_todays_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "figures/doe2008toy"
    folder.mkdir(parents=True)
    (folder / "drawn-by.txt").write_text("today's code")
    results = SimpleNamespace(paper=SimpleNamespace(key="doe2008toy"), shown=list)
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "today's code")
    assert rendering._drawn(results, "quick").resolve() == folder
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "tomorrow's")
    assert rendering._drawn(results, "quick").resolve() != folder
