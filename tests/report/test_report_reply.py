"""What an author replies stands above the verdicts; what is disputed is in no total."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from icml2008.catalogue import coverage, library
from icml2008.catalogue.model import Paper
from icml2008.judge.standing import stated
from icml2008.report.claim_tables import claims_table, to_csv
from icml2008.report.terminal import verdict_lines

ROOT = Path(__file__).parents[2]
REPLY = {"author": "Jane <b>Doe</b>", "date": "2026-03-04", "text": "Wine was <i>scaled</i>."}


def with_reply(results, *, disputed):
    """Return results as they are once an author has replied to the refuted claim."""
    plain = results.paper.model_dump(mode="json")
    plain["claims"]["a-accuracy"] |= {"author_response": REPLY, "disputed": disputed}
    paper = Paper.model_validate(plain, strict=False)
    current = [stated(row, paper.claims) for row in results.current]
    return replace(results, paper=paper, current=current)


@pytest.fixture
def disputed(preliminary):
    return with_reply(preliminary, disputed=True)


def test_a_disputed_verdict_is_in_no_total(preliminary, disputed):
    assert preliminary.counts() == Counter(inconclusive=1, refuted=1, untested=1)
    assert disputed.counts() == Counter(inconclusive=1, untested=1)
    assert disputed.disputed() == Counter(refuted=1)


def test_a_reply_alone_leaves_the_verdict_where_it_is(preliminary):
    replied = with_reply(preliminary, disputed=False)
    assert replied.counts() == preliminary.counts()
    assert replied.disputed() == Counter()


def test_rows_of_verdicts_and_their_parts_say_that_they_are_disputed(disputed):
    marked = {(row["claim"], row["disputed"]) for row in disputed.current}
    assert marked == {("a-beats-b", False), ("a-accuracy", True)}
    head, *rows = to_csv(claims_table(disputed)).splitlines()
    assert "disputed" in head.split(",")
    assert any(
        row["verdict_text"] == "✗ refuted, disputed (preliminary)" for row in claims_table(disputed)
    )


def test_the_terminal_marks_it_and_says_that_it_is_not_counted(disputed):
    text = "\n".join(verdict_lines([disputed]))
    assert "✗ refuted, disputed" in text
    assert "claims: 1 inconclusive, 1 untested. Disputed by their authors, and not counted: 1." in (
        text.replace("\n", " ")
    )


def test_coverage_counts_it_in_a_column_of_its_own(disputed, monkeypatch):
    monkeypatch.setattr(library, "load_paper", lambda key: disputed.paper)
    monkeypatch.setattr(library, "state", lambda key: "re-run")
    [row, *_] = coverage.coverage(["doe2008toy"])
    assert (row["claims"], row["judged"], row["disputed"]) == (2, 1, 1)


def test_no_column_stands_empty_where_nothing_is_disputed():
    assert "disputed" not in coverage.coverage(["bergeron2008mirank"])[0]


def test_the_form_of_an_issue_asks_for_address_fault_and_evidence():
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/author-reply.yml").read_text("utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    fields = {field["id"]: field for field in form["body"] if field["type"] != "markdown"}
    required = {
        name for name, field in fields.items() if field.get("validations", {}).get("required")
    }
    assert {"address", "author", "wrong", "evidence"} <= required
    key, _, claim = fields["address"]["attributes"]["placeholder"].partition("/")
    assert claim in library.load_paper(key).claims
