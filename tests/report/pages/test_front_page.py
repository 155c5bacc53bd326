"""The first page: what holds, every paper, and what search knows."""

import json
from dataclasses import replace

from icml2008.catalogue.parts import Venue
from icml2008.report.pages.front import by_reason, search_index
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.paper import overview
from icml2008.report.problems import Outcome, Problem

KEY = "doe2008toy"

SENTENCE = (
    "Of the claims of {0} papers so far, 0 hold , 0 hang on how the paper is read , "
    "{1} do not hold under any reading tried , {1} are open"
)


def test_it_says_in_one_sentence_how_many_claims_hold(front, both):
    text = front(both).text
    assert SENTENCE.format(1, 1) in text


def test_tags_are_balanced_and_ids_unique(front, both, other):
    page = front(both, other(both, "roe2008other"))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))


def test_every_own_claim_is_a_dot(front, both):
    source = front(both).source
    row = source[source.index("<div class=row>") : source.index("<figcaption")]
    for word in ("inconclusive", "refuted", "untested"):
        assert row.count(f"<i class={word}>") == 1
    assert "1 refuted, 1 inconclusive, 1 untested" in row


def test_totals_are_of_all_papers(front, both, other):
    text = front(both, other(both, "roe2008other")).text
    assert SENTENCE.format(2, 2) in text


def test_what_the_proceedings_build_on_is_in_no_total(front, both, other):
    venue = Venue(name="L", kind="lectures", booktitle="L", year=2022)
    text = front(both, other(both, "lectures", venue=venue)).text
    assert "1 do not" in text
    assert "What they build on, in no total" in text


def test_a_paper_that_waits_is_listed_by_its_state(front, both):
    planned = replace(both, current=[], reference=[], provenance=None, stale=False)
    page = front(planned, state="planned")
    assert f"{KEY}.html" in page.links
    assert "data-state=planned" in page.source
    assert "<div class=row>" not in page.source


def test_a_disputed_verdict_is_no_dot_and_in_no_total(front, both):
    for row in both.reference:
        row["disputed"] = row["claim"] == "a-accuracy"
    assert "0 do not" in front(both).text


def test_search_knows_claims_with_their_verdicts(both):
    text = search_index([overview(both, claim_rows(both), "re-run")])
    name, equals, content = text.partition(" = ")
    assert (name, equals) == ("const SEARCH", " = ")
    [known] = json.loads(content.rstrip(";\n"))
    assert (known["key"], known["title"]) == (KEY, both.paper.title)
    assert (known["data"], known["methods"]) == (list(both.paper.data), list(both.paper.methods))
    assert known["idea"] == both.paper.idea
    assert ["a-accuracy", "A's accuracy costs $5 or $6.", "refuted"] in known["claims"]


def test_it_says_where_the_evidence_for_a_claim_is(front, both):
    page = front(both)
    assert "a claim's page has the evidence" in page.text
    assert f"{KEY}/a-beats-b.html" in page.links


def test_what_is_wrong_stands_above_everything(front, both):
    wrong = Outcome([Problem("moved", "A became B", KEY), Problem("corrupt", "wine: rotten")], 9)
    text = front(both, outcome=wrong).text
    assert text.index("1 data set is corrupt, 1 mean moved") < text.index("We re-run the papers")
    assert "wine: rotten" in text
    assert "agrees with" not in text


def test_a_good_run_says_quietly_that_it_agrees(front, both):
    small = Outcome(compared=1234, explained=[Problem("arithmetic", "A became B", KEY)])
    text = front(both, outcome=small).text
    assert "agrees with the reference: 1,234 values" in text
    assert "other arithmetic explains (1) doe2008toy : A became B" in text
    assert "wrong" not in text
    assert "agrees with" not in front(both).text


def absent(*names, why="not in the cache"):
    reasons = {"a.csv": why, "a.txt": why}
    return {name: {"status": "unavailable", "reasons": reasons} for name in names}


def test_what_is_left_out_is_grouped_by_reason_and_named_once(front, both):
    gone = absent("wine", "iris") | absent("moons", why="no moon today")
    text = front(both, left_out=by_reason({KEY: gone, "roe2008other": absent("wine")})).text
    assert "Not in the cache: iris, for doe2008toy ; wine, for doe2008toy , roe2008other" in text
    assert "No moon today: moons" in text
    assert text.count("ICML2008_MIRROR") == 1
    assert "Left out" not in front(both).text
