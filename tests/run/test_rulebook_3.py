"""Nobody is refuted by a guess of ours: every refutation of the reference, looked at by itself."""

import pytest

from icml2008.catalogue.entry import Entry
from icml2008.judge.decide import RULEBOOK
from icml2008.judge.standing import HEDGES, OWN
from icml2008.judge.totals import counted
from icml2008.store import REFERENCE, Shelf

KEYS = sorted(path.parent.name for path in REFERENCE.glob("*/verdicts.json"))


@pytest.fixture(scope="module", params=KEYS)
def reference(request):
    """Return a paper and its committed verdicts in all universes."""
    entry = Entry(request.param)
    return entry.paper, Shelf.of_reference(entry).verdicts()


def by_default(rows, claim):
    """Return the verdicts on a claim and its parts over all readings."""
    return [row for row in rows if row["universe"] == "default" and row["claim"] == claim]


def wholes(rows):
    """Return the verdicts on whole claims over all readings."""
    return [row for row in rows if row["universe"] == "default" and not row["part"]]


def refuted(paper, rows):
    """Yield the refuted claims that are the paper's own, each with its rows."""
    for name, claim in paper.claims.items():
        own = by_default(rows, name)
        if claim.status in OWN and own and own[0]["verdict"] == "refuted":
            yield name, claim, own


def test_no_reading_confirms_or_leaves_open_what_is_refuted(reference):
    paper, rows = reference
    for name, _, (whole, *_) in refuted(paper, rows):
        assert set(whole["readings"]) == {"refuted"}, name
        for universe in whole["readings"]["refuted"][1:]:
            there = [r for r in rows if (r["claim"], r["universe"]) == (name, universe)]
            assert there[0]["verdict"] == "refuted", (name, universe)


def test_a_refuted_part_ran_under_another_reading_or_nothing_is_unsaid(reference):
    paper, rows = reference
    for name, claim, own in refuted(paper, rows):
        parts = [row for row in own[1:] or own if row["verdict"] == "refuted"]
        tried = [row for row in parts if len(row["readings"]["refuted"]) > 1]
        # Where every reading refutes another part, no part need be refuted by all of them.
        assert claim.unsaid or tried or not parts, name


def test_a_refutation_has_no_hedge_behind_a_line_of_ours(reference):
    paper, rows = reference
    for name, claim, _ in refuted(paper, rows):
        softened = HEDGES.search(claim.quote or "")
        assert claim.comparison == "holds" or claim.hedge or not softened, name


def test_where_a_gauge_is_missed_everywhere_nothing_is_refuted(reference):
    paper, rows = reference
    for name, claim, _ in refuted(paper, rows):
        gauges = paper.experiments[claim.statistic.experiment].gauges
        missed = [
            gauge
            for gauge in gauges
            if not claim.each and by_default(rows, gauge)[0]["finding"] == "refuted"
        ]
        assert missed == [], name


def test_what_is_equal_by_construction_is_equal(reference):
    paper, rows = reference
    words = {row["claim"]: row["verdict"] for row in wholes(rows)}
    unlike = {
        name: claim.same_as
        for name, claim in paper.claims.items()
        if claim.same_as and name in words and words[name] != words[claim.same_as]
    }
    assert unlike == {}, "claims that judge one sentence are its parts: `part_of`"


def test_every_verdict_is_by_the_rule_book_of_today(reference):
    _, rows = reference
    assert {row["rulebook"] for row in rows} == {RULEBOOK}


def test_no_cause_counts_twice(reference):
    paper, rows = reference
    sentences = [row for row in counted(wholes(rows)) if row["verdict"] != "confirmed"]
    causes = [row["cause"] for row in sentences if row["cause"]]
    assert len(causes) == len(set(causes))
