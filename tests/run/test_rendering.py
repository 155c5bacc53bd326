"""Pages take figures that are drawn already."""

from types import SimpleNamespace

from icml2008.run import rendering


def test_published_figures_are_completed_by_the_curves_that_are_not_committed(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "figures/doe2008toy"
    folder.mkdir(parents=True)
    (folder / "claims.svg").write_text("<svg>published</svg>")
    (folder / "drawn-by.txt").write_text("today's code")
    monkeypatch.setattr(rendering, "drawn_by", lambda key: "today's code")
    drawn = {"claims": "<svg>again</svg>", "choices-a": "<svg>curve</svg>", "choices-b": None}
    asked = []

    def drawing(name):
        return SimpleNamespace(name=name, svg=lambda: asked.append(name) or drawn[name])

    monkeypatch.setattr(rendering, "drawings", lambda results: map(drawing, drawn))
    results = SimpleNamespace(paper=SimpleNamespace(key="doe2008toy"), current=[], reference=[])
    found = {"claims": "<svg>published</svg>", "choices-a": "<svg>curve</svg>"}
    assert rendering.published_figures(results) == found
    assert asked == ["choices-a", "choices-b"]
    assert rendering.published_figures(results) == found
    assert asked == ["choices-a", "choices-b", "choices-b"]

    monkeypatch.setattr(rendering, "drawn_by", lambda key: "tomorrow's")
    assert rendering.published_figures(results) == {}
