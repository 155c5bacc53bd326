"""Addresses of the site: each that was given out leads somewhere."""

from datetime import date

from icml2008.catalogue.entry import Entry, all_entries
from icml2008.catalogue.parts import Change
from icml2008.run.site.addresses import addresses, frozen, lost

KEY = "long2008random"


def test_no_address_is_lost():
    given = frozen()
    assert len(given) > 1300
    cure = "a claim that goes has an entry in `changes` without `after`, or one with `renamed`"
    assert lost(given, [entry.paper for entry in all_entries()]) == [], cure


def without(paper, name):
    """Return a paper less a claim, of which a change says what became."""
    claims = {other: claim for other, claim in paper.claims.items() if other != name}
    change = Change(claim=name, date=date(2026, 1, 2), before="It.", reason="It is trivial.")
    return paper.model_copy(update={"claims": claims, "changes": [change]})


def test_a_claim_that_goes_without_a_word_is_lost():
    paper = Entry(KEY).paper
    name = next(name for name, claim in paper.claims.items() if claim.status)
    given = addresses([paper])
    gone = without(paper, name)
    assert lost(given, [gone]) == []
    assert lost(given, [gone.model_copy(update={"changes": []})]) == [f"{KEY}/{name}.html"]
