"""Nothing that a paper or a record says is taken for a part of the page."""

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from icml2008.audit.findings import Finding
from icml2008.catalogue.model import Paper
from icml2008.report.claims_figure import claims_figure
from icml2008.report.pages.audit import audit_page
from icml2008.report.pages.claim import badge, claim_pages
from icml2008.report.pages.front import front_page
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.paper import overview, paper_page
from icml2008.report.pages.quality_page import quality_page
from icml2008.report.quality import Flaw
from reading import Read

SCRIPT = "</title></script><script>alert('x')</script>\"'><hostile onload=alert(1)>"
HEALTH = {"line": SCRIPT}
# What is neither a number nor one of a few words.
FREE = {
    *("title", "says", "quote", "note", "idea", "why", "protocol", "question", "text", "reason"),
    *("where", "evidence", "before", "after", "unit", "generalises_method", "robustness"),
}  # fmt: skip


def hostile(value: Any, free: bool = False) -> Any:
    """Return plain data with a script at the end of each text that is free."""
    if isinstance(value, dict):
        return {name: hostile(entry, name in FREE) for name, entry in value.items()}
    if isinstance(value, list):
        return [hostile(entry, free) for entry in value]
    return value + SCRIPT if free and isinstance(value, str) else value


@pytest.fixture
def results(paper, both):
    facts = paper.model_dump(exclude_unset=True)
    quotes = {name: facts["claims"][name].get("quote") for name in facts["claims"]}
    untested = facts["claims"]["on-a-cluster"].pop("untested")
    facts = hostile(facts) | {"authors": [f"Jane {SCRIPT}"], "topic": SCRIPT}
    facts["experiments"]["main"]["feeds"] = [SCRIPT]
    facts["claims"]["on-a-cluster"]["untested"] = untested | {"note": SCRIPT}
    for name, quote in quotes.items():  # a quote has few words; this one has the script in one
        facts["claims"][name]["quote"] = quote and quote + "<hostile>"
    rows = [
        [row | {"statistic": SCRIPT} for row in hostile(side)]
        for side in (both.current, both.reference)
    ]
    return replace(
        both, paper=Paper.model_validate(facts), current=rows[0], reference=rows[1],
        failed_jobs=[SCRIPT], provenance={**both.provenance, "commit": SCRIPT},
    )  # fmt: skip


def pages(results):
    rows = claim_rows(results)
    shown = [overview(results, rows, "re-run")]
    more = {"health": HEALTH, "whole": True}
    about = {"figures": [], "opener": None, "run": {SCRIPT: SCRIPT}, "state": "re-run", "reads": []}
    flaw = Flaw(kind="failed", paper=results.paper.key, where=SCRIPT, what=SCRIPT, settles=SCRIPT)
    finding = Finding(
        **{"certainty": "certain", "paper": results.paper.key, "where": SCRIPT, "rule": SCRIPT},
        **{"name": SCRIPT, "evidence": SCRIPT, "note": SCRIPT},
    )
    yield paper_page(results, rows, **about, **more)
    yield from claim_pages(results, rows, **more)
    yield front_page(
        shown, outcome=None, left_out={SCRIPT: {SCRIPT: [SCRIPT]}}, run=None, covered=(), **more
    )
    yield quality_page([flaw], shown, **more)
    yield audit_page([finding], [results.paper], **more)


def test_a_script_in_a_paper_or_a_record_is_shown_as_text(results):
    seen = 0
    for page in pages(results):
        text = page.render()
        seen += "&lt;hostile" in text
        assert "<hostile" not in text, page.path
        markup = Read(text)
        assert "hostile" not in markup.tags
        assert not any("alert" in script for script in markup.scripts), page.path
    assert seen >= 5


def test_a_script_in_a_name_is_text_in_a_figure_and_a_badge(results, both):
    rows = [row | {"claim": f"a<hostile>{row['claim']}"} for row in both.reference]
    svg = claims_figure(replace(results, current=[], reference=rows))
    drawn = [element.tag for element in ElementTree.fromstring(svg).iter()]
    assert not any("hostile" in tag for tag in drawn)
    shown = badge({**both.reference[0], "name": SCRIPT, "turned_by": [SCRIPT]})
    assert "<hostile" not in shown
