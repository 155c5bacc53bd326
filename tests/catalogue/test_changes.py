"""A claim that is judged in another way than in the first evidence has its entry in ``changes``."""

import json
from datetime import date

import pytest
from typer.testing import CliRunner

from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.changes import explained, judged_hashes, unexplained
from icml2008.catalogue.entry import Entry
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.parts import Change
from icml2008.cli import app

KEY = "tieleman2008pcd"
CLAIM = "mrf-pl"


def first_and_since(key):
    shelf = store.Shelf(store.REFERENCE, Entry(key))
    since = shelf.changed_claims_file
    first = json.loads(shelf.first_claims_file.read_text())
    return first, json.loads(since.read_text()) if since.is_file() else {}


def test_every_change_since_the_first_evidence_is_explained():
    keys = sorted(path.parent.name for path in store.REFERENCE.glob("*/verdicts.json"))
    assert keys
    changed = {key: unexplained(library.load_paper(key), *first_and_since(key)) for key in keys}
    lacking = {key: sorted(claims) for key, claims in changed.items() if claims}
    assert lacking == {}, "add an entry to `changes` of paper.yaml, then `icml2008 changes --write`"


def another(paper, number, changes=0):
    """Return a paper with a claim of another number, and so many entries that say so."""
    claim = paper.claims[CLAIM].model_copy(update={"near": number})
    entry = Change(claim=CLAIM, date=date(2026, 1, 2), before="a", after="b", reason="So.")
    others = [change for change in paper.changes if change.claim != CLAIM]
    return paper.model_copy(
        update={"claims": paper.claims | {CLAIM: claim}, "changes": [*others, *changes * [entry]]}
    )


def test_each_change_of_what_is_judged_takes_an_entry_of_its_own():
    paper = library.load_paper(KEY)
    first = judged_hashes(paper)
    with pytest.raises(PaperError, match=f"{KEY}: changes: no new entry about {CLAIM}"):
        explained(another(paper, "-5.36"), first, {})
    since = explained(another(paper, "-5.36", 1), first, {})
    assert unexplained(another(paper, "-5.36", 1), first, since) == {}
    with pytest.raises(PaperError, match=CLAIM):
        explained(another(paper, "-5.37", 1), first, since)
    again = explained(another(paper, "-5.37", 2), first, since)
    assert again[CLAIM][:1] == since[CLAIM]
    assert unexplained(another(paper, "-5.37", 2), first, again) == {}


def test_what_is_kept_is_complete_and_is_written_by_a_command(tmp_path, monkeypatch):
    listed = CliRunner().invoke(app, ["changes", KEY])
    assert (listed.exit_code, listed.output) == (0, "")
    first, _ = first_and_since(KEY)
    monkeypatch.setattr(store, "REFERENCE", tmp_path)
    store.write_json(store.Shelf(tmp_path, Entry(KEY)).first_claims_file, first)
    written = CliRunner().invoke(app, ["changes", KEY, "--write"])
    assert written.exit_code == 0
    assert first_and_since(KEY)[1] or not unexplained(library.load_paper(KEY), first)


def test_of_a_paper_without_evidence_claims_may_change_freely():
    refused = CliRunner().invoke(app, ["changes", "yaman2008lexicographic"])
    assert refused.exit_code == 1
    assert "no evidence yet" in str(refused.exception)
