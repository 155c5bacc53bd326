"""The quality of results: each flaw by severity, with its address and what would settle it."""

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.judge.outside import Outside
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.paper import overview
from icml2008.report.pages.quality_page import quality_page
from icml2008.report.problems import KINDS, Problem
from icml2008.report.quality import Flaw, count, flaws_of, grouped, of_problem
from icml2008.run.reference import flaws
from icml2008.store import Shelf

KEY = "doe2008toy"


@pytest.fixture
def flaws_with(paper, verdict):
    """Return a function from fields of one part's verdict to the flaws, without their paper."""

    def ask(word, **fields):
        row = verdict("a-beats-b", "iris", word, **{"n": 8, "scale": "full"} | fields)
        whole = verdict("a-beats-b", word=word)
        return [(flaw.severity, flaw.kind, flaw.where) for flaw in flaws_of(KEY, [whole, row])]

    return ask


WHERE = "a-beats-b[dataset=iris]"


@pytest.mark.parametrize("word", ["confirmed", "refuted"])
def test_a_verdict_that_decides_has_no_flaw(flaws_with, word):
    assert flaws_with(word) == []


def test_a_claim_with_parts_is_listed_by_its_parts(flaws_with):
    assert flaws_with("inconclusive") == [("note", "underpowered", WHERE)]


def test_too_coarse_a_tolerance_and_too_few_repeats_are_told_apart(flaws_with):
    coarse = flaws_with("inconclusive", hindrance="coarse", tolerance=3.0)
    assert coarse == [("note", "coarse", WHERE)]
    assert flaws_with("inconclusive", hindrance="repeats") == [("note", "underpowered", WHERE)]
    assert flaws_with("inconclusive", hindrance="hedge") == []


def test_failed_trials_are_a_warning_whatever_the_verdict(flaws_with):
    assert flaws_with("confirmed", failed=2) == [("warning", "failures", WHERE)]


def test_other_universes_are_not_listed(verdict):
    row = verdict("on-a-cluster", word="inconclusive", universe="ties=random")
    assert flaws_of(KEY, [row]) == []


def test_an_underpowered_verdict_says_how_many_repeats_would_settle_it(verdict):
    power = {"n": 8, "could_see": 3.5, "repeats_needed": 90, "floor": 0.0, "comparison": "above"}
    row = verdict("a-beats-b", word="inconclusive", **power)
    [flaw] = flaws_of(KEY, [row])
    assert flaw.what == "8 repeats, could have seen 3.5 percent"
    assert flaw.settles == "about 90 repeats"


def test_what_is_missing_comes_first_then_what_is_stale_or_outside(verdict):
    below = Outside("main", "dataset=iris", "A", "accuracy", "floor", "guess", 20.0, 50.0, 8)
    beyond = Outside("main", "", "A", "accuracy", "bounds", "[0, 100]", 120.0, 100.0, 8)
    flaws = flaws_of(
        KEY,
        [verdict("on-a-cluster", word="untested")],
        outside=[below, beyond],
        stale=["main: other code"],
        missing=["no records of main"],
        untried=["ties=random"],
    )
    kinds = [(flaw.severity, flaw.kind) for flaw in flaws]
    assert kinds == [
        *(("error", "missing"), ("error", "bounds"), ("warning", "floor"), ("warning", "stale")),
        *(("warning", "untried"), ("note", "untested")),
    ]
    by_kind = {flaw.kind: flaw for flaw in flaws}
    assert by_kind["bounds"].what == "A, accuracy 120 is beyond [0, 100]"
    assert by_kind["floor"].where == "main[dataset=iris]"
    assert by_kind["floor"].what == "A, accuracy 20 against 50 (guess), 8 repeats"
    assert (by_kind["stale"].where, by_kind["stale"].what) == ("main", "other code")


@pytest.mark.parametrize("kind", KINDS)
def test_every_problem_of_a_run_is_a_flaw_that_something_settles(kind):
    flaw = of_problem(Problem(kind, "so it is", KEY))
    assert (flaw.severity, flaw.what) != ("note", "")
    assert flaw.settles


def test_flaws_are_grouped_by_severity_then_paper():
    flaws = [Flaw(kind, key, "w", "x") for key in "ab" for kind in ("missing", "stale")]
    groups = {severity: list(papers) for severity, papers in grouped(flaws[::-1]).items()}
    assert groups == {"error": ["b", "a"], "warning": ["b", "a"]}
    assert count(flaws) == {"error": 2, "warning": 2, "note": 0}


def test_the_page_escapes_links_and_counts(preliminary):
    flaws = [
        Flaw("failed", "", "this run", "index: <b>no</b>"),
        Flaw("underpowered", KEY, "a-beats-b", "8 repeats", "about 90 repeats", "a-beats-b"),
        Flaw("untested", KEY, "listed", "not yet", claim="listed"),
    ]
    shown = overview(preliminary, claim_rows(preliminary), "re-run")
    text = quality_page(flaws, [shown], health={"line": ""}, whole=True).render()
    assert "index: &lt;b&gt;no&lt;/b&gt;" in text
    assert "Learning &lt;b&gt;Fast&lt;/b&gt;" in text
    assert "<a href=doe2008toy/a-beats-b.html>" in text
    assert "<a href=doe2008toy.html#listed>" in text  # a listed claim has no page of its own
    assert "To settle it: about 90 repeats." in text
    assert text.index("Errors (1)") < text.index("Notes (2)")
    assert "Warnings (" not in text


def test_a_method_below_the_floor_is_found_in_a_folder_of_results(
    tmp_path, paper, verdict, monkeypatch
):
    plain = paper.model_dump(mode="json")
    controls = [{"metrics": ["accuracy"], "floor": {"value": "50", "why": "Two classes."}}]
    plain["experiments"]["main"]["controls"] = controls
    declared = paper.model_validate(plain, strict=False)
    monkeypatch.setattr(library, "load_paper", lambda key: declared)
    monkeypatch.setattr(flaws, "_missing", lambda shelf: [])
    monkeypatch.setattr("icml2008.catalogue.digest.load_digest", lambda key: paper)
    shelf = Shelf(tmp_path / "quick", Entry(KEY))
    shelf.write_verdicts([verdict("a-beats-b")])
    lines = [
        {
            "kind": "measurement",
            "cell": {},
            "repeat": k,
            "method": name,
            "metric": "accuracy",
            "value": mean + k % 3,
        }
        for name, mean in (("A", 90.0), ("B", 40.0))
        for k in range(8)
    ]
    monkeypatch.setattr(Shelf, "lines", lambda *args: lines)
    [flaw] = flaws.quality_of(shelf)
    assert (flaw.kind, flaw.where, flaw.what) == (
        *("floor", "main"),
        "B, accuracy 40.88 against 50, 8 repeats",
    )


def test_an_alternative_that_was_never_run_is_found_in_the_reference(paper, verdict, monkeypatch):
    plain = paper.model_dump(mode="json")
    plain["choices"] = {
        name: {
            **{"question": "?", "default": "no", "alternatives": ["yes"], "why": "-"},
            "touches": ["main"],
        }
        for name in ("noise", "order")
    } | plain["choices"]
    plain["together"] = ["noise=yes+order=yes"]
    declared = paper.model_validate(plain, strict=False)
    monkeypatch.setattr(library, "load_paper", lambda key: declared)
    rows = [verdict("a-beats-b", universe=u) for u in ("default", "noise=yes")]
    universes = flaws._untried(Entry(KEY), rows)
    assert {"order=yes", "noise=yes+order=yes"} <= set(universes)
    assert "noise=yes" not in universes
